/** The rows of a table with a line each and ` → ` between its cells. */
export function rowsOf(table: string): readonly string[][] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' → '));
}
