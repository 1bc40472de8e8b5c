import fc from 'fast-check';
import { expect, test } from '#jest';
import { createMemoryMirror } from '../../../src/mirror/create-mirrors.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { ask, type ReportRequest, type Statistic } from '../../../src/model/request.ts';
import { anIssue } from '../../support/issue-story.ts';
import { localReporting } from '../../support/local-reporting.ts';
import { principalOf } from '../../support/principal-of.ts';
import { runs } from '../../support/soak.ts';
import { trackerOf } from './tracker-of.ts';

const now = Date.parse('2026-03-18T12:00:00Z');
const keys = ['WEB-1', 'WEB-2', 'WEB-3', 'SEC-4', 'SEC-5'];
const average: Statistic = {
  ...{ type: 'average', denominator: 'nonNull', deviation: 'population', percentile: 50 },
};

/** Issues with parents and labels, which may name issues of a closed project. */
const someIssues = fc
  .tuple(
    ...keys.map((key, i) =>
      fc.record({
        key: fc.constant(key),
        created: fc.constantFrom(2, 3, 4).map((day) => `2026-03-0${day}T0${i}:00:00Z`),
        parent: fc.option(fc.constantFrom(...keys, 'SEC-9')),
        before: fc.option(fc.constantFrom(...keys)),
        label: fc.constantFrom('one', 'two', 'SEC-4'),
      }),
    ),
  )
  .map((told) => told.map(issueOf));

function issueOf(told: {
  readonly key: string;
  readonly created: string;
  readonly parent: string | null;
  readonly before: string | null;
  readonly label: string;
}): Issue {
  const reference = (key: string) => ({ id: `1000${key.slice(4)}`, name: key });
  const story = anIssue(told.key, told.created).moves('Doing', '2026-03-06T09:00:00Z');
  const { issue } = story.moves('Done', '2026-03-09T09:00:00Z');
  const parent = told.parent === null ? null : reference(told.parent);
  const from = told.before === null ? null : reference(told.before);
  const at = Date.parse('2026-03-10T09:00:00Z');
  return {
    ...issue,
    id: reference(told.key).id,
    updated: at,
    fields: { ...issue.fields, parent, labels: [{ id: told.label, name: told.label }] },
    changes: [...issue.changes, { entry: '9', item: 0, at, field: 'parent', from, to: parent, by: null }],
  };
}

const aQuestion: fc.Arbitrary<Partial<ReportRequest>> = fc.record({
  groupBy: fc.constantFrom(['parent'], ['labels'], ['parent', 'labels'], ['calc:projectKey', 'parent']),
  statistic: fc.constantFrom(average, null),
  asOf: fc.constantFrom(null, Date.parse('2026-03-08T00:00:00Z')),
  selection: fc.constantFrom(
    { by: 'jql', jql: '' } as const,
    { by: 'jql', jql: 'order by created desc' } as const,
    { by: 'project', project: 'WEB' } as const,
  ),
});

test('what issues are grouped by is told alike, and hidden alike, from issues and from columns', async () => {
  await fc.assert(
    fc.asyncProperty(someIssues, aQuestion, fc.boolean(), async (issues, question, admin) => {
      const access = [{ kind: 'project', id: 'SEC', viewers: ['bob'] }] as const;
      const tracker = trackerOf(issues, { kind: 'directory', part: { access } });
      const mirror = createMemoryMirror(tracker, () => now);
      const reporting = localReporting(mirror, () => now);
      const request = ask({
        principal: principalOf('ada', admin ? 'admin' : 'user'),
        reportType: 'statusDuration',
        selection: { by: 'jql', jql: '' },
        ...question,
        page: question.statistic === null ? { by: 'token', token: null, size: 3 } : null,
      });
      const { page, ...fromIssues } = await reporting.report(request);
      const { columns, hold } = await mirror.table();
      for (const field of ['parent', 'labels']) {
        expect(columns.hasField(field)).toBe(false);
        await hold(field);
      }
      const { page: again, ...fromColumns } = await reporting.report(request);
      expect(fromColumns).toEqual(fromIssues);
      expect(again?.total).toBe(page?.total);
    }),
    { numRuns: runs(100) },
  );
});
