import { expect, test } from '#jest';
import { tableOf } from '../../../src/mirror/issue-table.ts';
import { emptyDirectory, type PrincipalsDirectory } from '../../../src/model/directory.ts';
import type { BrowsePermissions } from '../../../src/model/request.ts';
import { principalVocabulary } from '../../../src/selection/access/query-context.ts';
import { createVisibleIssues } from '../../../src/selection/access/visible-issues.ts';
import { anIssue } from '../../support/issue-story.ts';
import { principalOf } from '../../support/principal-of.ts';
import { aStatus } from '../../support/small-world.ts';

const ada = principalOf('ada');
const { issue } = anIssue('WEB-1', '2026-03-02T09:00:00Z');
const statuses = new Map(
  [
    aStatus('To Do', { listed: true }),
    aStatus('Own', { listed: true, scope: 'WEB' }),
    aStatus('Secret', { listed: true, scope: 'SEC' }),
    aStatus('Of closed issues', { listed: true }),
  ].map((status) => [status.id, status]),
);
const users = new Map(['ada', 'bob'].map((id) => [id, { id, name: id }]));
const sprint = { id: '5', name: 'Empty', state: 'future', board: null } as const;
const base = {
  ...emptyDirectory,
  sprints: [{ ...sprint, start: null, end: null, completed: null }],
  fields: [{ id: 'customfield_1', name: 'Nowhere' }],
};

/** What a principal knows of a world with one issue, or with these. */
async function knownTo(principal: typeof ada, permissions: BrowsePermissions | null, issues = [issue]) {
  const directory: PrincipalsDirectory = { ...base, permissions };
  const seen = await createVisibleIssues()(tableOf(issues), principal, directory);
  const known = principalVocabulary(principal, { statuses, users, directory }, seen);
  return [
    [...known.statuses.keys()],
    known.sprints.map(({ name }) => name),
    known.fields.map(({ name }) => name),
    [...known.users.keys()],
  ];
}

test('who sees every issue by the rules knows all there is', async () => {
  expect(await knownTo(ada, null)).toEqual([
    ['To Do', 'Own', 'Secret', 'Of closed issues'],
    ['Empty'],
    ['Nowhere'],
    ['ada', 'bob'],
  ]);
});

test('where the tracker decides, who sees every issue here knows what these mention, and no status of a project that is not named', async () => {
  const permissions = {
    ...{ projects: new Set(['WEB']), closedProjects: new Set<string>() },
    ...{ issues: new Set<string>(), unasked: 0 },
  };
  expect(await knownTo(ada, permissions)).toEqual([['To Do', 'Own', 'Of closed issues'], [], [], ['ada']]);
  expect(await knownTo({ ...ada, rights: 'admin' }, permissions)).toEqual(await knownTo(ada, null));
});

test('where the tracker decides, a status that only closed issues were in is not known', async () => {
  const permissions = {
    ...{ projects: new Set(['WEB']), closedProjects: new Set(['OPS']) },
    ...{ issues: new Set<string>(), unasked: 0 },
  };
  const closed = anIssue('OPS-1', '2026-03-02T09:00:00Z', 'Of closed issues').moves(
    'To Do',
    '2026-03-03T09:00:00Z',
  ).issue;
  const [statuses] = await knownTo(ada, permissions, [issue, closed]);
  expect(statuses).toEqual(['To Do', 'Own']);
});
