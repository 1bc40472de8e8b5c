import { isFormulaLike } from './spreadsheet/formula-like.ts';

/** Lines of text cells as CSV: RFC 4180, lines end with CRLF, the last one included. */
export function csvText(lines: readonly (readonly string[])[]): string {
  return lines.map(csvLine).join('');
}

/** One of these lines. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/**
 * A text as a cell of CSV. What a spreadsheet would run as a formula gets an apostrophe in front, also behind what
 * separates cells elsewhere: one that splits at semicolons or tabs does not know our quotes in the middle of a line.
 */
export function csvCell(text: string): string {
  const start = isFormulaLike(text) ? `'${text}` : text;
  if (!/[",\r\n;\t]/.test(start)) return start;
  const safe = start.replaceAll(/([;\t\r\n])([^;\t\r\n]+)/g, (whole, separator, rest) =>
    isFormulaLike(rest) ? `${separator}'${rest}` : whole,
  );
  return `"${safe.replaceAll('"', '""')}"`;
}
