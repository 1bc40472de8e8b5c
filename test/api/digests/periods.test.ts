import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import { afterEach, expect, test } from '#jest';
import type { DigestNotifier, DigestsApi, DueDigest } from '../../../src/api/digests/digests-api.ts';
import { unknownSet } from '../../../src/api/settings/settings-api.ts';
import type { DigestInput } from '../../../src/model/digest.ts';
import { AppError } from '../../../src/model/error.ts';
import { weekdays } from '../../../src/model/settings.ts';
import { TO_REPORT } from '../../../src/store/work-kinds.ts';
import { aDigest } from '../../support/a-digest.ts';
import {
  aDigestOffice,
  adaHere,
  anAnswerOf,
  type DigestOfficeParts,
  hourly,
} from '../../support/digest-office.ts';
import { takeSteps } from '../../support/older-store.ts';
import { testOnSqlite } from '../../support/on-sqlite.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { principalOf } from '../../support/principal-of.ts';
import { runs } from '../../support/soak.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const at = (text: string) => Date.parse(text);
const weekly: DigestInput = { ...hourly, schedule: { cron: '0 9 * * 1', timeZone: 'Europe/Berlin' } };
const daily: DigestInput = { ...hourly, schedule: { cron: '0 9 * * *', timeZone: 'Europe/Berlin' } };
const office = {
  id: 101,
  name: 'Office',
  timeZone: 'Europe/Berlin',
  workingTimes: weekdays
    .slice(0, 5)
    .map((weekday) => ({ weekday, start: 9 * millisecondsInHour, end: 17 * millisecondsInHour })),
  holidays: [{ name: 'A holiday', date: '2026-03-23', recurring: false }],
};

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const brokenFilter = async () => {
  throw new AppError('invalid-value', 'The filter is broken.');
};

/** An office whose notifier writes down what it is given. */
async function recording(
  parts: Partial<DigestOfficeParts> & {
    readonly deliver?: (...told: Parameters<DigestNotifier['deliver']>) => Promise<unknown>;
    readonly hears?: (owner: string) => boolean;
    /** Slack cannot be reached until `slack.isDown` is false. */
    readonly isDown?: boolean;
  } = {},
) {
  const slack = { isDown: parts.isDown ?? false };
  const clock = parts.clock ?? { now: at('2026-03-18T12:30:00Z') };
  const brought: DueDigest[] = [];
  const told: (string | null)[] = [];
  const opened = await aDigestOffice({
    dataDir: temporaryFolder(),
    clock,
    notifier: {
      principalOf: async (account) => (account === 'U0GONE' ? null : principalOf(account)),
      async deliver(due, keep) {
        if (slack.isDown) throw new AppError('slack-unavailable', 'Slack cannot be reached at the moment.');
        const until = await parts.deliver?.(due, keep);
        if (typeof until === 'number') return until;
        brought.push(due);
        return null;
      },
      posted: ({ note }) => (note.ts !== undefined ? 'yes' : note.trying === undefined ? 'no' : 'perhaps'),
      async notifyOwner({ owner }, { message }) {
        const reached = parts.hears?.(owner) ?? true;
        if (reached) told.push(message);
        return reached;
      },
    },
    ...parts,
  });
  let isClosed = false;
  const close = () => {
    if (!isClosed) opened.close();
    isClosed = true;
  };
  closing.push(close);
  return {
    ...opened,
    close,
    clock,
    slack,
    brought,
    told,
    dues: () => brought.map(({ run }) => new Date(run.due).toISOString()),
    /** The clock jumps, and is seen there twice. */
    async jumps(ms: number) {
      clock.now += ms;
      await opened.digests.tick();
      await opened.digests.tick();
    },
    async passes(ms: number, step = 10 * millisecondsInMinute) {
      for (let passed = 0; passed < ms; passed += step) {
        clock.now += step;
        await opened.digests.tick();
        // So long a step would be taken for a jump.
        if (step > 10 * millisecondsInMinute) await opened.digests.tick();
      }
    },
  };
}

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
  expect(dues()).toEqual(['16', '17', '18'].map((hour) => `2026-03-18T${hour}:00:00.000Z`));
  expect(brought.map(({ lateMs }) => lateMs)).toEqual([
    2.5 * millisecondsInHour,
    1.5 * millisecondsInHour,
    0.5 * millisecondsInHour,
  ]);
  expect(brought.map(({ missed }) => missed)).toEqual([
    ['13', '14', '15'].map((hour) => at(`2026-03-18T${hour}:00:00Z`)),
    [],
    [],
  ]);
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

