import type { Instant } from '../../model/issue.ts';
import { type ColumnArrays, rowFlag } from './column-arrays.ts';
import { BLOCK_ROWS, createEvaluator } from './evaluate-rows.ts';
import { type RowPredicate, UNKNOWN, YES } from './row-predicates.ts';

/** Facts about many rows together. */
export interface RowFacts {
  /** When the first of the issues was created; later than anything where there are none. */
  readonly born: Instant;
  readonly cutHistories: number;
  /** The number of rows of each access class. */
  readonly classes: readonly number[];
}

/** Facts to which rows are added. */
interface RowFactsSum extends RowFacts {
  born: Instant;
  cutHistories: number;
  readonly classes: number[];
}

/** The facts of no rows. */
export function noFacts(): RowFactsSum {
  return { born: Number.POSITIVE_INFINITY, cutHistories: 0, classes: [] };
}

/** Adds some rows to the facts; takes as long as fetching them from memory. */
export function addRowFacts(
  facts: RowFactsSum,
  rows: Uint32Array,
  { created, flags, accessClass }: ColumnArrays,
): void {
  const { classes } = facts;
  let { born, cutHistories } = facts;
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i];
    const at = created[row] ?? born;
    if (at < born) born = at;
    if ((flags[row] & rowFlag.cut) !== 0) cutHistories += 1;
    const code = accessClass[row];
    if (code >= classes.length) addZeros(classes, code + 1);
    classes[code] = (classes[code] ?? 0) + 1;
  }
  facts.born = born;
  facts.cutHistories = cutHistories;
}

function addZeros(numbers: number[], length: number): void {
  while (numbers.length < length) numbers.push(0);
}

/** The number of rows for which a predicate holds, and those for which columns do not say it. */
export interface ChosenPart {
  readonly count: number;
  /** Rows for which only the issue itself shows whether the predicate holds, in their order. */
  readonly needsIssue: Uint32Array;
  /** For how many rows it is unknown whether it holds. */
  readonly unknown: number;
  /** The facts of the rows for which it holds. */
  readonly facts: RowFacts;
}

/** The same with the rows for which it holds, in their order. */
export interface ChosenRows extends Omit<ChosenPart, 'count'> {
  readonly rows: Uint32Array;
}

/** Chooses the rows for which a predicate holds as of an instant. In their order, they take the place of the first `rows`. */
export function chooseInPlace(
  predicate: RowPredicate,
  columns: ColumnArrays,
  rows: Uint32Array,
  asOf: Instant,
): ChosenPart {
  const evaluateBlock = createEvaluator(predicate, columns, asOf);
  const truths = new Uint8Array(Math.min(rows.length, BLOCK_ROWS));
  const facts = noFacts();
  let needsIssue = new Uint32Array(0);
  let [count, unknown, needed] = [0, 0, 0];
  for (let at = 0; at < rows.length; at += BLOCK_ROWS) {
    const block = rows.subarray(at, at + BLOCK_ROWS);
    evaluateBlock(block, truths.subarray(0, block.length));
    const before = count;
    for (let i = 0; i < block.length; i += 1) {
      const row = block[i];
      const truth = truths[i];
      // Without a branch: nothing predicts which rows are chosen.
      rows[count] = row;
      count += Number(truth === YES);
      if (truth === UNKNOWN) unknown += 1;
      else if (truth > YES) {
        if (needsIssue.length === 0) needsIssue = new Uint32Array(rows.length - at);
        needsIssue[needed] = row;
        needed += 1;
      }
    }
    addRowFacts(facts, rows.subarray(before, count), columns);
  }
  return { count, unknown, facts, needsIssue: needsIssue.slice(0, needed) };
}

/**
 * The rows chosen in parts of rows that follow each other, each with the place where it begins; the rows chosen take
 * the place of the first `rows`.
 */
export function joinChosen(
  rows: Uint32Array,
  parts: readonly { readonly from: number; readonly chosen: ChosenPart }[],
): ChosenRows {
  const facts = noFacts();
  let [count, unknown] = [0, 0];
  for (const { from, chosen } of parts) {
    rows.copyWithin(count, from, from + chosen.count);
    count += chosen.count;
    unknown += chosen.unknown;
    facts.born = Math.min(facts.born, chosen.facts.born);
    facts.cutHistories += chosen.facts.cutHistories;
    for (const [code, issues] of chosen.facts.classes.entries()) {
      facts.classes[code] = (facts.classes[code] ?? 0) + issues;
    }
  }
  const needsIssue = new Uint32Array(parts.reduce((sum, { chosen }) => sum + chosen.needsIssue.length, 0));
  let at = 0;
  for (const { chosen } of parts) {
    needsIssue.set(chosen.needsIssue, at);
    at += chosen.needsIssue.length;
  }
  return { rows: rows.subarray(0, count), needsIssue, unknown, facts };
}
