import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '#jest';
import { ended } from '../http/exports/ended.ts';
import { exportFile, jiraIssue, movesTo, searchResult } from '../support/jira-export.ts';
import { type StandInS3, startStandInS3 } from '../support/stand-in-s3.ts';
import { type DwellOptions, startDwell, type TestDwell } from '../support/start-dwell.ts';
import { readEngine, storeEngine } from '../support/store-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const at = '2026-03-18T12:00:00Z';
let bucket: StandInS3;
beforeAll(async () => {
  bucket = await startStandInS3({ now: () => Date.parse(at) });
});
afterAll(() => bucket.close());
let dwell: TestDwell | null = null;
afterEach(() => dwell?.stop());

/** The settings of each place where files may be; `isHere`: they are files of DATA_DIR. */
const places = [
  { place: 'where they are by default', isHere: storeEngine === readEngine(), settings: () => ({}) },
  { place: 'a folder', isHere: true, settings: () => ({ BLOBS: 'folder' }) },
  { place: 'the database', isHere: false, settings: () => ({ BLOBS: 'table' }) },
  { place: 'a bucket', isHere: false, settings: () => bucketSettings('s3://shelf/dwell/') },
];

function bucketSettings(blobs: string): Record<string, string> {
  const { endpoint, region, accessKeyId, secretAccessKey } = bucket.place;
  return {
    ...{ BLOBS: blobs, S3_ENDPOINT: endpoint, S3_REGION: region },
    ...{ S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey },
  };
}

async function start(dataDir: string, settings: Record<string, string>, more: DwellOptions = {}) {
  await storeEngine.make(dataDir);
  const own = storeEngine.environment(dataDir);
  const environment = { TRACKER: 'file', PLAYGROUND: 'off', ...own, ...settings };
  dwell = await startDwell({ at, dataDir, environment, ...more });
  return dwell;
}

const question = {
  ...{ filterType: 'project', projectKey: 'WEB', columnsBy: 'statusDuration', outputType: 'csv' },
};

async function importIssues({ types }: TestDwell): Promise<void> {
  const issues = ['WEB-1', 'WEB-2'].map((key) =>
    jiraIssue(key, { created: '2026-03-02T09:00:00.000Z' })
      .at('2026-03-09T09:00:00.000Z', movesTo('Done'))
      .onCloud(),
  );
  expect((await types('import', exportFile(searchResult(...issues)))).code).toBe(0);
}

async function exported(from: TestDwell): Promise<string> {
  const { json, text } = await from.post('/rest/export', question);
  expect([text, json.exportId]).toEqual([text, expect.any(String)]);
  expect(await ended(from, json.exportId)).toMatchObject({ status: 'Successful' });
  return json.exportId;
}

test.each(places)(
  'an export is downloaded from $place, also after a restart',
  async ({ isHere, settings }) => {
    const dataDir = temporaryFolder();
    const first = await start(dataDir, settings());
    await importIssues(first);
    const id = await exported(first);
    const before = await first.get(`/rest/export/${id}/download`);
    expect([before.status, before.text]).toEqual([200, expect.stringContaining('WEB-2')]);
    await first.stop();
    const folder = join(dataDir, 'tenants/default/exports');
    expect(readdirSync(folder)).toEqual(isHere ? [expect.stringContaining(id)] : []);
    if (!isHere) rmSync(folder, { recursive: true });

    const second = await start(dataDir, settings());
    const after = await second.get(`/rest/export/${id}/download`);
    expect([after.status, after.text]).toEqual([200, before.text]);
    expect(after.headers.get('content-length')).toBe(before.headers.get('content-length'));
  },
);

test('a bucket has the objects of each tenant below its prefix', () => {
  const keys = bucket.keys();
  expect(keys.length).toBeGreaterThan(0);
  for (const key of keys) expect(key).toMatch(/^dwell\/default\/exports\/(names|data|swept)\//);
});

test('while the bucket is refused, exports are tried again, and the log says why without the secret', async () => {
  const logged: string[] = [];
  const { pino } = await import('pino');
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  const settings = bucketSettings('s3://another-shelf');
  const third = await start(temporaryFolder(), settings, { log });
  await importIssues(third);
  const { json } = await third.post('/rest/export', question);
  while (!logged.some((line) => line.includes('an export cannot be made yet')))
    await new Promise((resolve) => setTimeout(resolve, 1));
  expect((await third.get(`/rest/export/${json.exportId}`)).json.status).toMatch(/Queued|Running/);
  const text = logged.join('');
  expect(text).toContain(
    `The bucket 'another-shelf' at ${bucket.place.endpoint} answered GET with 404 NoSuchBucket.`,
  );
  expect(text).not.toContain(bucket.place.secretAccessKey);
  expect(text).not.toContain(bucket.place.accessKeyId);
});
