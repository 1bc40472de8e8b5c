import type { FieldValue } from '../../model/issue.ts';
import type { Field } from '../fields/field.ts';
import type { Operand } from '../syntax/query-tree.ts';
import type { Test } from '../values/values.ts';

/** Whether a value is one of those an operand asks for; null is the empty one. */
export interface Wanted {
  readonly empty: boolean;
  readonly tests: readonly Test[];
}

/** Reads what an operand asks for of a field; `many`: functions that stand for several values may be among it. */
export function readWanted(field: Field, operand: Operand, many: boolean): Wanted {
  const tests: Test[] = [];
  let empty = false;
  for (const one of operand.values) {
    if (one.kind === 'empty') empty = true;
    else if (field.values.meansEmpty?.(one) === true) empty = true;
    else tests.push(field.values.equal(one, many || operand.isList));
  }
  return { empty, tests };
}

/** Whether one value of a history is wanted. */
export function isWanted(value: FieldValue | null, { empty, tests }: Wanted): boolean {
  return value === null ? empty : tests.some((test) => test(value));
}
