import { join } from 'node:path';
import { expect, test } from '#jest';
import { type BlobStore, MIN_READ_MS } from '../../src/store/blobs.ts';
import { openDrafts } from '../../src/store/folder-blobs.ts';
import { createS3Blobs } from '../../src/store/s3/s3-blobs.ts';
import { createS3Client } from '../../src/store/s3/s3-client.ts';
import { createTableBlobs } from '../../src/store/sql/table-blobs.ts';
import { runSupportProcess } from '../support/run-process.ts';
import { seeded } from '../support/seeded.ts';
import { runs, soaking } from '../support/soak.ts';
import { startStandInS3 } from '../support/stand-in-s3.ts';
import { storeEngine } from '../support/store-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NOW = Date.parse('2026-03-18T12:00:00Z');
const BYTES = 500_000;

/** Puts blobs in a process that is killed so many milliseconds after it begins the second one; the last bytes it told. */
async function putUntilKilled(laterMs: number, ...where: readonly string[]) {
  const { process, out, ended } = runSupportProcess('blob-process.ts', ...where);
  const last = (word: string) =>
    Number([...out().matchAll(new RegExp(`^${word} (\\d+)\n`, 'gm'))].at(-1)?.[1]);
  while (!(last('begins') >= 2) && process.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 1));
  await new Promise((resolve) => setTimeout(resolve, laterMs));
  process.kill('SIGKILL');
  expect(await ended).toMatchObject({ code: null, signal: 'SIGKILL', err: '' });
  return { begun: last('begins'), put: last('put') };
}

/** What a blob is full of, one byte all through. */
async function byteOf(blobs: BlobStore): Promise<number> {
  const blob = await blobs.open('a');
  const bytes = new Uint8Array(blob?.bytes ?? 0);
  await blob?.read(bytes, 0);
  expect([bytes.length, new Set(bytes).size]).toEqual([BYTES, 1]);
  return bytes[0] ?? 0;
}

const random = seeded(20_260_318);
const moments = Array.from({ length: runs(3) }, () => Math.floor(random() * 12));

async function killedOverDatabase(ms: number): Promise<void> {
  const dataDir = temporaryFolder();
  const { begun, put } = await putUntilKilled(ms, dataDir, String(NOW), String(BYTES));
  const engine = await storeEngine.openEngine(dataDir);
  const clock = { now: NOW };
  const blobs = createTableBlobs(engine, {
    ...{ tenant: 'default', place: 'exports', drafts: openDrafts(join(dataDir, 'drafts')) },
    ...{ now: () => clock.now, newId: () => crypto.randomUUID(), partBytes: 65_536 },
  });
  const byte = await byteOf(blobs);
  expect([put, begun]).toContain(byte);
  clock.now += MIN_READ_MS + 1;
  await blobs.sweepDrafts(() => true);
  expect(await byteOf(blobs)).toBe(byte);
  const left = await engine.db.selectFrom('blob').select('name').execute();
  const parts = await engine.db.selectFrom('blob_part').select('number').execute();
  expect([left, parts.length]).toEqual([[{ name: 'a' }], Math.ceil(BYTES / 65_536)]);
  engine.close();
}

async function killedOverBucket(ms: number): Promise<void> {
  const dataDir = temporaryFolder();
  const clock = { now: NOW };
  const bucket = await startStandInS3({ now: () => clock.now });
  const { begun, put } = await putUntilKilled(
    ms,
    ...[dataDir, String(NOW), String(BYTES), JSON.stringify(bucket.place)],
  );
  const now = () => clock.now;
  const client = createS3Client(
    { ...bucket.place, prefix: '' },
    { now, wait: async () => {}, random: () => 0 },
  );
  const blobs = createS3Blobs(client, {
    ...{ folder: 'exports/', drafts: openDrafts(join(dataDir, 'drafts')), now },
    newId: () => crypto.randomUUID(),
  });
  const byte = await byteOf(blobs);
  expect([put, begun]).toContain(byte);
  for (const later of [MIN_READ_MS + 2000, 86_402_000]) {
    clock.now += later;
    await blobs.sweepDrafts(() => true);
  }
  expect(await byteOf(blobs)).toBe(byte);
  expect(bucket.keys()).toEqual([expect.stringMatching('^exports/data/a/'), 'exports/names/a']);
  expect(bucket.openUploads()).toBe(0);
  await bucket.close();
}

/** Where there is little time, only the database: it is the one that several processes have by default. */
const courses = moments.flatMap((ms) => [
  { ms, where: 'the database', run: killedOverDatabase },
  ...(soaking ? [{ ms, where: 'a bucket', run: killedOverBucket }] : []),
]);

test.each(courses)('a process that is killed $ms ms into a put leaves whole blobs in $where', ({ ms, run }) =>
  run(ms),
);
