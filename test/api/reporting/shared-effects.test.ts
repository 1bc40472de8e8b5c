import { describe, expect, test } from '#jest';
import { rowContent } from '../../../src/engine/measure/own-cells.ts';
import { createMemoryMirror } from '../../../src/mirror/create-mirrors.ts';
import { tableOf } from '../../../src/mirror/issue-table.ts';
import type { Mirror } from '../../../src/mirror/mirror.ts';
import type { AccessRule } from '../../../src/model/directory.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { ask, type ReportRequest } from '../../../src/model/request.ts';
import { anIssue } from '../../support/issue-story.ts';
import { localReporting } from '../../support/local-reporting.ts';
import { principalOf } from '../../support/principal-of.ts';
import { trackerOf } from './tracker-of.ts';

const now = () => Date.parse('2026-03-18T12:00:00Z');

/** OPS has no issues here; ada can see it, bob cannot. Nobody but zoe sees HR. */
const access: readonly AccessRule[] = [
  { kind: 'project', id: 'OPS', viewers: ['ada'] },
  { kind: 'project', id: 'HR', viewers: ['zoe'] },
];
const permissions = {
  ada: {
    projects: new Set(['WEB', 'OPS']),
    issues: new Set<string>(),
    closedProjects: new Set<string>(),
    unasked: 0,
  },
  bob: {
    projects: new Set(['WEB']),
    issues: new Set<string>(),
    closedProjects: new Set<string>(),
    unasked: 0,
  },
};

const web = (number: number, fields: Issue['fields'] = {}): Issue => {
  const { issue } = anIssue(`WEB-${number}`, '2026-03-02T09:00:00Z').moves('Doing', '2026-03-04T09:00:00Z');
  return { ...issue, id: String(100 + number), fields: { ...issue.fields, ...fields } };
};
const hr: Issue = { ...anIssue('HR-1', '2026-03-02T09:00:00Z').issue, id: '500' };
const ops = { id: '999', name: 'OPS-41' };

/** Puts another issue in a row. */
type Put = (row: number, issue: Issue) => void;

/** A port over these issues; `onHold` is called before columns come to hold a field, `onIssue` before one is looked up. */
function reportingOf(
  issues: Issue[],
  {
    byTracker = false,
    onHold,
    onIssue,
  }: { byTracker?: boolean; onHold?: (put: Put) => void; onIssue?: (put: Put) => void } = {},
) {
  const mirror = createMemoryMirror(trackerOf(issues), now);
  const own = tableOf(issues);
  const put = (row: number, issue: Issue) => {
    issues[row] = issue;
    own.columns.put(row + 1, rowContent(issue));
  };
  const table = {
    ...own,
    async hold(...asked: Parameters<typeof own.hold>) {
      onHold?.(put);
      return own.hold(...asked);
    },
  };
  const directoryFor: Mirror['directoryFor'] = async ({ account }) => ({
    ...(await mirror.directory()),
    access,
    permissions: byTracker ? permissions[account === 'ada' ? 'ada' : 'bob'] : null,
  });
  const issue: Mirror['issue'] = async (key) => {
    onIssue?.(put);
    return mirror.issue(key);
  };
  return localReporting({ ...mirror, directoryFor, issue, table: async () => table }, now);
}

const sum = { type: 'sum', denominator: 'nonNull', deviation: 'population', percentile: 50 } as const;
const asking = (user: string, jql: string, more: Partial<ReportRequest> = {}) =>
  ask({
    ...{ principal: principalOf(user), reportType: 'statusDuration', statistic: sum },
    ...{ selection: { by: 'jql', jql }, ...more },
  });

describe.each([
  ['rules', false],
  ['the tracker', true],
])('where %s decide who sees what', (_who, byTracker) => {
  test('a key is hidden from people who see the same issues and not its project, even if someone else asked before', async () => {
    const reporting = reportingOf([web(1, { parent: ops }), hr], { byTracker });
    const parentFor = async (user: string) => {
      const { rows } = await reporting.report(asking(user, 'project = WEB', { groupBy: ['parent'] }));
      return rows[0]?.own.parent?.value;
    };
    expect([await parentFor('ada'), await parentFor('bob'), await parentFor('ada')]).toEqual([
      'OPS-41',
      '(hidden)',
      'OPS-41',
    ]);
  });
});

test('an issue whose level is lifted while a field is read counts once', async () => {
  const label = { labels: [{ id: 'x', name: 'x' }] };
  const ada = { id: 'ada', name: 'Ada' };
  const mine = (fields: Issue['fields']): Issue => ({
    ...web(2, { ...label, assignee: ada, ...fields }),
    assignee: ada,
  });
  const reporting = reportingOf([web(1), mine({ security: { id: '7', name: 'Board' } }), web(3)], {
    onHold: (put) => put(1, mine({})),
  });
  const { provenance, rows } = await reporting.report(asking('ada', 'labels = x'));
  expect([provenance.issues, rows[0]?.issueCount]).toEqual([1, 1]);
});

test('a key that comes into a history while it is read is hidden in it', async () => {
  const parent = { id: '101', name: 'WEB-1' };
  const issues = [...Array.from({ length: 2_100 }, (_, i) => web(i + 1, { parent })), hr];
  const [first = hr] = issues;
  const at = Date.parse('2026-03-05T09:00:00Z');
  const moved: Issue = {
    ...first,
    updated: at,
    fields: { ...first.fields, parent: ops },
    changes: [
      ...first.changes,
      { entry: '9', item: 0, at, field: 'parent', from: parent, to: ops, by: null },
    ],
  };
  const reporting = reportingOf(issues, { onHold: (put) => put(0, moved) });
  const { columns } = await reporting.report(
    asking('bob', 'project = WEB', { reportType: 'anyFieldDuration', historyFields: ['parent'] }),
  );
  expect(
    columns
      .filter(({ part }) => part === 'value')
      .map(({ title }) => title)
      .sort(),
  ).toEqual(['(hidden)', 'WEB-1']);
});

test('a key that comes into a field while it is looked through is hidden in groups', async () => {
  const parent = { id: '101', name: 'GONE-1' };
  const issues = [...Array.from({ length: 2_100 }, (_, i) => web(i + 1, { parent })), hr];
  const [first = hr] = issues;
  const reporting = reportingOf(issues, {
    onIssue: (put) => put(0, { ...first, fields: { ...first.fields, parent: ops } }),
  });
  const { rows } = await reporting.report(asking('bob', 'project = WEB', { groupBy: ['parent'] }));
  expect(rows.map(({ own }) => own.parent?.value).sort()).toEqual(['(hidden)', 'GONE-1']);
});

test('an issue that is restricted while its field is looked through is in no group', async () => {
  const parent = { id: '101', name: 'GONE-1' };
  const issues = [...Array.from({ length: 2_100 }, (_, i) => web(i + 1, { parent })), hr];
  const [first = hr] = issues;
  const secret = { parent: { id: '7', name: 'Lay-offs' }, security: { id: '7', name: 'Board' } };
  const reporting = reportingOf(issues, {
    onIssue: (put) => put(0, { ...first, fields: { ...first.fields, ...secret } }),
  });
  const { rows } = await reporting.report(asking('bob', 'project = WEB', { groupBy: ['parent'] }));
  expect(rows.map(({ own, issueCount }) => [own.parent?.value, issueCount])).toEqual([['GONE-1', 2_099]]);
});
