import type { ReadCell, ReadSheet } from './read-sheet.ts';

/** How many cells were looked at, and what is not as it should be, in words. */
export interface Comparison {
  readonly cells: number;
  readonly differences: readonly string[];
}

/** Compares sheets by their names: which there are, how many rows they have, and each cell with its type. */
export function compareSheets(wanted: readonly ReadSheet[], found: readonly ReadSheet[]): Comparison {
  const differences: string[] = [];
  let cells = 0;
  for (const { name } of found) {
    if (!wanted.some((sheet) => sheet.name === name)) differences.push(`a sheet '${name}' too many`);
  }
  for (const { name, rows } of wanted) {
    const others = found.find((sheet) => sheet.name === name)?.rows;
    if (others === undefined) {
      differences.push(`no sheet '${name}'`);
      continue;
    }
    if (others.length !== rows.length) {
      differences.push(`sheet '${name}': ${others.length} rows instead of ${rows.length}`);
    }
    for (const [at, row] of rows.entries()) {
      const other = others[at] ?? [];
      const columns = Math.max(row.length, other.length);
      for (let column = 0; column < columns; column += 1) {
        const [want, have] = [told(row[column]), told(other[column])];
        cells += 1;
        if (want === have) continue;
        differences.push(
          `sheet '${name}', row ${at + 1}, column ${column + 1}: ${apart(have, want)} instead of ${apart(want, have)}`,
        );
      }
    }
  }
  return { cells, differences };
}

/** JSON keeps types apart, and has one zero. */
function told(cell: ReadCell | undefined): string {
  return JSON.stringify(cell ?? null);
}

const SHOWN = 60;

/** A text from a little before where it leaves the other one. */
function apart(text: string, other: string): string {
  if (text.length <= SHOWN) return text;
  let at = 0;
  while (at < text.length && text[at] === other[at]) at += 1;
  const start = Math.max(0, at - SHOWN / 3);
  return `${start > 0 ? '…' : ''}${text.slice(start, start + SHOWN)}… (${text.length})`;
}
