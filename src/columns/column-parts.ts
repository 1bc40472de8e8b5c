import { AccessClasses } from './access-classes.ts';
import { type ColumnUnit, emptyArrays, type RowArrays } from './column-arrays.ts';
import { CreationOrder } from './creation-order.ts';
import { HeldFields } from './held-fields.ts';
import { RowIndex } from './row-index.ts';

/** What columns consist of. */
export interface ColumnParts {
  readonly arrays: RowArrays;
  /** How much of the arrays is in use; `garbage` are places of visits and spans no row leads to, `alive` rows with an issue. */
  readonly used: Record<ColumnUnit | 'garbage' | 'alive', number>;
  readonly classes: AccessClasses;
  readonly fields: HeldFields;
  readonly index: RowIndex;
  readonly order: CreationOrder;
}

/** The parts of columns without issues. */
export function emptyParts(): ColumnParts {
  const arrays = emptyArrays();
  const index = new RowIndex(arrays);
  return {
    arrays,
    used: { rows: 0, visits: 0, spans: 0, garbage: 0, alive: 0 },
    classes: new AccessClasses(),
    fields: new HeldFields(),
    index,
    order: new CreationOrder(arrays, (row) => index.keyOf(row)),
  };
}
