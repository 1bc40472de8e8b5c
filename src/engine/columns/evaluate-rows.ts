import type { Instant } from '../../model/issue.ts';
import {
  type ColumnArrays,
  codeThen,
  historyColumns,
  IRREGULAR,
  lastBegun,
  rowFlag,
} from './column-arrays.ts';
import { evaluateChanges, evaluateVisits } from './evaluate-histories.ts';
import { finishedAt, NEEDS_ISSUE } from './flow-rows.ts';
import {
  ASK,
  both,
  type CodePredicate,
  type EvaluationContext,
  either,
  type FinishedPredicate,
  type InstantPredicate,
  mayHold,
  NO,
  opposites,
  type RowPredicate,
  type TextPredicate,
  YES,
} from './row-predicates.ts';
import { createTextReader } from './text-column.ts';
import { ABSENT } from './value-codes.ts';

/** Rows of a block: what belongs to them stays in the cache while the parts of a predicate are evaluated. */
export const BLOCK_ROWS = 16_384;

/**
 * Evaluates a predicate for one block of at most `BLOCK_ROWS` rows after the other as of an instant: for each row a `Truth`,
 * or `ASK` where it depends on what columns do not hold. An issue that did not exist yet matches nothing.
 */
export function createEvaluator(
  predicate: RowPredicate,
  columns: ColumnArrays,
  asOf: Instant,
): (rows: Uint32Array, truths: Uint8Array) => void {
  const ordered = simplified(predicate);
  const { created } = columns;
  const context: BlockContext = { columns, asOf, scratch: [], depth: 0 };
  return (rows, truths) => {
    evaluate(ordered, rows, truths, context);
    for (let i = 0; i < rows.length; i += 1) {
      if (created[rows[i]] > asOf) truths[i] = NO;
      else if (truths[i] > ASK) truths[i] = ASK;
    }
  };
}

/** The context in which one block after the other is evaluated. */
interface BlockContext extends EvaluationContext {
  /** Scratch by depth of predicates within predicates. */
  readonly scratch: BlockScratch[];
  depth: number;
}

/** The rows of a block that are not settled yet, their places in the block, and the truths of one part. */
interface BlockScratch {
  readonly open: Uint32Array;
  readonly places: Uint32Array;
  readonly truths: Uint8Array;
}

/**
 * The same predicate without parts that decide nothing or are there twice, and without conjunctions in conjunctions. What
 * decides most for the least comes first.
 */
export function simplified(
  predicate: RowPredicate,
  known = new Map<RowPredicate, RowPredicate>(),
): RowPredicate {
  const found = known.get(predicate) ?? simplifiedOnce(predicate, known);
  known.set(predicate, found);
  return found;
}

function simplifiedOnce(predicate: RowPredicate, known: Map<RowPredicate, RowPredicate>): RowPredicate {
  if (predicate.kind === 'not') return { ...predicate, of: simplified(predicate.of, known) };
  if (predicate.kind !== 'all' && predicate.kind !== 'any') return predicate;
  const { kind } = predicate;
  const neutral = kind === 'all' ? YES : NO;
  const settled = kind === 'all' ? NO : YES;
  const all = new Set<RowPredicate>();
  for (const one of predicate.of) {
    const part = simplified(one, known);
    if (part.kind === kind) for (const inner of part.of) all.add(inner);
    else if (part.kind !== 'constant' || part.truth !== neutral) all.add(part);
  }
  const parts = [...all];
  if (parts.some((part) => part.kind === 'constant' && part.truth === settled)) {
    return { kind: 'constant', truth: settled };
  }
  const [only] = parts;
  if (only === undefined) return { kind: 'constant', truth: neutral };
  if (parts.length === 1) return only;
  return { kind, of: parts.toSorted((a, b) => costOf(a) - costOf(b)) };
}

/** The cost of evaluating a predicate, where it is not 1. */
const costs: Partial<Record<RowPredicate['kind'], number>> = {
  constant: 0,
  ask: 0,
  rows: 2,
  finished: 5,
  visits: 10,
  changes: 10,
  text: 100,
};

