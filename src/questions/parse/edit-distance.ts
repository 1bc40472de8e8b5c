/** How many letters have to be put in, left out, replaced or swapped with their neighbour to make one word another. */
export function editDistance(from: string, to: string): number {
  let older: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = at(previous, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
          ? at(older, j - 2) + 1
          : replaced;
      row.push(Math.min(replaced, swapped, at(previous, j) + 1, at(row, j - 1) + 1));
    }
    [older, previous] = [previous, row];
  }
  return at(previous, to.length);
}

function at(row: readonly number[], i: number): number {
  return row[i] ?? Number.POSITIVE_INFINITY;
}
