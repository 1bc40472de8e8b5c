import { millisecondsInMinute } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import type { Cell, Cells, Row } from '../../model/table.ts';
import { statusName } from './read-rows.ts';
import type { ReportAnswer, VisitAnswer } from './report-answer.ts';

/** Dates are told to the minute: a time between two of them may be off by nearly one each way. */

/** When a visit was; `end` null while it lasts. */
interface Span {
  readonly start: Instant;
  readonly end: Instant | null;
}

/** What is needed beside the visits themselves. */
interface VisitReading {
  readonly issueKey: string;
  readonly own: Cells;
  readonly asOf: Instant;
  readonly instant: (told: string) => Instant;
}

/** One line per visit, in the order told. */
export function readVisits(
  visits: readonly VisitAnswer[],
  answer: ReportAnswer,
  { issueKey, own, asOf, instant }: VisitReading,
): Row[] {
  const { spans, datesAreEnds } = spansOf(visits, answer, { asOf, instant });
  return visits.map((visit, i) => {
    const { start, end } = spans[i] ?? { start: instant(visit.uniqueDate), end: null };
    // Whoever is named beside the end of a visit began the next one.
    const by = (datesAreEnds ? visits[i - 1] : visit)?.transitionedBy;
    const cells: Record<string, Cell> = {
      field: { value: visit.fieldId ?? 'status' },
      ...valueCells(visit, answer),
      start: { value: start },
      ...(end === null ? {} : { end: { value: end } }),
      duration: { value: visit.value },
      ...(by ? { transitionedBy: { value: by } } : {}),
    };
    return { issueKey, own, cells };
  });
}

function valueCells(
  { statusId, valueId, statusName: name, valueName }: VisitAnswer,
  answer: ReportAnswer,
): Record<string, Cell> {
  const id = statusId ?? valueId;
  if (!id) return {};
  const title = name ?? valueName ?? statusName(id, answer) ?? id;
  return { value: { value: title, id }, valueId: { value: id } };
}

function spansOf(
  visits: readonly VisitAnswer[],
  answer: ReportAnswer,
  { asOf, instant }: Pick<VisitReading, 'asOf' | 'instant'>,
): { readonly spans: readonly Span[]; readonly datesAreEnds: boolean } {
  if (visits.every(({ start }) => start !== null && start !== undefined)) {
    const spans = visits.map(({ start, end }) => ({ start: start ?? asOf, end: end ?? null }));
    return { spans, datesAreEnds: false };
  }
  const dates = visits.map(({ uniqueDate }) => instant(uniqueDate));
  const isContinuous = answer.calendar?.is7x24Calendar !== false;
  const spent = visits.map(({ value }) => value);
  return isContinuous && tellsEnds(dates, spent, asOf)
    ? { spans: byEnds(dates, spent, asOf), datesAreEnds: true }
    : { spans: byStarts(dates, spent, { asOf, isContinuous }), datesAreEnds: false };
}

/**
 * The product tells one date per visit and nowhere whether it is the one at which the visit began or ended. Where every
 * hour counts the arithmetic of neighbours tells: a date and its own time make the next date, or a date and the next
 * time do. What fits more often is meant; where both fit, or neither, it is the beginning, as our contract says.
 */
function tellsEnds(dates: readonly Instant[], spent: readonly number[], asOf: Instant): boolean {
  const [asStarts, asEnds] = [fits(dates, spent, 0), fits(dates, spent, 1)];
  if (asStarts !== asEnds) return asEnds > asStarts;
  const [last = asOf, lastSpent = 0] = [dates.at(-1), spent.at(-1)];
  // Of a single visit, or of equal ones, the last tells: an open one lasts until now.
  return !isSame(last + lastSpent, asOf) && isSame(last, asOf);
}

function fits(dates: readonly Instant[], spent: readonly number[], shift: 0 | 1): number {
  return dates.slice(1).filter((next, i) => isSame((dates[i] ?? 0) + (spent[i + shift] ?? 0), next)).length;
}

function isSame(a: Instant, b: Instant): boolean {
  return Math.abs(a - b) <= millisecondsInMinute;
}

/** The last visit lasts unless it can be told that it ended before. */
function byStarts(
  dates: readonly Instant[],
  spent: readonly number[],
  { asOf, isContinuous }: { readonly asOf: Instant; readonly isContinuous: boolean },
): Span[] {
  return dates.map((start, i) => {
    const end = dates[i + 1];
    if (end !== undefined) return { start, end };
    const own = start + (spent[i] ?? 0);
    return { start, end: isContinuous && own < asOf - millisecondsInMinute ? own : null };
  });
}

function byEnds(dates: readonly Instant[], spent: readonly number[], asOf: Instant): Span[] {
  return dates.map((date, i) => ({
    start: dates[i - 1] ?? date - (spent[i] ?? 0),
    end: i === dates.length - 1 && isSame(date, asOf) ? null : date,
  }));
}
