import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import { dateText, dayText, type PatternPart, patternParts, readIsoDay } from '../../time/date-text.ts';
import { offsetAt } from '../../time/zones.ts';
import type { SheetColumn, SheetRow, Workbook } from '../workbook.ts';

/** The writer of a file's cells, in the order of the columns; empty cells are left out. */
export interface CellSink {
  /** `quoted`: a spreadsheet would run the text, were it typed; the style must say that it is text. */
  text(column: number, text: string, quoted: boolean): void;
  /** `measured`: in a unit, and so shown with two decimals, whatever the value; a plain number is shown as it is. */
  number(column: number, value: number, measured: boolean): void;
  /** A serial number to be shown as an instant or as a day. */
  date(column: number, serial: number, kind: 'instant' | 'day'): void;
}

/**
 * Writes the cells of a row to a sink, texts cut to what a cell holds. Throws RangeError for a number that is not
 * finite: no cell can hold it, and an empty one would say "never".
 */
export function writeCells(
  row: SheetRow,
  columns: readonly SheetColumn[],
  dates: DateCells,
  sink: CellSink,
): void {
  for (let at = 0; at < columns.length; at += 1) {
    const value = row[at] ?? null;
    if (value === null) continue;
    const kind = columns[at]?.kind;
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) throw new RangeError(`Column '${columns[at]?.id}' holds ${value}.`);
      const cell = kind === 'instant' ? dates.instantCell(value) : value;
      if (typeof cell === 'string') writeText(at, cell, sink);
      else if (kind === 'instant') sink.date(at, cell, 'instant');
      else sink.number(at, cell, columns[at]?.unit !== null);
    } else {
      const cell = kind === 'day' ? dates.dayCell(value) : value;
      if (typeof cell === 'string') writeText(at, cell, sink);
      else sink.date(at, cell, 'day');
    }
  }
}

/** Writes the titles of the columns to a sink. */
export function writeTitles(columns: readonly SheetColumn[], sink: CellSink): void {
  for (const [at, { title }] of columns.entries()) writeText(at, title, sink);
}

function writeText(column: number, text: string, sink: CellSink): void {
  sink.text(column, cellText(text), isFormulaLike(text));
}

/** The most UTF-16 units in a cell of Excel. */
const MAX_TEXT = 32_767;

/** Characters are looked for at the cut only, so that no pile of combining marks takes the whole text away. */
const MAX_CHARACTER = 64;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A text as a cell can hold it: cut between characters, with "…" at the end; halves of characters become U+FFFD. */
export function cellText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  if (whole.length <= MAX_TEXT) return whole;
  return `${whole.slice(0, cutBefore(whole, MAX_TEXT - 1))}…`;
}

/** The last border between characters that is not after `max`. */
function cutBefore(text: string, max: number): number {
  const from = max - MAX_CHARACTER;
  const found = characters.segment(text.slice(from, max + MAX_CHARACTER)).containing(MAX_CHARACTER);
  if (found !== undefined && found.index > 0) return from + found.index;
  return /[\uDC00-\uDFFF]/.test(text.charAt(max)) ? max - 1 : max;
}

const formulaStart = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u;
const harmless = /^\s*-(\d+(\.\d+)?)?\s*$/;

/**
 * True if a spreadsheet would run a text that is typed, or read from a CSV, as a formula (OWASP, CSV injection). A lone
 * "-" and a number are no formulas; a tab or the end of a line in front is as bad as one.
 */
export function isFormulaLike(text: string): boolean {
  const first = text.charCodeAt(0);
  // Nearly every text begins with an ASCII letter or digit, and testing that is much quicker than the patterns.
  if ((first >= 0x41 && first <= 0x7a) || (first >= 0x30 && first <= 0x39)) return false;
  if (first === 0x09 || first === 0x0a || first === 0x0d) return true;
  return formulaStart.test(text) && !harmless.test(text);
}

/** The form of a workbook's dates in the cells of a spreadsheet. */
export interface DateCells {
  readonly instant: DateLook;
  readonly day: DateLook;
  /** A serial number to be shown in `instant.code`, or text where spreadsheets do not know the date. */
  instantCell(value: Instant): number | string;
  /** A serial number to be shown in `day.code`, or text where spreadsheets do not know the date. */
  dayCell(value: string): number | string;
}

/** A number format of Excel, and how many characters its longest date takes. */
interface DateLook {
  readonly code: string;
  readonly width: number;
}

/** A Wednesday in September: nothing reads longer. */
const MAX_DATE = Date.UTC(2026, 8, 30, 22, 58, 58, 888);

/** Dates by the patterns and in the zone of a workbook; where Excel lacks a letter of the pattern, in ISO's order. */
export function dateCells({ timeZone, formats }: Pick<Workbook, 'timeZone' | 'formats'>): DateCells {
  const { dateFormat, dateTimeFormat } = formats;
  const instant = look(dateTimeFormat, 'yyyy-mm-dd hh:mm:ss');
  const unit = instant.code.includes('.000') ? 1 : 1000;
  return {
    instant,
    day: look(dateFormat, 'yyyy-mm-dd'),
    instantCell: (value) => excelInstant(value, timeZone, unit) ?? dateText(value, dateTimeFormat, timeZone),
    dayCell: (value) => excelDay(value) ?? dayText(value, dateFormat),
  };
}

