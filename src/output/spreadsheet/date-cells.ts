import type { Instant } from '../../model/issue.ts';
import { dateText, dayText } from '../../time/java-dates.ts';
import type { Workbook } from '../workbook.ts';
import { excelDay, excelInstant } from './excel-date.ts';
import { excelPattern } from './excel-pattern.ts';

/** How the dates of a workbook stand in the cells of a spreadsheet. */
export interface DateCells {
  readonly instant: DateLook;
  readonly day: DateLook;
  /** A serial number to be shown in `instant.code`, or text where spreadsheets do not know the date. */
  instantCell(value: Instant): number | string;
  /** The same for `day.code`. */
  dayCell(value: string): number | string;
}

/** A number format of Excel, and how many characters its longest date takes. */
export interface DateLook {
  readonly code: string;
  readonly width: number;
}

/** A Wednesday in September: nothing reads longer. */
const LONGEST_DATE = Date.UTC(2026, 8, 30, 22, 58, 58, 888);

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
  return { code, width: dateText(LONGEST_DATE, pattern, 'UTC').length };
}
