import { z } from 'zod';
import { columnParameters, columnsBy } from '../../api/parameters/columns.ts';
import { issueKey } from '../../api/parameters/parameter.ts';
import {
  indexPaging,
  listParameters,
  outputType,
  reportParameters,
  statisticParameters,
  tokenPaging,
} from '../../api/parameters/report.ts';
import type { Statistic } from '../../model/request.ts';
import { defineRoute } from '../define-route.ts';
import { answerReport, readReportRequest, reportContent } from '../report/answer.ts';
import { groupTable, issueTable, outerMembers, query } from '../report/table.ts';

const report = z
  .object({ ...outerMembers, table: issueTable })
  .meta({ id: 'Report', description: 'Time in status of one issue: a table with one row.' });

/** Time in status of one issue. */
export const issue = defineRoute({
  id: 'getIssue',
  methods: ['get'],
  paths: ['/rest/issue', '/rest/tis/report/1.0/api/issue'],
  section: 'Reports',
  summary: 'Time in status of one issue',
  parameters: z.object({
    issueKey,
    columnsBy: columnsBy('issue'),
    outputType,
    ...reportParameters,
    ...columnParameters,
  }),
  answers: {
    description: 'A table with one row.',
    content: reportContent(report),
    failures: [404],
  },
  async answer(input, principal, parts) {
    const request = await readReportRequest(input, 'issue', principal, parts);
    return answerReport(request, input, parts, (table, wording) => ({ table: { table, wording } }));
  },
});

const indexedList = z
  .object({
    ...outerMembers,
    startIssueIndex: z.int(),
    endIssueIndex: z
      .int()
      .describe('Index of the last issue of the page; one less than startIssueIndex when there is none.'),
    pageSize: z.int(),
    total: z.int().describe('How many issues were chosen in all.'),
    query,
    table: issueTable,
  })
  .meta({ id: 'IndexedList', description: 'A page of a list by index.' });

/** The report of a list of issues, in pages by index. */
export const issuesByIndex = defineRoute({
  id: 'listIssues',
  methods: ['get', 'post'],
  paths: ['/rest/issues', '/rest/list', '/rest/tis/report/1.0/api/list'],
  takesLong: true,
  section: 'Reports',
  summary: 'Time in status of many issues, in pages by index',
  parameters: z.object({ ...listParameters, ...indexPaging, outputType }),
  answers: {
    description: 'One page of the report, with a row per issue.',
    content: reportContent(indexedList),
  },
  async answer(input, principal, parts) {
    const page = { by: 'index', start: input.startIssueIndex, size: input.pageSize } as const;
    const request = await readReportRequest(input, 'issue', principal, parts, page);
    return answerReport(request, input, parts, (table, wording) => {
      const { start = 0, end = 0, size = 0, total = 0 } = table.page ?? {};
      return {
        startIssueIndex: start,
        endIssueIndex: end - 1,
        pageSize: size,
        total,
        query: table.provenance.query,
        table: { table, wording },
      };
    });
  },
});

const tokenList = z
  .object({
    ...outerMembers,
    pageSize: z.int(),
    nextPageToken: z.string().optional().describe('Opens the next page for a day; absent on the last page.'),
    query,
    table: issueTable,
  })
  .meta({ id: 'List', description: 'A page of a list by token.' });

/** The report of a list of issues, in pages that open one another. */
export const issuesByToken = defineRoute({
  id: 'listIssuesByToken',
  methods: ['get', 'post'],
  paths: ['/rest/issues/v2', '/rest/list2', '/rest/tis/report/1.0/api/list2'],
  takesLong: true,
  section: 'Reports',
  summary: 'Time in status of many issues, in pages by token, optionally grouped',
  parameters: z.object({ ...listParameters, ...tokenPaging, outputType }),
  answers: {
    description:
      'One page of the report, with a row per issue. Of CSV the header X-Next-Page-Token holds the token of the next page.',
    content: reportContent(tokenList),
  },
  async answer(input, principal, parts) {
    const page = { by: 'token', token: input.nextPageToken ?? null, size: input.pageSize } as const;
    const request = await readReportRequest(input, 'issue', principal, parts, page);
    return answerReport(request, input, parts, (table, wording) => {
      const { size = 0, next = null } = table.page ?? {};
      return {
        pageSize: size,
        ...(next === null ? {} : { nextPageToken: next }),
        query: table.provenance.query,
        table: { table, wording },
      };
    });
  },
});

const condensed = z
  .object({
    ...outerMembers,
    aggregationType: z.string(),
    percentile: z.number().optional(),
    averageDenominator: z.string().optional(),
    stddevType: z.string().optional(),
    query,
    table: groupTable,
  })
  .meta({ id: 'Aggregation', description: 'Groups of issues, each condensed to one row.' });

/** All matching issues condensed to one row, or to one per group. */
export const aggregation = defineRoute({
  id: 'aggregateIssues',
  methods: ['get', 'post'],
  paths: ['/rest/issues/aggregation', '/rest/aggregation', '/rest/tis/report/1.0/api/aggregation'],
  takesLong: true,
  section: 'Reports',
  summary: 'Average, median or another statistic of many issues, optionally grouped',
  parameters: z.object({ ...listParameters, ...statisticParameters, outputType }),
  answers: {
    description: 'One row, or one per group.',
    content: reportContent(condensed),
  },
  async answer(input, principal, parts) {
    const request = await readReportRequest(input, 'issue', principal, parts);
    return answerReport(request, input, parts, (table, wording) => ({
      ...choicesOf(table.statistic),
      query: table.provenance.query,
      table: { table, wording },
    }));
  },
});

/** The choices that made a statistic, as far as they matter to it. */
function choicesOf(statistic: Statistic | null) {
  if (statistic === null) throw new Error('An aggregation without a statistic.');
  const { type, percentile, denominator, deviation } = statistic;
  const divides = type === 'average' || type === 'standardDeviation';
  return {
    aggregationType: type,
    ...(type === 'percentile' ? { percentile } : {}),
    ...(divides ? { averageDenominator: denominator } : {}),
    ...(type === 'standardDeviation' ? { stddevType: deviation } : {}),
  };
}
