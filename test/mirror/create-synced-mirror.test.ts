import { expect, test } from '#jest';
import { createSyncedMirror } from '../../src/mirror/create-mirrors.ts';
import { tableOf } from '../../src/mirror/issue-table.ts';
import { AppError } from '../../src/model/error.ts';
import { noRequests, type SyncStatus } from '../../src/model/sync.ts';
import { anIssue } from '../support/issue-story.ts';
import { openTestStore } from '../support/open-test-store.ts';
import { principalOf } from '../support/principal-of.ts';
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

async function mirrorAt(status: SyncStatus | null, refusal: string | null = null) {
  const store = (await openTestStore(temporaryFolder())).issues('jira');
  await store.putIssues([issue], (_, told) => told);
  const permissions = {
    ...{ projects: new Set(['DEMO']), closedProjects: new Set<string>() },
    ...{ issues: new Set<string>(), unasked: 0 },
  };
  return createSyncedMirror(
    'jira',
    { ...store, table: async () => tableOf([issue]) },
    {
      title: 'Jira',
      progress: async () => status,
      refusal: async () => refusal,
      permissionsFor: async () => permissions,
      onPermissionsError: () => {},
    },
  );
}

test('before the first fill is done lists are unavailable with the progress, and a single issue is told', async () => {
  const mirror = await mirrorAt(filling);
  await expect(mirror.table()).rejects.toMatchObject({
    code: 'unavailable',
    message:
      'The initial sync from https://tallow.example is under way: 12,300 of about 50,000 issues. You can already ask about single issues that are stored.',
  });
  expect(await mirror.issue('DEMO-1')).toEqual(issue);
  expect(await mirror.filledAt()).toBeNull();
});

test('what is not here before the first fill is done may be yet to come, and afterwards is not there', async () => {
  await expect((await mirrorAt(filling)).settled()).rejects.toMatchObject({ code: 'unavailable' });
  await expect((await mirrorAt({ ...filling, filled: true, asOf: 77 })).settled()).resolves.toBeUndefined();
});

test('a first fill that stands still says so, and why to nobody who only asks', async () => {
  const problem = { at: 2, message: 'Jira does not answer.' };
  const mirror = await mirrorAt({ ...filling, total: null, problem });
  await expect(mirror.table()).rejects.toThrow(
    'The initial sync from https://tallow.example stopped at 12,300 issues; on the server, `npx dwell sync` shows why. You can',
  );
});

test('a site that was never reached is not named', async () => {
  const mirror = await mirrorAt({ ...filling, site: '', done: 0, total: null });
  await expect(mirror.table()).rejects.toThrow('The initial sync is under way: 0 issues.');
});

test('once it is filled everything is told, as of the last look, with what the principal may browse', async () => {
  const mirror = await mirrorAt({ ...filling, filled: true, asOf: 77 });
  const table = await mirror.table();
  expect(await table.load(table.columns.rowsByCreation())).toEqual([issue]);
  expect(await mirror.filledAt()).toBe(77);
  expect((await mirror.directoryFor(principalOf('ada'))).permissions?.projects).toEqual(new Set(['DEMO']));
});

test('another JQL than before is told of until what it finds is here', async () => {
  const mirror = await mirrorAt({ ...filling, comparedAt: 7 });
  await expect(mirror.table()).rejects.toThrow(
    'The sync after a change of the query from https://tallow.example is under way: 12,300 of about 50,000 issues.',
  );
});

test('while the issues may be those of another site nothing is told of them, to nobody', async () => {
  const mirror = await mirrorAt({ ...filling, filled: true, asOf: 77 }, 'It is another site.');
  const asked: readonly (() => Promise<unknown>)[] = [
    () => mirror.issue('DEMO-1'),
    () => mirror.table(),
    () => mirror.mark(),
    () => mirror.recentKeys(9),
    () => mirror.directory(),
    () => mirror.directoryFor(principalOf('ada', 'admin')),
    () => mirror.statuses(),
    () => mirror.users(),
  ];
  for (const ask of asked) {
    await expect(ask()).rejects.toMatchObject({ code: 'unavailable', message: 'It is another site.' });
  }
});

test('that the tracker does not tell what somebody may see is a sentence for them, and the reason is for others', async () => {
  const reason = new AppError(
    'service-unavailable',
    'GET https://jira.internal:8443/rest answered with 403.',
  );
  const store = (await openTestStore(temporaryFolder())).issues('jira');
  const reasons: unknown[] = [];
  const mirrorOf = (failure: Error) =>
    createSyncedMirror(
      'jira',
      { ...store, table: async () => tableOf([]) },
      {
        title: 'Jira',
        progress: async () => null,
        refusal: async () => null,
        permissionsFor: async () => {
          throw failure;
        },
        onPermissionsError: (error) => void reasons.push(error),
      },
    );
  const ada = principalOf('ada');
  await expect(mirrorOf(reason).directoryFor(ada)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'Your permissions in Jira cannot be checked at the moment.',
    details: ['On the server, `npx dwell sync` shows why.'],
    cause: reason,
  });
  expect(reasons).toEqual([reason]);
  await expect(mirrorOf(new TypeError('a bug')).directoryFor(ada)).rejects.toThrow(TypeError);
  expect(reasons).toEqual([reason]);
});
