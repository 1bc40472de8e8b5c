import { afterEach, beforeEach, expect, test } from '#jest';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import type { PageList, Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let store: Store;
beforeEach(() => {
  store = openSqliteStore(temporaryFolder());
});
afterEach(() => store.close());

const list = (id: string, createdAt: number, told: Partial<PageList> = {}): PageList => ({
  id,
  owner: 'ada',
  question: 'all',
  keys: ['DEMO-2', 'DEMO-1'],
  undecided: 1,
  asOf: createdAt,
  createdAt,
  ...told,
});
const wide = { most: 10, oldest: 0 };

async function idsKept(...ids: string[]): Promise<string[]> {
  const lists = await Promise.all(ids.map((id) => store.pages.get(id)));
  return lists.flatMap((one) => (one === null ? [] : [one.id]));
}

test('a list is found by its id as it was put', async () => {
  await store.pages.put(list('a', 1), wide);
  expect(await store.pages.get('a')).toEqual(list('a', 1));
  expect(await store.pages.get('b')).toBeNull();
});

test('latest is the newest list of the same owner and question, the later one of two at one instant', async () => {
  await store.pages.put(list('new', 9), wide);
  await store.pages.put(list('newest', 9), wide);
  await store.pages.put(list('old', 1), wide);
  await store.pages.put(list('of another question', 20, { question: 'some' }), wide);
  await store.pages.put(list('of bob', 20, { owner: 'bob' }), wide);
  expect((await store.pages.latest('ada', 'all'))?.id).toBe('newest');
  expect((await store.pages.latest('bob', 'all'))?.id).toBe('of bob');
  expect(await store.pages.latest('bob', 'some')).toBeNull();
});

test('of one owner only the newest lists stay, whatever others keep', async () => {
  await store.pages.put(list('of bob', 1, { owner: 'bob' }), wide);
  for (const at of [3, 1, 4, 2]) await store.pages.put(list(`at ${at}`, at), { most: 2, oldest: 0 });
  expect(await idsKept('at 1', 'at 2', 'at 3', 'at 4', 'of bob')).toEqual(['at 3', 'at 4', 'of bob']);
});

test('no list stays that is older than allowed, whoever it belongs to', async () => {
  await store.pages.put(list('of bob', 1, { owner: 'bob' }), wide);
  await store.pages.put(list('just in time', 5), wide);
  await store.pages.put(list('new', 9), { most: 10, oldest: 5 });
  expect(await idsKept('of bob', 'just in time', 'new')).toEqual(['just in time', 'new']);
});
