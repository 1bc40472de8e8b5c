import fc from 'fast-check';
import { expect, test } from '#jest';
import type { ReportRequest } from '../../src/model/request.ts';
import { anyStandInTimes } from '../support/arbitrary-stand-ins.ts';
import { runs } from '../support/soak.ts';
import { anyRequest, existing, inOrderOf, questionIn } from './any-request.ts';
import { anyWorld, reportingOver } from './any-world.ts';
import { listAsDefined } from './as-defined.ts';
import { definitions } from './reports.ts';
import { defineTable } from './table.ts';

test.each(Object.keys(definitions))('%s of issues by key is what its definition says', async (reportType) => {
  await fc.assert(
    fc.asyncProperty(
      anyWorld(anyStandInTimes),
      anyRequest(reportType),
      fc.integer({ min: 1, max: 2 }),
      async (world, anyOne, count) => {
        const issues = existing(world, anyOne).slice(0, count);
        fc.pre(issues.length > 0);
        const selection = { by: 'keys', keys: issues.map(({ key }) => key) } as const;
        const request: ReportRequest = { ...anyOne, selection };
        const api = reportingOver(world);
        const table = await api.report(request);
        expect(table.issues).toHaveLength(issues.length);
        const question = await questionIn(world, request, api);
        expect(listAsDefined(table)).toEqual(defineTable(inOrderOf(table, issues), question));
      },
    ),
    { numRuns: runs(200) },
  );
});
