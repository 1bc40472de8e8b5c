import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { millisecondsInHour } from 'date-fns/constants';
import { afterEach, expect, test } from '#jest';
import type { DigestsApi } from '../../../src/api/digests/digests-api.ts';
import { AppError } from '../../../src/model/error.ts';
import { aDigest } from '../../support/a-digest.ts';
import { adaHere, anAnswerOf, hourly } from '../../support/digest-office.ts';
import { takeSteps } from '../../support/older-store.ts';
import { testOnSqlite } from '../../support/on-sqlite.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { at, closeOffices, daily, hours, office, recording, weekly } from './recording-office.ts';

afterEach(closeOffices);

test('a period is brought once, as of the instant it was due, with the rights of its owner', async () => {
  const asked: unknown[] = [];
  const { digests, brought, dues, passes } = await recording({
    answer: async (question, asOf) => {
      asked.push(asOf);
      return anAnswerOf(question, asOf);
    },
  });
  const { id } = await digests.create(adaHere, hourly);
  await passes(2 * millisecondsInHour);
  expect(dues()).toEqual(['2026-03-18T13:00:00.000Z', '2026-03-18T14:00:00.000Z']);
  expect(asked).toEqual([at('2026-03-18T13:00:00Z'), at('2026-03-18T14:00:00Z')]);
  expect(brought.map(({ lateMs, missed }) => ({ lateMs, missed }))).toEqual([
    { lateMs: null, missed: [] },
    { lateMs: null, missed: [] },
  ]);
  expect(await digests.get(adaHere, id)).toMatchObject({
    nextDue: at('2026-03-18T15:00:00Z'),
    lastRun: { state: 'sent', due: at('2026-03-18T14:00:00Z') },
  });
});

