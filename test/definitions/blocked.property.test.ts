import fc from 'fast-check';
import { expect, test } from '#jest';
import type { ReportRequest } from '../../src/model/request.ts';
import { runs } from '../support/soak.ts';
import { anyStatistic, existing, inOrderOf, questionIn } from './any-request.ts';
import { expectFigures, figuresAsDefined, listAsDefined } from './as-defined.ts';
import { aBlockedRequest, aBlockedWorld, blockedIn, reportingOver, sees } from './blocked-world.ts';
import { defineFigures, defineTable } from './table.ts';

test.each(['blockedDuration', 'blockedDurationByStatus'])(
  'a list of %s is what its definition says, whatever the flags, links, flows and rights',
  async (reportType) => {
    await fc.assert(
      fc.asyncProperty(aBlockedWorld, aBlockedRequest(reportType), async (world, request) => {
        const api = reportingOver(world);
        const table = await api.report(request);
        const issues = existing(world, request).filter((issue) => sees(request.principal, issue));
        expect(table.issues).toHaveLength(issues.length);
        const question = { ...(await questionIn(world, request, api)), blocked: blockedIn(world) };
        expect(listAsDefined(table)).toEqual(defineTable(inOrderOf(table, issues), question));
      }),
      { numRuns: runs(200) },
    );
  },
);

test.each(['blockedDuration', 'blockedDurationByStatus', 'blockedDurationExpanded'])(
  '%s of an issue by key is what its definition says',
  async (reportType) => {
    await fc.assert(
      fc.asyncProperty(aBlockedWorld, aBlockedRequest(reportType), async (world, anyOne) => {
        const issues = existing(world, anyOne).filter((issue) => sees(anyOne.principal, issue));
        for (const issue of issues) {
          const request: ReportRequest = { ...anyOne, selection: { by: 'keys', keys: [issue.key] } };
          const api = reportingOver(world);
          const question = { ...(await questionIn(world, request, api)), blocked: blockedIn(world) };
          expect(listAsDefined(await api.report(request))).toEqual(defineTable([issue], question));
        }
      }),
      { numRuns: runs(100) },
    );
  },
);

test.each(['blockedDuration', 'blockedDurationByStatus'])(
  'the figures of groups of %s are what their definition says',
  async (reportType) => {
    await fc.assert(
      fc.asyncProperty(
        aBlockedWorld,
        aBlockedRequest(reportType),
        fc.record({
          groupBy: fc.uniqueArray(fc.constantFrom('status', 'assignee', 'calc:projectKey'), { maxLength: 1 }),
          statistic: anyStatistic,
        }),
        async (world, anyOne, { groupBy, statistic }) => {
          const api = reportingOver(world);
          const request: ReportRequest = { ...anyOne, groupBy };
          const { issues } = await api.report({ ...request, groupBy: [] });
          const question = { ...(await questionIn(world, request, api)), blocked: blockedIn(world) };
          const seen = existing(world, request).filter((issue) => sees(request.principal, issue));
          const defined = defineFigures(inOrderOf({ issues }, seen), statistic, question);
          expectFigures(figuresAsDefined(await api.report({ ...request, statistic })), defined);
        },
      ),
      { numRuns: runs(200) },
    );
  },
);
