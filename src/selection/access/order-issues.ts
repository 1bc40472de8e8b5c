import { inTurns } from '../../concurrency/cooperative-yield.ts';
import { orderedSpan } from '../../engine/columns/order-rows.ts';
import { isUnchangedSince, type RowOrder, rowsToLoad } from '../../engine/columns/row-order.ts';
import { inSteps } from '../../engine/columns/sort-rows.ts';
import {
  compareGroupKeys,
  groupKeyOf,
  groupRanks,
  type SprintOrder,
} from '../../engine/measure/collect-groups.ts';
import { groupRows, type NeedsIssue } from '../../engine/measure/kernels/group-rows.ts';
import { NO_GROUP } from '../../engine/measure/kernels/kernel-plan.ts';
import { createGroupNames, type GroupNames, ownCells } from '../../engine/measure/own-cells.ts';
import type { MeasureContext } from '../../engine/reports/measuring/report-type.ts';
import type { Priority } from '../../model/directory.ts';
import type { Status } from '../../model/issue.ts';
import type { Cells, Column } from '../../model/table.ts';
import type { JqlOrder, SortKey } from '../jql/jql.ts';
import { type LoadContext, loadedColumns } from './matching-rows.ts';
import {
  eachIssue,
  holdTexts,
  rowSelectionFor,
  type SelectedIssues,
  withColumns,
} from './selected-issues.ts';

/** Tries between which columns are written to; after them what was written counts as well. */
const MAX_TRIES = 3;

/** Finds the rows from one index to another of an order. */
export function spansInOrder(
  rows: Uint32Array,
  order: JqlOrder,
  context: LoadContext,
): (from: number, to: number) => Promise<Uint32Array> {
  const { asOf, pace } = context;
  const { columns } = context.world.table;
  let known: { readonly version: number; readonly ranked: RowOrder } | null = null;
  /** Sorts by columns, and by loaded issues where only these show where they come, of one and the same state of them. */
  return async (from, to) => {
    for (let tries = 1; ; tries += 1) {
      const { version } = columns;
      if (known?.version !== version) known = { version, ranked: await rankRows(rows, order, context) };
      const { ranked } = known;
      const found = await columns.reading(async () =>
        columns.version === version || tries === MAX_TRIES
          ? inSteps(
              orderedSpan(ranked, columns.arrays(), rows, {
                asOf,
                isNow: isUnchangedSince(columns, asOf),
                from,
                to,
              }),
              pace,
            )
          : null,
      );
      if (found !== null) return found;
    }
  };
}

/** The order with the places that only loaded issues show. */
async function rankRows(
  rows: Uint32Array,
  order: JqlOrder,
  { asOf, read, world, pace }: LoadContext,
): Promise<RowOrder> {
  const { columns } = world.table;
  const ranked = await inSteps(order.rank(), pace);
  const texts = ranked.steps.flatMap((step) => (step.kind === 'text' ? [step.field] : []));
  const toRead = () => inSteps(rowsToLoad(ranked, columns, rows, asOf), pace);
  let needed = await toRead();
  if (await holdTexts(world.table, texts, needed.length)) needed = await toRead();
  if (needed.length === 0) return ranked;
  const found: number[] = [];
  const keys: (readonly SortKey[])[] = [];
  for await (const { loaded, rows: some } of loadedColumns(needed, { asOf, world, read, pace })) {
    found.push(...some);
    keys.push(...order.keysIn(loaded));
  }
  return inSteps(order.rank({ rows: new Uint32Array(found), keys }), pace);
}

/** The columns that issues are grouped by. `asks`: contents that the principal cannot read as they are. */
interface Grouping extends Pick<LoadContext, 'read' | 'pace'> {
  readonly groupBy: readonly Column[];
  readonly context: MeasureContext;
  readonly needsIssue: NeedsIssue;
  /** In workflow order. */
  readonly statuses: ReadonlyMap<string, Status>;
}