test('of a long outage the newest three are caught up in order, marked late, and the others are named', async () => {
  const { digests, jumps, brought, dues } = await recording();
  const { id } = await digests.create(adaHere, hourly);
  await jumps(6 * millisecondsInHour);
  expect(dues()).toEqual(hours(16, 17, 18));
  expect(brought.map(({ lateMs }) => lateMs)).toEqual([
    2.5 * millisecondsInHour,
    1.5 * millisecondsInHour,
    0.5 * millisecondsInHour,
  ]);
  expect(brought.map(({ missed }) => missed)).toEqual([hours(13, 14, 15).map(at), [], []]);
  const runs = await digests.runs(adaHere, id, 10);
  expect(runs.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent', 'skipped', 'skipped', 'skipped']);
  expect(runs.at(-1)).toMatchObject({
    skipReason: 'away',
    message: "Dwell wasn't running when it was due; only the latest three were posted.",
  });
});

testOnSqlite(
  'what an older Dwell skipped is read as it was meant, and named like what is skipped now',
  async () => {
    const dataDir = temporaryFolder();
    const database = new DatabaseSync(join(dataDir, 'dwell.db'));
    takeSteps(database, 10);
    const { id, owner, paused, nextDue, lastRun, ...document } = aDigest('old', {
      ...hourly,
      owner: adaHere.account,
      nextDue: at('2026-03-18T13:00:00Z'),
    });
    database
      .prepare('INSERT INTO digest (id, owner, paused, next_due, document) VALUES (?, ?, 0, ?, ?)')
      .run(id, owner, nextDue, JSON.stringify(document));
    const add = database.prepare(
      'INSERT INTO digest_period (digest, due, state, message, finished_at, planned_for) VALUES (?, ?, ?, ?, ?, ?)',
    );
    const older = [
      ['sent', null, null],
      ['skipped', 'It was missed while Dwell was away; the newest three periods were caught up.', 'away'],
      ['skipped', 'It had not been brought to its end when the digest was changed.', 'changed'],
      ['skipped', 'It was due on a day off, and Office has no working day within a year.', 'day-off'],
      ['skipped', 'It had not been brought to its end when the digest was paused.', 'paused'],
      ['skipped', 'It could not be brought before the next three were due; the newest three are.', 'waiting'],
      ['failed', 'This channel is archived.', null],
    ] as const;
    const dues = older.map((_, i) => at('2026-03-18T06:00:00Z') + i * millisecondsInHour);
    for (const [i, [state, message]] of older.entries()) {
      const due = dues[i] ?? 0;
      add.run(id, due, state, message, due, due);
    }
    database.close();
    const { digests, brought, passes } = await recording({ dataDir });
    expect((await digests.runs(adaHere, id, 10)).toReversed()).toMatchObject(
      older.map(([state, message, skipReason]) => ({ state, message, skipReason })),
    );
    await passes(millisecondsInHour);
    expect(brought.map(({ missed }) => missed)).toEqual([[dues[1], dues[5], dues[6]]]);
  },
);

test('a year of outage is written down by its newest hundred', async () => {
  const { digests, jumps, brought } = await recording();
  const { id } = await digests.create(adaHere, hourly);
  await jumps(365 * 24 * millisecondsInHour);
  expect(brought).toHaveLength(3);
  expect(brought[0]?.missed).toHaveLength(100);
  expect(await digests.runs(adaHere, id, 1_000)).toHaveLength(103);
});

test.each([
  [
    'a time that Berlin skips in spring',
    'Europe/Berlin',
    '2026-03-28T12:00:00Z',
    '30 2 * * *',
    ['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z'],
  ],
  [
    'a time that Berlin shows twice in autumn',
    'Europe/Berlin',
    '2026-10-24T12:00:00Z',
    '30 2 * * *',
    ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'],
  ],
  [
    'the half hour that Lord Howe skips',
    'Australia/Lord_Howe',
    '2026-10-03T12:00:00Z',
    '15 2 * * *',
    ['2026-10-03T15:30:00.000Z', '2026-10-04T15:15:00.000Z'],
  ],
  [
    'the half hour that Lord Howe shows twice',
    'Australia/Lord_Howe',
    '2026-04-04T12:00:00Z',
    '45 1 * * *',
    ['2026-04-04T14:45:00.000Z', '2026-04-05T15:15:00.000Z'],
  ],
])('%s comes once each day', async (_, timeZone, from, cron, expected) => {
  const { digests, dues, passes } = await recording({ clock: { now: at(from) } });
  await digests.create(adaHere, { ...hourly, schedule: { cron, timeZone } });
  await passes(40 * millisecondsInHour);
  expect(dues()).toEqual(expected);
});

test('what falls on a day off waits for the same time of the next working day, and is not late then', async () => {
  const { digests, brought, passes, clock } = await recording({ calendars: [office] });
  await digests.create(adaHere, { ...weekly, workingDays: '101' });
  await passes(at('2026-03-24T07:30:00Z') - clock.now, millisecondsInHour);
  expect(brought).toEqual([]);
  await passes(millisecondsInHour / 2, millisecondsInHour / 2);
  expect(brought).toMatchObject([{ run: { due: at('2026-03-23T08:00:00Z') }, lateMs: null }]);
});

test('what falls on a day off is left out where the next one is due by then', async () => {
  const { digests, dues, passes } = await recording({
    calendars: [office],
    clock: { now: at('2026-03-20T12:00:00Z') },
  });
  const { id } = await digests.create(adaHere, { ...daily, workingDays: '101' });
  await passes(5 * 24 * millisecondsInHour, 2 * millisecondsInHour);
  expect(dues()).toEqual(['2026-03-24T08:00:00.000Z', '2026-03-25T08:00:00.000Z']);
  const runs = await digests.runs(adaHere, id, 10);
  expect(runs.filter(({ state }) => state === 'skipped')).toHaveLength(3);
  expect(runs.at(-1)?.message).toContain('day off of Office');
});

test('where there is nothing to say, nothing is said', async () => {
  const { digests, brought, passes } = await recording({
    answer: async (question, asOf) => ({ ...anAnswerOf(question, asOf), isEmpty: true }),
  });
  const { id } = await digests.create(adaHere, hourly);
  await passes(millisecondsInHour);
  expect(brought).toEqual([]);
  expect((await digests.get(adaHere, id)).lastRun).toMatchObject({ state: 'silent', message: null });
});

test('a period that is posted while Dwell stops is let go of, and is no attempt', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const { digests, clock, store } = await recording({
    deliver: async () => {
      begun.resolve();
      await promise;
      throw new AppError('slack-unavailable', 'The line is cut.');
    },
  });
  const { id } = await digests.create(adaHere, hourly);
  clock.now += millisecondsInHour;
  await digests.tick();
  const ticking = digests.tick();
  await begun.promise;
  const stopping = digests.stop(60_000);
  resolve();
  await Promise.all([ticking, stopping]);
  expect(await store.runs(id, 1)).toMatchObject([{ state: 'claimed', attempts: 0 }]);
});

