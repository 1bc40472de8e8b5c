import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from '#jest';
import { createRestore } from '../../../src/api/restore/create-restore.ts';
import { changeWatch } from '../../../src/api/watches/check-watch.ts';
import { pausedText } from '../../../src/model/digest.ts';
import { aDigest } from '../../support/a-digest.ts';
import { aNudge } from '../../support/a-nudge.ts';
import { aStore } from '../../support/a-store.ts';
import { anExport } from '../../support/an-export.ts';
import { dwellProcess } from '../../support/dwell-process.ts';
import { inFolder } from '../../support/left-folder.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';
import { typesRestore } from '../../support/restore-command.ts';
import { slackPerson } from '../../support/slack-person.ts';
import { soaking } from '../../support/soak.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { storedDigests } from '../../support/stored-digests.ts';
import { storedExports } from '../../support/stored-exports.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MINUTE = 60_000;
const NOON = '2026-03-18T12:00:00Z';

const people = [slackPerson('ada'), slackPerson('bob')];

/** Every hour, what is open in WEB. */
const hourly = aDigest('hourly', {
  ...{ title: 'Open work', owner: 'U0ADA', place: { kind: 'channel', channel: 'C0WEB' } },
  schedule: { cron: '0 * * * *', timeZone: 'UTC' },
  question: {
    ...{ kind: 'aging', selection: { by: 'project', project: 'WEB' } },
    ...{ calendar: 'normalHours', timeZone: 'UTC' },
  },
  nextDue: Date.parse('2026-03-18T13:00:00Z'),
});

const delivery = { door: 'slack', note: { account: 'U0ADA', channel: 'C0WEB' }, pending: true } as const;

type World = Awaited<ReturnType<typeof startDwellInSlack>>;

let dataDir: string;
let open: World[];
beforeEach(() => {
  dataDir = temporaryFolder();
  open = [];
});
afterEach(async () => {
  for (const world of open) await world.stop();
});

async function start(folder: string, at = NOON): Promise<World> {
  const channels = [{ id: 'C0WEB', name: 'web', members: people.map(({ id }) => id) }];
  const world = await startDwellInSlack({ dataDir: folder, at, people, channels });
  open.push(world);
  return world;
}

async function stop(world: World): Promise<void> {
  open.splice(open.indexOf(world), 1);
  await world.stop();
}

/** Looks for what is due from an instant on, as the clock does each minute; the time counts once it was seen twice. */
async function passes({ dwell }: World, at: string): Promise<void> {
  dwell.clock.now = Date.parse(at);
  for (const _ of [1, 2, 3]) {
    await dwell.tellsDigests();
    await dwell.tellsWatches();
    dwell.clock.now += MINUTE;
  }
}

const postedIn = ({ slack }: World) =>
  slack.playground
    .messages('C0WEB')
    .filter(({ byApp }) => byApp)
    .map(({ text }) => /as of 2026-03-18 (\d\d):00/.exec(text)?.[1]);
const toAda = ({ slack }: World) => slack.messages({ channel: 'dm', as: 'ada' }).map(({ text }) => text);
const readiness = async ({ dwell }: World) => (await dwell.get('/readyz', {}, {})).json;
const saidTo = async ({ slack }: World, line: string) =>
  (await slack.answerTo(line, { as: 'ada', in: 'dm' })).text;

/** What sees that a database was restored, in a process of its own. */
const restoreIn = (store: TestStore, file: string, now = () => Date.parse(NOON)) =>
  createRestore({
    ...{ store, file, now, startOver: async () => {}, isReplaced: () => false },
    ...{ identity: async () => null, dropAnswers: async () => {} },
    ...{ newStamp: randomUUID, log: pino({ enabled: false }) },
  });

async function addHourly(): Promise<void> {
  const store = await openTestStore(dataDir);
  await storedDigests(store).add(hourly);
  store.close();
}

/** Makes a Dwell with a digest, and a copy of its database from noon; returns the file. */
async function copied(how: 'backup' | 'file'): Promise<string> {
  const first = await start(dataDir);
  await addHourly();
  const copy = join(temporaryFolder(), 'copy.db');
  if (how === 'backup') expect((await first.dwell.types('backup', copy)).code).toBe(0);
  await stop(first);
  if (how === 'file') copyFileSync(join(dataDir, 'dwell.db'), copy);
  return copy;
}

/** A folder whose database is a copy. */
function folderWith(copy: string, folder = temporaryFolder()): string {
  copyFileSync(copy, join(folder, 'dwell.db'));
  return folder;
}