/** The issues with those of a group together, in the order of groups; `priorities` are in the tracker's. */
export async function inOrderOfGroups(
  selected: SelectedIssues,
  grouping: Grouping & {
    readonly priorities: readonly Priority[];
    readonly sprints: SprintOrder;
  },
): Promise<SelectedIssues> {
  const { groupBy, pace } = grouping;
  const ranks = groupRanks(grouping.statuses, grouping.priorities, grouping.sprints);
  const { cells, kinds } = await kindsOf(selected, grouping);
  const { map, sort } = inTurns(pace);
  const keys = await map(cells.entries(), ([kind, own]) => ({ key: groupKeyOf(own, groupBy, ranks), kind }));
  const order = await sort(keys, (a, b) => compareGroupKeys(a.key, b.key));
  // Issues of groups that are level stay in their order.
  const rankOf = new Uint32Array(cells.length);
  let [rank, before]: [number, (typeof keys)[number]['key'] | null] = [0, null];
  for (const { key, kind } of order) {
    if (before !== null && compareGroupKeys(before, key) !== 0) rank += 1;
    before = key;
    rankOf[kind] = rank;
  }
  const starts = new Uint32Array(rank + 2);
  for (let index = 0; index < kinds.length; index += 1) {
    const kind = kinds[index] ?? NO_GROUP;
    if (kind !== NO_GROUP) bump(starts, (rankOf[kind] ?? 0) + 1);
  }
  for (let i = 1; i < starts.length; i += 1) starts[i] = (starts[i] ?? 0) + (starts[i - 1] ?? 0);
  const indexes = new Uint32Array(starts.at(-1) ?? 0);
  for (let index = 0; index < kinds.length; index += 1) {
    const kind = kinds[index] ?? NO_GROUP;
    if (kind !== NO_GROUP) indexes[bump(starts, rankOf[kind] ?? 0)] = index;
  }
  return selected.at(indexes);
}

/** Adds one to a number, and returns what it was. */
function bump(numbers: Uint32Array, index: number): number {
  const number = numbers[index] ?? 0;
  numbers[index] = number + 1;
  return number;
}

/** The names of the groups of all these issues: none must have another on the next page. */
export async function namesOfGroups(selected: SelectedIssues, grouping: Grouping): Promise<GroupNames> {
  const names = createGroupNames(grouping.groupBy, grouping.statuses);
  const { cells } = await kindsOf(selected, grouping);
  await inTurns(grouping.pace).map(cells, names.note);
  return names;
}

/** Each kind of cells that issues have, and of which kind each issue is; `NO_GROUP` where it is gone. */
async function kindsOf(
  selected: SelectedIssues,
  grouping: Grouping,
): Promise<{ readonly cells: readonly Cells[]; readonly kinds: Uint32Array }> {
  const { groupBy, context, needsIssue } = grouping;
  const { count } = selected;
  const rowSelection = rowSelectionFor(selected, groupBy);
  const table = rowSelection?.visible.table;
  const found =
    rowSelection === null || table === undefined
      ? null
      : await withColumns(table, () =>
          table.columns.reading(() =>
            groupRows(table.columns, rowSelection.rows, groupBy, context, needsIssue),
          ),
        );
  const cells = [...(found?.own ?? [])];
  const kinds =
    found === null ? new Uint32Array(count).fill(NO_GROUP) : (found.groups ?? new Uint32Array(count));
  const indexes = indexesWithout(kinds);
  const others = selected.at(indexes);
  let at = 0;
  await eachIssue(others, grouping, (issue) => {
    // Issues that are gone are not read.
    while (at < others.count && others.keyAt(at) !== issue.key) at += 1;
    kinds[indexes[at] ?? 0] = cells.push(ownCells(issue, groupBy, context)) - 1;
  });
  return { cells, kinds };
}

function indexesWithout(kinds: Uint32Array): Uint32Array {
  const indexes: number[] = [];
  for (let i = 0; i < kinds.length; i += 1) if (kinds[i] === NO_GROUP) indexes.push(i);
  return Uint32Array.from(indexes);
}
