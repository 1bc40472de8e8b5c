import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '#jest';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { inTransaction } from '../../../src/store/sqlite/sqlite-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const record = { id: 'a', user: 'ada', admin: true, createdAt: 1, expiresAt: 2, active: true };

test('tokens are kept, listed newest first, and switched off and on', async () => {
  const store = openSqliteStore(temporaryFolder());
  const { tokens } = store;
  const later = { ...record, id: 'b', user: 'bob', admin: false, createdAt: 5 };
  await tokens.put(record);
  await tokens.put(later);
  expect(await tokens.list()).toEqual([later, record]);
  expect(await tokens.setActive('a', false)).toBe(true);
  expect(await tokens.get('a')).toEqual({ ...record, active: false });
  expect(await tokens.setActive('a', true)).toBe(true);
  expect(await tokens.get('a')).toEqual(record);
  expect(await tokens.setActive('c', true)).toBe(false);
  expect(await tokens.get('c')).toBeNull();
  store.close();
});

test('the signing key is made once, by whichever process is first', async () => {
  const dataDir = temporaryFolder();
  const [one, other] = [openSqliteStore(dataDir), openSqliteStore(dataDir)];
  expect(await one.tokens.signingKey(() => 'first')).toBe('first');
  expect(await other.tokens.signingKey(() => 'second')).toBe('first');
  one.close();
  other.close();
});

test('a token can be checked while an import writes', async () => {
  const dataDir = temporaryFolder();
  const store = openSqliteStore(dataDir);
  await store.tokens.put(record);
  await store.tokens.signingKey(() => 'first');
  const writer = new DatabaseSync(join(dataDir, 'dwell.db'));
  const answers = inTransaction(writer, () =>
    Promise.all([store.tokens.signingKey(() => 'second'), store.tokens.get('a')]),
  );
  expect(await answers).toEqual(['first', record]);
  writer.close();
  store.close();
});
