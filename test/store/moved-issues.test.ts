import { beforeEach, describe, expect, test } from '#jest';
import type { Issue } from '../../src/model/issue.ts';
import type { IssueStore, SyncStore } from '../../src/store/store.ts';
import { aStore } from '../support/a-store.ts';
import { anIssue } from '../support/issue-story.ts';
import type { TestStore } from '../support/open-test-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let store: TestStore;
let issues: IssueStore;
let sync: SyncStore;
beforeEach(async () => {
  store = await aStore();
  issues = store.issues('jira');
  sync = store.sync('jira');
});

const replace = (_: Issue, incoming: Issue) => incoming;
const issueOf = (id: string, key: string): Issue => ({ id, ...anIssue(key, '2026-03-02T09:00:00Z').issue });
const put = (...all: Issue[]) => issues.putIssues(all, replace);
const idAt = async (key: string) => (await issues.issue(key))?.id ?? null;

/** What somebody knows who has followed every change, keys only. */
async function followed(since: number) {
  const { issues: changed, removed, revision } = await issues.changedSince(since, 99);
  return { changed: changed.map(({ issue }) => issue.key), removed, revision };
}

describe('an issue that moves', () => {
  test('is kept once, and its old keys lead to it', async () => {
    await put(issueOf('1', 'DEMO-1'));
    await put(issueOf('1', 'WEB-1'));
    await put(issueOf('1', 'OPS-1'));
    expect(await issues.count()).toBe(1);
    expect(await issues.recentKeys(9)).toEqual(['OPS-1']);
    expect([await idAt('OPS-1'), await idAt('demo-1'), await idAt('WEB-1')]).toEqual(['1', '1', '1']);
  });

  test('is told under its new key, and the old key as one without an issue', async () => {
    await put(issueOf('1', 'DEMO-1'), issueOf('2', 'DEMO-2'));
    await put(issueOf('1', 'WEB-1'));
    expect(await followed(2)).toEqual({ changed: ['WEB-1'], removed: ['DEMO-1'], revision: 4 });
    expect(await issues.revision()).toBe(4);
  });

  test('leaves its old key to whatever issue is given it', async () => {
    await put(issueOf('1', 'DEMO-1'));
    await put(issueOf('1', 'WEB-1'));
    await put(issueOf('3', 'DEMO-1'));
    expect([await idAt('DEMO-1'), await idAt('WEB-1')]).toEqual(['3', '1']);
    expect((await followed(0)).removed).toEqual([]);
  });

  test('comes back to the key it had', async () => {
    await put(issueOf('1', 'DEMO-1'));
    await put(issueOf('1', 'WEB-1'));
    await put(issueOf('1', 'DEMO-1'));
    expect(await followed(0)).toMatchObject({ changed: ['DEMO-1'], removed: ['WEB-1'] });
    expect(await idAt('WEB-1')).toBe('1');
  });

  test('takes the place of what was kept under the new key', async () => {
    await put(issueOf('1', 'DEMO-1'), issueOf('2', 'WEB-1'));
    await put(issueOf('1', 'WEB-1'));
    expect(await issues.count()).toBe(1);
    expect(await idAt('WEB-1')).toBe('1');
    expect((await sync.kept(['1', '2'])).size).toBe(1);
  });

  test('can swap keys with another one', async () => {
    await put(issueOf('1', 'DEMO-1'), issueOf('2', 'WEB-1'));
    await put(issueOf('1', 'WEB-1'), issueOf('2', 'DEMO-1'));
    expect([await idAt('WEB-1'), await idAt('DEMO-1')]).toEqual(['1', '2']);
    expect(await issues.count()).toBe(2);
  });

  test('is merged with what is kept under its id', async () => {
    await put(issueOf('1', 'DEMO-1'));
    const seen: (string | undefined)[] = [];
    await issues.putIssues([issueOf('1', 'WEB-1')], (stored, incoming) => {
      seen.push(stored.id, stored.key);
      return { ...incoming, summary: stored.summary };
    });
    expect(seen).toEqual(['1', 'DEMO-1']);
    expect((await issues.issue('WEB-1'))?.summary).toBe('Summary of DEMO-1');
  });

  test('stays where merge keeps what is there', async () => {
    await put(issueOf('1', 'DEMO-1'));
    expect(await issues.putIssues([issueOf('1', 'WEB-1')], (stored) => stored)).toMatchObject([
      { changed: false },
    ]);
    expect(await issues.revision()).toBe(1);
  });
});

describe('an issue that is taken away', () => {
  test('is gone for every reader, and its key is told', async () => {
    await put(issueOf('1', 'DEMO-1'), issueOf('2', 'DEMO-2'));
    await sync.removeIssues(['1', 'unknown']);
    expect(await issues.issue('DEMO-1')).toBeNull();
    expect(await issues.count()).toBe(1);
    expect(await followed(2)).toEqual({ changed: [], removed: ['DEMO-1'], revision: 3 });
    expect(await store.issues('file').revision()).toBe(0);
  });

  test('can come again, and its key is told as an issue then', async () => {
    await put(issueOf('1', 'DEMO-1'));
    await sync.removeIssues(['1']);
    await put(issueOf('1', 'DEMO-1'));
    expect(await followed(0)).toEqual({ changed: ['DEMO-1'], removed: [], revision: 3 });
  });

  test('is followed in pieces together with changes', async () => {
    await put(issueOf('1', 'DEMO-1'), issueOf('2', 'DEMO-2'), issueOf('3', 'DEMO-3'));
    await sync.removeIssues(['1', '3']);
    await put(issueOf('4', 'DEMO-4'));
    const pieces = [];
    for (let revision = 0; ; ) {
      const piece = await issues.changedSince(revision, 2);
      if (piece.revision === revision) break;
      pieces.push([...piece.issues.map(({ issue }) => issue.key), ...piece.removed]);
      revision = piece.revision;
    }
    expect(pieces).toEqual([
      ['DEMO-2', 'DEMO-1'],
      ['DEMO-4', 'DEMO-3'],
    ]);
  });

  test('goes for another process as well', async () => {
    const dataDir = temporaryFolder();
    const [here, there] = [await aStore(dataDir), await aStore(dataDir)];
    await here.issues('jira').putIssues([issueOf('1', 'DEMO-1')], replace);
    await there.sync('jira').removeIssues(['1']);
    expect(await here.issues('jira').changedSince(1, 9)).toEqual({
      issues: [],
      removed: ['DEMO-1'],
      revision: 2,
    });
  });
});
