import type { SheetValue } from '../../src/output/workbook.ts';
import type { ReadCell } from './read-sheet.ts';

/** A value to be written and what the kinds of files are to hold, said by hand and not by our own code. */
export interface Fact {
  readonly value: SheetValue;
  /** In a workbook. */
  readonly cell: ReadCell;
  readonly csv: string;
  readonly json: ReadCell;
}

export const empty: Fact = { value: null, cell: null, csv: '', json: null };

/** Names what differs from the text itself. */
export function text(
  value: string,
  { cell = value, csv = value }: { cell?: string; csv?: string } = {},
): Fact {
  return { value, cell, csv, json: value };
}

/** Names how CSV writes it, where that is not what JavaScript writes. */
export function number(value: number, csv = String(value)): Fact {
  return { value, cell: value, csv, json: value };
}

/** An instant written as ISO 8601 in UTC with milliseconds, and what the clock of the workbook's zone shows. */
export function instant(iso: string, clock: string): Fact {
  return { value: Date.parse(iso), cell: { date: clock }, csv: clock, json: iso };
}

/** A day written yyyy-MM-dd. */
export function day(value: string): Fact {
  return { value, cell: { date: value }, csv: value, json: value };
}

/** A date that spreadsheets do not know, and have as a text. */
export function earlyDate(known: Fact): Fact {
  return { ...known, cell: known.csv };
}
