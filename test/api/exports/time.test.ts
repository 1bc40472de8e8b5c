import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '#jest';
import type { ExportRecord } from '../../../src/model/export.ts';
import { aWish } from '../../support/an-export.ts';
import { anOffice, type Office, refusal, until } from '../../support/local-exports.ts';
import { principalOf } from '../../support/principal-of.ts';

const ada = principalOf('ada');
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

let office: Office;
beforeEach(async () => {
  office = await anOffice();
});
afterEach(() => office.close());

async function made(): Promise<ExportRecord> {
  const { id } = await office.exports.queue(aWish());
  return office.ended(id);
}

test('a file can be had for a day, to the millisecond, and is taken away then', async () => {
  office.exports.start({});
  const { id } = await made();
  office.clock.now += day - 1;
  await office.looked();
  expect(await refusal(office.exports.file(ada, id))).toBe('none');
  office.clock.now += 1;
  // Nobody has swept yet.
  expect(await refusal(office.exports.file(ada, id))).toEqual([
    'no-export-file',
    'The file of the export has expired.',
  ]);
  expect(await office.exports.get(ada, id)).toMatchObject({ state: 'Expired' });
  const { records } = await office.exports.list(ada, { start: 0, size: 9 });
  expect(records).toMatchObject([{ state: 'Expired' }]);
  office.clock.now += minute;
  await until(() => office.lying().length === 0);
  expect(await office.store.exports.get(id)).toMatchObject({
    state: 'Expired',
    fileName: expect.any(String),
  });
});

test('an export is forgotten a week after its end', async () => {
  office.exports.start({});
  const { id } = await made();
  office.clock.now += 7 * day;
  await until(() => office.lying().length === 0);
  expect(await refusal(office.exports.get(ada, id))).toBe('none');
  office.clock.now += minute;
  await until(async () => (await office.store.exports.get(id)) === null);
  expect(await refusal(office.exports.get(ada, id))).toEqual([
    'unknown-export',
    'The export could not be found or you do not have permission to view it.',
  ]);
});

test('a file that is gone from the disk is refused, and logged', async () => {
  office.exports.start({});
  const { id } = await made();
  rmSync(office.folder, { recursive: true });
  expect(await refusal(office.exports.file(ada, id))).toEqual([
    'no-export-file',
    'The file of the export is gone from the disk; please ask for the export again.',
  ]);
  const gone = { level: 50, msg: 'the file of an export is gone from the disk', exportId: id };
  expect(office.logged).toContainEqual(expect.objectContaining(gone));
});

test('what killed processes have left is swept away at the start, and nothing else', async () => {
  office.exports.start({});
  const kept = await made();
  await office.exports.stop(1_000);
  const lay = (name: string) => writeFileSync(join(office.folder, name), 'x');
  const waiting = await office.exports.queue(aWish());
  const leftovers = [
    `${kept.id}-1.part`,
    `${kept.id}-2.csv`,
    `${waiting.id}-1.part.sheet-2`,
    `${crypto.randomUUID()}-1.csv`,
    `${crypto.randomUUID()}-3.part`,
    'now-old.part',
    'now-old.part.sheet-2',
  ];
  for (const name of leftovers) lay(name);
  lay('now-new.part');
  lay('notes of an admin.txt');
  for (const name of ['now-old.part', 'now-old.part.sheet-2']) {
    const longAgo = new Date(Date.now() - hour - minute);
    utimesSync(join(office.folder, name), longAgo, longAgo);
  }
  const next = await anOffice({ dataDir: office.dataDir, clock: office.clock });
  next.exports.start({});
  await next.looked();
  expect(next.lying()).toEqual(
    [`${kept.id}-1.csv`, `${waiting.id}-1.csv`, 'notes of an admin.txt', 'now-new.part'].toSorted(),
  );
  await next.close();
});

test('there is nothing to sweep where no file was ever made', async () => {
  office.exports.start({});
  await office.looked();
  expect(office.logged).toEqual([]);
  mkdirSync(office.folder);
  office.clock.now += minute;
  await office.looked();
  expect(office.logged).toEqual([]);
});
