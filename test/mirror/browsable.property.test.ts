import fc from 'fast-check';
import { expect, test } from '#jest';
import { rowContent } from '../../src/engine/measure/own-cells.ts';
import { createBrowsePermissions, likenessOf } from '../../src/mirror/browse-permissions.ts';
import { tableOf } from '../../src/mirror/issue-table.ts';
import type { Issue } from '../../src/model/issue.ts';
import { projectKeyOf, restrictionOf } from '../../src/model/issues/issue-fields.ts';
import type { Browsable, ListedIssue } from '../../src/trackers/live-tracker.ts';
import { anIssue } from '../support/issue-story.ts';
import { principalOf } from '../support/principal-of.ts';
import { runs } from '../support/soak.ts';

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
        table: async () => ({ ...table, load }),
        users: async () => new Map([['ada', { id: 'ada', name: 'Ada' }]]),
        groups: async () => [],
        now: () => 0,
      });
      await permissionsFor(principalOf('ada'));
      const { projects, singles, unlevelled, unlevelledIn, lookUp } = abouts[0] ?? never();
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
      expect(found.map(({ likeness, ...one }) => ({ ...one, likeness: likeness() }))).toEqual(
        issues.flatMap((issue) =>
          issue.id === undefined ? [] : [{ ...listed(issue), id: issue.id, likeness: likenessOf(issue) }],
        ),
      );
    }),
    { numRuns: runs(60) },
  );
});

function never(): never {
  throw new Error('No request was sent.');
}
