import { historyColumns, historyFlag, lastBegun, rowFlag, speaksThen } from './column-arrays.ts';
import {
  ASK,
  AT_LEAST_UNKNOWN,
  both,
  type ChangesPredicate,
  type EvaluationContext,
  either,
  NO,
  UNKNOWN,
  type VisitsPredicate,
  YES,
} from './row-predicates.ts';
import { ABSENT } from './value-codes.ts';

/** Writes for each row whether it had a value within some time; see `VisitsPredicate`. */
export function evaluateVisits(
  { of, truths, by, from, until }: VisitsPredicate,
  rows: Uint32Array,
  out: Uint8Array,
  { columns, asOf }: EvaluationContext,
): void {
  const history = historyColumns(columns, of);
  if (history === null || (by !== null && history.authors === null)) {
    out.fill(ASK);
    return;
  }
  const { flags, updated, fields } = columns;
  const { at, count, starts, codes, mask, authors } = history;
  const today = history.flags === null ? fields[of] : undefined;
  const isStored = speaking(history.flags, by === null ? null : (authors?.flags ?? null));
  const isWholeNeeded = by !== null || history.flags !== null;
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i];
    const flag = flags[row];
    const isCut = (flag & rowFlag.cut) !== 0;
    if (!speaksThen(flag, updated[row], asOf) || (isCut && isWholeNeeded) || !isStored(row)) {
      out[i] = ASK;
      continue;
    }
    const first = at[row];
    const end = first + count[row];
    const author = by === null ? 0 : (authors?.at[row] ?? 0) - first;
    let truthOfRow: number = NO;
    let mayBe = false;
    for (let visit = first; visit < end; visit += 1) {
      let truth: number = truths[codes[visit] & mask] ?? ASK;
      if (truth === NO) continue;
      const start = starts[visit];
      if (start > asOf) break;
      const next = visit + 1 < end ? starts[visit + 1] : Number.POSITIVE_INFINITY;
      const stop = next > asOf ? asOf + 1 : Math.max(next, start + 1);
      if (Math.max(from, start) >= Math.min(until, stop)) continue;
      if (by !== null) truth = both[truth * 8 + (by[authors?.authors[visit + author] ?? 0] ?? ASK)] ?? ASK;
      if (truth === YES) {
        truthOfRow = YES;
        break;
      }
      if (truth === UNKNOWN) truthOfRow = UNKNOWN;
      else if (truth !== NO) mayBe = true;
    }
    // The value that the tracker shows last holds now, even where the history does not have it.
    const last = isCut ? lastBegun(starts, first, end, asOf) : first;
    if (isCut && ((codes[last] ?? 0) & mask) === ABSENT) {
      if (last > first && starts[last] === asOf) {
        // Unknown time that would begin just then has not begun.
        out[i] = ASK;
        continue;
      }
      if (from <= asOf && until > asOf && truths[today?.[row] ?? ABSENT] === YES) truthOfRow = YES;
    }
    out[i] = mayBe && truthOfRow !== YES ? (truthOfRow === UNKNOWN ? AT_LEAST_UNKNOWN : ASK) : truthOfRow;
  }
}

/**
 * Writes for each row whether a value was changed within some time; see `ChangesPredicate`. Of a cut history changes are
 * missing, and some that are there are not among the visits: only the issue says.
 */
export function evaluateChanges(
  { of, before, after, areSets, by, from, until }: ChangesPredicate,
  rows: Uint32Array,
  out: Uint8Array,
  { columns, asOf }: EvaluationContext,
): void {
  const history = historyColumns(columns, of);
  if (history === null || (by !== null && history.authors === null)) {
    out.fill(ASK);
    return;
  }
  const { flags } = columns;
  const { at, count, starts, codes, mask, authors } = history;
  const isStored = speaking(history.flags, by === null ? null : (authors?.flags ?? null));
  const silent = rowFlag.odd | rowFlag.cut;
  const contradicts = history.flags === null ? flags : history.flags;
  const contradiction = history.flags === null ? rowFlag.contradicts : historyFlag.contradicts;
  const latest = Math.min(until - 1, asOf);
  // A condition on the value before a change needs the chain of changes; so does one on the value after it, of sets.
  const needsChain = before !== null || (areSets && after !== null);
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i];
    const isDoubtful = needsChain && (contradicts[row] & contradiction) !== 0;
    if ((flags[row] & silent) !== 0 || isDoubtful || !isStored(row)) {
      out[i] = ASK;
      continue;
    }
    const first = at[row];
    const end = first + count[row];
    const author = by === null ? 0 : (authors?.at[row] ?? 0) - first;
    let truthOfRow: number = NO;
    for (let visit = first + 1; visit < end; visit += 1) {
      const start = starts[visit];
      if (start > latest) break;
      // The start of a value that is there only for the next one to come from is NaN.
      if (!(start >= from)) continue;
      const last = codes[visit - 1] & mask;
      const next = codes[visit] & mask;
      const came = before === null ? YES : areSets ? lost(before, last, next) : (before[last] ?? ASK);
      const went = after === null ? YES : areSets ? lost(after, next, last) : (after[next] ?? ASK);
      let truth = both[came * 8 + went] ?? ASK;
      if (by !== null) truth = both[truth * 8 + (by[authors?.authors[visit + author] ?? 0] ?? ASK)] ?? ASK;
      truthOfRow = either[truthOfRow * 8 + truth] ?? ASK;
      if (truthOfRow === YES) break;
    }
    out[i] = truthOfRow;
  }
}

/** Returns true where one set has a wanted value that the other lacks. */
function lost(bits: Uint8Array | Uint32Array, one: number, other: number): number {
  const [own, others] = [bits[one], bits[other]];
  if (own === undefined || others === undefined) return ASK;
  return (own & ~others) === 0 ? NO : YES;
}

/** Returns true where the histories of a row, and their authors where these are needed, are in the columns. */
function speaking(...flags: readonly (Uint8Array | null)[]): (row: number) => boolean {
  const [own, authors] = flags;
  if (!own && !authors) return () => true;
  return (row) => (((own?.[row] ?? 0) | (authors?.[row] ?? 0)) & historyFlag.needsIssue) === 0;
}
