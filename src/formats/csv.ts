import { isFormulaLike } from './spreadsheet/formula-like.ts';

/** Lines of text cells as CSV: RFC 4180, lines end with CRLF, the last one included. */
export function csvText(lines: readonly (readonly string[])[]): string {
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

/** A text as a cell of CSV. What a spreadsheet would run as a formula gets an apostrophe in front. */
export function csvCell(text: string): string {
  const safe = isFormulaLike(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
