import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, test } from '#jest';
import { aStore } from '../support/a-store.ts';
import { dwellProcess } from '../support/dwell-process.ts';
import { inFolder } from '../support/left-folder.ts';
import { openTestStore } from '../support/open-test-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** So much (bytes) that a copy is still being written when it is noticed. */
const LARGE = 60_000_000;
const TRIES = 5;

const dataDir = temporaryFolder();
beforeAll(async () => {
  (await openTestStore(dataDir)).close();
  inFolder(dataDir, (database) =>
    database.exec(`CREATE TABLE large (bytes BLOB); INSERT INTO large VALUES (zeroblob(${LARGE}))`),
  );
});

/** Begins a copy into a folder and kills it as soon as there is a part of it. */
async function killed(folder: string, signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<void> {
  for (let tried = 1; tried <= TRIES; tried += 1) {
    const file = join(folder, `copy-${tried}.db`);
    const { process, ended } = dwellProcess(dataDir, 'backup', file);
    while (process.exitCode === null && !existsSync(`${file}.partial`)) await pause(1);
    process.kill(signal);
    const { code } = await ended;
    if (code === null) {
      expect([process.signalCode, existsSync(file)]).toEqual([signal, false]);
      return;
    }
  }
  throw new Error('No copy could be killed while it was written.');
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'a copy that is ended by %s leaves nothing behind',
  async (signal) => {
    const folder = temporaryFolder();
    await killed(folder, signal);
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
  },
);

test('what a copy that was killed at once has left is removed by the next copy, wherever that goes', async () => {
  const folder = temporaryFolder();
  await killed(folder, 'SIGKILL');
  expect(readdirSync(folder).filter((name) => name.includes('partial'))).not.toEqual([]);
  const other = join(temporaryFolder(), 'other.db');
  expect((await dwellProcess(dataDir, 'backup', other).ended).code).toBe(0);
  expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
  const copy = new DatabaseSync(other, { readOnly: true });
  expect(copy.prepare("SELECT id FROM document WHERE kind = 'copy'").all()).toEqual([]);
  copy.close();
});

test('a command that waits for its next copy is ended by a signal, and leaves the one it made', async () => {
  const folder = temporaryFolder();
  const { process, out, ended } = dwellProcess(dataDir, 'backup', folder, '--every', '1h');
  while (process.exitCode === null && !out().includes('The next backup is due')) await pause(5);
  process.kill('SIGTERM');
  const { signal, err } = await ended;
  expect([signal, err]).toEqual(['SIGTERM', '']);
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^dwell-[\dT-]+Z\.db$/)]);
});

test('a copy that is begun stays where nothing locks it, as long as the process that makes it runs', async () => {
  const [begun, left] = ['begun', 'left'].map((name) => join(temporaryFolder(), `${name}.partial`));
  for (const partial of [begun, left]) writeFileSync(partial ?? '', '');
  const store = await aStore(dataDir);
  const database = new DatabaseSync(join(dataDir, 'dwell.db'));
  const begin = (partial: string | undefined, id: number) =>
    database
      .prepare("INSERT INTO document (tenant, kind, id, added, document) VALUES ('', 'copy', ?, 0, ?)")
      .run(partial ?? '', JSON.stringify([hostname(), String(id)]));
  begin(begun, process.ppid);
  // Our own id, and we make none: it was another process's.
  begin(left, process.pid);
  await store.removeKilledCopies();
  expect([begun, left].map((partial) => existsSync(partial ?? ''))).toEqual([true, false]);
  const again = store.backUp(begun?.replace('.partial', '') ?? '', { stamp: 'copy' });
  await expect(again).rejects.toMatchObject({ reason: 'busy-elsewhere' });
  database.exec("DELETE FROM document WHERE kind = 'copy'");
  database.close();
});

test('a database that was altered to name a file has no file removed but an unfinished copy', async () => {
  const named = join(temporaryFolder(), 'letter.txt');
  writeFileSync(named, 'a letter');
  const store = await aStore(dataDir);
  inFolder(dataDir, (database) =>
    database
      .prepare("INSERT INTO document (tenant, kind, id, added, document) VALUES ('', 'copy', ?, 0, '[]')")
      .run(named),
  );
  await store.removeKilledCopies();
  expect(existsSync(named)).toBe(true);
  inFolder(dataDir, (database) => database.exec("DELETE FROM document WHERE kind = 'copy'"));
});

test('a copy that is being written stays when another one is made', async () => {
  const [one, other] = [join(temporaryFolder(), 'one.db'), join(temporaryFolder(), 'other.db')];
  const first = dwellProcess(dataDir, 'backup', one);
  while (first.process.exitCode === null && !existsSync(`${one}.partial`)) await pause(1);
  const second = dwellProcess(dataDir, 'backup', other);
  const ends = await Promise.all([first.ended, second.ended]);
  expect(ends.map(({ code, err }) => [code, err])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  expect([existsSync(one), existsSync(other)]).toEqual([true, true]);
});
