import { type InTurns, rangesOf } from '../../../concurrency/cooperative-yield.ts';
import type { Instant, Issue } from '../../../model/issue.ts';
import { reportIds } from '../../../model/report-ids.ts';
import type { Statistic } from '../../../model/request.ts';
import type { CalendarDefinition } from '../../../model/settings.ts';
import type { Cells } from '../../../model/table.ts';
import type { HistoryArrays } from '../../columns/column-arrays.ts';
import type { IssueColumns } from '../../columns/issue-columns.ts';
import type { MeasureContext, ReportType } from '../../reports/measuring/report-type.ts';
import {
  type BuiltTable,
  type Layout,
  layOutGroups,
  layOutList,
  type SurveyedList,
  type TableBuilder,
} from '../build-table.ts';
import { measurerOf } from '../measure-issue.ts';
import { createGroupNames, ownCells } from '../own-cells.ts';
import { observeColumns } from '../select-columns.ts';
import { MAX_SQUARED, percentOf } from '../statistics.ts';
import { CELLS_AT_ONCE, condenseGroups, type FallbackIssue, groupsOf } from './condense-groups.ts';
import { groupRowsByValue, type NeedsIssue } from './group-rows.ts';
import { type KernelCells, NumberIndex } from './kernel-cells.ts';
import type { KernelRows } from './kernel-plan.ts';
import { LISTED, UNLISTED } from './kernel-plan.ts';
import { type PlannedKernel, planKernel } from './report-plan.ts';
import { largestAmount, withBlocked } from './row-kernels.ts';
import { type KernelOptions, type NeededAmounts, runKernel } from './run-kernel.ts';

/** A report, its context and its layout, for many issues. */
interface ColumnQuestion {
  readonly report: ReportType;
  readonly context: MeasureContext;
  readonly layout: Layout;
}

/** The columns, the rows of the question in its order, and what else a table needs. */
export interface ColumnSources extends KernelOptions {
  readonly columns: IssueColumns;
  readonly rows: Uint32Array;
  /** The definition of the context's calendar; null means 24/7. */
  readonly calendar: CalendarDefinition | null;
  /** No issue of the rows was created before this instant; found from the columns if absent. */
  readonly earliest?: Instant;
  /** Loads the issues of rows for which columns lack figures; null for an issue that was deleted. */
  readonly load: (rows: Uint32Array) => Promise<readonly (Issue | null)[]>;
  readonly turns: InTurns;
  /**
   * False if columns were written to since permissions were checked, so that a new value may be hidden from the
   * principal; absent if that does not matter.
   */
  readonly isCurrent?: () => boolean;
  /** Finds the history of what blocked the issues, for a report about it; null where columns cannot show it. */
  readonly blocked?: () => Promise<HistoryArrays | null>;
  /** Group-by values that the principal cannot read in columns; absent if there are none. */
  readonly needsIssue?: NeedsIssue;
  /** Returns a check, to be called repeatedly, that fails if the table has become too large. */
  readonly limit?: (made: Pick<TableBuilder, 'size' | 'shown'>) => () => void;
}

/**
 * Builds the table that `createTableBuilder` would build from the issues of these rows, as far as possible from columns
 * alone; null if the report type or a group-by field needs the issues themselves. Fails with `MissingColumn` if a field
 * has not been loaded into columns yet.
 */
export async function tableOfColumns(
  question: ColumnQuestion,
  statistic: Statistic,
  sources: ColumnSources,
): Promise<(BuiltTable & { readonly hasUnknown: boolean }) | null> {
  const aggregated = await aggregate(question, [statistic], sources);
  if (aggregated === null) return null;
  const [table] = await aggregated.tables();
  return table === undefined ? null : { ...table, hasUnknown: aggregated.hasUnknown };
}

/**
 * Makes the first pass over a list from columns, with the same result as `surveyList`; null and failures as for
 * `tableOfColumns`, and null for fewer than two issues.
 */
