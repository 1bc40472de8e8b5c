import type { FieldContent } from '../../model/issue.ts';
import { AccessClasses, type StoredClass } from './access-classes.ts';
import {
  asBytes,
  type ColumnName,
  type ColumnUnit,
  columnNames,
  columnUnits,
  emptyArrays,
  IRREGULAR,
  lengthUsed,
  pickRows,
  type RowArrays,
  resize,
  roomBeside,
  rowFlag,
} from './column-arrays.ts';
import { FieldHistories, type HistoryFacts } from './field-histories.ts';
import { FieldColumns, type FieldFacts, MAX_KEPT_VALUES } from './held-fields.ts';
import { CreationOrder, type IndexFacts, RowIndex } from './row-index.ts';
import type { Pause } from './sort-rows.ts';

/** The parts of columns. */
export interface ColumnParts {
  readonly arrays: RowArrays;
  /**
   * The used lengths of the arrays; `garbage` are places of visits and spans no row leads to, `alive` rows with an
   * issue.
   */
  readonly used: Record<ColumnUnit | 'garbage' | 'alive', number>;
  readonly classes: AccessClasses;
  readonly fields: FieldColumns;
  readonly histories: FieldHistories;
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
    fields: new FieldColumns(),
    histories: new FieldHistories(),
    index,
    order: new CreationOrder(arrays, (row) => index.keyOf(row)),
  };
}

/** Arrays with room for a number of rows, visits and spans. */
function arraysFor(used: Readonly<Record<ColumnUnit, number>>): RowArrays {
  const arrays = emptyArrays();
  for (const name of columnNames) resize(arrays, name, roomBeside(lengthUsed(name, used)));
  return arrays;
}

/** Makes the parts that are no columns of those that are. Others get their turn meanwhile. */
async function partsAround(
  made: Pick<ColumnParts, 'arrays' | 'fields' | 'histories' | 'classes'>,
  { rows, visits, spans, garbage, ...known }: IndexFacts & Readonly<Record<ColumnUnit | 'garbage', number>>,
  pause: Pause,
): Promise<ColumnParts> {
  const { arrays } = made;
  let alive = 0;
  for (let row = 0; row < rows; row += 1) {
    if ((arrays.flags[row] & rowFlag.dead) === 0) alive += 1;
  }
  const index = await RowIndex.of(arrays, { rows, ...known }, pause);
  const order = await CreationOrder.of(arrays, { rows, keyOf: (row) => index.keyOf(row) }, pause);
  return { ...made, used: { rows, visits, spans, garbage, alive }, index, order };
}

/** Rows looked at between two looks at the time slice. */
const ROWS_AT_ONCE = 16_384;

/**
 * The same issues without dead rows and gaps, in the order of `rows`; codes and classes stay the same, and are shared from
 * then on. Others get their turn meanwhile, but no one may write, then or later.
 */
export async function compactParts(
  { arrays: from, classes, fields, histories, index }: ColumnParts,
  rows: Uint32Array,
  pause: Pause,
): Promise<ColumnParts> {
  let [visits, spans] = [0, 0];
  for (let i = 0; i < rows.length; i += 1) {
    visits += from.statusCount[rows[i]];
    spans += from.assigneeCount[rows[i]];
  }
  const used = { rows: rows.length, visits, spans, garbage: 0 };
  const arrays = arraysFor(used);
  for (const name of columnNames) {
    if (!columnUnits(name).includes('rows')) continue;
    pickRows(from[name], arrays[name], rows);
    await pause();
  }
  await pickVisits(from, arrays, { rows, pause });
  const irregular: [number, string][] = [];
  for (let row = 0; row < rows.length; row += 1) {
    if (arrays.project[row] === IRREGULAR) irregular.push([row, index.keyOf(rows[row])]);
  }
  const compact = {
    arrays,
    classes,
    fields: await fields.compacted(rows, pause),
    histories: await histories.compacted(rows, pause),
  };
  return partsAround(compact, { ...used, projectKeys: index.projectKeys, irregular }, pause);
}

/** Visits, spans and stretches of some rows, one after the other. */
async function pickVisits(
  from: RowArrays,
  to: RowArrays,
  { rows, pause }: { readonly rows: Uint32Array; readonly pause: Pause },
): Promise<void> {
  let [statusAt, assigneeAt] = [0, 0];
  for (let row = 0; row < rows.length; row += 1) {
    const old = rows[row];
    const [visitsAt, spansAt] = [from.statusAt[old], from.assigneeAt[old]];
    const stretches = to.statusCount[row] + to.assigneeCount[row];
    for (let i = 0; i < stretches; i += 1) {
      to.stretches[statusAt + assigneeAt + i] = from.stretches[visitsAt + spansAt + i];
    }
    to.statusAt[row] = statusAt;
    for (let at = visitsAt; at < visitsAt + to.statusCount[row]; at += 1, statusAt += 1) {
      to.visitStart[statusAt] = from.visitStart[at];
      to.visitStatus[statusAt] = from.visitStatus[at];
    }
    to.assigneeAt[row] = assigneeAt;
    for (let at = spansAt; at < spansAt + to.assigneeCount[row]; at += 1, assigneeAt += 1) {
      to.spanStart[assigneeAt] = from.spanStart[at];
      to.spanAssignee[assigneeAt] = from.spanAssignee[at];
    }
    if (row % ROWS_AT_ONCE === 0) await pause();
  }
}

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
  const heldFields = fields.facts();
  const heldHistories = histories.facts(MAX_KEPT_VALUES);
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
      fields: heldFields,
      histories: heldHistories,
      authors: histories.authorFacts(),
    },
    arrays: [
      ...columnNames.map((name) => bytesUsed(arrays, name, used)),
      ...fields.bytes(heldFields, rows),
      ...histories.bytesOf(heldHistories, rows),
    ],
  };
}

/** The parts a snapshot was made of; `read` fills the arrays, in order. Others get their turn meanwhile. */
export async function partsOfSnapshot(
  facts: ColumnFacts,
  read: (arrays: SnapshotForm['arrays']) => Promise<void>,
  pause: Pause,
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
  return partsAround({ arrays, fields, histories, classes }, facts, pause);
}

function bytesUsed(
  arrays: RowArrays,
  name: ColumnName,
  used: Readonly<Record<ColumnUnit, number>>,
): Uint8Array<SharedArrayBuffer> {
  return asBytes(arrays[name].subarray(0, lengthUsed(name, used)));
}
