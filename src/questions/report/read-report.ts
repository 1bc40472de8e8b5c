import { AppError } from '../../model/error.ts';
import type { Question, ReportQuestion } from '../../model/question.ts';
import { ask, type Selection, type Statistic } from '../../model/request.ts';
import type { ParserContext, ReadWords } from '../parse/parser-context.ts';
import { filterOrDefault } from '../parse/read-filter.ts';
import { defaultStatistic, type Tails, tailKinds, takeTails, unitOf } from '../parse/take-tails.ts';
import type { Word } from '../parse/typed-words.ts';

const USUAL_REPORT = 'statusDuration';

/**
 * Reads `FILTER [RANGE] [by FIELD or REPORT] [STATISTIC] [in CALENDAR]`. Without a statistic it asks for the average, or for
 * the list where the report has none; without a grouping or a report as well, for a summary.
 */
export async function readReport(words: readonly Word[], asking: ParserContext): Promise<ReadWords> {
  const { rest, tails } = await takeOff(words, asking);
  const { selection, remark } = await filterOrDefault(rest, asking);
  return { question: await checked(selection, tails, asking), remark };
}

/** A single word that is a project is one, be it called like a statistic. */
async function takeOff(words: readonly Word[], asking: ParserContext) {
  const [only, ...others] = words;
  if (only !== undefined && others.length === 0 && (await asking.isProject(only.plain))) {
    return { rest: words, tails: {} };
  }
  return takeTails(words, tailKinds, asking);
}

async function checked(selection: Selection, tails: Tails, asking: ParserContext): Promise<Question> {
  const checkedWith = async (statistic: Statistic | null) => {
    const question = reportQuestion(selection, tails, statistic, asking);
    await asking.check(question);
    return question;
  };
  const { statistic } = tails;
  if (statistic !== undefined) return checkedWith(statistic === 'list' ? null : statistic);
  return checkedWith(defaultStatistic).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
    // A report of dates has no average. What else is wrong is as wrong for a list.
    return checkedWith(null);
  });
}

/** The question a filter and what was said of it make; without words for it a report of the time in each status. */
export function reportQuestion(
  selection: Selection,
  tails: Tails,
  statistic: Statistic | null,
  { principal, hours }: ParserContext,
): ReportQuestion {
  const { range, calendar, reportType, groupBy, timePeriod } = tails;
  const whole = ask({
    principal,
    reportType: reportType ?? USUAL_REPORT,
    selection,
    calendar: calendar ?? hours.calendar,
    includeDeletedStatuses: true,
    groupBy: groupBy ?? [],
    statistic,
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
    ...unitOf(tails),
    ...((tails.statistic ?? reportType ?? groupBy) ? {} : { isSummary: true as const }),
    ...(isTrend(tails) ? { isTrend: true as const } : {}),
  };
}

/** Time in status by month of what was finished lately has little in its first months, and grows by construction. */
function isTrend({ range, timePeriod, statistic, groupBy }: Tails): boolean {
  return timePeriod !== undefined && range?.field === 'finished' && (statistic ?? groupBy) === undefined;
}
