import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from '#jest';
import type { TrackerIssues } from '../../src/mirror/lists/tracker-issues.ts';
import type { Issue } from '../../src/model/issue.ts';
import { aStore } from '../support/a-store.ts';
import { anyCharacter } from '../support/any-character.ts';
import { anyIssue } from '../support/arbitrary-issue.ts';
import { anIssue } from '../support/issue-story.ts';
import { anOddIssue } from '../support/odd-issue.ts';
import { openTestStore, type TestStore } from '../support/open-test-store.ts';
import { runs } from '../support/soak.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let store: TestStore;
let issues: TrackerIssues;
beforeEach(async () => {
  store = await aStore();
  issues = store.issues('file');
});

const replace = (_: Issue, incoming: Issue) => incoming;
const born = (key: string, day = '02') => anIssue(key, `2026-03-${day}T09:00:00Z`).issue;

describe('putIssues', () => {
  test('gives any issue back as it was put', () =>
    fc.assert(
      fc.asyncProperty(anyIssue, fc.string({ unit: anyCharacter }), async (issue, summary) => {
        await issues.putIssues([{ ...issue, summary }], replace);
        expect(await issues.issue(issue.key)).toEqual({ ...issue, summary });
      }),
    ));

  test('keeps what merge makes of an issue that is there and the one that comes', async () => {
    await issues.putIssues([born('DEMO-1')], replace);
    const merge = (stored: Issue, incoming: Issue) => ({ ...incoming, summary: `${stored.key} as it was` });
    await issues.putIssues([born('DEMO-1'), born('DEMO-2')], merge);
    expect((await issues.issue('DEMO-1'))?.summary).toBe('DEMO-1 as it was');
    expect((await issues.issue('DEMO-2'))?.summary).toBe('Summary of DEMO-2');
  });

  test('tells which issues are now kept and whether they were kept before', async () => {
    const [one, two] = [born('DEMO-1'), born('DEMO-2')];
    expect(await issues.putIssues([one, one], replace)).toEqual([
      { issue: one, changed: true },
      { issue: one, changed: false },
    ]);
    expect(await issues.putIssues([one, two], (stored) => stored)).toEqual([
      { issue: one, changed: false },
      { issue: two, changed: true },
    ]);
  });

  test('keeps all of them or none', async () => {
    await issues.putIssues([born('DEMO-1')], replace);
    const failing = issues.putIssues([born('DEMO-2'), born('DEMO-1')], () => {
      throw new Error('no way to merge');
    });
    await expect(failing).rejects.toThrow('no way to merge');
    expect(await issues.issue('DEMO-2')).toBeNull();
    expect(await issues.count()).toBe(1);
  });
});

