import fc from 'fast-check';
import { expect, test } from '#jest';
import { createMemoryMirror } from '../../../src/mirror/create-mirrors.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { ask } from '../../../src/model/request.ts';
import { anIssue } from '../../support/issue-story.ts';
import { localReporting } from '../../support/local-reporting.ts';
import { principalOf } from '../../support/principal-of.ts';
import { runs } from '../../support/soak.ts';
import { trackerOf } from './tracker-of.ts';

const now = Date.parse('2026-03-18T12:00:00Z');
const then = Date.parse('2026-03-08T00:00:00Z');

/** So many more than are compared with each other, each with few different values. */
const COPIES = 40;

const aStory = fc.record({
  project: fc.constantFrom('WEB', 'OPS', 'SEC'),
  day: fc.constantFrom('02', '03', '04'),
  summary: fc.constantFrom('Login', 'login fails on Monday', 'Login fails', 'Über', '', 'zeta'),
  assignee: fc.constantFrom('ada', 'bob', null),
  movesAt: fc.constantFrom(null, '2026-03-06T09:00:00Z', '2026-03-12T09:00:00Z'),
});

type Story = typeof aStory extends fc.Arbitrary<infer One> ? One : never;

/** Issues of three projects, one of which is closed; some are changed after the instant that is asked about. */
function issuesOf(stories: readonly Story[]): Issue[] {
  const all = Array.from({ length: COPIES }, () => stories).flat();
  return all.map(({ project, day, summary, assignee, movesAt }, i) => {
    const born = anIssue(`${project}-${i + 1}`, `2026-03-${day}T00:00:00Z`);
    const { issue } = movesAt === null ? born : born.moves('Working', movesAt);
    const person = assignee === null ? null : { id: assignee, name: assignee };
    return { ...issue, summary, assignee: person, fields: { ...issue.fields, summary, assignee: person } };
  });
}

const fields = ['summary', 'status', 'assignee', 'created', 'updated'] as const;
const aTerm = fc.record({ field: fc.constantFrom(...fields), descends: fc.boolean() });

/** What the plain order compares; null is empty, and comes last where it ascends. */
function keyOf(issue: Issue, field: (typeof fields)[number], asOf: number): string | number | null {
  const moves = issue.changes.filter(({ at }) => at <= asOf);
  switch (field) {
    case 'summary':
      return issue.summary === '' ? null : issue.summary.toLowerCase();
    case 'status':
      return moves.length > 0 ? 1 : 0;
    case 'assignee':
      return issue.assignee?.id ?? null;
    case 'created':
      return issue.created;
    case 'updated':
      return moves.at(-1)?.at ?? issue.created;
  }
}

function compared(a: string | number | null, b: string | number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a === b ? 0 : a < b ? -1 : 1;
}

test('pages of an order are cut from what sorting every visible issue gives, at any instant', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(aStory, { minLength: 30, maxLength: 45 }),
      fc.array(aTerm, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(null, then),
      fc.constantFrom('ada', 'bob'),
      fc.nat(1_500),
      async (stories, terms, asOf, account, start) => {
        const issues = issuesOf(stories);
        const access = [{ kind: 'project', id: 'SEC', viewers: ['bob'] }] as const;
        const tracker = trackerOf(issues, { kind: 'directory', part: { access } });
        const mirror = createMemoryMirror(tracker, () => now);
        const reporting = localReporting(mirror, () => now);
        const jql = `ORDER BY ${terms.map(({ field, descends }) => `${field} ${descends ? 'DESC' : 'ASC'}`).join(', ')}`;
        const numberOf = ({ key }: Issue) => Number(key.slice(4));
        const visible = issues.filter(({ project }) => account === 'bob' || project.id !== 'SEC');
        const sorted = visible.toSorted((a, b) => {
          for (const { field, descends } of terms) {
            const [one, other] = [a, b].map((issue) => keyOf(issue, field, asOf ?? now));
            const order = compared(one ?? null, other ?? null);
            if (order !== 0) return descends ? -order : order;
          }
          return compared(a.project.id, b.project.id) || numberOf(a) - numberOf(b);
        });
        for (const from of [0, start]) {
          const table = await reporting.report(
            ask({
              principal: principalOf(account),
              reportType: 'statusDuration',
              selection: { by: 'jql', jql },
              page: { by: 'index', start: from, size: 25 },
              asOf,
            }),
          );
          const keys = table.issues.map(({ key }) => key);
          expect(keys).toEqual(sorted.slice(from, from + 25).map(({ key }) => key));
        }
      },
    ),
    { numRuns: runs(12) },
  );
});
