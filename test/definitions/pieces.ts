import { tzOffset } from '@date-fns/tz/tzOffset';
import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import type { DelegateTime } from '../../src/model/delegation.ts';
import type { Instant } from '../../src/model/issue.ts';
import type { TimePeriod } from '../../src/model/request.ts';
import { type HistoryVisit, holds } from './history.ts';

/** A stretch in which an issue had one value of each of two fields. */
export interface Pair {
  readonly one: HistoryVisit;
  readonly other: HistoryVisit;
  readonly start: Instant;
  readonly end: Instant;
}

/**
 * Where the known visits of two fields overlap, in order of time. Visits of 0 ms count as well: where one field or both
 * went through some of them at an instant, what they had then is paired step by step, the last of the shorter repeated.
 */
export function pairsOf(some: readonly HistoryVisit[], others: readonly HistoryVisit[]): readonly Pair[] {
  const lasting = some.flatMap((one) =>
    others.map((other): Pair => {
      const [start, end] = [Math.max(one.start, other.start), Math.min(one.end, other.end)];
      return { one, other, start, end };
    }),
  );
  const moments = [...some, ...others].filter(isMomentary).map(({ start }) => start);
  const momentary = [...new Set(moments)].flatMap((at) => {
    const [steps, otherSteps] = [some, others].map((visits) => visits.filter((visit) => holds(visit, at)));
    const count = Math.max(steps?.length ?? 0, otherSteps?.length ?? 0);
    return Array.from({ length: count }).flatMap((_, i): Pair[] => {
      const [one, other] = [steps?.[i] ?? steps?.at(-1), otherSteps?.[i] ?? otherSteps?.at(-1)];
      if (one === undefined || other === undefined) return [];
      return isMomentary(one) || isMomentary(other) ? [{ one, other, start: at, end: at }] : [];
    });
  });
  return [...lasting.filter(({ start, end }) => start < end), ...momentary]
    .filter(({ one, other }) => one.isKnown && other.isKnown)
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
}

function isMomentary({ start, end }: HistoryVisit): boolean {
  return start === end;
}

/** The time of cover for a person that an instant is in; null: no one covers. */
export function coverAt(times: readonly DelegateTime[], at: Instant): DelegateTime | null {
  return times.find(({ start, end }) => start <= at && at < end) ?? null;
}

/**
 * A span cut wherever who covers for a person may change. An open span holds its last instant too: where that changes just
 * then, it ends with a piece of 0 ms.
 */
export function piecesByCover(
  { start, end, isOpen }: Pick<HistoryVisit, 'start' | 'end' | 'isOpen'>,
  times: readonly DelegateTime[],
): readonly { readonly cover: DelegateTime | null; readonly start: Instant; readonly end: Instant }[] {
  const edges = [...new Set(times.flatMap((time) => [time.start, time.end]))].sort((a, b) => a - b);
  const inside = edges.filter((edge) => start < edge && (edge < end || (edge === end && isOpen)));
  const starts = [start, ...inside];
  return starts.map((at, i) => ({ cover: coverAt(times, at), start: at, end: starts[i + 1] ?? end }));
}

/** The instant since which the person who covers at another instant, or no one, has covered; null: it was never otherwise. */
export function coveredSince(times: readonly DelegateTime[], at: Instant): Instant | null {
  const keyAt = (instant: Instant) => {
    const cover = coverAt(times, instant);
    return cover === null ? null : `${cover.category.id} ${cover.delegate}`;
  };
  const edges = times.flatMap(({ start, end }) => [start, end]).filter((edge) => edge <= at);
  const changed = edges.filter((edge) => keyAt(edge - 1) !== keyAt(edge));
  return changed.length === 0 ? null : Math.max(...changed);
}

/** A part of a span on one local day. */
interface DayPiece {
  /** yyyy-MM-dd. */
  readonly date: string;
  readonly start: Instant;
  readonly end: Instant;
}

/** A span by the local days of a zone. One of 0 ms is on the day that holds it; a day that begins at its end has no part. */
function piecesByDay(start: Instant, end: Instant, timeZone: string): readonly DayPiece[] {
  const pieces: DayPiece[] = [];
  let date = isoDate(start + offsetMs(start, timeZone));
  do {
    const next = isoDate(Date.parse(date) + millisecondsInDay);
    pieces.push({
      date,
      start: Math.max(start, midnight(date, timeZone)),
      end: Math.min(end, midnight(next, timeZone)),
    });
    date = next;
  } while (midnight(date, timeZone) < end);
  return pieces;
}

/** The instant of a local midnight; for zones whose clocks do not change at midnight. */
function midnight(date: string, timeZone: string): Instant {
  const wall = Date.parse(date);
  return wall - offsetMs(wall - offsetMs(wall, timeZone), timeZone);
}

function offsetMs(at: Instant, timeZone: string): number {
  return tzOffset(timeZone, new Date(at)) * millisecondsInMinute;
}

function isoDate(wall: number): string {
  return new Date(wall).toISOString().slice(0, 'yyyy-MM-dd'.length);
}

/** The parts of a span by period, as ids such as 2026-03-02, 2026-W10, 2026-03, 2026-Q1 and 2026: the days of each together. */
export function piecesByPeriod(
  { start, end }: Pick<HistoryVisit, 'start' | 'end'>,
  period: TimePeriod,
  timeZone: string,
): ReadonlyMap<string, readonly DayPiece[]> {
  return Map.groupBy(piecesByDay(start, end, timeZone), ({ date }) => periodOf(date, period));
}

/** The id of the period that an instant is in. */
export function periodAtInstant(at: Instant, period: TimePeriod, timeZone: string): string {
  return periodOf(isoDate(at + offsetMs(at, timeZone)), period);
}

/** The period of a date; weeks are those of ISO 8601, with the year of their Thursday. */
function periodOf(date: string, period: TimePeriod): string {
  const [year = '', month = ''] = date.split('-');
  switch (period) {
    case 'Day':
      return date;
    case 'Week': {
      const wall = Date.parse(date);
      const daysFromThursday = ((new Date(wall).getUTCDay() + 6) % 7) - 3;
      const thursday = isoDate(wall - daysFromThursday * millisecondsInDay);
      const [ofYear = ''] = thursday.split('-');
      const days = (Date.parse(thursday) - Date.parse(`${ofYear}-01-01`)) / millisecondsInDay;
      return `${ofYear}-W${String(Math.floor(days / 7) + 1).padStart(2, '0')}`;
    }
    case 'Month':
      return `${year}-${month}`;
    case 'Quarter':
      return `${year}-Q${Math.ceil(Number(month) / 3)}`;
    case 'Year':
      return year;
  }
}