describe('issues', () => {
  test('are found by any spelling of their key, and apart for each tracker', async () => {
    await issues.putIssues([born('DEMO-1')], replace);
    expect((await issues.issue('demo-1'))?.key).toBe('DEMO-1');
    expect(await store.issues('sample').issue('DEMO-1')).toBeNull();
    expect(await store.issues('sample').count()).toBe(0);
  });

  test('are listed by their last update, then by key', async () => {
    await issues.putIssues([born('DEMO-2'), born('DEMO-3', '04'), born('DEMO-1')], replace);
    expect(await issues.recentKeys(9)).toEqual(['DEMO-3', 'DEMO-1', 'DEMO-2']);
    expect(await issues.recentKeys(2)).toEqual(['DEMO-3', 'DEMO-1']);
  });

  test('come with people, who are known by the last that was told of them', async () => {
    await issues.putUsers([{ id: 'ada', name: 'Ada', email: 'ada@example.com' }]);
    await issues.putUsers([
      { id: 'ada', name: 'Ada L.' },
      { id: 'bob', name: 'Bob' },
    ]);
    expect([...(await issues.users(['ada', 'bob', 'nobody'])).values()]).toEqual([
      { id: 'ada', name: 'Ada L.' },
      { id: 'bob', name: 'Bob' },
    ]);
  });

  test('come with people, of whom everybody is told when nobody is named', async () => {
    expect((await issues.users()).size).toBe(0);
    await issues.putUsers([
      { id: 'bob', name: 'Bob', timeZone: 'America/New_York' },
      { id: 'ada', name: 'Ada' },
    ]);
    expect([...(await issues.users()).values()]).toEqual([
      { id: 'ada', name: 'Ada' },
      { id: 'bob', name: 'Bob', timeZone: 'America/New_York' },
    ]);
    expect((await issues.users([])).size).toBe(0);
    expect((await store.issues('sample').users()).size).toBe(0);
  });

  test('come with people who are remembered until somebody is put, here or in another process', async () => {
    const dataDir = temporaryFolder();
    const [here, there] = [await aStore(dataDir), await aStore(dataDir)];
    const mine = here.issues('file');
    await mine.putUsers([{ id: 'ada', name: 'Ada' }]);
    const first = await mine.users();
    expect(await mine.users()).toBe(first);
    await there.issues('file').putUsers([{ id: 'ada', name: 'Ada L.' }]);
    expect([...(await mine.users()).values()]).toEqual([{ id: 'ada', name: 'Ada L.' }]);
    await mine.putUsers([{ id: 'ada', name: 'Ada' }]);
    expect(await mine.users()).toEqual(first);
  });

  test('come with statuses, of which the tracker’s own list has the last word', async () => {
    const status = { id: '1', name: 'Waiting', category: 'Undefined', deleted: false } as const;
    await issues.putStatuses([{ ...status, scope: 'DEMO', category: 'To Do' }], 'a.json');
    await issues.putStatuses([{ ...status, name: 'Old name', category: 'Done' }], null);
    expect([...(await issues.statuses()).values()]).toEqual([
      { ...status, scope: 'DEMO', category: 'To Do', listed: true },
    ]);
    await issues.putStatuses([{ ...status, name: 'New name', category: 'To Do' }], 'b.json');
    expect((await issues.statuses()).get('1')).toMatchObject({ name: 'New name' });
    await issues.putStatuses([{ ...status, scope: 'DEMO', category: 'To Do' }], 'a.json');
    expect((await issues.statuses()).get('1')).toMatchObject({ name: 'Waiting' });
    expect((await store.issues('sample').statuses()).size).toBe(0);
  });

  test('a status that its list has lost is still known as it was called there', async () => {
    const status = { id: '1', name: 'Waiting', category: 'To Do', deleted: false } as const;
    await issues.putStatuses([{ ...status, name: 'Old name', category: 'Undefined' }], null);
    await issues.putStatuses([status], 'a.json');
    await issues.putStatuses([], 'a.json');
    expect([...(await issues.statuses()).values()]).toEqual([{ ...status, listed: false }]);
  });

  test('clashes names each side, the asked list first', async () => {
    const status = { id: '1', name: 'Waiting', category: 'To Do', deleted: false } as const;
    await issues.putStatuses([status, { ...status, id: '2' }], 'a.json');
    await issues.putStatuses(
      [
        { ...status, name: 'Idle' },
        { ...status, id: '2' },
      ],
      'b.json',
    );
    expect(await issues.clashes('a.json')).toEqual([{ id: '1', name: 'Waiting', elsewhere: 'Idle' }]);
    expect(await issues.clashes('b.json')).toEqual([{ id: '1', name: 'Idle', elsewhere: 'Waiting' }]);
    expect(await issues.clashes('c.json')).toEqual([]);
  });
});

describe('issuesAt', () => {
  const numbers = async () =>
    new Map((await issues.changedSince(0, 99)).issues.map(({ id, issue }) => [issue.key, id]));
  const issueOf = (id: string, key: string) => ({ id, ...born(key) });

  test('gives issues in the order asked for, and nothing for what is gone or another tracker’s', async () => {
    await store.issues('sample').putIssues([born('DEMO-1')], replace);
    await issues.putIssues([born('DEMO-1'), born('DEMO-2')], replace);
    expect(await issues.issuesAt([3, 1, 2, 9, 3])).toEqual([
      ...[born('DEMO-2'), null, born('DEMO-1')],
      ...[null, born('DEMO-2')],
    ]);
    expect(await issues.issuesAt([])).toEqual([]);
  });

  test('issuesAfter gives the issues of the tracker by their numbers, some at a time, and their revisions', async () => {
    await store.issues('sample').putIssues([born('DEMO-1')], replace);
    await issues.putIssues([issueOf('1', 'DEMO-1'), issueOf('2', 'DEMO-2'), issueOf('3', 'DEMO-3')], replace);
    await issues.putIssues([{ ...issueOf('1', 'DEMO-1'), summary: 'again' }], replace);
    const readAfter = (after: number) =>
      issues.issuesAfter(after, 2, (some) =>
        some.map(({ id, revision, issue }) => [id, revision, issue.key]),
      );
    expect(await readAfter(0)).toEqual([
      [2, 4, 'DEMO-1'],
      [3, 2, 'DEMO-2'],
    ]);
    expect(await readAfter(3)).toEqual([[4, 3, 'DEMO-3']]);
    expect(await readAfter(4)).toEqual([]);
  });

  test('an issue keeps its number when it changes or moves, also over what is kept there', async () => {
    await issues.putIssues([issueOf('1', 'DEMO-1'), issueOf('2', 'DEMO-2'), issueOf('3', 'DEMO-3')], replace);
    const before = await numbers();
    await issues.putIssues([{ ...issueOf('1', 'DEMO-1'), summary: 'anew' }], replace);
    expect(await numbers()).toEqual(before);
    await issues.putIssues([issueOf('2', 'DEMO-3')], replace);
    expect([...(await numbers())].sort()).toEqual([
      ['DEMO-1', before.get('DEMO-1')],
      ['DEMO-3', before.get('DEMO-2')],
    ]);
  });

  test('a number is never given again', async () => {
    await issues.putIssues([issueOf('1', 'DEMO-1')], replace);
    await store.sync('file').removeIssues(['1']);
    await issues.putIssues([issueOf('2', 'DEMO-2')], replace);
    expect(await issues.issuesAt([1, 2])).toEqual([null, issueOf('2', 'DEMO-2')]);
  });
});