test('a clock that is set back brings nothing twice', async () => {
  const { digests, clock, dues, passes } = await recording();
  await digests.create(adaHere, hourly);
  await passes(millisecondsInHour);
  clock.now -= 2 * millisecondsInHour;
  await passes(4 * millisecondsInHour);
  expect(dues()).toEqual(['13', '12', '14', '15'].map((hour) => `2026-03-18T${hour}:00:00.000Z`));
});

test('a clock that jumped years ahead and was put right does not keep a digest waiting for years', async () => {
  const { digests, clock, dues, passes, jumps, store } = await recording();
  const { id } = await digests.create(adaHere, weekly);
  const right = clock.now;
  await jumps(at('2029-01-01T12:00:00Z') - right);
  expect(dues()).toEqual([
    '2028-12-18T08:00:00.000Z',
    '2028-12-25T08:00:00.000Z',
    '2029-01-01T08:00:00.000Z',
  ]);
  await jumps(right - clock.now);
  // What was left out for a time that has not come is not left out.
  expect((await store.runs(id, 1_000)).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
  expect((await digests.get(adaHere, id)).nextDue).toBe(at('2026-03-23T08:00:00Z'));
  await passes(6 * 24 * millisecondsInHour, 2 * millisecondsInHour);
  expect(dues().slice(3)).toEqual(['2026-03-23T08:00:00.000Z']);
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

test('what is out of reach is tried again ever more seldom, and given up after twelve hours', async () => {
  const tries: number[] = [];
  const { digests, clock, passes, told } = await recording({
    deliver: async () => {
      tries.push(clock.now);
      throw new AppError('slack-unavailable', 'Slack cannot be reached at the moment.', [
        'Please try again later.',
      ]);
    },
  });
  const { id } = await digests.create(adaHere, weekly);
  clock.now = at('2026-03-23T07:59:00Z');
  await digests.tick();
  await passes(1.5 * millisecondsInHour, millisecondsInMinute);
  await passes(12.5 * millisecondsInHour);
  const minutes = tries.map((time) => (time - at('2026-03-23T08:00:00Z')) / 60_000);
  expect(minutes.slice(0, 7)).toEqual([0, 1, 3, 8, 23, 53, 83]);
  expect(minutes.at(-1)).toBeGreaterThanOrEqual(720);
  expect(minutes.at(-1)).toBeLessThan(780);
  expect(told).toEqual([
    'It could not be posted for twelve hours: Slack cannot be reached at the moment: Please try again later.',
  ]);
  expect((await digests.get(adaHere, id)).lastRun).toMatchObject({ state: 'failed', message: told[0] });
});

test('for as long as Slack refuses the whole app nothing is given up, and no try counts', async () => {
  let isRefused = true;
  const { digests, clock, passes, told } = await recording({
    deliver: async () => {
      if (isRefused) throw new AppError('slack-token-refused', 'Slack refuses the token.');
      return null;
    },
  });
  const { id } = await digests.create(adaHere, weekly);
  clock.now = at('2026-03-23T07:59:00Z');
  await digests.tick();
  await passes(20 * millisecondsInHour);
  isRefused = false;
  await passes(2 * millisecondsInMinute, millisecondsInMinute);
  expect(told).toEqual([]);
  expect((await digests.get(adaHere, id)).lastRun).toMatchObject({
    ...{ due: at('2026-03-23T08:00:00Z'), state: 'sent', message: null },
  });
});

test('of a parameter set that was deleted it fails, and its owner is told which', async () => {
  const { digests, clock, passes, told } = await recording({
    answer: async () => {
      throw unknownSet('set-1');
    },
  });
  const question = { kind: 'saved', setId: 'set-1', timeZone: 'UTC' } as const;
  const { id } = await digests.create(adaHere, { ...weekly, question });
  clock.now = at('2026-03-23T07:59:00Z');
  await digests.tick();
  await passes(millisecondsInHour);
  const why =
    "The parameter set could not be found: parameter set 'set-1' could not be found. Try: the ids of GET /rest/parameterSets.";
  expect(told).toEqual([why]);
  expect((await digests.get(adaHere, id)).lastRun).toMatchObject({ state: 'failed', message: why });
});

test('later periods of a digest wait for those before them', async () => {
  const { digests, dues, passes, slack } = await recording({ isDown: true });
  await digests.create(adaHere, hourly);
  // The second was tried a minute ago, and the first waits for long.
  await passes(92 * millisecondsInMinute, millisecondsInMinute);
  slack.isDown = false;
  await passes(millisecondsInHour);
  expect(dues()).toEqual(['13', '14', '15'].map((hour) => `2026-03-18T${hour}:00:00.000Z`));
});

test('an owner is told of a failure once, and again when it is another one', async () => {
  let why = 'The filter is broken.';
  const { digests, passes, told } = await recording({
    answer: async () => {
      throw new AppError('invalid-value', why);
    },
  });
  await digests.create(adaHere, hourly);
  await passes(3 * millisecondsInHour);
  expect(told).toEqual(['The filter is broken.']);
  why = 'The parameter set is gone.';
  await passes(millisecondsInHour);
  expect(told).toEqual(['The filter is broken.', 'The parameter set is gone.']);
});

test('the digest of who is gone fails and says so', async () => {
  const { digests, passes, brought } = await recording();
  const { id } = await digests.create(principalOf('U0GONE'), hourly);
  await passes(millisecondsInHour);
  expect(brought).toEqual([]);
  const { lastRun } = await digests.get(principalOf('U0BEN', 'admin'), id);
  expect(lastRun?.message).toContain('Choose a new owner');
});

test('a bug gives the period up under a reference and leaves the others alone', async () => {
  const { digests, passes, told } = await recording({
    deliver: async ({ run }) => {
      if (run.due === at('2026-03-18T13:00:00Z')) throw new TypeError('no such thing');
    },
  });
  const { id } = await digests.create(adaHere, hourly);
  await passes(2 * millisecondsInHour);
  expect(told[0]).toMatch(/the log has it under [\w-]+\.$/);
  expect((await digests.get(adaHere, id)).lastRun?.state).toBe('sent');
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

test('a clock that is wrong for one look does not leave a digest silent, nor bring anything early', async () => {
  const { digests, clock, dues, passes } = await recording();
  await digests.create(adaHere, hourly);
  await passes(millisecondsInHour);
  const right = clock.now;
  for (const wrong of [10 * 24 * millisecondsInHour, -10 * 24 * millisecondsInHour]) {
    clock.now = right + wrong;
    await digests.tick();
    clock.now = right;
    await digests.tick();
  }
  expect(dues()).toEqual(['2026-03-18T13:00:00.000Z']);
  await passes(2 * millisecondsInHour);
  expect(dues().slice(1)).toEqual(['14', '15'].map((hour) => `2026-03-18T${hour}:00:00.000Z`));
});

test('after a start, and after a jump ahead, nothing is brought until the clock is seen again', async () => {
  const { digests, clock, dues } = await recording();
  await digests.create(adaHere, hourly);
  clock.now += millisecondsInHour;
  await digests.tick();
  expect(dues()).toEqual([]);
  await digests.tick();
  expect(dues()).toHaveLength(1);
  clock.now += millisecondsInHour;
  await digests.tick();
  expect(dues()).toHaveLength(1);
  clock.now += 60_000;
  await digests.tick();
  expect(dues()).toHaveLength(2);
});

test('however a clock jumps for a look or for longer, every hour that passes comes once', async () => {
  const jump = fc.record({
    afterMinutes: fc.integer({ min: 0, max: 150 }),
    hours: fc.constantFrom(-72, -5, -1, 1, 2, 7, 72, 24 * 400),
    looks: fc.integer({ min: 1, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(jump, { maxLength: 4 }), async (jumps) => {
      const { digests, clock, dues, passes, close } = await recording();
      const begin = clock.now;
      await digests.create(adaHere, hourly);
      await digests.tick();
      for (const { afterMinutes, hours, looks } of jumps) {
        await passes(afterMinutes * 60_000);
        clock.now += hours * millisecondsInHour;
        for (let look = 0; look < looks; look += 1) await passes(millisecondsInMinute, millisecondsInMinute);
        clock.now -= hours * millisecondsInHour;
        await digests.tick();
      }
      await passes(4 * millisecondsInHour);
      const told = dues();
      expect(new Set(told).size).toBe(told.length);
      for (let due = at('2026-03-18T13:00:00Z'); due <= clock.now; due += millisecondsInHour) {
        expect(told).toContain(new Date(due).toISOString());
      }
      const early = told.filter((due) => at(due) > clock.now || at(due) < begin);
      if (jumps.every(({ looks }) => looks === 1)) expect(early).toEqual([]);
      close();
    }),
    { numRuns: runs(15) },
  );
});

test('an owner who does not hear is told again until they do, and whoever owns it then', async () => {
  let isDeaf = true;
  const heard: string[] = [];
  const { digests, passes, told } = await recording({
    answer: brokenFilter,
    hears(owner) {
      if (!isDeaf) heard.push(owner);
      return !isDeaf;
    },
  });
  const { id } = await digests.create(adaHere, hourly);
  await passes(5 * millisecondsInHour);
  expect(told).toEqual([]);
  isDeaf = false;
  await passes(millisecondsInHour);
  // What failed for the same reason since is one word.
  expect(told).toEqual(['The filter is broken.']);
  await digests.handOver(adaHere, id, 'U0BEN');
  await passes(2 * millisecondsInHour);
  expect(heard).toEqual(['U0ADA', 'U0BEN']);
});

test('an owner whom nothing reaches is left alone after three days', async () => {
  let tries = 0;
  const { digests, clock, passes } = await recording({
    answer: brokenFilter,
    hears() {
      tries += 1;
      return false;
    },
  });
  const { id } = await digests.create(adaHere, weekly);
  clock.now = at('2026-03-23T07:59:00Z');
  await digests.tick();
  await passes(4 * 24 * millisecondsInHour);
  const soFar = tries;
  expect(soFar).toBeGreaterThan(100);
  expect(soFar).toBeLessThan(160);
  await digests.pause(adaHere, id);
  await passes(4 * millisecondsInHour);
  expect(tries).toBe(soFar);
});

test('two processes tell an owner once', async () => {
  const dataDir = temporaryFolder();
  const clock = { now: at('2026-03-18T12:59:00Z') };
  const answer = brokenFilter;
  const both = [await recording({ dataDir, clock, answer }), await recording({ dataDir, clock, answer })];
  await both[0]?.digests.create(adaHere, hourly);
  for (let minute = 0; minute < 3; minute += 1) {
    await Promise.all(both.map(({ digests }) => digests.tick()));
    clock.now += 60_000;
  }
  expect(both.flatMap(({ told }) => told)).toEqual(['The filter is broken.']);
});

test('the next period names those before it that were given up unposted', async () => {
  let isBroken = true;
  const { digests, brought, passes } = await recording({
    answer: async (question, asOf) => {
      if (isBroken) throw new AppError('invalid-value', 'The filter is broken.');
      return anAnswerOf(question, asOf);
    },
  });
  await digests.create(adaHere, hourly);
  await passes(2 * millisecondsInHour);
  isBroken = false;
  await passes(2 * millisecondsInHour);
  expect(brought.map(({ missed }) => missed)).toEqual([
    [at('2026-03-18T13:00:00Z'), at('2026-03-18T14:00:00Z')],
    [],
  ]);
});

test('where there is nothing to say, nothing is said after a failed try either', async () => {
  let asked = 0;
  const { digests, brought, passes } = await recording({
    answer: async (question, asOf) => {
      asked += 1;
      if (asked === 1) throw new AppError('slack-unavailable', 'Slack cannot be reached at the moment.');
      return { ...anAnswerOf(question, asOf), isEmpty: true };
    },
  });
  const { id } = await digests.create(adaHere, hourly);
  await passes(millisecondsInHour);
  expect(brought).toEqual([]);
  expect((await digests.get(adaHere, id)).lastRun).toMatchObject({ state: 'silent' });
});

test('a pause that Slack wants is no try, and does not make a period late', async () => {
  let pauses = 30;
  const { digests, brought, passes, clock, told } = await recording({
    async deliver() {
      pauses -= 1;
      return pauses >= 0 ? clock.now + 30 * 60_000 : null;
    },
  });
  await digests.create(adaHere, weekly);
  clock.now = at('2026-03-23T07:59:00Z');
  await digests.tick();
  await passes(millisecondsInMinute, millisecondsInMinute);
  await passes(16 * millisecondsInHour);
  expect(told).toEqual([]);
  expect(brought).toMatchObject([{ lateMs: null }]);
  expect(brought[0]?.run.note).not.toHaveProperty('tries');
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

test('after a long trouble of Slack the newest three periods are brought, and the others named', async () => {
  const { digests, dues, brought, passes, slack } = await recording({ isDown: true });
  await digests.create(adaHere, hourly);
  await passes(8 * millisecondsInHour);
  slack.isDown = false;
  await passes(millisecondsInHour);
  expect(dues().slice(0, 3)).toEqual(['18', '19', '20'].map((hour) => `2026-03-18T${hour}:00:00.000Z`));
  expect(brought[0]?.missed).toEqual(
    ['13', '14', '15', '16', '17'].map((hour) => at(`2026-03-18T${hour}:00:00Z`)),
  );
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

test('what ended a quarter of a year ago is forgotten, but not by a clock that has just jumped there', async () => {
  const { digests, passes, jumps, store } = await recording();
  const { id } = await digests.create(adaHere, hourly);
  const oldest = async () => (await store.runs(id, 1_000)).at(-1)?.due;
  await passes(2 * millisecondsInHour);
  await jumps(100 * 24 * millisecondsInHour);
  expect(await oldest()).toBe(at('2026-03-18T13:00:00Z'));
  await passes(2 * millisecondsInHour);
  expect(await oldest()).toBeGreaterThan(at('2026-06-01T00:00:00Z'));
});

test('what a process gave up and died over before it told is told by the next one', async () => {
  const dataDir = temporaryFolder();
  const clock = { now: at('2026-03-18T12:30:00Z') };
  const answer = brokenFilter;
  const dead = await recording({
    dataDir,
    clock,
    answer,
    changeStore: ({ digests, periods }) => ({
      digests,
      periods: {
        ...periods,
        async list(which, count) {
          if (which.open?.[0] === TO_REPORT && which.owner === undefined) throw new Error('killed');
          return periods.list(which, count);
        },
      },
    }),
  });
  await dead.digests.create(adaHere, hourly);
  await dead.passes(millisecondsInHour);
  expect(dead.told).toEqual([]);
  const next = await recording({ dataDir, clock, answer });
  await next.passes(2 * millisecondsInMinute, millisecondsInMinute);
  expect(next.told).toEqual(['The filter is broken.']);
});
