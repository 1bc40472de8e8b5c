import { z } from 'zod';
import { listParameters, outputType, statisticParameters } from '../../api/parameters/report.ts';
import type { Statistic } from '../../model/request.ts';
import { defineRoute } from '../define-route.ts';
import { answerReport, readReport, reportContent } from '../report/answer.ts';
import { groupTable, outerMembers, query } from '../report/table.ts';

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
    const request = await readReport(input, 'issue', principal, parts);
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
