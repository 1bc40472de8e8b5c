import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '#jest';
import { inTransaction } from '../../../src/store/sqlite/sqlite-database.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const record = { id: 'a', user: 'ada', admin: true, createdAt: 1, expiresAt: 2, active: true };

test('tokens are kept, listed newest first, and switched off and on', async () => {
  const store = openTestStore(temporaryFolder());
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
  const [one, other] = [openTestStore(dataDir), openTestStore(dataDir)];
  expect(await one.tokens.signingKey(() => 'first')).toBe('first');
  expect(await other.tokens.signingKey(() => 'second')).toBe('first');
  one.close();
  other.close();
});

test('a token can be checked while an import writes', async () => {
  const dataDir = temporaryFolder();
  const store = openTestStore(dataDir);
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

const ada = { account: 'U02', user: 'ada', by: 'ada', at: 7, proof: { token: 't1', admin: true } };
const bob = { account: 'U01', user: 'bob', by: 'ada', at: 8, proof: null };

test('links are kept by account, also for another process, and apart for each tracker', async () => {
  const dataDir = temporaryFolder();
  const store = openTestStore(dataDir);
  const links = store.links('sample');
  await links.put(ada);
  await links.put(bob);
  expect(await links.links()).toEqual([bob, ada]);
  const other = openTestStore(dataDir);
  expect(await other.links('sample').link('U02')).toEqual(ada);
  expect(await other.links('sample').link('U03')).toBeNull();
  expect(await other.links('file').link('U02')).toBeNull();
  expect(await other.links('file').links()).toEqual([]);
  other.close();
  store.close();
});

test('what is said last of an account counts, and can be taken back', async () => {
  const store = openTestStore(temporaryFolder());
  const links = store.links('sample');
  await links.put(ada);
  await store.links('file').put(ada);
  await links.put({ ...bob, account: 'U02' });
  expect(await links.links()).toEqual([{ ...bob, account: 'U02' }]);
  expect(await links.remove('U02')).toBe(true);
  expect(await links.remove('U02')).toBe(false);
  expect(await links.link('U02')).toBeNull();
  expect(await store.links('file').link('U02')).toEqual(ada);
  store.close();
});

test('what is said of an account is counted, also that it is nobody’s any more', async () => {
  const store = openTestStore(temporaryFolder());
  const links = store.links('sample');
  expect(await links.revision('U02')).toBe(0);
  expect(await links.remove('U02')).toBe(false);
  expect(await links.revision('U02')).toBe(0);
  await links.put(ada);
  await store.links('file').put(ada);
  expect(await links.revision('U02')).toBe(1);
  await links.remove('U02');
  expect(await links.links()).toEqual([]);
  expect(await links.revision('U02')).toBe(2);
  await links.put({ ...ada, proof: { token: 't2', admin: false } });
  expect(await links.link('U02')).toMatchObject({ proof: { token: 't2', admin: false } });
  expect(await links.revision('U02')).toBe(3);
  expect(await store.links('file').revision('U02')).toBe(1);
  store.close();
});

test('what was written for a revision is kept only as long as that is the account’s', async () => {
  const dataDir = temporaryFolder();
  const store = openTestStore(dataDir);
  const other = openTestStore(dataDir);
  const links = store.links('sample');
  expect(await links.put(ada, 1)).toBe(false);
  expect(await links.put(ada, 0)).toBe(true);
  expect(await other.links('sample').put({ ...bob, account: 'U02' }, 0)).toBe(false);
  expect(await links.link('U02')).toEqual(ada);
  expect(await other.links('sample').put({ ...bob, account: 'U02' }, 1)).toBe(true);
  expect(await links.link('U02')).toEqual({ ...bob, account: 'U02' });
  other.close();
  store.close();
});
