import { z } from 'zod';
import { wholeNumber } from '../../api/parameters/parameter.ts';
import { statisticParameters, tokenPaging } from '../../api/parameters/report.ts';
import type { Statistic } from '../../model/request.ts';
import { cellOf, type Table } from '../../model/table.ts';
import type { ValueWords } from '../../output/figure-words.ts';
import { answerText, factLines, facts, tableFacts, wordingOf } from '../answer-facts.ts';
import { readIssueFilter, readRequest, reportInputs } from '../inputs.ts';
import {
  figure,
  figureOf,
  issueContent,
  issuesOf,
  issuesTable,
  namedText,
  namedTexts,
  valueCells,
  valueColumns,
} from '../issue-facts.ts';
import { defineTool } from '../tool.ts';

/** The columns of an answer, whether or not any row has a value there. */
const columns = z
  .array(z.object({ id: z.string(), title: z.string(), kind: z.string() }))
  .meta({ description: 'The value columns; a row without one of them: never.' });

function columnsOf(table: Table): z.output<typeof columns> {
  return valueColumns(table).map(({ id, title, kind }) => ({ id, title, kind }));
}

const listReport = defineTool({
  name: 'list_report',
  title: 'Report over a list of issues',
  description:
    'Time in status, or any other report over issues, of the issues that match a filter (project, jql, sprint, savedFilter or user), one row per issue, in pages.',
  takesLong: true,
  parameters: z.object({
    ...reportInputs,
    pageSize: wholeNumber(1, 100).default(25).meta({ description: 'Maximum number of issues per page.' }),
    nextPageToken: tokenPaging.nextPageToken,
  }),
  output: z.object({
    ...facts.shape,
    columns,
    issues: z.array(issueContent),
    total: z.int().meta({ description: 'Issues of all pages.' }),
    nextPageToken: z.string().nullable().meta({
      description: 'Ask the same with it to get the next page; null: this is the last one.',
    }),
  }),
  async answer(input, context) {
    const selection = readIssueFilter(input);
    const pageOf = async (size: number) => {
      const page = { by: 'token', token: input.nextPageToken ?? null, size } as const;
      const table = await context.reporting.report(
        await readRequest(input, 'issue', selection, context, page),
      );
      return pageAnswer(table, input);
    };
    let page = await pageOf(input.pageSize);
    // A page is never cut within: what has no room is on the next one.
    while (page.left > 0 && page.shown > 1) page = await pageOf(Math.max(1, page.shown - page.left));
    return page;
  },
});

function pageAnswer(table: Table, input: Parameters<typeof wordingOf>[1] & { readonly pageSize: number }) {
  const { provenance, page } = table;
  const wording = wordingOf(provenance, input);
  const issues = issuesOf(table, wording);
  const { start = 0, total = issues.length, next = null, size = input.pageSize } = page ?? {};
  const end = start + issues.length;
  const content = {
    ...tableFacts(provenance, wording),
    columns: columnsOf(table),
    issues,
    total,
    nextPageToken: next,
  };
  const shown = total === 0 ? 'No issue matches.' : `Issues ${start + 1} to ${end} of ${total}.`;
  const { text, left } = answerText(
    [
      `Report ${provenance.reportType}. ${shown}`,
      ...(next === null
        ? ['This is the last page.']
        : [`There is a next page: call again with the same arguments and nextPageToken "${next}".`]),
      ...(size < input.pageSize
        ? [
            `The page has ${issues.length} issues instead of ${input.pageSize}, so that the answer stays short.`,
          ]
        : []),
    ],
    [issuesTable(issues, table, wording)],
    [
      ...factLines(provenance, wording),
      'The facts above are about the issues of this page. Statuses without a column: no issue of this page was there.',
    ],
  );
  return { content, text, left, shown: issues.length };
}

/** The groups of one answer; an export has all. */
const MAX_GROUPS = 100;

