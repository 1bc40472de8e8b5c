import fc from 'fast-check';
import { expect, test } from '#jest';
import { runs } from '../support/soak.ts';
import { anyRequest, existing, inOrderOf, questionIn } from './any-request.ts';
import { anyWorld, reportingOver } from './any-world.ts';
import { computedIds, defineFields } from './fields.ts';

const someFields = fc.uniqueArray(
  fc.constantFrom('status', 'assignee', 'priority', 'points', 'labels', 'issuetype', ...computedIds),
);

test('the fields of issues are what their definitions say, whatever the report and its window', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyWorld(),
      fc.constantFrom('statusDuration', 'groupDuration', 'transitionCount').chain(anyRequest),
      someFields,
      async (world, anyOne, fields) => {
        const request = { ...anyOne, fields };
        const api = reportingOver(world);
        const table = await api.report(request);
        const question = await questionIn(world, request, api);
        const issues = inOrderOf(table, existing(world, request));
        const defined = issues.map((issue) => defineFields(issue, fields, question));
        expect(table.rows.map(({ own }) => own)).toEqual(defined);
        expect(table.issues.map(({ cells }) => cells)).toEqual(defined);
      },
    ),
    { numRuns: runs(500) },
  );
});