describe('what issues repeat', () => {
  test('is numbered by somebody else where the write failed that numbered it', async () => {
    const dataDir = temporaryFolder();
    const [one, other] = [await aStore(dataDir), await aStore(dataDir)];
    const [here, there] = [one.issues('file'), other.issues('file')];
    const named = (key: string, name: string) => ({ ...born(key), status: { id: name, name } });
    await here.putIssues([born('DEMO-9')], replace);
    const merge = () => {
      throw new Error('no way to merge');
    };
    const mine = [1, 2, 3].map((n) => named(`DEMO-${n}`, 'Mine'));
    const theirs = [4, 5, 6].map((n) => named(`DEMO-${n}`, 'Theirs'));
    await expect(here.putIssues([...mine, born('DEMO-9')], merge)).rejects.toThrow('no way to merge');
    await there.putIssues(theirs, replace);
    await here.putIssues(mine, replace);
    for (const issue of [...mine, ...theirs]) {
      expect(await here.issue(issue.key)).toEqual(issue);
      expect(await there.issue(issue.key)).toEqual(issue);
    }
  });

  test('is understood by all who have the store open, whoever wrote it and whatever failed', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.array(anOddIssue, { maxLength: 4 }), fc.nat(1), fc.boolean()), { maxLength: 8 }),
        async (writes) => {
          const dataDir = temporaryFolder();
          const stores = [await openTestStore(dataDir), await openTestStore(dataDir)];
          const [here, there] = stores.map((one) => one.issues('file'));
          if (here === undefined || there === undefined) throw new Error('There are two.');
          const expected = new Map<string, Issue>();
          for (const [odd, writer, fails] of writes) {
            const own = odd.map((issue, i): Issue => ({ ...issue, id: String(i), key: `ODD-${i}` }));
            const last: readonly Issue[] = fails ? [{ ...born('ODD-0'), id: '0' }] : [];
            const merge = (stored: Issue, incoming: Issue) => {
              if (incoming === last[0]) throw new Error('no way to merge');
              return fails ? stored : incoming;
            };
            const put = (writer === 0 ? here : there).putIssues([...own, ...last], merge);
            if (fails && (own.length > 0 || expected.has('ODD-0'))) {
              await expect(put).rejects.toThrow('no way to merge');
              continue;
            }
            await put;
            for (const issue of [...own, ...last]) expected.set(issue.key, issue);
            for (const reader of [here, there]) {
              for (const issue of own) expect(await reader.issue(issue.key)).toEqual(issue);
            }
          }
          const fresh = await openTestStore(dataDir);
          for (const reader of [here, there, fresh.issues('file')]) {
            const changes = await reader.changedSince(0, 99);
            expect(new Map(changes.issues.map(({ issue }) => [issue.key, issue]))).toEqual(expected);
            // In another process, with other numbers met since, it is still the same.
            const again = await reader.putIssues([...expected.values()], replace);
            expect(again.some(({ changed }) => changed)).toBe(false);
          }
          for (const one of [...stores, fresh]) one.close();
        },
      ),
      { numRuns: runs(20) },
    ));
});

