import { about, badRequest } from '../../../model/error.ts';
import type { Instant } from '../../../model/issue.ts';
import type { MeasuredQuestion } from '../../../model/question.ts';
import type { Selection } from '../../../model/request.ts';
import { periodIn, type Standpoint } from '../figures/moving-range.ts';
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
