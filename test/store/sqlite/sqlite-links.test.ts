import { expect, test } from '@jest/globals';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ada = { account: 'U02', user: 'ada', by: 'ada', at: 7 };
const bob = { account: 'U01', user: 'bob', by: 'ada', at: 8 };

test('links are kept by account, also for another process, and apart for each tracker', async () => {
  const dataDir = temporaryFolder();
  const store = openSqliteStore(dataDir);
  const links = store.links('sample');
  await links.put(ada);
  await links.put(bob);
  expect(await links.links()).toEqual([bob, ada]);
  const other = openSqliteStore(dataDir);
  expect(await other.links('sample').link('U02')).toEqual(ada);
  expect(await other.links('sample').link('U03')).toBeNull();
  expect(await other.links('file').link('U02')).toBeNull();
  expect(await other.links('file').links()).toEqual([]);
  other.close();
  store.close();
});

test('what is said last of an account counts, and can be taken back', async () => {
  const store = openSqliteStore(temporaryFolder());
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
