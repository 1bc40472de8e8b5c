import type { SheetColumn, SheetRow, SheetValue } from '../workbook.ts';
import type { DateCells } from './date-cells.ts';

const NARROWEST = 8;
const WIDEST = 60;

/** What the button of the filter takes from a title, which is bold as well. */
const BUTTON = 4;

/** In the general format a number is shown with about as many digits as that. */
const LONGEST_NUMBER = 12;

/** Widths of columns in characters, by their titles and the rows at hand. */
export function columnWidths(
  columns: readonly SheetColumn[],
  rows: readonly SheetRow[],
  dates: Pick<DateCells, 'instant' | 'day'>,
): readonly number[] {
  return columns.map(({ title, kind }, at) => {
    const date = kind === 'instant' ? dates.instant.width : kind === 'day' ? dates.day.width : 0;
    let width = Math.max(NARROWEST, textWidth(title) + BUTTON, date + 1);
    for (const row of rows) width = Math.max(width, valueWidth(row[at] ?? null, kind) + 1);
    return Math.min(width, WIDEST);
  });
}

function valueWidth(value: SheetValue, kind: SheetColumn['kind']): number {
  if (value === null) return 0;
  if (typeof value === 'string') return kind === 'day' ? 0 : textWidth(value);
  return kind === 'instant' ? 0 : Math.min(String(value).length, LONGEST_NUMBER);
}

/** The longest line; ideographs and the like take two characters' place. */
function textWidth(text: string): number {
  let [longest, width] = [0, 0];
  for (let at = 0; at < text.length && longest < WIDEST; at += 1) {
    const code = text.charCodeAt(at);
    width = code === 0x0a ? 0 : width + (code >= 0x2e80 && code < 0xd800 ? 2 : 1);
    longest = Math.max(longest, width);
  }
  return longest;
}
