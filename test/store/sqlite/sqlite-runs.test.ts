import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, jest, test } from '#jest';
import type { Run } from '../../../src/model/question.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

afterEach(() => void jest.restoreAllMocks());

function aRun(id: string, askedAt: number): Run {
  const question = { kind: 'issue', key: 'DEMO-1', calendar: 'normalHours', timeZone: 'UTC' } as const;
  return { id, account: 'U1', question, asOf: 7, askedAt };
}

test('a run is found by its id as it was put, also by another process', async () => {
  const dataDir = temporaryFolder();
  const [store, other] = [openSqliteStore(dataDir), openSqliteStore(dataDir)];
  await store.runs.put(aRun('a', 5));
  expect(await other.runs.get('a')).toEqual(aRun('a', 5));
  expect(await other.runs.get('b')).toBeNull();
  await other.runs.put({ ...aRun('a', 5), asOf: 8 });
  expect((await store.runs.get('a'))?.asOf).toBe(8);
  store.close();
  other.close();
});

test('runs asked before an instant are forgotten', async () => {
  const store = openSqliteStore(temporaryFolder());
  for (const askedAt of [4, 5, 6]) await store.runs.put(aRun(`at ${askedAt}`, askedAt));
  await store.runs.forget(5);
  expect(await store.runs.get('at 4')).toBeNull();
  expect(await store.runs.get('at 5')).not.toBeNull();
  expect(await store.runs.get('at 6')).not.toBeNull();
  store.close();
});

test('forgetting waits for nobody who writes, as long as there is nothing to forget', async () => {
  const dataDir = temporaryFolder();
  const store = openSqliteStore(dataDir);
  await store.runs.put(aRun('a', 5));
  const writer = new DatabaseSync(join(dataDir, 'dwell.db'));
  writer.exec('BEGIN IMMEDIATE');
  await store.runs.forget(5);
  writer.close();
  store.close();
});

test('what is written after a run waits for the disk again', async () => {
  const exec = jest.spyOn(DatabaseSync.prototype, 'exec');
  const store = openSqliteStore(temporaryFolder());
  await store.runs.put(aRun('a', 5));
  const switched = exec.mock.calls.flatMap(([sql]) => /synchronous = (\w+)/.exec(sql)?.slice(1) ?? []);
  expect(switched).toEqual(['FULL', 'NORMAL', 'FULL']);
  store.close();
});