const aggregateReport = defineTool({
  name: 'aggregate_report',
  title: 'Statistics over many issues',
  description:
    'The report of all issues that match a filter, condensed to one figure per column: average, median, sum, standardDeviation or percentile. With groupByFields one row per group, such as per assignee.',
  takesLong: true,
  parameters: z.object({ ...reportInputs, ...statisticParameters }),
  output: z.object({
    ...facts.shape,
    statistic: z.object({
      type: z.string(),
      percentile: z.number().nullable(),
      dividesBy: z.string().nullable().meta({
        description: 'nonNull: the issues with a value in the column; all: every issue, never as 0.',
      }),
      deviation: z.string().nullable().meta({ description: 'Kind of standard deviation.' }),
    }),
    columns,
    groups: z.array(
      z.object({
        group: z.array(namedText).meta({
          description: 'Values of the group; empty: all issues.',
        }),
        issueCount: z.int(),
        values: z.array(figure),
      }),
    ),
    totalGroups: z
      .int()
      .meta({ description: `How many groups there are; the first ${MAX_GROUPS} are here.` }),
  }),
  async answer(input, context) {
    const table = await context.reporting.report(
      await readRequest(input, 'issue', readIssueFilter(input), context),
    );
    const { provenance } = table;
    const wording = wordingOf(provenance, input);
    const groups = groupsOf(table, wording);
    const statistic = statisticOf(table.statistic);
    const content = {
      ...tableFacts(provenance, wording),
      statistic,
      columns: columnsOf(table),
      groups,
      totalGroups: table.rows.length,
    };
    const more = table.rows.length - groups.length;
    const { text } = answerText(
      [
        `${statisticText(statistic)} per column over ${provenance.issues} issues (report ${provenance.reportType}).`,
        ...(input.aggregationType === 'sum' ? [] : [`Each column counts ${countedText(statistic)}.`]),
        ...(more > 0
          ? [`${more} more groups are left out. Narrow the filter, or use export_report for all of them.`]
          : []),
      ],
      [statisticTable(table, groups, statisticText(statistic))],
      factLines(provenance, wording),
    );
    return { content, text };
  },
});

function groupsOf(table: Table, wording: ValueWords) {
  const values = valueColumns(table);
  return table.rows.slice(0, MAX_GROUPS).map(({ own, cells, issueCount = 0 }) => ({
    group: namedTexts(table, ['group'], own, wording),
    issueCount,
    values: values.flatMap((column) => figureOf(column, cellOf(cells, column.id), wording) ?? []),
  }));
}

function statisticTable(table: Table, groups: ReturnType<typeof groupsOf>, title: string) {
  const groupColumns = table.columns.filter(({ part }) => part === 'group');
  if (groupColumns.length === 0) {
    return {
      columns: ['Column', title, 'Milliseconds or count'],
      rows: groups.flatMap(({ values }) =>
        values.map(({ title: column, text, ms, count }) => [column, text, ms ?? count ?? null]),
      ),
    };
  }
  const values = valueCells(valueColumns(table));
  return {
    columns: [...groupColumns.map((column) => column.title), 'Issues', ...values.titles],
    rows: groups.map(({ group, issueCount, values: own }) => [
      ...group.map(({ text }) => text),
      issueCount,
      ...values.cells(own),
    ]),
  };
}

function statisticOf(statistic: Statistic | null) {
  if (statistic === null) throw new Error('An aggregation has a statistic.');
  const { type, percentile, denominator, deviation } = statistic;
  const divides = type === 'average' || type === 'standardDeviation';
  return {
    type,
    percentile: type === 'percentile' ? percentile : null,
    dividesBy: divides ? denominator : null,
    deviation: type === 'standardDeviation' ? deviation : null,
  };
}

type StatisticContent = ReturnType<typeof statisticOf>;

function statisticText({ type, percentile, deviation }: StatisticContent): string {
  if (percentile !== null) return `Percentile ${percentile}`;
  if (deviation !== null) return `Standard deviation (${deviation})`;
  return `${type.charAt(0).toUpperCase()}${type.slice(1)}`;
}

function countedText({ dividesBy }: StatisticContent): string {
  return dividesBy === 'all'
    ? 'all issues, one that was never there as 0'
    : 'only the issues that have a value there, so columns cannot be added up';
}

/** The tools that report on issues by a filter. */
export const reportTools = [listReport, aggregateReport];
