import fc from 'fast-check';
import { expect, test } from '#jest';
import { rowContent } from '../../src/engine/measure/own-cells.ts';
import { createBrowsePermissions } from '../../src/mirror/browse-permissions.ts';
import { type IssueTable, tableOf } from '../../src/mirror/issue-table.ts';
import type { FieldContent, Issue } from '../../src/model/issue.ts';
import { projectKeyOf, restrictionOf } from '../../src/model/issues/issue-fields.ts';
import type { Browsable, ListedIssue } from '../../src/trackers/live-tracker.ts';
import { anIssue } from '../support/issue-story.ts';
import { principalOf } from '../support/principal-of.ts';
import { runs } from '../support/soak.ts';

const ada = { id: 'ada', name: 'Ada' };
const bob = { id: 'bob', name: 'Bob' };

const aMember = fc.record({
  key: fc
    .tuple(fc.constantFrom('WEB', 'APP', 'ops'), fc.nat(20))
    .map(([project, number]) => `${project}-${number}`),
  day: fc.integer({ min: 1, max: 9 }),
  level: fc.option(fc.constantFrom('board', 'staff')),
  reporter: fc.constantFrom('ada', 'bob'),
  isNumbered: fc.boolean(),
});

const someIssues = fc.uniqueArray(aMember, { selector: ({ key }) => key, maxLength: 25 }).map((members) =>
  members.map(({ key, day, level, reporter, isNumbered }): Issue => {
    const { issue } = anIssue(key, `2026-03-0${day}T09:00:00Z`);
    const value = (id: string) => ({ id, name: id });
    const fields = {
      ...issue.fields,
      security: level === null ? null : value(level),
      reporter: value(reporter),
    };
    return { ...issue, ...(isNumbered ? { id: `n${key}` } : {}), fields };
  }),
);

test('a request to the tracker is about the issues as they are now', async () => {
  await fc.assert(
    fc.asyncProperty(someIssues, someIssues, async (before, changed) => {
      const table = tableOf(before);
      const all = new Map(before.map((issue) => [issue.key, issue]));
      for (const [i, issue] of changed.entries()) {
        const row = table.columns.rowOf(issue.key);
        const id = row < 0 ? 100 + i : (table.columns.arrays().storeId[row] ?? 0);
        table.columns.put(id, rowContent(issue));
        all.set(issue.key, issue);
      }
      const load = async (rows: ArrayLike<number>) =>
        Array.from(rows, (row) => all.get(table.columns.keyOf(row)) ?? null);
      const about = await requestAbout({ ...table, load });
      const { projects, singles, unlevelled, unlevelledIn, lookUp } = about;
      const rows = [...table.columns.rowsByCreation()];
      const issues = rows.map((row) => all.get(table.columns.keyOf(row)) ?? never());
      const projectOf = (issue: Issue) => projectKeyOf(issue).toUpperCase();
      const listed = (issue: Issue) => ({
        ...{ key: issue.key.toUpperCase(), project: projectOf(issue), level: restrictionOf(issue) },
        row: table.columns.rowOf(issue.key),
      });
      const restricted = issues.filter((issue) => restrictionOf(issue) !== null);
      expect(projects).toEqual([...new Set(issues.map(projectOf))]);
      expect(singles).toEqual(restricted.map(listed));
      for (const project of [...projects, 'NONE']) {
        const others = issues.filter(
          (issue) => projectOf(issue) === project && restrictionOf(issue) === null,
        );
        expect([...unlevelled(project)]).toEqual(others.map(listed).reverse());
        expect(unlevelledIn(project)).toBe(others.length);
      }
      const everything: ListedIssue[] = issues.map(listed);
      const found = await lookUp(everything);
      expect(found.map(({ permissionKey, ...one }) => one)).toEqual(
        issues.flatMap((issue) => (issue.id === undefined ? [] : [{ ...listed(issue), id: issue.id }])),
      );
    }),
    { numRuns: runs(60) },
  );
});

test.each<[string, Readonly<Record<string, FieldContent>>]>([
  ['the reporter', { reporter: bob }],
  ['the assignee', { assignee: bob }],
  ['no one in place of a person', { reporter: null }],
  ['a person in a field of the site’s own', { customfield_1: bob }],
  ['one of several groups or options', { customfield_2: [ada] }],
  ['a name that is a text', { customfield_3: 'on-call' }],
])('issues are not alike that differ in %s', async (_what, other) => {
  const one = {
    reporter: ada,
    assignee: ada,
    customfield_1: ada,
    customfield_2: [ada, bob],
    customfield_3: 'leads',
  };
  expect(await permissionKeyOf({ ...one, ...other })).not.toBe(await permissionKeyOf(one));
});

test('the same person in another field is another matter', async () => {
  expect(await permissionKeyOf({ customfield_1: ada })).not.toBe(
    await permissionKeyOf({ customfield_2: ada }),
  );
});

test('issues are alike whatever else they hold, and in whatever order', async () => {
  const one = {
    reporter: ada,
    customfield_2: [ada, bob],
    summary: 'One',
    customfield_4: 3,
    customfield_5: null,
  };
  const other = {
    ...{ customfield_6: '0|hzzzzx:', customfield_7: '2026-03-02T09:00:00Z', customfield_5: null },
    ...{ customfield_2: [bob, ada], labels: [{ id: 'x', name: 'x' }], status: ada, reporter: ada },
  };
  expect(await permissionKeyOf(other)).toBe(await permissionKeyOf(one));
});

/** The content of the request for what Ada can browse of some issues. */
async function requestAbout(table: IssueTable): Promise<Browsable> {
  const abouts: Browsable[] = [];
  const permissionsFor = createBrowsePermissions({
    tracker: {
      async permissions(_user, _groups, about) {
        abouts.push(about);
        const none = new Set<string>();
        const open = { projects: none, closedProjects: none, partly: none, issues: none };
        return { ...open, unasked: 0, requests: 1 };
      },
    },
    table: async () => table,
    users: async () => new Map([['ada', ada]]),
    groups: async () => [],
    now: () => 0,
  });
  await permissionsFor(principalOf('ada'));
  return abouts[0] ?? never();
}

/** The permission key of an issue with these fields, as the tracker is given it. */
async function permissionKeyOf(fields: Readonly<Record<string, FieldContent>>): Promise<string | undefined> {
  const issue = { ...anIssue('WEB-1', '2026-03-02T09:00:00Z').issue, id: '1', fields };
  const about = await requestAbout(tableOf([issue]));
  const [found] = await about.lookUp([{ key: 'WEB-1', project: 'WEB', level: null, row: 0 }]);
  return found?.permissionKey();
}

function never(): never {
  throw new Error('No request was sent.');
}
