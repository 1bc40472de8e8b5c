import { afterEach, beforeEach, expect, test } from '#jest';
import { rememberIssues } from '../../src/mirror/remember-issues.ts';
import type { Issue } from '../../src/model/issue.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { IssueStore, Store } from '../../src/store/store.ts';
import { anIssue } from '../support/issue-story.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let store: Store;
let kept: IssueStore;
beforeEach(() => {
  store = openSqliteStore(temporaryFolder());
  kept = store.issues('file');
});
afterEach(() => store.close());

const born = (key: string, day = '02') => anIssue(key, `2026-03-${day}T09:00:00Z`).issue;
const put = (...issues: Issue[]) => kept.putIssues(issues, (_, incoming) => incoming);
const keysOf = (issues: readonly Issue[]) => issues.map(({ key }) => key);
const many = (count: number) => Array.from({ length: count }, (_, i) => born(`DEMO-${i + 1}`));

/** The store, with how often it was read from. */
function watched() {
  const seen = { chunks: 0 };
  const changedSince: IssueStore['changedSince'] = (revision, count) => {
    seen.chunks += 1;
    return kept.changedSince(revision, count);
  };
  return { seen, store: { revision: kept.revision, changedSince } };
}

test('issues are told by creation, then by project and number', async () => {
  await put(born('WEB-10'), born('WEB-9'), born('APP-11', '03'), born('APP-2', '01'), born('OPS-5'));
  const issues = await rememberIssues(kept)();
  expect(keysOf(issues)).toEqual(['APP-2', 'OPS-5', 'WEB-9', 'WEB-10', 'APP-11']);
  expect(issues[3]).toEqual(born('WEB-10'));
});

test('the array is the same, and nothing is read, until something changes', async () => {
  await put(born('DEMO-1'));
  const { seen, store: counted } = watched();
  const remembered = rememberIssues(counted);
  const first = await remembered();
  await put(born('DEMO-1'));
  expect(await remembered()).toBe(first);
  expect(seen.chunks).toBe(1);
});

test('without issues the array is empty, and the same again and again', async () => {
  const remembered = rememberIssues(kept);
  expect(await remembered()).toEqual([]);
  expect(await remembered()).toBe(await remembered());
});

test('after a change there is a new array with what changed in it, and the old one is as it was', async () => {
  await put(born('DEMO-1'), born('DEMO-2'));
  const remembered = rememberIssues(kept);
  const before = await remembered();
  await put({ ...born('DEMO-1', '04'), summary: 'anew' }, born('DEMO-3', '03'));
  const after = await remembered();
  expect(keysOf(after)).toEqual(['DEMO-2', 'DEMO-3', 'DEMO-1']);
  expect(after[2]?.summary).toBe('anew');
  expect(after[0]).toBe(before[1]);
  expect(before).toEqual([born('DEMO-1'), born('DEMO-2')]);
});

test('who asks while issues are read shares the reading', async () => {
  await put(...many(1201));
  const { seen, store: counted } = watched();
  const remembered = rememberIssues(counted);
  const [one, other] = await Promise.all([remembered(), remembered()]);
  expect(one).toHaveLength(1201);
  expect(other).toBe(one);
  expect(seen.chunks).toBe(3);
});

test('others get their turn between the pieces of a long reading', async () => {
  await put(...many(1201));
  const order: string[] = [];
  const { store: counted } = watched();
  const remembered = rememberIssues({
    ...counted,
    changedSince: (revision, count) => {
      order.push('piece');
      setImmediate(() => order.push('others'));
      return counted.changedSince(revision, count);
    },
  });
  await remembered();
  expect(order).toEqual(['piece', 'others', 'piece', 'others', 'piece']);
});

test('an issue that changes while issues are read is told as it is then, and once', async () => {
  await put(...many(600));
  let changed = false;
  const remembered = rememberIssues({
    revision: kept.revision,
    changedSince: async (revision, count) => {
      const chunk = await kept.changedSince(revision, count);
      if (!changed) await put({ ...born('DEMO-1'), summary: 'anew' });
      changed = true;
      return chunk;
    },
  });
  const issues = await remembered();
  expect(issues).toHaveLength(600);
  expect(issues[0]?.summary).toBe('anew');
});

test('a reading that fails part way is not remembered', async () => {
  await put(...many(600));
  let failures = 1;
  const remembered = rememberIssues({
    revision: kept.revision,
    changedSince: (revision, count) => {
      if (revision > 0 && failures > 0) {
        failures -= 1;
        return Promise.reject(new Error('the disk is gone'));
      }
      return kept.changedSince(revision, count);
    },
  });
  await expect(remembered()).rejects.toThrow('the disk is gone');
  expect(await remembered()).toHaveLength(600);
});

test('what was taken away or has moved is told no longer, and what came back is', async () => {
  const told = (id: string, key: string) => ({ id, ...born(key) });
  await put(...many(600).map((issue, i) => ({ id: String(i + 1), ...issue })));
  const remembered = rememberIssues(kept);
  expect(await remembered()).toHaveLength(600);
  const sync = store.sync('file');
  await sync.removeIssues(['1', '2', '3']);
  await put(told('4', 'WEB-1'), told('1', 'DEMO-1'));
  const keys = keysOf(await remembered());
  expect(keys).toHaveLength(598);
  expect(keys.filter((key) => /^(DEMO-[1-5]|WEB-1)$/.test(key))).toEqual(['DEMO-1', 'DEMO-5', 'WEB-1']);
});

test('after many changes all is told as it is, and what was asked before as it was', async () => {
  await put(...many(200));
  const remembered = rememberIssues(kept);
  const first = await remembered();
  for (let round = 1; round <= 8; round += 1) {
    await put(
      ...many(200).map((issue) => ({ ...issue, summary: `${'long '.repeat(400)}${round} ${issue.key}` })),
    );
    await remembered();
  }
  // What is garbage by now is cleared away while others go on.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  const last = await remembered();
  expect(last).toHaveLength(200);
  expect(last.every(({ key, summary }) => summary.endsWith(`8 ${key}`))).toBe(true);
  expect(first.slice(0, 3)).toEqual(many(3));
  await put({ ...born('DEMO-7'), summary: 'anew' });
  expect((await remembered())[6]?.summary).toBe('anew');
});
