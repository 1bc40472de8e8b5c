import type { YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { compareGroups, createGroupNames, type GroupNames } from '../../engine/collect-groups.ts';
import { type AskedCodes, groupRows } from '../../engine/group-rows.ts';
import { NO_GROUP } from '../../engine/kernels.ts';
import { ownCells } from '../../engine/own-cells.ts';
import type { MeasureContext } from '../../engine/report-type.ts';
import type { Issue } from '../../model/issue.ts';
import type { Cells, Column } from '../../model/table.ts';
import { type ChosenIssues, FEW_ISSUES, slicesOf, withColumns } from './select-rows.ts';

/** What issues are grouped by, and how. */
interface Grouping {
  readonly groupBy: readonly Column[];
  readonly context: MeasureContext;
  /** Issues as the asker may read them. */
  readonly read: (issues: readonly Issue[]) => Promise<readonly Issue[]>;
  /** What of columns the asker may not read as it is. */
  readonly asks: AskedCodes;
  readonly pace: YieldIfDue;
}

/** The issues with those of a group together, in the order of groups. */
export async function inOrderOfGroups(chosen: ChosenIssues, grouping: Grouping): Promise<ChosenIssues> {
  const { groupBy } = grouping;
  const { cells, kinds } = await kindsOf(chosen, grouping);
  const order = cells
    .map((own, kind) => ({ own, kind }))
    .sort((a, b) => compareGroups(a.own, b.own, groupBy));
  // Groups that are level are told apart by nothing: their issues stay in the order they are in.
  const rankOf = new Uint32Array(cells.length);
  let [rank, before]: [number, Cells | null] = [0, null];
  for (const { own, kind } of order) {
    if (before !== null && compareGroups(before, own, groupBy) !== 0) rank += 1;
    before = own;
    rankOf[kind] = rank;
  }
  const starts = new Uint32Array(rank + 2);
  for (const kind of kinds) if (kind !== NO_GROUP) bump(starts, (rankOf[kind] ?? 0) + 1);
  for (let i = 1; i < starts.length; i += 1) starts[i] = (starts[i] ?? 0) + (starts[i - 1] ?? 0);
  const places = new Uint32Array(starts.at(-1) ?? 0);
  for (const [place, kind] of kinds.entries()) {
    if (kind !== NO_GROUP) places[bump(starts, rankOf[kind] ?? 0)] = place;
  }
  return chosen.at(places);
}

/** Adds one to a number, and says what it was. */
function bump(numbers: Uint32Array, index: number): number {
  const number = numbers[index] ?? 0;
  numbers[index] = number + 1;
  return number;
}

/** What the groups of all these issues are called: none must be called otherwise on the next page. */
export async function namesOfGroups(chosen: ChosenIssues, grouping: Grouping): Promise<GroupNames> {
  const names = createGroupNames(grouping.groupBy);
  for (const own of (await kindsOf(chosen, grouping)).cells) names.note(own);
  return names;
}

/** Each kind of cells that issues have, and of which kind each issue is; `NO_GROUP` where it is gone. */
interface Kinds {
  readonly cells: readonly Cells[];
  readonly kinds: Uint32Array;
}

async function kindsOf(chosen: ChosenIssues, grouping: Grouping): Promise<Kinds> {
  const { groupBy, context, asks, pace } = grouping;
  const { held, count } = chosen;
  const found =
    count <= FEW_ISSUES || held === null ? null : await kindsOfRows(held, { groupBy, context, asks });
  const kinds = found?.kinds ?? new Uint32Array(count).fill(NO_GROUP);
  const cells = [...(found?.cells ?? [])];
  const asked = found === null ? null : placesWithout(kinds);
  const some = asked === null ? chosen : chosen.at(asked);
  let at = 0;
  for await (const slice of slicesOf(some)) {
    for (const issue of await grouping.read(slice)) {
      const rest = pace();
      if (rest !== null) await rest;
      // Issues that are gone are not read.
      while (at < some.count && some.keyAt(at) !== issue.key) at += 1;
      kinds[asked === null ? at : (asked[at] ?? 0)] = cells.push(ownCells(issue, groupBy, context)) - 1;
    }
  }
  return { cells, kinds };
}

async function kindsOfRows(
  { rows, seen }: NonNullable<ChosenIssues['held']>,
  { groupBy, context, asks }: Pick<Grouping, 'groupBy' | 'context' | 'asks'>,
): Promise<Kinds | null> {
  const { table } = seen;
  const groups = await withColumns(table, () =>
    table.columns.reading(() => groupRows(table.columns, rows, groupBy, context, asks)),
  );
  if (groups === null) return null;
  return { cells: groups.own, kinds: groups.groups ?? new Uint32Array(rows.length) };
}

function placesWithout(kinds: Uint32Array): Uint32Array {
  const places: number[] = [];
  for (let i = 0; i < kinds.length; i += 1) if (kinds[i] === NO_GROUP) places.push(i);
  return Uint32Array.from(places);
}
