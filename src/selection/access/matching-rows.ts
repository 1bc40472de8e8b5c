import type { YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import {
  type ChosenRows,
  chooseInPlace,
  joinChosen,
  type RowFacts,
} from '../../engine/columns/choose-rows.ts';
import { simplified } from '../../engine/columns/evaluate-rows.ts';
import { LoadedColumns } from '../../engine/columns/loaded-columns.ts';
import { type RowPredicate, textFieldsOf, YES } from '../../engine/columns/row-predicates.ts';
import { chooseThere, WORKERS_FROM } from '../../engine/measure/kernels/run-kernel.ts';
import { issueFinish } from '../../engine/measure/measure-issue.ts';
import { contentAsOf, valueAsOf } from '../../engine/measure/own-cells.ts';
import { visitsAsOf } from '../../engine/visits/timeline.ts';
import type { Flows } from '../../model/flow.ts';
import type { Instant, Issue } from '../../model/issue.ts';
import { projectKeyOf } from '../../model/issues/issue-fields.ts';
import { firstWhere } from '../../time/bisect.ts';
import type { IssueThen, JqlQuery, Loaded } from '../jql/jql.ts';
import type { QueryContext, QueryWorld } from './query-context.ts';
import { holdTexts, partsOf, type Read, rowIssues, slicesOf } from './selected-issues.ts';

/** The rows, the issue created last being the first, for which all conditions hold, and for how many that is unknown. */
export async function matchingRows(
  conditions: readonly Pick<JqlQuery, 'predicate' | 'predicateOver'>[],
  read: Read,
  { asOf, world, pace }: Pick<QueryContext, 'asOf' | 'pace'> & { readonly world: QueryWorld },
): Promise<Pick<ChosenRows, 'rows' | 'unknown'> & { readonly facts: RowFacts | null }> {
  const { columns } = world.table;
  const all = simplified({ kind: 'all', of: conditions.map(({ predicate }) => predicate) });
  const { within, others: predicate } = splitByCreation(all);
  const rows = createdBy(world.rows(), world, asOf, within);
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
    const rowsOfLoaded = loaded.rows.slice();
    const found = chooseInPlace({ kind: 'all', of: over }, loaded.arrays, rowsOfLoaded, asOf);
    if (found.needsIssue.length > 0)
      throw new Error('Columns of loaded issues do not show all there is to know.');
    for (const row of rowsOfLoaded.subarray(0, found.count)) matching.add(some[row] ?? -1);
    unknown += found.unknown;
  }
  await pace();
  const added = chosen.needsIssue.filter((row) => matching.has(row));
  return { rows: mergedInOrder(rows, chosen.rows, added), unknown, facts: null };
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

/**
 * The rows, the issue created last being the first, whose issues had been created by an instant, and within some time as
 * well.
 */
export function createdBy(
  rows: Uint32Array,
  { table }: Pick<QueryWorld, 'table'>,
  asOf: Instant,
  { from, until }: CreationRange = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY },
): Uint32Array {
  const { created } = table.columns.arrays();
  /** The index of the first row whose issue was not created too late. */
  const firstThat = (isTooLate: (at: Instant) => boolean) =>
    firstWhere(-1, rows.length, (index) => !isTooLate(created[rows[index] ?? 0] ?? 0));
  const first = firstThat((at) => at > asOf || at >= until);
  const end = firstThat((at) => at >= from);
  return rows.subarray(first, Math.max(first, end));
}

/** Issues in one set of columns: evaluating them takes some milliseconds at most. */
const LOADED_TOGETHER = 32;

/** An issue as it was at an instant. */
export function issueThen(issue: Issue, asOf: Instant, flows: Flows): IssueThen {
  return {
    issue,
    contentOf: (field) => contentAsOf(issue, field, asOf),
    visitsOf: (field) => visitsAsOf(issue, field, asOf),
    finish() {
      const { index, counts } = flows.of(
        projectKeyOf(issue).toUpperCase(),
        flows.byType ? valueAsOf(issue, 'issuetype', asOf) : null,
      );
      const flow = flows.all[index];
      const isCounted = counts && flow?.countsFinish(valueAsOf(issue, 'resolution', asOf)) === true;
      return isCounted ? issueFinish(issue, asOf, flow.kindOf) : { at: null };
    },
  };
}

/** The context in which the issues of rows are loaded. `read`: issues as the principal can read them. */
export interface LoadContext {
  readonly asOf: Instant;
  readonly world: QueryWorld;
  readonly read: Read;
  readonly pace: YieldIfDue;
}

/** Columns of the issues of some rows that are still there, as the principal can read them, a few at a time with their rows. */
export async function* loadedColumns(
  rows: Uint32Array,
  { asOf, world, read, pace }: LoadContext,
): AsyncGenerator<{ readonly loaded: Loaded; readonly rows: readonly number[] }> {
  const { columns } = world.table;
  for await (const slice of slicesOf(rowIssues(rows, world, 0), read)) {
    for (let start = 0; start < slice.length; start += LOADED_TOGETHER) {
      await pace();
      const issues = slice.slice(start, start + LOADED_TOGETHER);
      yield {
        loaded: new LoadedColumns(issues.map((issue) => issueThen(issue, asOf, world.flows))),
        rows: issues.map(({ key }) => columns.rowOf(key)),
      };
    }
  }
}
