import { isDecided } from '../../../model/is-decided.ts';
import type { Instant } from '../../../model/issue.ts';
import type { WeeklyQuestion } from '../../../model/question.ts';
import type { Asker } from '../../../model/request.ts';
import type { WeeklyAggregates } from '../../../model/weekly.ts';
import type { ReportingApi } from '../../reporting.ts';
import { doubtsOf } from '../doubts-of.ts';
import { finishedIssues, type IssueLife } from '../finished.ts';
import { aggregate } from './aggregate.ts';
import { nineWeeks, ofEachWeek } from './nine-weeks.ts';
import { timeWithin } from './time-within.ts';
import { finishedIn, mayBeFinishedIn, whyUnknown } from './told-week.ts';

/**
 * What a week was like: issues finished, their time in each status and their cycle times, and the time all issues spent
 * within the week, beside the week before and the eight weeks before. As of an instant (null: now), whatever the number
 * of issues with thirteen requests to the port. `bad-request` for a week that has not begun, and for a zone or a
 * calendar nobody knows.
 */
export async function weeklyAggregates(
  { selection, week: askedWeek, calendar, timeZone }: WeeklyQuestion,
  asker: Asker,
  asked: Instant | null,
  { reporting, now }: { readonly reporting: ReportingApi; readonly now: () => Instant },
): Promise<WeeklyAggregates> {
  const asOf = asked ?? now();
  const weeks = nineWeeks(askedWeek, { asOf, timeZone });
  const issues = { asker, selection, dateRange: null, asOf, calendar };
  const { lives, statuses, provenance } = await finishedIssues(issues, reporting);
  const told = await ofEachWeek(weeks, async (week) => ({
    week,
    finished: finishedIn(week, lives),
    unknown: whyUnknown(week, lives, provenance),
    within: await timeWithin(week, issues, reporting),
  }));
  const { start } = weeks.earlier[0] ?? weeks.week;
  const counted = lives.filter((life) => livedIn(life, { start, end: weeks.week.end }));
  const cutHistories = counted.filter(({ facts }) => !facts.history.complete).length;
  const { withoutCategory } = doubtsOf(counted);
  return {
    ...aggregate(told, statuses),
    timeZone,
    doubts: { ...doubtsOf(mayBeFinishedIn(weeks.week, lives)), withoutCategory },
    provenance: {
      ...provenance,
      reportType: 'weekly',
      askedAt: asked === null ? asOf : provenance.askedAt,
      timeZone,
      issues: counted.length,
      cutHistories,
      complete: cutHistories === 0 && isDecided(provenance) && withoutCategory.length === 0,
    },
  };
}

/** Open, or finished, in a span, as far as is known; an issue nobody can tell of may have been. */
function livedIn(
  { facts, finish, open }: IssueLife,
  { start, end }: { readonly start: Instant; readonly end: Instant },
): boolean {
  if (facts.created >= end) return false;
  if (open || finish === null) return true;
  if (finish.untold !== null) return finish.untold.until >= start;
  return finish.at !== null && finish.at >= start;
}
