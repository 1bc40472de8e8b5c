import type { FieldValue } from '../../model/issue.ts';
import type { Field } from '../fields/field.ts';
import type { Operand } from '../syntax/query-tree.ts';
import { NO, type Truth, UNKNOWN, YES } from '../truth.ts';
import type { Item, Test } from '../values/values.ts';

/** Whether a value is one of those an operand asks for; null is the empty one. */
export interface Wanted {
  readonly empty: boolean;
  readonly tests: readonly Test[];
}

/**
 * Reads what an operand asks for of a field, of its contents or of what its changes tell; `many`: functions that stand
 * for several values may be among it.
 */
export function readWanted(
  { values }: Field,
  operand: Operand,
  many: boolean,
  of: 'contents' | 'changes' = 'contents',
): Wanted {
  const equal = (of === 'changes' ? values.equalThen : undefined) ?? values.equal;
  const tests: Test[] = [];
  let empty = false;
  for (const one of operand.values) {
    if (one.kind === 'empty') empty = true;
    else if (values.meansEmpty?.(one) === true) empty = true;
    else tests.push(equal(one, many || operand.isList));
  }
  return { empty, tests };
}

/** Whether one value of a history is wanted. */
export function isWanted(value: FieldValue | null, { empty, tests }: Wanted): Truth {
  if (value === null) return empty ? YES : NO;
  return fits(value, tests);
}

/** Whether a value is what one of the tests asks for. */
export function fits(item: Item, tests: readonly Test[]): Truth {
  let truth: Truth = NO;
  for (const test of tests) {
    const holds = test(item);
    if (holds === true) return YES;
    if (holds === null) truth = UNKNOWN;
  }
  return truth;
}
