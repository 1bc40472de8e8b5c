import fc from 'fast-check';
import { expect, test } from '#jest';
import { createMemoryMirror } from '../../../src/mirror/create-mirrors.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { ask, type BrowsePermissions } from '../../../src/model/request.ts';
import { anIssue } from '../../support/issue-story.ts';
import { localReporting } from '../../support/local-reporting.ts';
import { principalOf } from '../../support/principal-of.ts';
import { runs } from '../../support/soak.ts';

const principal = principalOf('ada');
const now = Date.parse('2026-03-18T12:00:00Z');
const isoDay = (day: number) => `2026-03-${String(day).padStart(2, '0')}`;

interface IssueFacts {
  readonly project: string;
  readonly day: number;
  readonly priority: string;
  readonly moves: readonly string[];
  readonly person: string | null;
  readonly note: string;
  readonly levelled: boolean;
}

const someIssues: fc.Arbitrary<readonly IssueFacts[]> = fc.array(
  fc.record({
    project: fc.constantFrom('WEB', 'APP', 'SEC'),
    day: fc.integer({ min: 2, max: 12 }),
    priority: fc.constantFrom('High', 'Low'),
    moves: fc.subarray(['Doing', 'Review', 'Done']),
    person: fc.constantFrom(null, 'ada', 'bob'),
    note: fc.constantFrom('slow login', 'wrong invoice'),
    levelled: fc.boolean(),
  }),
  { minLength: 3, maxLength: 10 },
);

const keyOf = ({ project }: IssueFacts, i: number) => `${project}-${i + 1}`;

function issueOf(facts: IssueFacts, i: number): Issue {
  let story = anIssue(keyOf(facts, i), `${isoDay(facts.day)}T09:00:00Z`);
  for (const [n, to] of facts.moves.entries())
    story = story.moves(to, `${isoDay(facts.day + n + 1)}T10:00:00Z`);
  if (facts.person !== null) story = story.changes('assignee', null, facts.person, `${isoDay(14)}T10:00:00Z`);
  const { issue } = story;
  const { priority, note, person, levelled } = facts;
  return {
    ...issue,
    id: String(20_000 + i),
    assignee: person === null ? null : { id: person, name: person },
    fields: {
      ...{ ...issue.fields, priority: { id: priority, name: priority }, environment: note },
      ...(levelled ? { security: { id: '1', name: 'Staff' } } : {}),
    },
  };
}

/** A condition as JQL, and whether it holds for an issue. */
interface Condition {
  readonly jql: string;
  readonly holds: (facts: IssueFacts) => boolean;
}

const aDay = fc.integer({ min: 1, max: 13 });
const aCondition: fc.Arbitrary<Condition> = fc.oneof(
  aDay.map((day): Condition => ({ jql: `created >= ${isoDay(day)}`, holds: (facts) => facts.day >= day })),
  aDay.map((day): Condition => ({ jql: `created < ${isoDay(day)}`, holds: (facts) => facts.day < day })),
  fc
    .constantFrom('WEB', 'APP')
    .map((key): Condition => ({ jql: `project = ${key}`, holds: ({ project }) => project === key })),
  fc
    .constantFrom('High', 'Low')
    .map((name): Condition => ({ jql: `priority = ${name}`, holds: ({ priority }) => priority === name })),
  fc
    .constantFrom('Doing', 'Done')
    .map((name): Condition => ({ jql: `status was ${name}`, holds: ({ moves }) => moves.includes(name) })),
  // Only the issues themselves show this, until columns hold the texts.
  fc.constant<Condition>({ jql: 'environment ~ login', holds: ({ note }) => note === 'slow login' }),
);
const conditions: fc.Arbitrary<Condition> = fc
  .record({
    first: aCondition,
    others: fc.array(fc.record({ word: fc.constantFrom('AND', 'OR'), not: fc.boolean(), one: aCondition }), {
      maxLength: 3,
    }),
  })
  .map(({ first, others }) =>
    others.reduce<Condition>(
      (before, { word, not, one }) => ({
        jql: `(${before.jql}) ${word} ${not ? 'NOT ' : ''}${one.jql}`,
        holds: (facts) =>
          word === 'AND'
            ? before.holds(facts) && one.holds(facts) !== not
            : before.holds(facts) || one.holds(facts) !== not,
      }),
      first,
    ),
  );

const anyPermissions: fc.Arbitrary<BrowsePermissions> = fc
  .subarray(['WEB', 'APP', 'SEC'], { minLength: 1 })
  .map((projects) => ({
    projects: new Set(projects),
    closedProjects: new Set(['WEB', 'APP', 'SEC'].filter((key) => !projects.includes(key))),
    issues: new Set<string>(),
    unasked: 0,
  }));

test('a report with conditions is one of the issues that can be seen and for which these hold', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(
      someIssues,
      anyPermissions,
      conditions,
      fc.constantFrom('statusDuration', 'assigneeDuration'),
      fc.constantFrom('average', 'median', 'standardDeviation'),
      async (facts, permissions, { jql, holds }, reportType, type) => {
        const tracker = {
          name: 'sample',
          async *entries() {
            // Every value is known, so that no condition is refused.
            const all: IssueFacts = {
              ...{ project: 'WEB', day: 1, priority: 'High', person: 'ada' },
              moves: ['Doing', 'Done'],
              ...{ note: '', levelled: false },
            };
            for (const [i, one] of [...facts, all, { ...all, priority: 'Low', project: 'APP' }].entries()) {
              yield { kind: 'issue', issue: issueOf(one, i) } as const;
            }
          },
        } as const;
        const mirror = createMemoryMirror(tracker, () => now);
        const open: BrowsePermissions = {
          ...permissions,
          issues: new Set([`WEB-${facts.length + 1}`, `APP-${facts.length + 2}`]),
        };
        const directoryFor = async () => ({ ...(await mirror.directory()), permissions: open });
        const reporting = localReporting({ ...mirror, directoryFor }, () => now);
        const statistic = { type, denominator: 'nonNull', deviation: 'population', percentile: 0 } as const;
        const only = `(${jql}) AND key not in (WEB-${facts.length + 1}, APP-${facts.length + 2})`;
        const report = (selection: Parameters<typeof ask>[0]['selection']) =>
          reporting.report(ask({ principal, reportType, selection, statistic }));
        const { columns, rows, provenance } = await report({ by: 'jql', jql: only });
        const keys = facts.flatMap((one, i) =>
          permissions.projects.has(one.project) && !one.levelled && holds(one) ? [keyOf(one, i)] : [],
        );
        expect(provenance.issues).toBe(keys.length);
        if (keys.length === 0) return;
        found += 1;
        // Issues that are named are measured one by one, newest first as well.
        const newest = facts
          .map((one, i) => ({ key: keyOf(one, i), day: one.day }))
          .filter(({ key }) => keys.includes(key));
        newest.sort((a, b) => b.day - a.day);
        const plain = await report({ by: 'keys', keys: newest.map(({ key }) => key) });
        expect(rows).toEqual(plain.rows);
        expect(columns.map(({ id }) => id).toSorted()).toEqual(plain.columns.map(({ id }) => id).toSorted());
      },
    ),
    { numRuns: runs(150) },
  );
  expect(found).toBeGreaterThan(0);
});
