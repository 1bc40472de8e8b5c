import type { Week } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import type { WeeklyQuestion } from '../../model/question.ts';
import type { Asker } from '../../model/request.ts';
import type { ReportingApi } from '../reporting.ts';
import { finishedIssues, type IssueLife, type IssueLives } from './finished.ts';
import { nineWeeks } from './weekly/nine-weeks.ts';
import { finishedIn, mayBeFinishedIn, maybeFinished, whyUnknown } from './weekly/told-week.ts';

/** The issues finished in the week of a question, those that may have been, and of which week and which issues that is told. */
interface FinishedInWeek {
  readonly week: Week;
  readonly lives: readonly IssueLife[];
  readonly maybe: readonly IssueLife[];
  /** Why nobody knows how many they are; null where it is known. */
  readonly unknown: string | null;
  readonly all: IssueLives;
}

/** Finds them; a running week reaches to the instant asked about. */
export async function finishedInWeek(
  { selection, calendar, week: asked, timeZone }: WeeklyQuestion,
  asker: Asker,
  asOf: Instant,
  reporting: ReportingApi,
): Promise<FinishedInWeek> {
  const { week } = nineWeeks(asked, { asOf, timeZone });
  const all = await finishedIssues({ asker, selection, dateRange: null, asOf, calendar }, reporting);
  const lives = finishedIn(week, all.lives);
  const maybe = mayBeFinishedIn(week, all.lives);
  return { week, lives, maybe, unknown: whyUnknown(week, lives, maybeFinished(maybe), all.provenance), all };
}
