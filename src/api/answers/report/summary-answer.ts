import { z } from 'zod';
import { yieldToOthers } from '../../../concurrency/cooperative-yield.ts';
import { runFigures } from '../../../engine/measure/kernels/run-kernel.ts';
import { joinNumbers } from '../../../engine/measure/scan-rows.ts';
import { percentileOf } from '../../../engine/measure/statistics.ts';
import type { Explanation, FigureChoice } from '../../../model/answer.ts';
import { compareText } from '../../../model/issues/ids-and-names.ts';
import type { ReportQuestion } from '../../../model/question.ts';
import type { ReportRequest } from '../../../model/request.ts';
import type { Provenance } from '../../../model/table.ts';
import { inStatus } from '../../../output/figure-words.ts';
import { allOutcomes } from '../../outcomes/issue-outcomes.ts';
import type { IssuesInput } from '../../outcomes/outcomes-api.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import { durationStatistics, ms, statusOfWork, unknownMembers, type ValueOf } from '../document.ts';
import { cycleFigures, explainOutcomes } from '../why/explain-outcomes.ts';
import { type FigureName, figureId, shortName } from '../why/explanation.ts';
import type { Trend } from './trend.ts';

/** Many issues: how long they took from start to done, and where the time went. */
export const summarySchema = z.object({
  issues: z.int(),
  historyKnown: z.int().meta({ description: 'Those of them whose history is known whole.' }),
  finished: z.int().meta({ description: 'Done, whether or not since when is known.' }),
  cycleTime: durationStatistics,
  percentile: z.object({ percent: z.number(), valueMs: ms }).nullable().meta({
    description: 'A percentile of the cycle times other than 50 and 85, where one was asked for in Slack.',
  }),
  noCycleTimeReasons: z
    .array(z.object({ reason: z.string(), count: z.int() }))
    .meta({ description: 'Why the other finished issues have no cycle time, and how many they are.' }),
  statuses: z.array(statusOfWork.extend(durationStatistics.shape)).meta({
    description: 'Whole time in each status that is not done, of the issues that were there.',
  }),
  ...unknownMembers,
});

/** The figures of many issues. */
export type ReportSummary = ValueOf<typeof summarySchema>;
/** A status, and the whole time in it of the issues that were there. */
export type SummaryStatus = ReportSummary['statuses'][number];

/** A question is about the summary: it names issues and no statistic, grouping or report. */
export function asksSummary(question: { readonly kind: string }): question is ReportQuestion {
  return question.kind === 'report' && 'isSummary' in question && question.isSummary === true;
}

/** The summary of a request's issues, and where its figures come from. */
export async function summarize(
  request: ReportRequest,
  reporting: ReportingApi,
): Promise<{ readonly summary: ReportSummary; readonly provenance: Provenance }> {
  const totals = await reporting.outcomes(issuesOf(request));
  const { issues, known, finished, withoutCycleTime, doubts, statuses, provenance } = totals;
  const [cycleTime, ...times] = await runFigures([
    totals.cycleTimes,
    ...statuses.map(({ id }) => totals.times(id)),
  ]);
  if (cycleTime === undefined) throw new Error('There is a figure of each set.');
  return {
    summary: {
      issues,
      historyKnown: known,
      finished,
      cycleTime,
      ...doubts,
      noCycleTimeReasons: [...withoutCycleTime]
        .map(([reason, count]) => ({ reason, count }))
        .sort((a, b) => b.count - a.count || compareText(a.reason, b.reason)),
      percentile: chosenPercentile(request, totals.cycleTimes),
      statuses: statuses.flatMap(({ id, name, category, kind }, i) => {
        const figures = times[i];
        return figures === undefined || figures.count === 0 ? [] : [{ id, name, category, kind, ...figures }];
      }),
    },
    provenance,
  };
}

function chosenPercentile(
  { statistic }: ReportRequest,
  lists: readonly Float64Array[],
): ReportSummary['percentile'] {
  if (statistic?.type !== 'percentile' || [50, 85].includes(statistic.percentile)) return null;
  const ms = percentileOf(joinNumbers(lists), statistic.percentile);
  return ms === null ? null : { percent: statistic.percentile, valueMs: ms };
}

/** The figures of a summary that can be explained. */
export function summaryFigures({ cycleTime, statuses }: ReportSummary): readonly FigureChoice[] {
  return [
    ...cycleFigures(cycleTime),
    ...statuses.map(({ id, name }) => ({
      id: figureId('averageMs', shortName(id)),
      title: `Average time ${inStatus(name)}`,
    })),
  ];
}

/** The figures of a trend that can be explained, of all its periods together; of statuses of one name there is none. */
export function trendFigures({ status, times }: Pick<Trend, 'status' | 'times'>): readonly FigureChoice[] {
  if (status === null) return cycleFigures(times);
  const [id, ...others] = status.ids;
  if (id === undefined || others.length > 0 || times.count === 0) return [];
  return [{ id: figureId('averageMs', shortName(id)), title: `Average time ${inStatus(status.name)}` }];
}

/** Explains a figure of a summary by the issues it is made of. */
export async function explainSummary(
  figure: FigureName,
  request: ReportRequest,
  reporting: ReportingApi,
): Promise<Explanation> {
  const issues = issuesOf(request);
  const found = await allOutcomes(issues, reporting);
  await yieldToOthers();
  return explainOutcomes(figure, {
    ...found,
    maybe: found.outcomes.filter(({ unclear }) => unclear !== null),
    asOf: issues.asOf,
    called: 'these issues',
    finishedCalled: 'Finished issues',
  });
}

function issuesOf({ principal, selection, dateRange, asOf, calendar }: ReportRequest): IssuesInput {
  if (asOf === null) throw new Error('A summary is as of an instant.');
  return { principal, selection, dateRange, asOf, calendar };
}
