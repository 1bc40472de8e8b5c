import fc from 'fast-check';
import { expect, test } from '#jest';
import { rightsOf } from '../../../src/api/access-rules.ts';
import { fieldsAtHand, fieldsSeen } from '../../../src/api/reporting/field-columns.ts';
import { createSeenIssues, peopleIn } from '../../../src/api/reporting/seen-issues.ts';
import { tableOf } from '../../../src/mirror/issue-table.ts';
import { type AskersDirectory, emptyDirectory } from '../../../src/model/directory.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { anOddIssue } from '../../support/odd-issue.ts';
import { runs } from '../../support/soak.ts';

const person = fc.constantFrom({ id: 'ada', name: 'Ada' }, { id: 'bob', name: 'Bob' }, null);

/** Issues of several projects and levels, odd in whatever else they hold. */
const someIssues: fc.Arbitrary<readonly Issue[]> = fc
  .array(
    fc.record({
      odd: anOddIssue,
      project: fc.constantFrom('WEB', 'HR', 'ops'),
      level: fc.constantFrom(null, { id: '7', name: 'Seven' }, { id: '8', name: 'Eight' }),
      reporter: person,
    }),
    { maxLength: 10 },
  )
  .map((some) =>
    some.map(({ odd, project, level, reporter }, i) => ({
      ...odd,
      key: `${project}-${i + 1}`,
      fields: { ...odd.fields, security: level, reporter },
    })),
  );

const byRules: AskersDirectory = {
  ...emptyDirectory,
  access: [
    { kind: 'project', id: 'HR', viewers: ['bob'] },
    { kind: 'level', id: '7', viewers: ['ada'] },
  ],
  sight: null,
};
const aDirectory = fc.oneof(
  fc.constant(byRules),
  fc.record({ projects: fc.subarray(['WEB', 'HR', 'OPS']), numbers: fc.array(fc.nat(9)) }).map(
    ({ projects, numbers }): AskersDirectory => ({
      ...byRules,
      sight: {
        projects: new Set(projects),
        closedProjects: new Set<string>(),
        issues: new Set(numbers.flatMap((number) => [`WEB-${number}`, `OPS-${number}`, `HR-${number}`])),
        unasked: 0,
      },
    }),
  ),
);
const anAsker = fc.constantFrom(
  { user: 'ada', admin: false },
  { user: 'bob', admin: false },
  { user: 'eve', admin: true },
);

test('an asker sees in columns what rights say of each issue, and knows of what these mention', async () => {
  await fc.assert(
    fc.asyncProperty(someIssues, anAsker, aDirectory, async (issues, asker, directory) => {
      const table = tableOf(issues);
      const seen = await createSeenIssues()(table, asker, directory);
      const visible = issues.filter(rightsOf(asker, directory));
      const keys = Array.from(seen.rows, (row) => table.columns.keyOf(row));
      expect(keys.toSorted()).toEqual(visible.map(({ key }) => key).toSorted());
      expect(seen.isWhole).toBe(visible.length === issues.length);
      const { mentioned } = seen;
      const known = fieldsAtHand(visible);
      expect(new Set(mentioned.fields)).toEqual(known.contents);
      expect(new Set(mentioned.changed)).toEqual(known.changed);
      expect(mentioned.people()).toEqual(peopleIn(visible));
      const statuses = visible.flatMap(({ status, changes }) => [
        status.id,
        ...changes
          .filter(({ field }) => field === 'status')
          .flatMap(({ from, to }) => [from, to].flatMap((one) => one?.id ?? [])),
      ]);
      for (const id of statuses) expect(mentioned.statuses()).toContain(id);
      const inOrder = seen.rows.toReversed();
      const byCreation = (await table.load(inOrder)).filter((issue) => issue !== null);
      for (const field of ['security', 'reporter', 'created', ...known.contents]) {
        const kind = await fieldsAtHand(byCreation).kindOf(field);
        expect(await fieldsSeen(seen).kindOf(field)).toBe(kind);
      }
    }),
    { numRuns: runs(60) },
  );
});
