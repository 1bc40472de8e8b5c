import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, test } from '#jest';
import { SCHEMA_VERSION } from '../../src/store/sqlite/open-database.ts';
import { anIssue } from '../support/issue-story.ts';
import { inFolder } from '../support/left-folder.ts';
import { documentRow, folderAtStep } from '../support/older-store.ts';
import { runProcess } from '../support/run-process.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const { issue } = anIssue('DEMO-1', '2026-03-02T09:00:00Z');

/** A folder that a Dwell left whose issues were documents. */
function earlierFolder(): string {
  const dataDir = folderAtStep(10, documentRow('file', 1, issue));
  inFolder(dataDir, (database) => database.exec('PRAGMA journal_mode = WAL'));
  return dataDir;
}

const versionIn = (dataDir: string) =>
  inFolder(dataDir, (database) => database.prepare('PRAGMA user_version').get()?.user_version);

const start = (DATA_DIR: string) =>
  runProcess([main], { DATA_DIR, PORT: '0', TIME_ZONE: 'UTC', TRACKER: 'file', PLAYGROUND: 'off' });

/** Resolves with what a stream of a process says that matches. */
async function says(stream: NodeJS.ReadableStream | null, pattern: RegExp): Promise<string> {
  let text = '';
  for await (const chunk of stream ?? []) {
    text += chunk;
    const found = pattern.exec(text);
    if (found !== null) return found[1] ?? '';
  }
  throw new Error(`It has not said ${pattern}: ${text}`);
}

test('while the store is upgraded /healthz has the progress and everything else is 503, until the start is done', async () => {
  const dataDir = earlierFolder();
  // The upgrade waits for this write as for one of another process.
  const writer = new DatabaseSync(join(dataDir, 'dwell.db'));
  writer.exec('BEGIN IMMEDIATE');
  const { process, ended } = start(dataDir);
  const url = await says(process.stderr, /(http:\/\/[^"]+)\/healthz says/);
  const get = async (path: string, method = 'GET') => {
    const answer = await fetch(`${url}${path}`, { method });
    const text = await answer.text();
    return [answer.status, answer.headers.get('retry-after'), text === '' ? null : JSON.parse(text)];
  };
  const progress = `changing tables, 10 of ${SCHEMA_VERSION}`;
  const upgrading = { status: 'upgrading', step: 'changing tables', done: 10, of: SCHEMA_VERSION };
  expect(await get('/healthz')).toEqual([200, null, upgrading]);
  expect(await get('/healthz', 'HEAD')).toEqual([200, null, null]);
  expect(await get('/readyz')).toEqual([
    503,
    '30',
    { status: 'not ready', waitingFor: `an upgrade of the store: ${progress}` },
  ]);
  expect(await get('/rest/statuses')).toEqual([
    503,
    '30',
    expect.objectContaining({
      reason: 'store-unavailable',
      message: `Dwell upgrades its store from an earlier version: ${progress}. Try again later.`,
    }),
  ]);
  writer.exec('ROLLBACK');
  writer.close();
  await says(process.stdout, /(Dwell is ready)/);
  expect(await get('/healthz')).toEqual([200, null, { status: 'ok' }]);
  expect((await get('/readyz'))[0]).toBe(200);
  process.kill('SIGTERM');
  expect((await ended).code).toBe(0);
});

test('a command upgrades as well, and says nothing where that is over in seconds', async () => {
  const dataDir = earlierFolder();
  const { ended } = runProcess([main, 'dwell', 'tokens', '--json'], { DATA_DIR: dataDir, TIME_ZONE: 'UTC' });
  expect(await ended).toEqual({ code: 0, signal: null, out: '[]\n', err: '' });
  expect(versionIn(dataDir)).toBe(SCHEMA_VERSION);
});

test('an upgrade that fails ends the process with a sentence, and changes nothing', async () => {
  const dataDir = earlierFolder();
  inFolder(dataDir, (database) => database.exec("UPDATE issue SET document = '{'"));
  const { code, err } = await start(dataDir).ended;
  expect([code, err]).toEqual([
    1,
    expect.stringContaining(`The store in DATA_DIR '${dataDir}' cannot be opened: `),
  ]);
  expect(versionIn(dataDir)).toBe(10);
});