export async function surveyOfColumns(
  question: ColumnQuestion,
  statistics: readonly Statistic[],
  sources: ColumnSources,
): Promise<SurveyedList | null> {
  const aggregated = await aggregate(question, statistics, sources);
  // The columns of a single issue are in the order in which it observed them.
  if (aggregated === null || aggregated.issues < 2) return null;
  const { report, context, layout } = question;
  const names = createGroupNames(layout.groupBy, layout.knownStatuses);
  for (const cells of aggregated.ownCells) names.note(cells);
  const selected = await aggregated.columnsObserved.select(aggregated.issues, sources.turns);
  const { head, linesOf } = layOutList(report, context, layout, selected, names);
  const measure = measurerOf(report, context, layout.knownStatuses);
  return {
    head,
    hasUnknown: aggregated.hasUnknown,
    statistics: await aggregated.tables(),
    linesOf: (issue) => linesOf(issue, measure(issue)),
  };
}

/** The figures of all rows, from which tables are made. */
interface ColumnAggregate {
  readonly issues: number;
  readonly hasUnknown: boolean;
  readonly columnsObserved: ReturnType<typeof observeColumns>;
  /** Every cell of a group column that came up, at least once. */
  readonly ownCells: readonly Cells[];
  /** Makes one table per statistic. */
  readonly tables: () => Promise<readonly BuiltTable[]>;
}

async function aggregate(
  question: ColumnQuestion,
  statistics: readonly Statistic[],
  sources: ColumnSources,
): Promise<ColumnAggregate | null> {
  const { report, layout } = question;
  const { columns, turns, workersFrom } = sources;
  const seen = await columns.reading(() => lookThrough(question, statistics, sources));
  if (seen === null) return null;
  const { planned, figures, groups, areInexact } = seen;
  const { found } = figures;
  const { keys, keyOf } = await keysOf(found, planned, turns);
  const fallbackOnce = onceEach(found.fallback, groups.rows);
  const fallback = await measureFallback(question, fallbackOnce, { ...sources, rows: groups.rows });
  const columnsObserved = await observeAll(question, { planned, keys, found, fallback }, turns);
  // Column ids composed of other ids may be equal for several keys; then each issue is measured instead.
  const isOnlyKeys = fallback.length + planned.always.length === 0;
  const ids = isOnlyKeys ? columnsObserved.size() : new Set(keys.map(({ column }) => column.id)).size;
  if (ids < keys.length) return null;
  let lines = 0;
  const assertWidth = sources.limit?.({
    size: () => ({ lines, columns: columnsObserved.maxShown() }),
    shown: columnsObserved.shown,
  });
  const limitGroups = (count: number) => {
    lines = count;
    assertWidth?.();
  };
  const grouped = { width: planned.plan.keys, groups, fallback, layout, limit: limitGroups };
  const all = await groupsOf(found, grouped, turns);
  limitGroups(all.length);
  const counted = found.issues.reduce((sum, count) => sum + count, 0);
  const repeated = groups.repeats - (found.fallback.length - fallbackOnce.length);
  const issues = counted - repeated + fallback.length;
  return {
    issues,
    hasUnknown: all.some(({ unknown }) => unknown > 0),
    columnsObserved,
    ownCells: [...groups.cells, ...fallback.map(({ own }) => own)],
    async tables() {
      // A single issue also counts as a group, so columns are in the order of groups.
      const selected = await columnsObserved.select(Math.max(issues, 2), turns);
      const { shown } = selected;
      const named = {
        ids: keys.map(({ column }) => (shown.has(column.id) ? column.id : null)),
        keyOf,
        shown,
      };
      const tables = new Map<Statistic, BuiltTable>();
      // Percentiles come last, because they change the order of amounts, which other statistics may depend on.
      for (const statistic of statistics.toSorted(
        (a, b) => Number(percentOf(a) !== null) - Number(percentOf(b) !== null),
      )) {
        const { hasVisits } = planned;
        const condensed = await condenseGroups(
          all,
          figures,
          { statistic, named, hasVisits, areInexact, workersFrom },
          turns,
        );
        const collected = { groups: { condensed: () => condensed }, statistic };
        tables.set(statistic, await layOutGroups(report, layout, selected, collected, turns));
      }
      figures.amounts?.release();
      return statistics.flatMap((statistic) => tables.get(statistic) ?? []);
    },
  };
}