/** The same, and the Dwell posted the digest of one o'clock since. */
async function original(how: 'backup' | 'file'): Promise<string> {
  const copy = await copied(how);
  const later = await start(dataDir);
  await passes(later, '2026-03-18T13:00:10Z');
  expect(postedIn(later)).toEqual(['13']);
  expect(await readiness(later)).toEqual({ status: 'ready' });
  await stop(later);
  return copy;
}

/** Copies and how they are put back: each once, and into an empty folder as well where there is time. */
const copies = (
  [
    ['backup', 'restored in place'],
    ['file', 'put in place'],
    ['backup', 'put into an empty folder'],
    ['file', 'put into an empty folder'],
  ] as const
).slice(0, soaking ? 4 : 2);

test.each(copies)(
  'a copy made as a %s that is %s posts nothing until it is resumed, and then nothing of before',
  async (how, where) => {
    const copy = await original(how);
    const folder = where.endsWith('in place') ? dataDir : folderWith(copy);
    if (where === 'restored in place')
      await typesRestore({ DATA_DIR: folder }, '2026-03-18T13:04:00Z', copy, '--replace');
    else folderWith(copy, folder);
    const restored = await start(folder, '2026-03-18T13:05:00Z');
    const { dwell } = restored;
    expect(restored.dwell.isPaused).toBe(true);
    expect(await readiness(restored)).toEqual({ status: 'ready', paused: pausedText });
    expect(await saidTo(restored, '/tis status')).toContain(
      'Digests and alerts are paused: my database was restored',
    );
    expect(await saidTo(restored, '/tis digest list')).toContain('Digests and alerts are paused');
    await dwell.types('digests');
    expect(dwell.beside).toEqual([pausedText]);
    await passes(restored, '2026-03-18T13:05:10Z');
    await stop(restored);
    // Nor does it after another start.
    const again = await start(folder, '2026-03-18T13:10:00Z');
    await passes(again, '2026-03-18T13:10:10Z');
    expect([postedIn(again), toAda(again)]).toEqual([[], []]);

    const { lines } = await again.dwell.types('resume', '--json');
    expect(lines).toEqual([expect.stringContaining('true')]);
    expect(await readiness(again)).toEqual({ status: 'ready' });
    await passes(again, '2026-03-18T13:20:10Z');
    expect(postedIn(again)).toEqual([]);
    await passes(again, '2026-03-18T14:00:10Z');
    expect(postedIn(again)).toEqual(['14']);
    expect(await again.dwell.types('resume')).toEqual({
      lines: ['Digests and alerts are not paused.'],
      code: 0,
    });
    await stop(again);
    const next = await start(folder, '2026-03-18T15:00:00Z');
    expect(next.dwell.isPaused).toBe(false);
    await passes(next, '2026-03-18T15:00:10Z');
    expect(postedIn(next)).toEqual(['15']);
  },
);

test('a period that the original was posting when it was copied is not posted by the copy', async () => {
  const first = await start(dataDir);
  const store = await openTestStore(dataDir);
  await storedDigests(store).add(hourly);
  const due = Date.parse('2026-03-18T13:00:00Z');
  const run = { due, notBefore: due, skipped: null };
  await storedDigests(store).addRuns(hourly.id, due, [run], Date.parse('2026-03-18T14:00:00Z'), due);
  const lease = { holder: 'the original', until: due + MINUTE };
  expect(await storedDigests(store).claim(due, lease)).toMatchObject({ due });
  store.close();
  const copy = join(temporaryFolder(), 'copy.db');
  await first.dwell.types('backup', copy);
  const folder = folderWith(copy);
  const restored = await start(folder, '2026-03-18T13:00:30Z');
  await restored.dwell.types('resume');
  await passes(restored, '2026-03-18T13:01:10Z');
  await passes(restored, '2026-03-18T13:20:00Z');
  expect(postedIn(restored)).toEqual([]);
  await passes(restored, '2026-03-18T14:00:10Z');
  expect(postedIn(restored)).toEqual(['14']);
});

/** Makes a copy of a store in which Ada has a watch, with the watch changed, as if time had passed; returns its folder. */
async function copyWithWatch(
  changes: Parameters<typeof changeWatch>[2],
): Promise<{ folder: string; id: string }> {
  const first = await start(dataDir);
  const line = '/tis watch In Review longer than 200 days in WEB alert me';
  expect(await saidTo(first, line)).toMatch(/none overdue/);
  const copy = join(temporaryFolder(), 'copy.db');
  await first.dwell.types('backup', copy);
  await stop(first);
  const folder = folderWith(copy);
  const store = await openTestStore(folder);
  const [{ id = '' } = {}] = await store.watches.list();
  await changeWatch(store, id, changes);
  store.close();
  return { folder, id };
}

