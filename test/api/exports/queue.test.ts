import { existsSync, readFileSync, statSync } from 'node:fs';
import { afterEach, expect, test } from '#jest';
import { aWish } from '../../support/an-export.ts';
import { heldReporting } from '../../support/held-reporting.ts';
import {
  anOffice,
  type Office,
  type OfficeParts,
  refusal,
  threeIssues,
  until,
} from '../../support/local-exports.ts';
import { principalOf } from '../../support/principal-of.ts';
import { aStatus, smallWorld } from '../../support/small-world.ts';

const ada = principalOf('ada');
const adaAsAdmin = principalOf('ada', 'admin');
const bob = principalOf('bob', 'admin');

let office: Office;
afterEach(() => office.close());
const open = async (parts: OfficeParts = {}) => {
  office = await anOffice(parts);
  return office.exports;
};
const world = () => smallWorld('2026-03-18T12:00:00Z', threeIssues);

test('an export is queued, made, and its file is the one that is made at once', async () => {
  const exports = await open();
  const queued = await exports.queue(aWish());
  expect(queued).toMatchObject({ state: 'Queued', completed: 0, total: 3, attempts: 0 });
  expect(await exports.get(ada, queued.id)).toEqual(queued);
  exports.start({});
  const record = await office.ended(queued.id);
  expect(record).toMatchObject({ state: 'Successful', completed: 3, total: 3, message: null });
  expect(record.expiresAt).toBe(office.clock.now + 24 * 3_600_000);

  const file = await exports.file(ada, queued.id);
  const atOnce = await exports.now(aWish());
  expect(file).toEqual({
    open: expect.any(Function),
    localPath: expect.any(Function),
    bytes: record.bytes,
    fileName: record.fileName,
    mediaType: atOnce.mediaType,
    provenance: atOnce.provenance,
  });
  expect(file.fileName).toBe('dwell-statusDuration-2026-03-18-1200.csv');
  expect(readFileSync(await file.localPath(), 'utf8')).toContain('DEMO-2');
  expect(readFileSync(await file.localPath())).toEqual(readFileSync(await atOnce.localPath()));
  await atOnce.close();
  expect(office.lying()).toEqual([`${queued.id}-1.csv`]);
});

test('an issue that is deleted while its list is written takes the cycle time of no other issue', async () => {
  const statuses = [
    aStatus('To Do', { category: 'To Do' }),
    aStatus('In Progress'),
    aStatus('Done', { category: 'Done' }),
  ];
  const before = smallWorld('2026-03-18T12:00:00Z', threeIssues, { statuses });
  const after = smallWorld(
    '2026-03-18T12:00:00Z',
    threeIssues.filter(({ key }) => key !== 'DEMO-2'),
    { statuses },
  );
  const exports = await open({ reporting: { ...after, open: before.open } });
  const file = await exports.now(aWish({}, { withCycleTime: true }));
  const rows = readFileSync(await file.localPath(), 'utf8')
    .trim()
    .split('\r\n')
    .slice(1);
  await file.close();
  const cycleTimes = rows
    .map((row) => row.split(','))
    .map(([key, ...cells]) => [key, ...cells.slice(-3, -1)]);
  expect(cycleTimes).toEqual([
    ['DEMO-3', '73', ''],
    ['DEMO-2', '', 'the issue can no longer be found'],
    ['DEMO-1', '25', ''],
  ]);
});

test('files are for the owner of the process only', async () => {
  const exports = await open();
  exports.start({});
  const { id } = await exports.queue(aWish());
  await office.ended(id);
  const file = await exports.file(ada, id);
  expect(statSync(office.folder).mode & 0o777).toBe(0o700);
  expect(statSync(await file.localPath()).mode & 0o777).toBe(0o600);
});

test('it speaks of the instant it was queued at, or of the one it names', async () => {
  const exports = await open();
  const named = Date.parse('2026-03-09T12:00:00Z');
  expect((await exports.queue(aWish())).input.request.asOf).toBe(office.clock.now);
  expect((await exports.queue(aWish({ asOf: named }))).input.request.asOf).toBe(named);
});

test('while it is made its progress is told, and there is no file yet', async () => {
  const held = heldReporting(world());
  const exports = await open({ reporting: held.reporting });
  exports.start({});
  const { id } = await exports.queue(aWish());
  await until(() => held.opened() === 1);
  held.progress(2, 3);
  await until(async () => (await exports.get(ada, id)).completed === 2);
  expect(await exports.get(ada, id)).toMatchObject({ state: 'Running', total: 3, finishedAt: null });
  const why = 'The export is not completed: it is still being processed.';
  expect(await refusal(exports.file(ada, id))).toEqual(['no-export-file', why]);
  expect(office.lying().filter((name) => name.endsWith('.csv'))).toEqual([]);
  held.letGo();
  expect(await office.ended(id)).toMatchObject({ state: 'Successful', completed: 3 });
});

