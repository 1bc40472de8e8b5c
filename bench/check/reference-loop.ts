/** Numbers that are added up in an order that no cache foresees. */
const SIZE = 1 << 18;
const numbers = Float64Array.from({ length: SIZE }, (_, i) => (i * 7_919) % 1_021);
const order = Uint32Array.from({ length: SIZE }, (_, i) => Math.imul(i, 40_503) & (SIZE - 1));
const text = JSON.stringify(
  Array.from({ length: 400 }, (_, i) => ({
    id: String(i),
    name: `value ${i % 40}`,
    at: i * 1_000,
    done: i % 2 === 0,
  })),
);

/**
 * Work of some ten milliseconds that is the same at every commit and does what questions do: it adds up arrays, groups by a map, parses
 * and sorts. Times divided by its time, measured in the same run, do not depend on how fast the machine is just now.
 */
export function referenceLoop(): number {
  let sum = 0;
  for (let round = 0; round < 4; round += 1) {
    for (let i = 0; i < SIZE; i += 1) sum += numbers[order[i] ?? 0] ?? 0;
    const totals = new Map<string, number>();
    const parsed: readonly { readonly name: string; readonly at: number }[] = JSON.parse(text);
    for (const { name, at } of parsed) totals.set(name, (totals.get(name) ?? 0) + at);
    const sorted = [...totals].sort(([, a], [, b]) => b - a || 1);
    sum += sorted[0]?.[1] ?? 0;
    sum += numbers.slice(0, SIZE >> 4).sort()[round] ?? 0;
  }
  return sum;
}
