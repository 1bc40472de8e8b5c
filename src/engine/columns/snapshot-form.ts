import type { FieldContent } from '../../model/issue.ts';
import { AccessClasses, type StoredClass } from './access-classes.ts';
import {
  asBytes,
  type ColumnName,
  type ColumnUnit,
  columnNames,
  lengthUsed,
  type RowArrays,
} from './column-arrays.ts';
import { arraysFor, type ColumnParts, partsAround } from './column-parts.ts';
import { FieldHistories, type HistoryFacts } from './field-histories.ts';
import { FieldColumns, type FieldFacts, MAX_KEPT_VALUES } from './held-fields.ts';
import type { IndexFacts } from './row-index.ts';
import type { Rest } from './sort-rows.ts';

/** The members of columns that are no arrays, as JSON. */
export interface ColumnFacts extends IndexFacts, Readonly<Record<ColumnUnit | 'garbage', number>> {
  readonly revision: number;
  readonly classes: readonly StoredClass[];
  readonly fields: readonly FieldFacts[];
  readonly histories: readonly HistoryFacts[];
  /** The people behind the codes of authors in histories. */
  readonly authors: readonly FieldContent[];
}

/** The contents of a snapshot: the members that are no arrays, and the arrays, as long as they are used. */
export interface SnapshotForm {
  readonly facts: ColumnFacts;
  readonly arrays: readonly Uint8Array<SharedArrayBuffer>[];
}

export function snapshotOf(
  { arrays, used, classes, fields, histories, index }: ColumnParts,
  revision: number,
): SnapshotForm {
  const held = fields.facts();
  const kept = histories.facts(MAX_KEPT_VALUES);
  const { rows, visits, spans, garbage } = used;
  return {
    facts: {
      revision,
      rows,
      visits,
      spans,
      garbage,
      ...index.facts(),
      classes: classes.toJson(),
      fields: held,
      histories: kept,
      authors: histories.authorFacts(),
    },
    arrays: [
      ...columnNames.map((name) => bytesUsed(arrays, name, used)),
      ...fields.bytes(held, rows),
      ...histories.bytesOf(kept, rows),
    ],
  };
}

/** The parts a snapshot was made of; `read` fills the arrays, in order. Others get their turn meanwhile. */
export async function partsOfSnapshot(
  facts: ColumnFacts,
  read: (arrays: SnapshotForm['arrays']) => Promise<void>,
  rest: Rest,
): Promise<ColumnParts> {
  const arrays = arraysFor(facts);
  const fields = FieldColumns.of(facts.fields, facts.rows);
  const histories = FieldHistories.of(facts.histories, facts.authors, facts.rows);
  await read([
    ...columnNames.map((name) => bytesUsed(arrays, name, facts)),
    ...fields.bytes(facts.fields, facts.rows),
    ...histories.bytesOf(facts.histories, facts.rows),
  ]);
  const classes = AccessClasses.fromJson(facts.classes);
  return partsAround({ arrays, fields, histories, classes }, facts, rest);
}

function bytesUsed(
  arrays: RowArrays,
  name: ColumnName,
  used: Readonly<Record<ColumnUnit, number>>,
): Uint8Array<SharedArrayBuffer> {
  return asBytes(arrays[name].subarray(0, lengthUsed(name, used)));
}
