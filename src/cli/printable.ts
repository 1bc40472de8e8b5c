/** The line without line breaks and what commands a terminal: what files and imports tell may hold both. */
export function printable(line: string): string {
  return line.replace(/\p{Cc}+/gu, ' ');
}
