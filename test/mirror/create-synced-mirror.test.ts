import { expect, test } from '@jest/globals';
import { createSyncedMirror } from '../../src/mirror/create-synced-mirror.ts';
import { noRequests, type SyncStatus } from '../../src/model/sync.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { anIssue } from '../support/issue-story.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { issue } = anIssue('DEMO-1', '2026-03-02T09:00:00Z');
const filling: SyncStatus = {
  site: 'https://tallow.example',
  step: 'fill',
  filled: false,
  done: 12_300,
  total: 50_000,
  asOf: null,
  startedAt: 1,
  comparedAt: null,
  issues: 12_300,
  cutHistories: 0,
  clockAheadMs: 0,
  withheld: [],
  problem: null,
  requests: noRequests,
};

async function mirrorAt(status: SyncStatus | null) {
  const store = openSqliteStore(temporaryFolder()).issues('jira');
  await store.putIssues([issue], (_, told) => told);
  const sight = { projects: new Set(['DEMO']), levelled: new Set<string>() };
  return createSyncedMirror(
    'jira',
    { ...store, issues: async () => [issue] },
    { status: async () => status, sightFor: async () => sight },
  );
}

test('before the first fill is done lists are unavailable with the progress, and a single issue is told', async () => {
  const mirror = await mirrorAt(filling);
  await expect(mirror.issues()).rejects.toMatchObject({
    code: 'unavailable',
    message:
      'The first fill from https://tallow.example is under way: 12,300 of about 50,000 issues. Single issues can be asked for already.',
  });
  expect(await mirror.issue('DEMO-1')).toEqual(issue);
  expect(await mirror.filledAt()).toBeNull();
});

test('a first fill that stands still tells why', async () => {
  const problem = { at: 2, message: 'Jira does not answer.' };
  const mirror = await mirrorAt({ ...filling, total: null, problem });
  await expect(mirror.issues()).rejects.toThrow(
    'The first fill from https://tallow.example stands still at 12,300 issues: Jira does not answer. Single',
  );
});

test('a site that was never reached is not named', async () => {
  const mirror = await mirrorAt({ ...filling, site: '', done: 0, total: null });
  await expect(mirror.issues()).rejects.toThrow('The first fill is under way: 0 issues.');
});

test('once it is filled everything is told, as of the last look, with what the asker may browse', async () => {
  const mirror = await mirrorAt({ ...filling, filled: true, asOf: 77 });
  expect(await mirror.issues()).toEqual([issue]);
  expect(await mirror.filledAt()).toBe(77);
  expect((await mirror.directoryFor({ user: 'ada', admin: false })).sight?.projects).toEqual(
    new Set(['DEMO']),
  );
});