function costOf(predicate: RowPredicate): number {
  if (predicate.kind === 'not') return costOf(predicate.of);
  if (predicate.kind !== 'all' && predicate.kind !== 'any') return costs[predicate.kind] ?? 1;
  return predicate.of.reduce((sum, one) => sum + costOf(one), 0);
}

function evaluate(predicate: RowPredicate, rows: Uint32Array, out: Uint8Array, context: BlockContext): void {
  switch (predicate.kind) {
    case 'constant':
      out.fill(predicate.truth);
      return;
    case 'ask':
      out.fill(ASK);
      return;
    case 'all':
    case 'any':
      evaluateParts(predicate, rows, out, context);
      return;
    case 'not':
      evaluate(predicate.of, rows, out, context);
      for (let i = 0; i < out.length; i += 1) out[i] = opposites[out[i]] ?? ASK;
      return;
    case 'code':
      evaluateCode(predicate, rows, out, context);
      return;
    case 'project':
      evaluateProject(predicate.truths, rows, out, context);
      return;
    case 'keyNumber':
      evaluateKeyNumber(predicate, rows, out, context);
      return;
    case 'rows':
      for (let i = 0; i < rows.length; i += 1) {
        const row = rows[i];
        out[i] = predicate.rows[placeAmong(predicate.rows, row)] === row ? YES : NO;
      }
      return;
    case 'instant':
      evaluateInstant(predicate, rows, out, context);
      return;
    case 'finished':
      evaluateFinished(predicate, rows, out, context);
      return;
    case 'text':
      evaluateText(predicate, rows, out, context);
      return;
    case 'visits':
      evaluateVisits(predicate, rows, out, context);
      return;
    case 'changes':
      evaluateChanges(predicate, rows, out, context);
      return;
  }
}

/** Each part is evaluated only for rows that the parts before it have not settled. */
function evaluateParts(
  { kind, of }: { readonly kind: 'all' | 'any'; readonly of: readonly RowPredicate[] },
  rows: Uint32Array,
  out: Uint8Array,
  context: BlockContext,
): void {
  const settled = kind === 'all' ? NO : YES;
  const table = kind === 'all' ? both : either;
  const [first, ...others] = of;
  if (first === undefined) {
    out.fill(kind === 'all' ? YES : NO);
    return;
  }
  evaluate(first, rows, out, context);
  const { open, places, truths } = scratchFor(context, rows.length);
  context.depth += 1;
  // Without a branch: nothing predicts which rows are settled.
  let count = 0;
  for (let i = 0; i < rows.length; i += 1) {
    open[count] = rows[i];
    places[count] = i;
    count += Number(out[i] !== settled);
  }
  for (const part of others) {
    if (count === 0) break;
    evaluate(part, open.subarray(0, count), truths.subarray(0, count), context);
    let left = 0;
    for (let i = 0; i < count; i += 1) {
      const index = places[i];
      const truth = table[out[index] * 8 + truths[i]] ?? ASK;
      out[index] = truth;
      open[left] = open[i];
      places[left] = index;
      left += Number(truth !== settled);
    }
    count = left;
  }
  context.depth -= 1;
}

function scratchFor({ scratch, depth }: BlockContext, rows: number): BlockScratch {
  const known = scratch[depth];
  if (known !== undefined && known.open.length >= rows) return known;
  const made = {
    open: new Uint32Array(rows),
    places: new Uint32Array(rows),
    truths: new Uint8Array(rows),
  };
  scratch[depth] = made;
  return made;
}

function evaluateCode(
  { field, truths, always }: CodePredicate,
  rows: Uint32Array,
  out: Uint8Array,
  { columns, asOf }: EvaluationContext,
): void {
  const codes = columns.fields[field];
  const { flags, updated } = columns;
  const of = field === 'status' || field === 'assignee' ? field : null;
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i];
    const flag = flags[row];
    if (always || ((flag & rowFlag.odd) === 0 && updated[row] <= asOf)) {
      out[i] = truths[codes?.[row] ?? ABSENT] ?? ASK;
    } else if (of !== null && (flag & (rowFlag.odd | rowFlag.cut)) === 0) {
      out[i] = truths[codeThen(columns, of, row, asOf)] ?? ASK;
    } else out[i] = ASK;
  }
}