test('an answer to a nudge from before a copy was made is not delivered by it, also where nothing is paused', async () => {
  const first = await start(dataDir);
  const store = await openTestStore(dataDir);
  const answer = { kind: 'onIt', at: Date.parse(NOON) } as const;
  await store.nudges.change({ ids: [aNudge().id] }, () => ({ put: [aNudge({ answer })] }));
  store.close();
  const copy = join(temporaryFolder(), 'copy.db');
  await first.dwell.types('backup', copy);
  const folder = temporaryFolder();
  await typesRestore({ DATA_DIR: folder }, NOON, copy);
  const restored = await start(folder);
  await restored.dwell.returnsAnswers();
  expect([restored.dwell.isPaused, toAda(restored)]).toEqual([false, []]);
  await first.dwell.returnsAnswers();
  expect(toAda(first)).toHaveLength(1);
});

test('what is overdue when a copy is resumed is not alerted again', async () => {
  // What was alerted by the original is overdue here.
  const threshold = { by: 'time', ms: 1, words: 'no time' } as const;
  const { folder, id } = await copyWithWatch((one) => ({ ...one, threshold }));
  const restored = await start(folder, '2026-03-18T13:00:00Z');
  await passes(restored, '2026-03-18T13:06:00Z');
  await restored.dwell.types('resume');
  const before = toAda(restored).length;
  for (const minute of [12, 18, 24]) await passes(restored, `2026-03-18T13:${minute}:00Z`);
  expect(toAda(restored)).toHaveLength(before);
  const after = await openTestStore(folder);
  const alerts = await after.watchAlerts.of(id);
  after.close();
  expect(alerts.length).toBeGreaterThan(0);
  expect(alerts.every(({ account }) => account === null)).toBe(true);
});

test('that a watch paused itself in the original is not said again by a copy', async () => {
  const ownerTold = { at: Date.parse(NOON), done: false };
  const changes = { paused: true, trouble: 'Its calendar is gone.', ownerTold };
  const { folder } = await copyWithWatch((one) => ({ ...one, ...changes }));
  const restored = await start(folder, '2026-03-18T13:00:00Z');
  await restored.dwell.types('resume');
  const before = toAda(restored);
  for (const time of ['13:10', '14:10', '16:10']) await passes(restored, `2026-03-18T${time}:00Z`);
  expect(toAda(restored)).toEqual(before);
});

test('a start over a database of an earlier version, or without its caches, asks nothing', async () => {
  const first = await start(dataDir);
  await addHourly();
  await stop(first);
  rmSync(join(dataDir, 'tenants', 'default', 'cache'), { recursive: true });
  const second = await start(dataDir);
  expect(second.dwell.isPaused).toBe(false);
  await stop(second);
  // As a Dwell left it that knew no stamps.
  rmSync(join(dataDir, 'tenants', 'default', 'stamp'));
  inFolder(dataDir, (database) => database.exec("DELETE FROM document WHERE kind = 'stamp'"));
  const third = await start(dataDir);
  expect(third.dwell.isPaused).toBe(false);
});

test('a copy can be resumed before its first start, and posts the end of no export from before', async () => {
  const copy = await copied('backup');
  const folder = folderWith(copy);
  const store = await aStore(folder);
  await storedExports(store.exports).add(anExport('e', { delivery }), 9);
  const { out, code } = await dwellProcess(folder, 'resume').ended;
  expect([out, code]).toEqual([
    'Digests and alerts are posted again. What was due before now is left out.\n',
    0,
  ]);
  expect((await store.exports.get('e'))?.delivery).toEqual({ ...delivery, pending: false });
  expect((await start(folder)).dwell.isPaused).toBe(false);
});

test('a copy that posts nothing on a schedule need not be resumed', async () => {
  const copy = await copied('backup');
  const folder = folderWith(copy);
  const store = await openTestStore(folder);
  await storedDigests(store).remove('hourly');
  store.close();
  expect((await start(folder)).dwell.isPaused).toBe(false);
});

