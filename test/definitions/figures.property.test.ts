import fc from 'fast-check';
import { expect, test } from '#jest';
import { ask, type ReportRequest } from '../../src/model/request.ts';
import type { IssueLines } from '../../src/model/table.ts';
import { anyStandInTimes } from '../support/arbitrary-stand-ins.ts';
import { runs } from '../support/soak.ts';
import { anyRequest, anyStatistic, existing, inOrderOf, questionIn } from './any-request.ts';
import { anyWorld, reportingOver } from './any-world.ts';
import { expectFigures, figuresAsDefined, listAsDefined } from './as-defined.ts';
import { dateReports, definitions, visitReports } from './reports.ts';
import { defineFigures, defineTable } from './table.ts';

const withFigures = Object.keys(definitions).filter((id) => ![...dateReports, ...visitReports].includes(id));

const aGrouping = fc.uniqueArray(
  fc.constantFrom('priority', 'status', 'assignee', 'labels', 'issuetype', 'points', 'calc:projectKey'),
  { maxLength: 2 },
);

/** Conditions that read fields and histories, so that a report after them can be made of what was read. */
const conditions = ['labels is empty and issuetype is empty', 'priority was empty', 'assignee was empty'];

test.each(withFigures)('the figures of groups of %s are what their definition says', async (reportType) => {
  await fc.assert(
    fc.asyncProperty(
      anyWorld(anyStandInTimes),
      anyRequest(reportType),
      fc.record({ groupBy: aGrouping, statistic: anyStatistic, isRead: fc.boolean() }),
      async (world, anyOne, { groupBy, statistic, isRead }) => {
        const api = reportingOver(world);
        const request: ReportRequest = { ...anyOne, groupBy };
        for (const jql of isRead ? conditions : []) {
          await api.count(ask({ ...request, selection: { by: 'jql', jql } }));
        }
        const { issues } = await api.report({ ...request, groupBy: [] });
        const question = await questionIn(world, request, api);
        const defined = defineFigures(inOrderOf({ issues }, existing(world, request)), statistic, question);
        expectFigures(figuresAsDefined(await api.report({ ...request, statistic })), defined);
      },
    ),
    { numRuns: runs(100) },
  );
});

test('a list that is read in parts, and its figures, are what their definitions say', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyWorld(anyStandInTimes),
      fc
        .constantFrom(...Object.keys(definitions).filter((id) => !visitReports.includes(id)))
        .chain(anyRequest),
      fc.array(anyStatistic, { maxLength: 2 }),
      async (world, request, statistics) => {
        const api = reportingOver(world);
        const reader = await api.open(request, statistics);
        const lines: IssueLines[] = [];
        for await (const part of reader.lines()) lines.push(...part);
        const issues = lines.map(({ facts }) => facts);
        const question = await questionIn(world, request, api);
        const inOrder = inOrderOf({ issues }, existing(world, request));
        const table = { ...reader.list, issues, rows: lines.flatMap(({ rows }) => rows) };
        expect(listAsDefined(table)).toEqual(defineTable(inOrder, question));
        expect(reader.list.hasUnknown).toBe(issues.some(({ unknown }) => unknown !== null));
        for (const [i, figures] of reader.statistics.entries()) {
          const statistic = statistics[i];
          if (statistic === undefined) continue;
          expectFigures(figuresAsDefined(figures), defineFigures(inOrder, statistic, question));
        }
      },
    ),
    { numRuns: runs(300) },
  );
});
