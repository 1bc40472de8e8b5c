import { type InTurns, rangesOf } from '../../concurrency/cooperative-yield.ts';
import type { Group } from '../../model/directory.ts';
import type { Status, StatusCategory } from '../../model/issue.ts';
import { compareIds, compareText } from '../../model/issues/ids-and-names.ts';
import type { Level, ReportType, ValueColumn } from '../reports/measuring/report-type.ts';

/** The parts of a request that decide the order of columns. */
interface ColumnOrder {
  /** Ids of the requested statuses, in the requested order; null if the request names none. */
  readonly statuses: readonly string[] | null;
  readonly groups: readonly Group[] | null;
  /** Every known status by id, in workflow order. */
  readonly knownStatuses: ReadonlyMap<string, Status>;
  /**
   * True if the table has only one issue: then columns keep the order in which it observed them, unless the request
   * names statuses or groups.
   */
  readonly isOneIssue: boolean;
}

/**
 * Sorts the columns of a list: statuses in the requested order, otherwise in workflow order; people and values by name;
 * periods by time. A delegate's column follows that of the assignee they cover for. Columns of visits keep their order.
 */
export async function orderColumns(
  observed: readonly ValueColumn[],
  report: ReportType,
  { statuses, knownStatuses, groups, isOneIssue }: ColumnOrder,
  turns: InTurns,
): Promise<readonly ValueColumn[]> {
  if (report.shape === 'visit') return observed;
  if (isOneIssue && statuses === null && groups === null) return besideOwners(observed);
  const rank = new Map([...(statuses ?? []), ...knownStatuses.keys()].map((id, i) => [id, i]));
  if (statuses !== null) for (const [i, id] of statuses.entries()) rank.set(id, i - statuses.length);
  const compareLevel = (level: Level, a: LevelKey, b: LevelKey): number => {
    switch (level) {
      case 'status':
        return (
          (rank.get(a.id) ?? Number.MAX_SAFE_INTEGER) - (rank.get(b.id) ?? Number.MAX_SAFE_INTEGER) ||
          compareIds(a.id, b.id)
        );
      case 'period':
        return compareText(a.id, b.id);
      case 'metric':
        return 0;
      default:
        return compareText(a.title, b.title) || compareIds(a.id, b.id);
    }
  };
  const hasStandIns = observed.some(({ standIn }) => standIn !== undefined);
  let order = hasStandIns ? await turns.sort(observed, compareStandIns) : observed;
  for (const [at, level] of [...report.levels.entries()].toReversed()) {
    const ranks = await ranksOf(order, at, (a, b) => compareLevel(level, a, b), turns);
    order = byRank(order, ranks);
  }
  return order;
}

/** Sorts items by rank with a stable counting sort; ranks are less than the number of items. */
function byRank<Item>(items: readonly Item[], ranks: Uint32Array): Item[] {
  const next = new Uint32Array(items.length + 1);
  for (const rank of ranks) next[rank + 1] += 1;
  for (let rank = 1; rank < next.length; rank += 1) next[rank] += next[rank - 1];
  const sorted = new Array<Item>(items.length);
  for (const [i, item] of items.entries()) {
    const rank = ranks[i];
    const index = next[rank];
    next[rank] = index + 1;
    sorted[index] = item;
  }
  return sorted;
}

/** Number of columns processed between two yields: this takes some tenths of a millisecond. */
export const COLUMNS_AT_ONCE = 512;

/** Sort key of a column at one level, with the title in lower case. */
interface LevelKey {
  readonly id: string;
  readonly title: string;
}

/**
 * Rank of each column at one level; equal columns have the same rank. Many columns share a key, so each distinct key is
 * compared only once.
 */
async function ranksOf(
  columns: readonly ValueColumn[],
  level: number,
  compare: (a: LevelKey, b: LevelKey) => number,
  turns: InTurns,
): Promise<Uint32Array> {
  const byId = new Map<string, { readonly called: string; readonly number: number }[]>();
  const keys: { readonly key: LevelKey; readonly number: number }[] = [];
  let last = { id: '', called: '', number: -1 };
  const numberOf = (column: ValueColumn) => {
    const titled = level === 0 ? (column.parent ?? column.standIn?.owner) : column.child;
    const id = column.ids[level] ?? column.id;
    const called = titled?.title ?? column.title;
    // Adjacent columns often share a key.
    if (last.number >= 0 && last.id === id && last.called === called) return last.number;
    const known = byId.get(id) ?? [];
    const same = known.find((one) => one.called === called);
    last = { id, called, number: same?.number ?? keys.length };
    if (same !== undefined) return same.number;
    known.push(last);
    byId.set(id, known);
    keys.push({ key: { id, title: called.toLowerCase() }, number: last.number });
    return last.number;
  };
  const numbers: number[] = [];
  await turns.map(rangesOf(columns.length, COLUMNS_AT_ONCE), ([from, to]) => {
    for (const column of columns.slice(from, to)) numbers.push(numberOf(column));
  });
  const rankOf = new Uint32Array(keys.length);
  let [rank, before]: [number, LevelKey | null] = [0, null];
  for (const { key, number } of await turns.sort(keys, (a, b) => compare(a.key, b.key))) {
    if (before !== null && compare(before, key) !== 0) rank += 1;
    before = key;
    rankOf[number] = rank;
  }
  return Uint32Array.from(numbers, (number) => rankOf[number]);
}

/** Among the columns of one person: their own first, then those of their delegates by title. */
function compareStandIns(a: ValueColumn, b: ValueColumn): number {
  if (a.standIn === undefined && b.standIn === undefined) return 0;
  return (
    Number(a.standIn !== undefined) - Number(b.standIn !== undefined) ||
    compareText(a.title.toLowerCase(), b.title.toLowerCase()) ||
    compareIds(a.id, b.id)
  );
}

/** Columns in the order in which they were observed, but a person's column next to those of their delegates. */
function besideOwners(observed: readonly ValueColumn[]): readonly ValueColumn[] {
  if (observed.every(({ standIn }) => standIn === undefined)) return observed;
  const owners = new Map<string, number>();
  for (const [i, column] of observed.entries())
    if (!owners.has(ownerOf(column))) owners.set(ownerOf(column), i);
  const rank = (column: ValueColumn) => owners.get(ownerOf(column)) ?? observed.length;
  return observed.toSorted((a, b) => rank(a) - rank(b) || compareStandIns(a, b));
}

function ownerOf({ id, standIn }: ValueColumn): string {
  return standIn?.owner.id ?? id;
}

const categoryRank: Readonly<Record<StatusCategory, number>> = {
  'To Do': 0,
  'In Progress': 1,
  Undefined: 2,
  Done: 3,
};

/**
 * Sorts statuses in workflow order: by category, then by `positions` (mean position in the histories, by id; statuses
 * without a position come last), then in the given order.
 */
export function inWorkflowOrder(
  statuses: Iterable<Status>,
  positions: ReadonlyMap<string, number> = new Map(),
): readonly Status[] {
  const given = [...statuses];
  const index = new Map(given.map(({ id }, i) => [id, i]));
  const positionOf = ({ id }: Status) => positions.get(id) ?? Number.MAX_VALUE;
  return given.toSorted(
    (a, b) =>
      categoryRank[a.category] - categoryRank[b.category] ||
      positionOf(a) - positionOf(b) ||
      (index.get(a.id) ?? 0) - (index.get(b.id) ?? 0) ||
      compareIds(a.id, b.id),
  );
}
