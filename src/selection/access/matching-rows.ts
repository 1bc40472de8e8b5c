import {
  type ChosenRows,
  chooseInPlace,
  joinChosen,
  type RowFacts,
} from '../../engine/columns/choose-rows.ts';
import { simplified } from '../../engine/columns/evaluate-rows.ts';
import { type RowPredicate, textFieldsOf, YES } from '../../engine/columns/row-predicates.ts';
import { chooseThere, WORKERS_FROM } from '../../engine/measure/kernels/run-kernel.ts';
import type { Instant } from '../../model/issue.ts';
import type { JqlQuery, Loaded } from '../jql/jql.ts';
import { loadedColumns } from './loaded-rows.ts';
import type { QueryContext, QueryWorld } from './query-context.ts';
import { holdTexts, partsOf, type Read } from './selected-issues.ts';

/** The rows, the issue created last being the first, for which all conditions hold, and for how many that is unknown. */
export async function matchingRows(
  conditions: readonly Pick<JqlQuery, 'predicate' | 'predicateOver'>[],
  read: Read,
  { asOf, world, pace }: Pick<QueryContext, 'asOf' | 'pace'> & { readonly world: QueryWorld },
): Promise<Pick<ChosenRows, 'rows' | 'unknown'> & { readonly facts: RowFacts | null }> {
  const { columns } = world.table;
  const all = simplified({ kind: 'all', of: conditions.map(({ predicate }) => predicate) });
  const { within, others: predicate } = splitByCreation(all);
  const rows = createdWithin(world.rows(), world, within, asOf);
  if (predicate.kind === 'constant' && predicate.truth === YES) return { rows, unknown: 0, facts: null };
  const choose = () =>
    columns.reading(async () => {
      const arrays = columns.arrays();
      if (rows.length >= WORKERS_FROM) return chooseThere({ arrays, rows, predicate, asOf });
      const own = new Uint32Array(rows);
      const parts: Parameters<typeof joinChosen>[1][number][] = [];
      let from = 0;
      for await (const part of partsOf(own, pace)) {
        parts.push({ from, chosen: chooseInPlace(predicate, arrays, part, asOf) });
        from += part.length;
      }
      return joinChosen(own, parts);
    });
  let chosen = await choose();
  const toRead = () => chosen.needsIssue.length;
  if (toRead() > 0 && (await holdTexts(world.table, textFieldsOf(all), toRead()))) chosen = await choose();
  if (toRead() === 0) return chosen;
  let { unknown } = chosen;
  const matching = new Set<number>();
  // Issues that are gone by now do not match.
  for await (const { loaded, rows: some } of loadedColumns(chosen.needsIssue, { asOf, world, read, pace })) {
    const over = conditions.map(({ predicateOver }) => predicateOver(loaded));
    const found = chooseAmong({ kind: 'all', of: over }, loaded, asOf);
    for (const row of found.rows) matching.add(some[row] ?? -1);
    unknown += found.unknown;
  }
  const rest = pace();
  if (rest !== null) await rest;
  const added = chosen.needsIssue.filter((row) => matching.has(row));
  return { rows: mergedInOrder(rows, chosen.rows, added), unknown, facts: null };
}

/** The rows of loaded issues for which a predicate holds. Fails where only an issue would show it. */
export function chooseAmong(
  predicate: RowPredicate,
  { arrays, rows }: Loaded,
  asOf: Instant,
): Pick<ChosenRows, 'rows' | 'unknown'> {
  const chosen = rows.slice();
  const { count, unknown, needsIssue } = chooseInPlace(predicate, arrays, chosen, asOf);
  if (needsIssue.length > 0) throw new Error('Columns of loaded issues do not show all there is to know.');
  return { rows: chosen.subarray(0, count), unknown };
}

/** Both of two parts of some rows, each in the order of these. */
function mergedInOrder(rows: Uint32Array, one: Uint32Array, other: Uint32Array): Uint32Array {
  const merged = new Uint32Array(one.length + other.length);
  let [first, second] = [0, 0];
  for (let i = 0; first + second < merged.length; i += 1) {
    const row = rows[i] ?? 0;
    if (first < one.length && one[first] === row) merged[first++ + second] = row;
    else if (second < other.length && other[second] === row) merged[first + second++] = row;
  }
  return merged;
}

/** Issues created from an instant on, before another. */
interface CreationRange {
  readonly from: Instant;
  readonly until: Instant;
}

/** When the issues were created for which a simplified predicate can hold, and what has to hold besides. */
function splitByCreation(predicate: RowPredicate): {
  readonly within: CreationRange;
  readonly others: RowPredicate;
} {
  const parts = predicate.kind === 'all' ? predicate.of : [predicate];
  let [from, until] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const others: RowPredicate[] = [];
  for (const part of parts) {
    if (part.kind !== 'instant' || part.column !== 'created') others.push(part);
    else [from, until] = [Math.max(from, part.from), Math.min(until, part.until)];
  }
  return { within: { from, until }, others: simplified({ kind: 'all', of: others }) };
}

/** The rows, the issue created last being the first, whose issues had been created by an instant. */
export function createdBy(rows: Uint32Array, visible: Pick<QueryWorld, 'table'>, asOf: Instant): Uint32Array {
  return createdWithin(rows, visible, everSince, asOf);
}

const everSince: CreationRange = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };

/** The rows of `createdBy` whose issues were created within some time as well. */
function createdWithin(
  rows: Uint32Array,
  { table }: Pick<QueryWorld, 'table'>,
  { from, until }: CreationRange,
  asOf: Instant,
): Uint32Array {
  const { created } = table.columns.arrays();
  /** The place of the first row whose issue was not created too late, or not even that. */
  const placeOf = (isTooLate: (at: Instant) => boolean) => {
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isTooLate(created[rows[middle] ?? 0] ?? 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const first = placeOf((at) => at > asOf || at >= until);
  return rows.subarray(
    first,
    Math.max(
      first,
      placeOf((at) => at >= from),
    ),
  );
}
