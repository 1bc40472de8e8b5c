import { AccessClasses, type StoredClass } from './access-classes.ts';
import {
  asBytes,
  type ColumnName,
  type ColumnUnit,
  columnNames,
  columnUnit,
  emptyArrays,
  type RowArrays,
  resize,
  roomBeside,
  rowFlag,
} from './column-arrays.ts';
import type { ColumnParts } from './column-parts.ts';
import { CreationOrder } from './creation-order.ts';
import { type FieldFacts, HeldFields } from './held-fields.ts';
import { type IndexFacts, RowIndex } from './row-index.ts';
import type { Rest } from './sort-rows.ts';

/** What of columns is no array, as JSON. */
export interface ColumnFacts extends IndexFacts, Readonly<Record<ColumnUnit | 'garbage', number>> {
  readonly revision: number;
  readonly classes: readonly StoredClass[];
  readonly fields: readonly FieldFacts[];
}

/** What a snapshot keeps: what is no array, and the arrays, as long as they are used. */
export interface SnapshotForm {
  readonly facts: ColumnFacts;
  readonly arrays: readonly Uint8Array<SharedArrayBuffer>[];
}

export function snapshotOf(
  { arrays, used, classes, fields, index }: ColumnParts,
  revision: number,
): SnapshotForm {
  const held = fields.facts();
  const { rows, visits, spans, garbage } = used;
  return {
    facts: {
      ...{ revision, rows, visits, spans, garbage },
      ...index.facts(),
      classes: classes.toJson(),
      fields: held,
    },
    arrays: [...columnNames.map((name) => bytesUsed(arrays, name, used)), ...fields.bytes(held, rows)],
  };
}

/** The parts a snapshot was made of; `read` fills the arrays, in order. Others get their turn meanwhile. */
export async function partsOfSnapshot(
  facts: ColumnFacts,
  read: (arrays: SnapshotForm['arrays']) => Promise<void>,
  rest: Rest,
): Promise<ColumnParts> {
  const arrays = arraysFor(facts);
  const fields = HeldFields.of(facts.fields, facts.rows);
  await read([
    ...columnNames.map((name) => bytesUsed(arrays, name, facts)),
    ...fields.bytes(facts.fields, facts.rows),
  ]);
  return partsAround({ arrays, fields, classes: AccessClasses.fromJson(facts.classes) }, facts, rest);
}

/** Arrays with room for so many. */
export function arraysFor(used: Readonly<Record<ColumnUnit, number>>): RowArrays {
  const arrays = emptyArrays();
  for (const name of columnNames) resize(arrays, name, roomBeside(used[columnUnit(name)]));
  return arrays;
}

/** What is no column is made of the columns. Others get their turn meanwhile. */
export async function partsAround(
  made: Pick<ColumnParts, 'arrays' | 'fields' | 'classes'>,
  { rows, visits, spans, garbage, ...known }: IndexFacts & Readonly<Record<ColumnUnit | 'garbage', number>>,
  rest: Rest,
): Promise<ColumnParts> {
  const { arrays } = made;
  let alive = 0;
  for (let row = 0; row < rows; row += 1) {
    if (((arrays.flags[row] ?? 0) & rowFlag.dead) === 0) alive += 1;
  }
  const index = await RowIndex.of(arrays, { rows, ...known }, rest);
  const order = await CreationOrder.of(arrays, { rows, keyOf: (row) => index.keyOf(row) }, rest);
  return { ...made, used: { rows, visits, spans, garbage, alive }, index, order };
}

function bytesUsed(
  arrays: RowArrays,
  name: ColumnName,
  used: Readonly<Record<ColumnUnit, number>>,
): Uint8Array<SharedArrayBuffer> {
  return asBytes(arrays[name].subarray(0, used[columnUnit(name)]));
}
