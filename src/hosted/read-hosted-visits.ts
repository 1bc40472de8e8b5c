import { millisecondsInMinute } from 'date-fns/constants';
import type { Instant } from '../model/issue.ts';
import type { Cell, Cells, Row } from '../model/table.ts';
import { type ReportAnswer, statusesIn, type VisitAnswer } from './report-answer.ts';

/** What is needed beside the visits themselves. */
interface VisitReading {
  readonly issueKey: string;
  readonly own: Cells;
  readonly asOf: Instant;
  readonly instant: (text: string) => Instant;
}

/**
 * One line per visit, in the order of the answer. By the contract a visit has a start and an end; the product gives one
 * date, which is taken for the start unless only as the end it fits the time spent.
 */
export function readHostedVisits(
  visits: readonly VisitAnswer[],
  answer: ReportAnswer,
  { issueKey, own, asOf, instant }: VisitReading,
): Row[] {
  const isDated = visits.every(({ start }) => start !== null && start !== undefined);
  const dates = visits.map(({ uniqueDate, start }) => start ?? instant(uniqueDate));
  const spent = visits.map(({ value }) => value);
  const areEnds = !isDated && answer.calendar?.is7x24Calendar !== false && fitAsEnds(dates, spent, asOf);
  return visits.map((visit, i) => {
    const date = dates[i] ?? asOf;
    const start = areEnds ? (dates[i - 1] ?? date - visit.value) : date;
    const last = areEnds && !isSame(date, asOf) ? date : null;
    const end = isDated ? visit.end : i === dates.length - 1 ? last : areEnds ? date : dates[i + 1];
    // The person named beside the end of a visit began the next one.
    const by = (areEnds ? visits[i - 1] : visit)?.transitionedBy;
    const cells: Record<string, Cell> = {
      field: { value: visit.fieldId ?? 'status' },
      ...valueCells(visit, answer),
      start: { value: start },
      ...(end === null || end === undefined ? {} : { end: { value: end } }),
      duration: { value: visit.value },
      ...(by ? { transitionedBy: { value: by } } : {}),
    };
    return { issueKey, own, cells };
  });
}

function valueCells(visit: VisitAnswer, answer: ReportAnswer): Record<string, Cell> {
  const id = visit.statusId ?? visit.valueId;
  if (!id) return {};
  const status = statusesIn(answer).find((one) => one.id === id);
  const title = visit.statusName ?? visit.valueName ?? status?.name ?? id;
  return { value: { value: title, id }, valueId: { value: id } };
}

/** Where every hour counts, each date follows from its neighbor and the time spent between. */
function fitAsEnds(dates: readonly Instant[], spent: readonly number[], asOf: Instant): boolean {
  const matches = (shift: 0 | 1) =>
    dates.every((date, i) => {
      const next = dates[i + 1] ?? asOf;
      return isSame(date + (spent[i + shift] ?? 0), next);
    });
  return matches(1) && !matches(0);
}

/** Dates come to the minute: a time between two of them may be off by nearly one each way. */
function isSame(a: Instant, b: Instant): boolean {
  return Math.abs(a - b) <= millisecondsInMinute;
}
