import { about, badRequest } from '../../../model/error.ts';
import type { Instant } from '../../../model/issue.ts';
import type { MeasuredQuestion } from '../../../model/question.ts';
import type { Selection } from '../../../model/request.ts';
import type { Provenance } from '../../../model/table.ts';
import { doubtsOf } from '../../outcomes/issue-outcomes.ts';
import type { DoubtfulIssue } from '../../outcomes/outcomes-api.ts';
import { dataEndsBefore } from '../../outcomes/read-table.ts';
import { periodIn, type Standpoint } from '../figures/moving-range.ts';
import type { ReportingContext } from '../question-kind.ts';
import type { Week } from './weekly-answer.ts';

/** The aggregates of an ISO week: the last whole one, the running one, or the one an instant lies in. */
export interface WeeklyQuestion extends MeasuredQuestion {
  readonly kind: 'weekly';
  readonly selection: Selection;
  readonly week: 'last' | 'this' | Instant;
}

/** Something of a week, of the week before, and of the seven before that, the oldest first. */
export interface Nine<Thing> {
  readonly earlier: readonly Thing[];
  readonly weekBefore: Thing;
  readonly week: Thing;
}

const EARLIER = 7;

/** `bad-request` for a week that has not begun by the instant of the answer, and for an unknown zone. */
export function nineWeeks(which: WeeklyQuestion['week'], { asOf, timeZone }: Standpoint): Nine<Week> {
  const at = typeof which === 'number' ? which : asOf;
  const latest = which === 'last' ? 1 : 0;
  const weekBack = (back: number): Week => {
    const { id, start, end } = periodIn(at, 'Week', timeZone, latest + back);
    return { id, start, end, whole: end <= asOf };
  };
  const week = weekBack(0);
  if (week.start > asOf) {
    throw badRequest(
      about(
        'week',
        `'${week.id}' has not begun. Try: weeks up to ${periodIn(asOf, 'Week', timeZone, 0).id}.`,
      ),
    );
  }
  return nineOf(Array.from({ length: EARLIER + 2 }, (_, i) => weekBack(EARLIER + 1 - i)));
}

/** The eight before the week, the oldest first. */
export function weeksBefore<Thing>({ earlier, weekBefore }: Nine<Thing>): readonly Thing[] {
  return [...earlier, weekBefore];
}

/** All nine, the oldest first. */
export function allWeeks<Thing>(nine: Nine<Thing>): readonly Thing[] {
  return [...weeksBefore(nine), nine.week];
}

/** Nine things, the oldest first, as those of the weeks they are of. */
export function nineOf<Thing>(all: readonly Thing[]): Nine<Thing> {
  const [weekBefore, week] = all.slice(EARLIER);
  if (weekBefore === undefined || week === undefined) throw new Error('There are nine weeks.');
  return { earlier: all.slice(0, EARLIER), weekBefore, week };
}

/**
 * Why it is unknown how many issues were finished in a week; null where it is known. Issues that were finished are counted
 * whatever else is unknown, but none is only where none can have been.
 */
export function unknownReason(
  week: Week,
  finished: number,
  maybe: readonly DoubtfulIssue[],
  provenance: Pick<Provenance, 'asOf' | 'dataAsOf' | 'undecided' | 'unasked'>,
): string | null {
  if (finished > 0) return null;
  const dataEnd = dataEndsBefore(week.end, provenance);
  if (dataEnd !== null) return `the data ends before the week ${dataEnd < week.start ? 'begins' : 'does'}`;
  const { unclear, doneSinceUnknown } = doubtsOf(maybe);
  const [first, ...others] = [...unclear, ...doneSinceUnknown];
  if (first !== undefined) {
    const which =
      others.length === 0
        ? `${first.key} may have been finished then`
        : `${others.length + 1} issues may have been finished then, ${first.key} among them`;
    return `${which}: ${first.reason}`;
  }
  const { undecided, unasked = 0 } = provenance;
  if (undecided + unasked === 0) return null;
  const unsure = undecided + unasked;
  return `it is unknown whether ${unsure === 1 ? '1 issue belongs' : `${unsure} issues belong`} here`;
}

/**
 * Finds the issues finished in the week of a question, and why it is unknown how many they are (null: it is known). A running
 * week reaches to the instant of the answer.
 */
export async function finishedInWeek(
  { selection, calendar, week: which, timeZone }: WeeklyQuestion,
  { principal, asOf, parts: { reporting } }: ReportingContext,
) {
  const { week } = nineWeeks(which, { asOf, timeZone });
  const found = await reporting.finishedSpans({
    principal,
    selection,
    asOf,
    calendar,
    bounds: [week.start, week.end],
  });
  const [span] = found.spans;
  if (span === undefined) throw new Error('There is a span.');
  const unknown = unknownReason(week, span.finished, found.doubtful, found.provenance);
  return { week, found, span, unknown };
}