/** Groups the rows and runs the kernel over them; the columns must not be written to meanwhile. */
async function lookThrough(
  question: ColumnQuestion,
  statistics: readonly Statistic[],
  { columns, rows, calendar, limit, workersFrom, sampling, needsIssue, turns, ...known }: ColumnSources,
) {
  const { report, context, layout } = question;
  const earliest =
    known.earliest ?? (await firstCreated(columns.arrays().created, rows, context.asOf, turns));
  if (known.isCurrent?.() === false) return null;
  const history = report.fields === 'blocked' ? ((await known.blocked?.()) ?? null) : undefined;
  if (history === null) return null;
  const arrays = history === undefined ? columns.arrays() : withBlocked(columns.arrays(), history);
  const planned = planKernel(report, context, {
    columns,
    calendar,
    earliest,
    knownStatuses: layout.knownStatuses,
  });
  if (planned === null) return null;
  const { plan } = planned;
  const observeWhole = async () => {
    const whole = { rows, groups: null };
    const options = { needed: null, workersFrom };
    const { found } = await runKernel(arrays, whole, { ...plan, groups: 1 }, options);
    const { keys } = await keysOf(found, planned, turns);
    return observeAll(question, { planned, keys, found, fallback: [] }, turns);
  };
  let columnsObserved: ReturnType<typeof observeColumns> | null = null;
  // Checks the number of groups before they are made, with the columns of all rows as one group.
  const limitGroups = async (lines: number) => {
    if (limit === undefined || lines * Math.max(1, plan.keys) <= MAX_CELLS) return;
    columnsObserved ??= await observeWhole();
    const { maxShown, shown } = columnsObserved;
    limit({ size: () => ({ lines, columns: maxShown() }), shown })();
  };
  const groups = await groupRowsByValue([columns, rows, layout.groupBy, context, needsIssue], limitGroups);
  if (groups === null) return null;
  await limitGroups(groups.own.length);
  const split: KernelRows = { rows: groups.rows, groups: groups.groups };
  const areInexact = isFractional(context, report) || largestAmount(plan) > MAX_SQUARED;
  const needed = neededOf(statistics, areInexact);
  const figures = await runKernel(
    arrays,
    split,
    { ...plan, groups: groups.own.length },
    { needed, workersFrom, sampling },
  );
  return { planned, figures, groups, areInexact };
}

/** Number of possible cells (groups × keys) from which the size of the table is checked before groups are made. */
const MAX_CELLS = 500_000;

async function firstCreated(
  created: Float64Array,
  rows: Uint32Array,
  asOf: Instant,
  turns: InTurns,
): Promise<Instant> {
  let earliest = asOf;
  await turns.map(rangesOf(rows.length, ROWS_AT_ONCE), ([from, to]) => {
    for (let i = from; i < to; i += 1) {
      const at = created[rows[i]] ?? earliest;
      if (at < earliest) earliest = at;
    }
  });
  return earliest;
}

const ROWS_AT_ONCE = 8192;

/** The single amounts that statistics need; null if they need none. `areInexact`: amounts may not add up exactly. */
function neededOf(statistics: readonly Statistic[], areInexact: boolean): NeededAmounts | null {
  if (areInexact) return statistics.length === 0 ? null : 'all';
  const percents = [...new Set(statistics.flatMap((statistic) => percentOf(statistic) ?? []))];
  const hasDeviation = statistics.some(({ type }) => type === 'standardDeviation');
  return percents.length > 0 || hasDeviation ? { percents } : null;
}

/** True if amounts are not whole milliseconds, so that their sum depends on the order of addition. */
function isFractional({ multiVisitBehavior }: MeasureContext, { id }: ReportType): boolean {
  return multiVisitBehavior === 'average' && id === reportIds.statusDuration;
}

/** A key that came up: its column, the index of its first row, and bits of `KernelPlan.listed`. */
interface ObservedKey {
  readonly column: ReturnType<PlannedKernel['columnOf']>;
  readonly first: number;
  readonly observed: number;
}

/** The keys that came up, and by cell the index of its key. */
interface ObservedKeys {
  readonly keys: readonly ObservedKey[];
  readonly keyOf: Uint32Array;
}

