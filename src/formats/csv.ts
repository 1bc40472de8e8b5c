/**
 * Lines of text cells as CSV: RFC 4180, lines end with CRLF, the last one included. A cell that a spreadsheet
 * would run as a formula gets an apostrophe in front (OWASP, CSV injection); a lone "-" and a number are no formulas.
 */
export function csvText(lines: readonly (readonly string[])[]): string {
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(text: string): string {
  const harmless = text === '-' || /^-?\d+(\.\d+)?$/.test(text);
  const safe = /^[=+\-@\t\r]/.test(text) && !harmless ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
