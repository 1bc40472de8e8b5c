import { expect, test } from '#jest';
import { createSyncedMirror } from '../../src/mirror/create-mirrors.ts';
import { tableOf } from '../../src/mirror/issue-table.ts';
import { AppError } from '../../src/model/error.ts';
import type { BrowsePermissions } from '../../src/model/request.ts';
import type { SyncStatus } from '../../src/model/sync.ts';
import { anIssue } from '../support/issue-story.ts';
import { openTestStore } from '../support/open-test-store.ts';
import { principalOf } from '../support/principal-of.ts';
import { aSync } from '../support/stand-in-sync.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { putInto } from './tables.ts';

const { issue } = anIssue('DEMO-1', '2026-03-02T09:00:00Z');
const filling = aSync({
  ...{ site: 'https://tallow.example', step: 'fill', filled: false, done: 12_300, total: 50_000 },
  ...{ asOf: null, comparedAt: null },
});

const permissions = {
  ...{ projects: new Set(['DEMO']), closedProjects: new Set<string>() },
  ...{ issues: new Set<string>(), unasked: 0 },
};

async function mirrorAt(
  status: SyncStatus | null,
  {
    refusal = null,
    permissionsFor = async () => permissions,
    onPermissionsError = () => {},
  }: {
    refusal?: string | null;
    permissionsFor?: () => Promise<BrowsePermissions>;
    onPermissionsError?: (error: unknown) => void;
  } = {},
) {
  const store = (await openTestStore(temporaryFolder())).issues('jira');
  await putInto(store, [issue]);
  return createSyncedMirror(
    'jira',
    { ...store, table: async () => tableOf([issue]) },
    {
      ...{ title: 'Jira', progress: async () => status, refusal: async () => refusal },
      ...{ permissionsFor, onPermissionsError },
    },
  );
}

test.each<[string, Partial<SyncStatus>, string]>([
  [
    'with the progress',
    {},
    'The initial sync from https://tallow.example is under way: 12,300 of about 50,000 issues. You can already ask about single issues that are stored.',
  ],
  [
    'without the reason where it stands still',
    { total: null, problem: { at: 2, message: 'Jira does not answer.' } },
    'The initial sync from https://tallow.example stopped at 12,300 issues; on the server, `npx dwell sync` shows why. You can',
  ],
  [
    'without a site that was never reached',
    { site: '', done: 0, total: null },
    'The initial sync is under way: 0 issues.',
  ],
  [
    'after another JQL than before',
    { comparedAt: 7 },
    'The sync after a change of the query from https://tallow.example is under way: 12,300 of about 50,000 issues.',
  ],
])(
  'before the fill is done lists are unavailable, %s, and a single issue is shown',
  async (_, more, message) => {
    const mirror = await mirrorAt({ ...filling, ...more });
    await expect(mirror.settled()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(mirror.table()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(message),
    });
    expect(await mirror.issue('DEMO-1')).toEqual(issue);
    expect(await mirror.filledAt()).toBeNull();
  },
);

test('once it is filled everything is shown, as of the last turn, with the permissions of the principal', async () => {
  const mirror = await mirrorAt({ ...filling, filled: true, asOf: 77 });
  await mirror.settled();
  const table = await mirror.table();
  expect(await table.load(table.columns.rowsByCreation())).toEqual([issue]);
  expect(await mirror.filledAt()).toBe(77);
  expect((await mirror.directoryFor(principalOf('ada'))).permissions?.projects).toEqual(new Set(['DEMO']));
});

test('while the issues may be those of another site none is shown to anyone', async () => {
  const mirror = await mirrorAt({ ...filling, filled: true, asOf: 77 }, { refusal: 'It is another site.' });
  const operations: readonly (() => Promise<unknown>)[] = [
    () => mirror.issue('DEMO-1'),
    () => mirror.table(),
    () => mirror.mark(),
    () => mirror.recentKeys(9),
    () => mirror.directory(),
    () => mirror.directoryFor(principalOf('ada', 'admin')),
    () => mirror.statuses(),
    () => mirror.users(),
  ];
  for (const operation of operations) {
    await expect(operation()).rejects.toMatchObject({ code: 'unavailable', message: 'It is another site.' });
  }
});

test('a failure to read permissions is a sentence for the person, and the reason is for admins', async () => {
  const reason = new AppError(
    'service-unavailable',
    'GET https://jira.internal:8443/rest answered with 403.',
  );
  const reasons: unknown[] = [];
  const mirrorOf = (failure: Error) =>
    mirrorAt(null, {
      async permissionsFor() {
        throw failure;
      },
      onPermissionsError: (error) => void reasons.push(error),
    });
  const ada = principalOf('ada');
  await expect((await mirrorOf(reason)).directoryFor(ada)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'Your permissions in Jira cannot be checked at the moment.',
    details: ['On the server, `npx dwell sync` shows why.'],
    cause: reason,
  });
  expect(reasons).toEqual([reason]);
  await expect((await mirrorOf(new TypeError('a bug'))).directoryFor(ada)).rejects.toThrow(TypeError);
  expect(reasons).toEqual([reason]);
});