async function keysOf(
  { cells, first, firstStatus, firstOther, observed }: KernelCells,
  { plan, columnOf }: PlannedKernel,
  turns: InTurns,
): Promise<ObservedKeys> {
  const numbers = new NumberIndex(plan.keys);
  const keyOf = new Uint32Array(cells.length);
  const known: { readonly key: number; cell: number; observed: number }[] = [];
  await turns.map(rangesOf(cells.length, CELLS_AT_ONCE), ([from, to]) => {
    for (let cell = from; cell < to; cell += 1) {
      const key = cells[cell] % plan.keys;
      const number = numbers.find(key);
      const one = known[number];
      if (one === undefined) {
        numbers.add(key, known.length);
        keyOf[cell] = known.length;
        known.push({ key, cell, observed: observed[cell] });
        continue;
      }
      keyOf[cell] = number;
      one.observed |= observed[cell];
      if (first[cell] < first[one.cell]) one.cell = cell;
    }
  });
  const keys: ObservedKey[] = [];
  await turns.map(rangesOf(known.length, KEYS_AT_ONCE), ([from, to]) => {
    for (const { key, cell, observed } of known.slice(from, to)) {
      const column = columnOf(key, firstStatus[cell], firstOther[cell]);
      keys.push({ column, first: first[cell], observed });
    }
  });
  return { keys, keyOf };
}

/** The positions of fallback rows, only the first of each row: repetitions of a row follow each other. */
function onceEach(positions: Uint32Array, rows: Uint32Array): Uint32Array {
  return positions.filter((position) => position === 0 || rows[position - 1] !== rows[position]);
}

/** Number of keys processed between two yields: this takes some tenths of a millisecond. */
const KEYS_AT_ONCE = 512;

/** Number of issues loaded at once. */
const LOADED = 500;

async function measureFallback(
  { report, context, layout }: ColumnQuestion,
  positions: Uint32Array,
  { rows, load, turns }: ColumnSources,
): Promise<readonly FallbackIssue[]> {
  const fallback: FallbackIssue[] = [];
  const measure = measurerOf(report, context, layout.knownStatuses);
  for (let at = 0; at < positions.length; at += LOADED) {
    const some = positions.subarray(at, at + LOADED);
    const issues = await load(some.map((position) => rows[position]));
    await turns.map(issues.entries(), ([i, issue]) => {
      if (issue === null) return;
      const { status } = issue;
      const measured = measure(issue);
      const own = ownCells(issue, layout.groupBy, context);
      fallback.push({ position: some[i], issue: { status }, measured, own });
    });
  }
  return fallback;
}

/** Observes every column and status in the order in which they come up in the rows. */
async function observeAll(
  { report, layout }: ColumnQuestion,
  {
    planned,
    keys,
    found,
    fallback,
  }: {
    readonly planned: PlannedKernel;
    readonly keys: readonly ObservedKey[];
    readonly found: KernelCells;
    readonly fallback: readonly FallbackIssue[];
  },
  turns: InTurns,
): Promise<ReturnType<typeof observeColumns>> {
  const columnsObserved = observeColumns(report, layout);
  const kinds = Array.from({ length: (LISTED | UNLISTED) + 1 }, (_, observed) => ({
    isOfListed: (observed & LISTED) !== 0,
    isOfUnlisted: (observed & UNLISTED) !== 0,
  }));
  const by = (observed: number) => kinds[observed] ?? { isOfListed: false, isOfUnlisted: false };
  if (found.issues.some((issues) => issues > 0)) {
    for (const column of planned.always) columnsObserved.observeColumn(column, by(0));
  }
  const { others } = found;
  if (fallback.length + others.length === 0) {
    const inOrder = await turns.sort(keys, (a, b) => a.first - b.first);
    await turns.map(rangesOf(inOrder.length, KEYS_AT_ONCE), ([from, to]) => {
      for (const { column, observed } of inOrder.slice(from, to))
        columnsObserved.observeColumn(column, by(observed));
    });
    return columnsObserved;
  }
  const events = [
    ...keys.map(({ column, first, observed }) => ({
      position: first,
      happen: () => columnsObserved.observeColumn(column, by(observed)),
    })),
    ...fallback.map(({ position, issue, measured }) => ({
      position,
      happen: () => columnsObserved.observe(issue, measured),
    })),
  ];
  for (let i = 0; i < others.length; i += 4) {
    const [code = 0, first = 0, last = 0, observed = 0] = others.subarray(i, i + 4);
    const happen = () => columnsObserved.observeStatus(planned.statusOf(code), by(observed));
    events.push({ position: first, happen }, { position: last, happen });
  }
  await turns.map(await turns.sort(events, (a, b) => a.position - b.position), ({ happen }) => happen());
  return columnsObserved;
}
