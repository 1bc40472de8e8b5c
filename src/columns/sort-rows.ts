/** A rest where the time slice is used up, to be awaited; null where it is not. */
export type Rest = () => Promise<void> | null;

/** Which of two rows comes first: negative, the one given first. */
export type CompareRows = (a: number, b: number) => number;

/** Rows sorted at once; a millisecond or two. */
const RUN_ROWS = 4096;

/** Rows merged between two looks at the time slice. */
const MERGED_AT_ONCE = 8192;

/** The rows in order; others get their turn while many are sorted. */
export async function sortRows(rows: Uint32Array, compare: CompareRows, rest: Rest): Promise<Uint32Array> {
  let runs: Uint32Array[] = [];
  for (let start = 0; start < rows.length; start += RUN_ROWS) {
    runs.push(rows.slice(start, start + RUN_ROWS).sort(compare));
    const due = rest();
    if (due !== null) await due;
  }
  while (runs.length > 1) {
    const merged: Uint32Array[] = [];
    for (let i = 0; i < runs.length; i += 2) {
      const [one, other] = [runs[i], runs[i + 1]];
      if (one !== undefined)
        merged.push(other === undefined ? one : await mergeRows([one, other], compare, rest));
    }
    runs = merged;
  }
  return runs[0] ?? new Uint32Array();
}

/** Two lists in order as one. */
export async function mergeRows(
  [some, others]: readonly [Uint32Array, Uint32Array],
  compare: CompareRows,
  rest: Rest,
): Promise<Uint32Array> {
  const merged = new Uint32Array(some.length + others.length);
  let [one, other] = [0, 0];
  while (one < some.length && other < others.length) {
    const end = Math.min(merged.length, one + other + MERGED_AT_ONCE);
    for (let at = one + other; at < end && one < some.length && other < others.length; at += 1) {
      const [a, b] = [some[one] ?? 0, others[other] ?? 0];
      const isFirst = compare(a, b) <= 0;
      merged[at] = isFirst ? a : b;
      if (isFirst) one += 1;
      else other += 1;
    }
    const due = rest();
    if (due !== null) await due;
  }
  merged.set(some.subarray(one), one + other);
  merged.set(others.subarray(other), some.length + other);
  return merged;
}
