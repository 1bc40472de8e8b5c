import { trendStatistic } from '../../../api/answers/report/trend.ts';
import type { SprintQuestion } from '../../../api/answers/sprint/find-sprint.ts';
import { AppError, badRequest } from '../../../model/error.ts';
import type { Question, ReportQuestion } from '../../../model/question.ts';
import { reportIds } from '../../../model/report-ids.ts';
import { ask, defaultStatistic, type Selection, type Statistic } from '../../../model/request.ts';
import {
  BY_PERIOD,
  hoursOf,
  isCycleFigure,
  parseOptions,
  type Tails,
  tailKinds,
  withSprintTime,
} from '../../ask/grammar/parse-options.ts';
import type { ParserContext, ReadWords } from '../../ask/grammar/parser-context.ts';
import { filterOrDefault } from '../../ask/grammar/read-filter.ts';
import type { Word } from '../../ask/grammar/typed-words.ts';

/** The report where none is named. */
export const USUAL_REPORT = reportIds.statusDuration;

/**
 * Reads `FILTER [RANGE] [by FIELD or REPORT] [STATISTIC] [in CALENDAR]`. Without a statistic it asks for the average, or for
 * the list where the report has none; without a grouping or a report as well, for a summary.
 */
export async function readReport(words: readonly Word[], context: ParserContext): Promise<ReadWords> {
  const { left, tails: typed } = await parseOptions(words, tailKinds, context);
  const { selection, remark } = await filterOrDefault(left, context);
  if (isSprintAlone(typed) && selection.by === 'project') {
    const hours = hoursOf(typed, context);
    const closed = typed.sprint === 'last' ? { closed: true as const } : {};
    const question: SprintQuestion = { kind: 'sprint', sprint: null, selection, ...hours, ...closed };
    return { question, remark };
  }
  const { tails, remark: aboutSprint } = await withSprintTime(typed, selection, context);
  const remarks = [remark, aboutSprint].filter((one) => one !== null);
  return {
    question: await checked(selection, tails, context),
    remark: remarks.length === 0 ? null : remarks.join(' '),
  };
}

/** True if nothing but a sprint was named: then the report is that of the sprint itself. */
function isSprintAlone({ sprint, calendar: _calendar, unit: _unit, ...others }: Tails): boolean {
  return sprint !== undefined && Object.keys(others).length === 0;
}

async function checked(selection: Selection, tails: Tails, context: ParserContext): Promise<Question> {
  const checkedWith = async (statistic: Statistic | null) => {
    const question = reportQuestion(selection, tails, statistic, context);
    await context.check(question);
    return question;
  };
  const { statistic } = tails;
  if (tails.cycleTime) {
    if (!isCycleTails(tails) && !isTrend(tails)) {
      throw badRequest(cycleProblem(tails.groupBy ?? []));
    }
    return checkedWith(statistic === undefined || statistic === 'list' ? defaultStatistic : statistic);
  }
  if (statistic !== undefined) return checkedWith(statistic === 'list' ? null : statistic);
  return checkedWith(defaultStatistic).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
    // A report of dates has no average. What else is wrong is as wrong for a list.
    return checkedWith(null);
  });
}

/** True if the cycle time can be shown with what was typed. */
function isCycleTails({ statistic, groupBy, reportType, inStatus }: Tails): boolean {
  if (statistic === 'list' || (groupBy ?? reportType ?? inStatus) !== undefined) return false;
  return statistic === undefined || isCycleFigure(statistic);
}

/** Why the cycle time cannot be shown by some fields, or as it was asked for. */
export function cycleProblem(groupBy: readonly string[]): string {
  return groupBy.some((field) => /^(?:assignee|reporter|creator)$/i.test(field))
    ? "Cycle time isn't shown per person, because people aren't ranked here. Time in each status is."
    : 'Cycle time is shown as average, median or a percentile of all issues together. Try: cycle time p90, or time in status by FIELD.';
}

function asksAverage({ statistic }: Tails): boolean {
  return statistic !== undefined && statistic !== 'list' && statistic.type === 'average';
}

/** The question a filter and what was said of it make; without words for it a report of the time in each status. */
export function reportQuestion(
  selection: Selection,
  tails: Tails,
  statistic: Statistic | null,
  { principal, hours }: ParserContext,
): ReportQuestion {
  const { range, calendar, unit, reportType, groupBy, timePeriod, inStatus, cycleTime, byStage } = tails;
  const hasTrend = statistic !== null && isTrend(tails);
  const whole = ask({
    principal,
    reportType: reportType ?? USUAL_REPORT,
    selection,
    calendar: calendar ?? hours.calendar,
    includeDeletedStatuses: true,
    ...(inStatus === undefined ? {} : { statuses: inStatus }),
    groupBy: groupBy ?? [],
    consolidated: byStage === true ? 'stages' : [],
    statistic: hasTrend && tails.statistic === undefined ? trendStatistic : statistic,
    ...(timePeriod === undefined ? {} : { timePeriod }),
  });
  const {
    principal: _principal,
    asOf: _asOf,
    timeZone: _timeZone,
    page: _page,
    dateRange: _dateRange,
    ...request
  } = whole;
  return {
    kind: 'report',
    request,
    range: range === undefined ? null : { field: range.field, when: range.when },
    timeZone: hours.timeZone,
    ...(unit === undefined ? {} : { unit }),
    ...(!hasTrend && (cycleTime || (tails.statistic ?? reportType ?? groupBy ?? inStatus) === undefined)
      ? { isSummary: true as const }
      : {}),
    ...(hasTrend ? { isTrend: true as const } : {}),
    ...(!hasTrend && cycleTime && asksAverage(tails) ? { withAverage: true as const } : {}),
  };
}

/**
 * True if times go by the period of the finish. By the period in which they were spent, those of what was finished
 * lately have little in the first periods, and grow by construction.
 */
function isTrend({
  range,
  timePeriod,
  reportType,
  statistic,
  groupBy = [],
  inStatus,
  cycleTime,
}: Tails): boolean {
  const isOneTime = !(cycleTime === true && inStatus !== undefined);
  return (
    timePeriod !== undefined &&
    reportType === BY_PERIOD &&
    range?.field === 'finished' &&
    groupBy.length === 0 &&
    statistic !== 'list' &&
    isOneTime
  );
}
