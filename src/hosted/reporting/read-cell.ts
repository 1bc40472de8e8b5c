import type { Instant } from '../../model/issue.ts';
import type { Cell, Column } from '../../model/table.ts';
import { isoText } from '../../time/iso-dates.ts';
import { readJavaDate } from '../../time/read-java-dates.ts';
import type { ReportAnswer, ValueAnswer } from './report-answer.ts';

/** Stands for "never". */
const NEVER = '-';

/** Turns the texts of an answer back into raw values. */
interface CellReader {
  /** A figure or a date of a report. */
  value(column: Column, told: ValueAnswer): Cell | null;
  /** What is told of an issue or a group itself. */
  own(column: Column, told: string): Cell | null;
  /** A date with its time. */
  instant(told: string): Instant;
}

/** `unreadable` makes the failure of a text that is not in the patterns the answer tells. */
export function createCellReader(
  { dateFormat, dateTimeFormat, timeZone, locale }: ReportAnswer,
  unreadable: (what: string) => Error,
): CellReader {
  const writing = { timeZone, locale: locale ?? 'en_US' };
  const instantIn = (told: string) =>
    readJavaDate(told, { ...writing, pattern: dateTimeFormat }) ??
    readJavaDate(told, { ...writing, pattern: dateFormat });

  return {
    value(column, told) {
      const { kind } = column;
      if (told.value === NEVER) return null;
      if (kind === 'instant') return { value: this.instant(told.value) };
      const amount = told.raw ? Number(told.raw) : amountOf(kind, told.value);
      if (!Number.isFinite(amount)) {
        throw unreadable(
          `tells '${told.raw ?? told.value}' in the column ${column.title}, which is no figure.`,
        );
      }
      const visits = told.count ? Number(told.count) : Number.NaN;
      return Number.isFinite(visits) ? { value: amount, visits } : { value: amount };
    },
    own({ kind }, told) {
      if (told === NEVER) return null;
      if (kind === 'instant') {
        const at = instantIn(told);
        return { value: at ?? told };
      }
      if (kind === 'day') return { value: dayOf(told) };
      if (kind === 'text') return { value: told };
      const amount = amountOf(kind, told);
      return { value: Number.isFinite(amount) ? amount : told };
    },
    instant(told) {
      const at = instantIn(told);
      if (at !== null) return at;
      throw unreadable(`tells the date '${told}', which is not written as its dateTimeFormat says.`);
    },
  };

  /** A day is of no zone. */
  function dayOf(told: string): string {
    const at = readJavaDate(told, { ...writing, timeZone: 'UTC', pattern: dateFormat });
    return at === null ? told : isoText(at).slice(0, 10);
  }
}

/** Durations are asked for in seconds with their decimals. */
function amountOf(kind: Column['kind'], told: string): number {
  if (!/^-?\d+(\.\d+)?$/.test(told)) return Number.NaN;
  return kind === 'duration' ? Math.round(Number(told) * 1000) : Number(told);
}
