import fc from 'fast-check';
import { expect, test } from '#jest';
import { anyStandInTimes } from '../support/arbitrary-stand-ins.ts';
import { runs } from '../support/soak.ts';
import { anyRequest, existing, inOrderOf, questionIn } from './any-request.ts';
import { anyWorld, reportingOver, statusIds } from './any-world.ts';
import { listAsDefined } from './as-defined.ts';
import { definitions, visitReports } from './reports.ts';
import { defineTable } from './table.ts';

const reportTypes = Object.keys(definitions).filter((id) => !visitReports.includes(id));

test.each(reportTypes)('a list of %s is what its definition says', async (reportType) => {
  await fc.assert(
    fc.asyncProperty(anyWorld(anyStandInTimes), anyRequest(reportType), async (world, request) => {
      const api = reportingOver(world);
      const table = await api.report(request);
      const issues = existing(world, request);
      expect(table.issues).toHaveLength(issues.length);
      const question = await questionIn(world, request, api);
      expect(listAsDefined(table)).toEqual(defineTable(inOrderOf(table, issues), question));
    }),
    { numRuns: runs(100) },
  );
});

test('time in which someone covers is what its definition says, also as of the instant at which that changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyWorld(anyStandInTimes),
      anyRequest('assigneeDuration'),
      fc.nat(),
      async (world, anyOne, number) => {
        const times = statusIds.flatMap((id) => world.credited.times(id));
        const edges = times.flatMap(({ start, end }) => [start, end]);
        const request = { ...anyOne, asOf: edges[number % edges.length] ?? null };
        const api = reportingOver(world);
        const table = await api.report(request);
        const question = await questionIn(world, request, api);
        const defined = defineTable(inOrderOf(table, existing(world, request)), question);
        expect(listAsDefined(table)).toEqual(defined);
      },
    ),
    { numRuns: runs(400) },
  );
});

test('there is a definition of every report type', () => {
  const { reportTypes: all } = reportingOver({ issues: [], listed: null, users: [], credited: noOne });
  expect(all.map(({ id }) => id)).toEqual(Object.keys(definitions));
});

const noOne = { times: () => [], categories: [], revision: () => '' };
