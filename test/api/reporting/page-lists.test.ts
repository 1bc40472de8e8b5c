import { millisecondsInDay } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { createPageLists, type PageLists } from '../../../src/api/reporting/load-page.ts';
import { inMemory } from '../../../src/cache/namespace.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { storedIn } from '../../support/stored-in.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type PageList = Parameters<PageLists['put']>[0];

const clock = { now: 1_000_000 };
const now = () => clock.now;

const list = (id: string, parts: Partial<PageList> = {}): PageList => ({
  id,
  owner: 'ada',
  question: 'all',
  count: 2,
  undecided: 1,
  lastKeys: { 1: 'DEMO-2' },
  asOf: clock.now,
  createdAt: clock.now,
  ...parts,
});

describe.each([
  ['memory', async () => inMemory],
  ['the store', async () => storedIn(await openTestStore(temporaryFolder()), now)],
])('in %s', (_, backing) => {
  const open = async () => createPageLists({ stored: await backing(), now });

  test('a list is found by its owner and its id as it was put', async () => {
    const pages = await open();
    await pages.put(list('a'));
    expect(await pages.get('ada', 'a')).toEqual(list('a'));
    expect(await pages.get('ada', 'b')).toBeUndefined();
    expect(await pages.get('bob', 'a')).toBeUndefined();
  });

  test('the newest is that of the same owner and question, the later one of two at one instant', async () => {
    const pages = await open();
    await pages.put(list('new'));
    await pages.put(list('newest'));
    await pages.put(list('of another question', { question: 'some' }));
    await pages.put(list('of bob', { owner: 'bob' }));
    expect((await pages.newest('ada', 'all'))?.id).toBe('newest');
    expect((await pages.newest('bob', 'all'))?.id).toBe('of bob');
    expect(await pages.newest('bob', 'some')).toBeUndefined();
  });

  test('of one owner only the newest lists stay, whatever others ask and are called', async () => {
    const pages = await open();
    for (const owner of ['bob', 'ada:a', 'ada/a', 'Ada', 'ädä']) await pages.put(list('theirs', { owner }));
    for (let n = 0; n <= 50; n += 1) await pages.put(list(`${n}`, { question: `${n}` }));
    expect(await pages.get('ada', '0')).toBeUndefined();
    expect(await pages.newest('ada', '0')).toBeUndefined();
    expect((await pages.newest('ada', '1'))?.id).toBe('1');
    for (const owner of ['bob', 'ada:a', 'ada/a', 'Ada', 'ädä']) {
      expect((await pages.get(owner, 'theirs'))?.owner).toBe(owner);
    }
  });

  test('a list is found although the clock was set back', async () => {
    const pages = await open();
    await pages.put(list('a'));
    clock.now -= 5;
    expect((await pages.newest('ada', 'all'))?.id).toBe('a');
    clock.now += 5;
  });

  test('no list stays longer than it can be said that it has expired', async () => {
    const pages = await open();
    await pages.put(list('a'));
    clock.now += 3 * millisecondsInDay - 1;
    expect(await pages.get('ada', 'a')).toBeDefined();
    clock.now += 1;
    expect(await pages.get('ada', 'a')).toBeUndefined();
  });
});