test('periods that a process left when it was killed removing their digest are not posted, and go', async () => {
  const dataDir = temporaryFolder();
  const { digests, store, passes, brought } = await recording({ dataDir });
  const [removed, other] = [await digests.create(adaHere, hourly), await digests.create(adaHere, hourly)];
  const due = at('2026-03-18T13:00:00Z');
  await store.addRuns(
    removed.id,
    due,
    [{ due, notBefore: due, skipped: null }],
    due + millisecondsInHour,
    due,
  );
  const killed = await openTestStore(dataDir);
  await killed.digests.change(removed.id, () => null);
  await killed.close();
  await passes(millisecondsInHour);
  expect(brought.map(({ digest }) => digest.id)).toEqual([other.id]);
  expect(await store.runs(removed.id, 9)).toEqual([]);
});

test.each<[string, (digests: DigestsApi, id: string) => Promise<unknown>]>([
  [
    'paused and resumed',
    async (digests, id) => {
      await digests.pause(adaHere, id);
      await digests.resume(adaHere, id);
    },
  ],
  [
    'moved to other times',
    (digests, id) => digests.change(adaHere, id, { schedule: { cron: '30 * * * *', timeZone: 'UTC' } }),
  ],
  [
    'moved to another channel',
    (digests, id) => digests.change(adaHere, id, { place: { kind: 'channel', channel: 'C0WEBTEAM' } }),
  ],
])('what waits when a digest is %s does not come later', async (_, change) => {
  const { digests, dues, passes, store, slack } = await recording({ isDown: true });
  const { id } = await digests.create(adaHere, hourly);
  await passes(millisecondsInHour);
  await change(digests, id);
  slack.isDown = false;
  await passes(millisecondsInHour / 4);
  expect(dues()).toEqual([]);
  expect(await store.runs(id, 1)).toMatchObject([
    { state: 'skipped', message: expect.stringMatching(/^It was not finished when the digest was /) },
  ]);
});

test('a period to its owner alone stays with whom it was begun for', async () => {
  let isFirst = true;
  const { digests, brought, passes } = await recording({
    async deliver(_due, keep) {
      if (!isFirst) return;
      isFirst = false;
      await keep({ trying: 'message' });
      throw new AppError('slack-unavailable', "Slack didn't answer.");
    },
  });
  const { id } = await digests.create(adaHere, { ...hourly, place: { kind: 'owner' } });
  await passes(millisecondsInHour / 2);
  await digests.handOver(adaHere, id, 'U0BEN');
  await passes(millisecondsInHour);
  expect(brought.map(({ digest, run }) => [digest.owner, run.due])).toEqual([
    ['U0ADA', at('2026-03-18T13:00:00Z')],
    ['U0BEN', at('2026-03-18T14:00:00Z')],
  ]);
});

test('a place that Slack keeps waiting holds up no other', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { digests, brought, clock } = await recording({
    async deliver({ digest }) {
      if (digest.place.kind === 'channel' && digest.place.channel === 'C0GENERAL') await promise;
    },
  });
  for (let i = 0; i < 33; i += 1) await digests.create(adaHere, hourly);
  await digests.create(adaHere, { ...hourly, place: { kind: 'channel', channel: 'C0WEBTEAM' } });
  clock.now += millisecondsInHour;
  await digests.tick();
  const ticking = digests.tick();
  while (brought.length === 0) await new Promise((next) => setImmediate(next));
  expect(brought.map(({ digest }) => digest.place)).toEqual([{ kind: 'channel', channel: 'C0WEBTEAM' }]);
  resolve();
  await ticking;
  expect(brought).toHaveLength(34);
});
