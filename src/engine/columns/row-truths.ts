import type { Instant } from '../../model/issue.ts';
import type { ColumnArrays } from './column-arrays.ts';
import { ASK, NO, type Truth, UNKNOWN, YES } from './row-predicates.ts';

/** The columns that predicates are evaluated over, and as of when. */
export interface EvaluationContext {
  readonly asOf: Instant;
  readonly columns: ColumnArrays;
}

/** A row that needs its issue may already be known to be at most, or at least, `UNKNOWN`. */
const AT_MOST_UNKNOWN = 4;
export const AT_LEAST_UNKNOWN = 5;

/** The least and the greatest truth that each value of `out` can turn out to be: by value, `ASK` and the two above included. */
const LEAST: readonly Truth[] = [NO, UNKNOWN, YES, NO, NO, UNKNOWN];
const GREATEST: readonly Truth[] = [NO, UNKNOWN, YES, YES, UNKNOWN, YES];

/** The values of AND and OR of two values, at eight times the first plus the second. */
export const both = joined(Math.min);
export const either = joined(Math.max);

/** The value of NOT, by value. */
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