test('what is wrong with a wish is told at once, and nothing is queued', async () => {
  const exports = await open();
  const wrong = aWish({ selection: { by: 'jql', jql: 'nonsense = 1' } });
  expect(await refusal(exports.queue(wrong))).toEqual(['unknown-name', 'Bad request', expect.any(String)]);
  expect(await refusal(exports.count(wrong))).toEqual(await refusal(exports.queue(wrong)));
  expect((await exports.list(ada, { start: 0, size: 9 })).total).toBe(0);
  expect(await exports.count(aWish())).toBe(3);
});

test('a tenth unfinished export is taken, an eleventh is not until one has ended', async () => {
  const exports = await open();
  const first = await exports.queue(aWish());
  for (let i = 2; i <= 10; i += 1) await exports.queue(aWish());
  expect(await refusal(exports.queue(aWish()))).toEqual([
    'too-many-exports',
    'Too many exports',
    '10 of your exports are queued or running, and no more are allowed at a time; wait until one of them is completed, or abort one.',
  ]);
  expect(await refusal(exports.queue(aWish({ principal: bob })))).toBe('none');
  await exports.abort(ada, first.id);
  expect(await refusal(exports.queue(aWish()))).toBe('none');
});

test('nobody learns of the exports of others, nor of those asked for with rights they lack', async () => {
  const exports = await open();
  const mine = await exports.queue(aWish());
  const asAdmin = await exports.queue(aWish({ principal: adaAsAdmin }));
  const unknown = [
    'unknown-export',
    'The export could not be found or you do not have permission to view it.',
  ];
  for (const call of ['get', 'abort', 'file'] as const) {
    expect(await refusal(exports[call](bob, mine.id))).toEqual(unknown);
    expect(await refusal(exports[call](ada, asAdmin.id))).toEqual(unknown);
    expect(await refusal(exports[call](ada, 'nonsense'))).toEqual(unknown);
  }
  expect(await exports.get(adaAsAdmin, mine.id)).toEqual(mine);
  expect(await exports.get(adaAsAdmin, asAdmin.id)).toEqual(asAdmin);
  const listed = async (principal: typeof ada) =>
    (await exports.list(principal, { start: 0, size: 9 })).records.map(({ id }) => id);
  expect(await listed(ada)).toEqual([mine.id]);
  expect(await listed(adaAsAdmin)).toEqual([asAdmin.id, mine.id]);
  expect(await listed(bob)).toEqual([]);
  const second = await exports.list(adaAsAdmin, { start: 1, size: 1 });
  expect([second.records.map(({ id }) => id), second.total]).toEqual([[mine.id], 2]);
});

test('exports are made one at a time, and owners take turns', async () => {
  const exports = await open();
  const made: string[] = [];
  for (const user of ['ada', 'ada', 'bob']) {
    const { id } = await exports.queue(aWish({ principal: principalOf(user) }));
    made.push(id);
    office.clock.now += 1;
  }
  exports.start({});
  const states = async () => {
    // All of one moment.
    const records = await office.store.exports.list({});
    return made.map((id) => records.find((record) => record.id === id)?.state);
  };
  const running: number[] = [];
  await until(async () => {
    const now = await states();
    running.push(now.filter((state) => state === 'Running').length);
    // The second one of ada's waits for bob's.
    if (now[2] === 'Queued' || now[2] === 'Running') expect(now[1]).toBe('Queued');
    return now.every((state) => state === 'Successful');
  });
  expect(Math.max(...running)).toBeLessThanOrEqual(1);
});

test('a small workbook is written at once, and taken away again', async () => {
  const exports = await open();
  const rows = async function* () {
    yield [['2026-W11', 6]] as const;
  };
  const columns = [
    { id: 'week', title: 'Week', kind: 'text', unit: null },
    { id: 'finished', title: 'Finished', kind: 'number', unit: null },
  ] as const;
  const book = {
    ...{ title: 'a week', timeZone: 'UTC', formats: aWish().formats },
    sheets: [{ id: 'week', name: 'Week', columns, rows: rows() }],
  };
  const { localPath, fileName, close } = await exports.write(book, 'csv');
  const path = await localPath();
  expect([fileName, readFileSync(path, 'utf8')]).toEqual([
    'a week.csv',
    '\ufeffWeek,Finished\r\n2026-W11,6\r\n',
  ]);
  await close();
  expect(existsSync(path)).toBe(false);
});
