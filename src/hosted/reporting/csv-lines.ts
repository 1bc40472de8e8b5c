/** A cell in quotes or without, and what follows on it. */
const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\r|\n|$)/y;

/** The lines of a CSV text as cells (RFC 4180), an empty line left out; null for a text that is none. */
export function csvLines(text: string): string[][] | null {
  const body = text.replace(/^\uFEFF/, '');
  const lines: string[][] = [];
  let line: string[] = [];
  for (let at = 0; at <= body.length; ) {
    cell.lastIndex = at;
    const found = cell.exec(body);
    if (found === null) return null;
    const [whole, quoted, plain = '', end] = found;
    line.push(quoted?.replaceAll('""', '"') ?? plain);
    at += whole.length;
    if (end === ',') continue;
    if (line.length > 1 || line[0] !== '') lines.push(line);
    line = [];
    if (end === '') return lines;
  }
  return lines;
}