function evaluateProject(
  truths: Uint8Array,
  rows: Uint32Array,
  out: Uint8Array,
  { columns }: EvaluationContext,
): void {
  const { project } = columns;
  for (let i = 0; i < rows.length; i += 1) out[i] = truths[project[rows[i]] ?? IRREGULAR] ?? ASK;
}

function evaluateKeyNumber(
  { projects, from, until }: { readonly projects: Uint8Array; readonly from: number; readonly until: number },
  rows: Uint32Array,
  out: Uint8Array,
  { columns: { project, number } }: EvaluationContext,
): void {
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i];
    const within = projects[project[row] ?? IRREGULAR];
    const own = number[row];
    out[i] = within === undefined ? ASK : within === 1 && own >= from && own < until ? YES : NO;
  }
}

/** The place of a row among others that ascend, or of the next one after it. */
function placeAmong(rows: Uint32Array, row: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle] < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

function evaluateInstant(
  { column, from, until, empty }: InstantPredicate,
  rows: Uint32Array,
  out: Uint8Array,
  { columns, asOf }: EvaluationContext,
): void {
  const { updated } = columns;
  const instants = column === 'updated' ? columns.ownUpdate : columns[column];
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i];
    const at = instants[row] ?? Number.NaN;
    if (column === 'updated' && at > asOf) out[i] = updatedThen(row, { from, until }, { columns, asOf });
    else if (column === 'resolved' && updated[row] > asOf) out[i] = ASK;
    else if (column === 'resolved' && !(at <= asOf)) out[i] = empty;
    else out[i] = at >= from && at < until ? YES : NO;
  }
}

function evaluateFinished(
  { statuses, from, until, empty }: FinishedPredicate,
  rows: Uint32Array,
  out: Uint8Array,
  { columns, asOf }: EvaluationContext,
): void {
  for (let i = 0; i < rows.length; i += 1) {
    const at = finishedAt(columns, rows[i], statuses, asOf);
    if (at === NEEDS_ISSUE) out[i] = ASK;
    else if (Number.isNaN(at)) out[i] = empty;
    else out[i] = at >= from && at < until ? YES : NO;
  }
}

/** Before, an issue was updated when it was last changed: not before its last step that is known. */
function updatedThen(
  row: number,
  { from, until }: Pick<InstantPredicate, 'from' | 'until'>,
  { columns, asOf }: Pick<EvaluationContext, 'columns' | 'asOf'>,
): number {
  if ((columns.flags[row] & (rowFlag.odd | rowFlag.cut)) !== 0) return ASK;
  let last = columns.created[row];
  for (const field of ['status', 'assignee'] as const) {
    const { at, count, starts } = historyColumns(columns, field);
    const first = at[row];
    last = Math.max(last, starts[lastBegun(starts, first, first + count[row], asOf)]);
  }
  if (from <= last && until > asOf) return YES;
  return from > asOf || until <= last ? NO : ASK;
}

/** Writes for each row whether a search finds something in the text of a field; see `TextPredicate`. */
function evaluateText(
  { field, search, empty }: TextPredicate,
  rows: Uint32Array,
  out: Uint8Array,
  { columns, asOf }: EvaluationContext,
): void {
  const texts = columns.texts[field];
  if (texts === undefined) {
    out.fill(ASK);
    return;
  }
  const { flags, updated } = columns;
  const { textAt, narrowAt } = createTextReader(texts);
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i];
    if ((flags[row] & rowFlag.odd) !== 0 || updated[row] > asOf) {
      out[i] = ASK;
      continue;
    }
    const narrow = search === null ? null : narrowAt(row);
    if (search !== null && narrow !== null && !mayHold(search, narrow)) {
      out[i] = NO;
      continue;
    }
    const text = textAt(row);
    if (text === undefined) out[i] = ASK;
    else if (text === null) out[i] = empty;
    else out[i] = search?.patterns.every((pattern) => pattern.test(text)) === true ? YES : NO;
  }
}
