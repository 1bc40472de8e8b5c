import type { Instant } from '../model/issue.ts';
import type { ColumnArrays } from './column-arrays.ts';
import { ASK, NO, type Truth, UNKNOWN, YES } from './row-predicates.ts';

/** What predicates are evaluated over, and as of when. */
export interface EvaluationContext {
  readonly asOf: Instant;
  readonly columns: ColumnArrays;
}

/** Between the truths lies what is not said yet: from the least it may turn out to be to the greatest. */
export const AT_MOST_UNKNOWN = 4;
export const AT_LEAST_UNKNOWN = 5;

/** By what is said: the least and the greatest truth it may turn out to be. */
const LEAST: readonly Truth[] = [NO, UNKNOWN, YES, NO, NO, UNKNOWN];
const GREATEST: readonly Truth[] = [NO, UNKNOWN, YES, YES, UNKNOWN, YES];

/** By two that are said, eight times the one and the other: what is said of both together, and of either. */
export const both = joined(Math.min);
export const either = joined(Math.max);

/** By what is said: what is said of the opposite. */
export const opposites = Uint8Array.of(YES, UNKNOWN, NO, ASK, AT_LEAST_UNKNOWN, AT_MOST_UNKNOWN);

function joined(join: (one: number, other: number) => number): Uint8Array {
  const table = new Uint8Array(8 * LEAST.length);
  for (const [one, leastOne] of LEAST.entries()) {
    for (const [other, leastOther] of LEAST.entries()) {
      const least = join(leastOne, leastOther);
      const greatest = join(GREATEST[one] ?? NO, GREATEST[other] ?? NO);
      table[one * 8 + other] = LEAST.findIndex(
        (truth, said) => truth === least && GREATEST[said] === greatest,
      );
    }
  }
  return table;
}