test('a database that is replaced while Dwell runs is noticed, and nothing is posted', async () => {
  const copy = await copied('backup');
  const running = await start(dataDir, '2026-03-18T13:05:00Z');
  copyFileSync(copy, join(dataDir, 'other.db'));
  renameSync(join(dataDir, 'other.db'), join(dataDir, 'dwell.db'));
  await passes(running, '2026-03-18T14:00:10Z');
  expect(postedIn(running)).toEqual([]);
  const waitingFor = 'a restart: the database in DATA_DIR was replaced while Dwell runs';
  expect(await running.dwell.get('/readyz', {}, {})).toMatchObject({ status: 503, json: { waitingFor } });
});

test('a write after the database was replaced is refused, as it would be lost', async () => {
  const copy = await copied('backup');
  const running = await start(dataDir, '2026-03-18T13:05:00Z');
  const boss = running.dwell.as('ada', { admin: true });
  const workingTimes = [{ weekday: 'MONDAY', start: 0, end: 60 * MINUTE }];
  const named = (name: string) =>
    boss.postJson('/rest/calendars', { name, timeZone: 'UTC', workingTimes, holidays: [] });
  expect((await named('Before')).status).toBe(200);
  renameSync(copy, join(dataDir, 'dwell.db'));
  expect(await named('After')).toMatchObject({
    status: 503,
    json: {
      reason: 'store-unavailable',
      message: expect.stringContaining(
        'the database in DATA_DIR was replaced while Dwell runs. Restart Dwell',
      ),
    },
  });
  await stop(running);
  const restarted = await start(dataDir, '2026-03-18T13:06:00Z');
  const { json } = await restarted.dwell.get('/rest/calendars');
  const names: string[] = json.map(({ name }: { name: string }) => name);
  expect(names.filter((name) => ['Before', 'After'].includes(name))).toEqual([]);
});

test('the end of an export that was asked for before a copy is not posted by it; that of a later one is, after any start', async () => {
  const store = await aStore(dataDir);
  await storedExports(store.exports).add(anExport('e', { delivery }), 9);
  await storedDigests(store).add(hourly);
  await store.stamps.change('folder', () => ['of the original']);
  const restoreHere = () => restoreIn(store, join(dataDir, 'stamp'));
  await restoreHere().start();
  expect((await store.exports.get('e'))?.delivery).toEqual({ ...delivery, pending: false });
  await storedExports(store.exports).add(anExport('later', { delivery }), 9);
  const again = restoreHere();
  await again.start();
  expect(await again.isPaused()).toBe(true);
  expect((await store.exports.get('later'))?.delivery).toEqual(delivery);
  // A copy of the copy is another one.
  await again.resume();
  await restoreIn(store, join(dataDir, 'stamp of another folder')).start();
  expect((await store.exports.get('later'))?.delivery).toEqual({ ...delivery, pending: false });
});

test('a folder whose stamp could not be written for long is not taken for another one', async () => {
  const store = await aStore(dataDir);
  await storedDigests(store).add(hourly);
  const file = join(dataDir, 'stamp');
  await restoreIn(store, file).start();
  // Nothing can be written in its place.
  const temporary = `${file}.${process.pid}.new`;
  mkdirSync(temporary);
  let now = Date.parse(NOON);
  const running = restoreIn(store, file, () => now);
  for (let tick = 0; tick < 20; tick += 1) {
    now += 10 * MINUTE;
    await running.tick();
  }
  rmdirSync(temporary);
  expect(await restoreIn(store, file).isPaused()).toBe(false);
});

test('posts that rest after a restore, and go on, are one entry each of the audit log, with what they are about', async () => {
  const store = await aStore(dataDir);
  await storedDigests(store).add(hourly);
  const entries = async () =>
    (await store.audit.list({}, 99)).flatMap(({ action }) => (action.startsWith('posts.') ? [action] : []));
  // The stamp of another database is in the folder.
  const file = join(dataDir, 'stamp');
  await restoreIn(store, file).start();
  writeFileSync(file, 'other');
  await restoreIn(store, file).start();
  await restoreIn(store, file).start();
  expect(await entries()).toEqual(['posts.paused']);
  const temporary = `${file}.${process.pid}.new`;
  mkdirSync(temporary);
  await expect(restoreIn(store, file).resume()).rejects.toThrow();
  rmdirSync(temporary);
  expect([await restoreIn(store, file).isPaused(), await entries()]).toEqual([true, ['posts.paused']]);
  expect(await restoreIn(store, file).resume()).toBe(true);
  expect([await restoreIn(store, file).isPaused(), await entries()]).toEqual([
    false,
    ['posts.paused', 'posts.resumed'],
  ]);
});