describe('revision', () => {
  const keysSince = async (revision: number, count = 9) =>
    (await issues.changedSince(revision, count)).issues.map(({ issue }) => issue.key);

  test('is 0 without issues and rises with every change, not with what is put as it was', async () => {
    expect(await issues.revision()).toBe(0);
    await issues.putIssues([born('DEMO-1'), born('DEMO-2')], replace);
    expect(await issues.revision()).toBe(2);
    await issues.putIssues([born('DEMO-1'), born('DEMO-2')], replace);
    expect(await issues.revision()).toBe(2);
    await issues.putIssues([born('DEMO-1', '04'), born('DEMO-2')], replace);
    expect(await issues.revision()).toBe(3);
    expect(await store.issues('sample').revision()).toBe(0);
  });

  test('leads to the issues changed after it, each once, in the order of their last change', async () => {
    await issues.putIssues([born('DEMO-1'), born('DEMO-2'), born('DEMO-3')], replace);
    await issues.putIssues([born('DEMO-1', '04')], replace);
    expect(await keysSince(0)).toEqual(['DEMO-2', 'DEMO-3', 'DEMO-1']);
    expect(await keysSince(3)).toEqual(['DEMO-1']);
    expect(await issues.changedSince(4, 9)).toEqual({ issues: [], removed: [], revision: 4 });
  });

  test('is followed in pieces, of which each says where the next begins', async () => {
    await issues.putIssues([born('DEMO-1'), born('DEMO-2'), born('DEMO-3')], replace);
    const first = await issues.changedSince(0, 2);
    expect([first.issues.map(({ issue }) => issue.key), first.revision]).toEqual([['DEMO-1', 'DEMO-2'], 2]);
    expect(await keysSince(first.revision, 2)).toEqual(['DEMO-3']);
  });

  test('rises for whoever looks when another process writes', async () => {
    const dataDir = temporaryFolder();
    const [one, other] = [await aStore(dataDir), await aStore(dataDir)];
    for (const [i, writer] of [one, other, one, other].entries()) {
      await writer.issues('file').putIssues([born(`DEMO-${i + 1}`)], replace);
      expect(await one.issues('file').revision()).toBe(i + 1);
      expect(await other.issues('file').revision()).toBe(i + 1);
    }
  });

  test('goes back to where it was when a write fails', async () => {
    await issues.putIssues([born('DEMO-1')], replace);
    const failing = issues.putIssues([born('DEMO-2'), born('DEMO-1')], () => {
      throw new Error('no way to merge');
    });
    await expect(failing).rejects.toThrow('no way to merge');
    expect(await issues.revision()).toBe(1);
    expect(await keysSince(1)).toEqual([]);
  });
});

describe('what was read lately', () => {
  test('is the same until it is written here, and not made anew for what goes into a cache', async () => {
    const cache = store.cache({ maxEntries: null, now: () => 0 });
    await issues.putIssues([born('DEMO-1')], replace);
    const before = await issues.issue('demo-1');
    await cache.set('run:1', 'text', 1_000);
    await setImmediate();
    expect(await issues.issue('DEMO-1')).toBe(before);
    expect(await issues.issue('DEMO-2')).toBeNull();
    await issues.putIssues([{ ...born('DEMO-1'), summary: 'Changed' }, born('DEMO-2')], replace);
    expect((await issues.issue('DEMO-1'))?.summary).toBe('Changed');
    expect((await issues.issue('DEMO-2'))?.key).toBe('DEMO-2');
  });

  test('is read again once another process has written', async () => {
    const dataDir = temporaryFolder();
    const [one, other] = [await aStore(dataDir), await aStore(dataDir)];
    const [here, there] = [one.issues('file'), other.issues('file')];
    await here.putIssues([born('DEMO-1')], replace);
    const [seen, revision] = [await here.issue('DEMO-1'), await here.revision()];
    await there.putIssues([{ ...born('DEMO-1'), summary: 'Changed there' }], replace);
    await there.putUsers([{ id: 'ada', name: 'Ada' }]);
    await there.putFilledAt(7);
    await setImmediate();
    expect(seen?.summary).toBe('Summary of DEMO-1');
    expect((await here.issue('DEMO-1'))?.summary).toBe('Changed there');
    expect(await here.revision()).toBeGreaterThan(revision);
    expect([...(await here.users()).keys()]).toEqual(['ada']);
    expect(await here.filledAt()).toBe(7);
  });
});