function look(pattern: string, otherwise: string): DateLook {
  const code = excelPattern(pattern);
  if (code === null) return { code: otherwise, width: otherwise.length };
  return { code, width: dateText(MAX_DATE, pattern, 'UTC').length };
}

/** Day 0 of the count, which holds a 29 February 1900 that never was: right from 1 March 1900, day 61, on. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
const FIRST = Date.UTC(1900, 2, 1);
const END = Date.UTC(10000, 0, 1);

/**
 * The wall clock of an IANA zone as a serial number of Excel's 1900 system: days, with the time as a fraction. `unit`
 * (ms) is what the clock is cut to, since spreadsheets round where a Java pattern cuts. Null before 1 March 1900 and
 * after 9999.
 */
function excelInstant(instant: Instant, timeZone: string, unit: number): number | null {
  return serial(Math.floor((instant + offsetAt(instant, timeZone)) / unit) * unit);
}

/** The serial number of a day written yyyy-MM-dd; null for any other text and outside of 1900-03-01 to 9999-12-31. */
function excelDay(day: string): number | null {
  const at = readIsoDay(day);
  return at === null ? null : serial(at);
}

function serial(clock: number): number | null {
  return clock >= FIRST && clock < END ? (clock - DAY_ZERO) / millisecondsInDay : null;
}

/** The code of Excel for a letter of Java, by how often it is repeated; null where Excel has none for the same. */
const codes: Readonly<Record<string, (count: number) => string | null>> = {
  y: (count) => (count === 2 ? 'yy' : count <= 4 ? 'yyyy' : null),
  M: month,
  L: month,
  d: twoAtMost('d'),
  E: (count) => (count < 4 ? 'ddd' : 'dddd'),
  H: twoAtMost('h'),
  // Midnight as 24 or as 0 AM has no code; 0 and 12 AM are the same moment.
  k: twoAtMost('h'),
  h: twoAtMost('h'),
  K: twoAtMost('h'),
  m: twoAtMost('m'),
  s: twoAtMost('s'),
  S: (count) => (count === 3 ? '.000' : null),
  a: () => 'AM/PM',
};

/** A format longer than that is none in any version of Excel. */
const MAX_CODE = 255;

/**
 * The number format that shows a date as a Java pattern does; null when there is none. Names of months and days are
 * English everywhere, as Java's are here.
 */
function excelPattern(pattern: string): string | null {
  const all = patternParts(pattern);
  const letters = all.flatMap(({ letter }, at) => (letter === null ? [] : [at]));
  if (letters.length === 0 || !fits(all)) return null;
  let code = all.some(isWord) ? '[$-409]' : '';
  for (const [at, part] of all.entries()) {
    const { letter, text } = part;
    const own = letter === null ? literal(text, all[at + 1]) : (codes[letter]?.(text.length) ?? null);
    if (own === null || misread(all, letters, at)) return null;
    code += own;
  }
  return code.length > MAX_CODE ? null : code;
}

function month(count: number): string {
  return 'm'.repeat(Math.min(count, 4));
}

function twoAtMost(code: string): (count: number) => string | null {
  return (count) => (count > 2 ? null : code.repeat(count));
}

/** With AM/PM Excel counts hours to 12, without it to 24. */
function fits(all: readonly PatternPart[]): boolean {
  const has = (...wanted: string[]) => all.some(({ letter }) => letter !== null && wanted.includes(letter));
  return has('a') ? !has('H', 'k') : !has('h', 'K');
}

function isWord({ letter, text }: PatternPart): boolean {
  return letter === 'a' || letter === 'E' || ((letter === 'M' || letter === 'L') && text.length > 2);
}

/** Excel takes m and mm for minutes right behind hours or before seconds, and for the month everywhere else. */
function misread(all: readonly PatternPart[], letters: readonly number[], at: number): boolean {
  const { letter, text } = all[at] ?? { letter: null, text: '' };
  const index = letters.indexOf(at);
  const before = all[letters[index - 1] ?? -1]?.letter ?? '';
  const after = all[letters[index + 1] ?? -1]?.letter ?? '';
  if (letter === 'S') return !(before === 's' && isDecimalSign(all[at - 1]) && letters[index - 1] === at - 2);
  const asMinutes = /[HkhK]/.test(before) || after === 's';
  if (letter === 'm') return !asMinutes;
  return (letter === 'M' || letter === 'L') && text.length < 3 && asMinutes;
}

function isDecimalSign(part: PatternPart | undefined): boolean {
  return part?.letter === null && (part.text === '.' || part.text === ',');
}

/** The decimal sign of seconds is part of their code, and is the reader's own. */
function literal(text: string, next: PatternPart | undefined): string | null {
  if (next?.letter === 'S' && isDecimalSign({ letter: null, text })) return '';
  if (/\p{Cc}/u.test(text)) return null;
  return text.replaceAll(/[^ :-]+/g, (run) =>
    run.length === 1 || run.includes('"') ? run.replaceAll(/./gu, '\\$&') : `"${run}"`,
  );
}
