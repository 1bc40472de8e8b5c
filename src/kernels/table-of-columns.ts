import type { IssueColumns } from '../columns/issue-columns.ts';
import type { InTurns } from '../concurrency/in-turns.ts';
import {
  type BuiltTable,
  type Layout,
  layOutGroups,
  layOutList,
  type SurveyedList,
  type TableBuilder,
} from '../engine/build-table.ts';
import { type CondensedGroup, createGroupNames, groupIdentity } from '../engine/collect-groups.ts';
import { ownCells } from '../engine/own-cells.ts';
import type { MeasureContext, Measured, ReportType } from '../engine/report-type.ts';
import { observeColumns } from '../engine/select-columns.ts';
import type { Instant, Issue } from '../model/issue.ts';
import type { Statistic } from '../model/request.ts';
import type { CalendarDefinition } from '../model/settings.ts';
import { type Cell, type Cells, cellOf } from '../model/table.ts';
import { type AskedCodes, createNumbers, groupRows, type RowGroups } from './group-rows.ts';
import { addExactly, type KernelCells } from './kernel-cells.ts';
import type { KernelRows } from './kernel-plan.ts';
import type { CondenseTask } from './kernel-worker.ts';
import { type PlannedKernel, planKernel, STRANGER, VOUCHED } from './report-plan.ts';
import {
  condenseAmounts,
  type KernelAmounts,
  type KernelFigures,
  type KernelOptions,
  runKernel,
} from './run-kernel.ts';

/** What is asked of many issues. */
export interface ColumnQuestion {
  readonly report: ReportType;
  readonly context: MeasureContext;
  readonly layout: Layout;
}

/** What it is asked of: rows in the order of the question. */
export interface ColumnSources extends KernelOptions {
  readonly columns: IssueColumns;
  readonly rows: Uint32Array;
  /** What the context's calendar is made from; null: 24/7. */
  readonly calendar: CalendarDefinition | null;
  /** None of the issues was created before; left out where nobody has looked. */
  readonly earliest?: Instant;
  /** The issues of some rows, for what columns cannot say; null where one is gone. */
  readonly load: (rows: Uint32Array) => Promise<readonly (Issue | null)[]>;
  readonly turns: InTurns;
  /** Where the asker may not read what is grouped by. */
  readonly asks?: AskedCodes;
  /** Given how large the table is by now, makes what fails if that is too large; called again and again. */
  readonly limit?: (made: Pick<TableBuilder, 'size' | 'shown'>) => () => void;
}

/**
 * The same table as `createTableBuilder` builds of the issues of these rows, from columns alone as far as they know; null
 * where the report type, or what is grouped by, takes the issues themselves. Fails with `MissingColumn` where a field is
 * not held yet.
 */
export async function tableOfColumns(
  question: ColumnQuestion,
  statistic: Statistic,
  sources: ColumnSources,
): Promise<(BuiltTable & { readonly hasUnknown: boolean }) | null> {
  const learnt = await learn(question, [statistic], sources);
  if (learnt === null) return null;
  const [table] = await learnt.tables();
  return table === undefined ? null : { ...table, hasUnknown: learnt.hasUnknown };
}

/** The same as `surveyList` finds out about a list of the issues of these rows; null and failures as above. */
export async function surveyOfColumns(
  question: ColumnQuestion,
  statistics: readonly Statistic[],
  sources: ColumnSources,
): Promise<SurveyedList | null> {
  const learnt = await learn(question, statistics, sources);
  // One issue shows its columns in an order of its own.
  if (learnt === null || learnt.issues < 2) return null;
  const { report, context, layout } = question;
  const names = createGroupNames(layout.groupBy);
  for (const cells of learnt.ownCells) names.note(cells);
  const selected = await learnt.meeting.select(learnt.issues, sources.turns);
  const { head, linesOf } = layOutList(report, context, layout, selected, names);
  return {
    head,
    hasUnknown: learnt.hasUnknown,
    statistics: await learnt.tables(),
    linesOf: (issue) => linesOf(issue, report.measure(issue, context)),
  };
}

/** What all rows come to. */
interface Learnt {
  readonly issues: number;
  readonly hasUnknown: boolean;
  readonly meeting: ReturnType<typeof observeColumns>;
  /** Every cell of a group column that came up, at least once. */
  readonly ownCells: readonly Cells[];
  /** A table per statistic. */
  readonly tables: () => Promise<readonly BuiltTable[]>;
}

async function learn(
  question: ColumnQuestion,
  statistics: readonly Statistic[],
  sources: ColumnSources,
): Promise<Learnt | null> {
  const { report, layout } = question;
  const { columns, turns } = sources;
  const seen = await columns.reading(() => lookThrough(question, statistics, sources));
  if (seen === null) return null;
  const { planned, figures, groups } = seen;
  const { found } = figures;
  const { keys, keyOf } = await keysOf(found, planned, turns);
  if (new Set(keys.map(({ column }) => column.id)).size < keys.length) return null;
  const asked = await measureAsked(question, found.asked, sources);
  const meeting = await meetAll(question, { planned, keys, found, asked }, turns);
  const all = await groupsOf(found, { width: planned.plan.keys, groups, asked, layout }, turns);
  const issues = all.reduce((sum, group) => sum + group.issues, 0);
  sources.limit?.({
    size: () => ({ lines: all.length, columns: meeting.size() }),
    shown: meeting.shown,
  })();
  return {
    issues,
    hasUnknown: all.some(({ unknown }) => unknown > 0),
    meeting,
    ownCells: [...groups.cells, ...asked.map(({ own }) => own)],
    async tables() {
      // One issue alone stands in a group as well: columns come in the order of groups.
      const selected = await meeting.select(Math.max(issues, 2), turns);
      const { shown } = selected;
      const named = {
        ids: keys.map(({ column }) => (shown.has(column.id) ? column.id : null)),
        keyOf,
        shown,
      };
      const tables = new Map<Statistic, BuiltTable>();
      // What looks at amounts in their order comes before what changes it.
      for (const statistic of statistics.toSorted(
        (a, b) => Number(isSelection(a)) - Number(isSelection(b)),
      )) {
        const { hasVisits } = planned;
        const condensed = await condense(all, figures, { statistic, named, hasVisits }, turns);
        const collected = { groups: { condensed: () => condensed }, statistic };
        tables.set(statistic, await layOutGroups(report, layout, selected, collected, turns));
      }
      figures.amounts?.release();
      return statistics.flatMap((statistic) => tables.get(statistic) ?? []);
    },
  };
}

/** Groups the rows and sends the kernel through them, while nobody writes to the columns. */
async function lookThrough(
  question: ColumnQuestion,
  statistics: readonly Statistic[],
  { columns, rows, calendar, limit, workersFrom, asks, turns, ...known }: ColumnSources,
) {
  const { report, context, layout } = question;
  const groups = await groupRows(columns, rows, layout.groupBy, context, asks);
  if (groups === null) return null;
  const arrays = columns.arrays();
  const earliest = known.earliest ?? (await firstCreated(arrays.created, rows, context.asOf, turns));
  const planned = planKernel(report, context, {
    ...{ columns, calendar, earliest, knownStatuses: layout.knownStatuses },
    groups: groups.own.length,
  });
  if (planned === null) return null;
  const { plan } = planned;
  const split: KernelRows = { rows, groups: groups.groups };
  if (limit !== undefined && plan.groups * plan.keys > MOST_CELLS) {
    // Whether that is too much to answer shows without the groups.
    const whole = { ...plan, groups: 1 };
    const { found } = await runKernel(arrays, { rows, groups: null }, whole, {
      needsAmounts: false,
      workersFrom,
    });
    const { keys } = await keysOf(found, planned, turns);
    const meeting = await meetAll(question, { planned, keys, found, asked: [] }, turns);
    limit({
      size: () => ({ lines: plan.groups, columns: meeting.size() }),
      shown: meeting.shown,
    })();
  }
  const needsAmounts =
    statistics.some((one) => isSelection(one) || one.type === 'standardDeviation') ||
    (statistics.length > 0 && isFractional(context, report));
  const figures = await runKernel(arrays, split, plan, { needsAmounts, workersFrom });
  return { planned, figures, groups };
}

/** Cells beyond which it is worth a look whether there are too many to answer. */
const MOST_CELLS = 500_000;

async function firstCreated(
  created: Float64Array,
  rows: Uint32Array,
  asOf: Instant,
  turns: InTurns,
): Promise<Instant> {
  let earliest = asOf;
  await turns.map(partsOf(rows.length, ROWS_AT_ONCE), ([from, to]) => {
    for (let i = from; i < to; i += 1) {
      const at = created[rows[i] ?? 0] ?? earliest;
      if (at < earliest) earliest = at;
    }
  });
  return earliest;
}

const ROWS_AT_ONCE = 8192;
const CELLS_AT_ONCE = 4096;

/** From 0 on, so many at one go. */
function* partsOf(count: number, size: number): Generator<readonly [from: number, to: number]> {
  for (let from = 0; from < count; from += size) yield [from, Math.min(count, from + size)];
}

function isSelection({ type }: Statistic): boolean {
  return type === 'median' || type === 'percentile';
}

/** Sums of amounts that are no whole milliseconds depend on the order in which they are added. */
function isFractional({ multiVisitBehavior }: MeasureContext, { columns }: ReportType): boolean {
  return multiVisitBehavior === 'average' && columns?.kernel === 'status' && columns.counts === 'time';
}

/** A key that came up: its column, and where it came up first. */
interface MetKey {
  readonly column: ReturnType<PlannedKernel['columnOf']>;
  readonly first: number;
  readonly met: number;
}

/** The keys that came up, and by cell which of them is its. */
interface MetKeys {
  readonly keys: readonly MetKey[];
  readonly keyOf: Uint32Array;
}

async function keysOf(
  { cells, first, firstStatus, firstOther, met }: KernelCells,
  { plan, columnOf }: PlannedKernel,
  turns: InTurns,
): Promise<MetKeys> {
  const numbers = createNumbers(plan.keys);
  const keyOf = new Uint32Array(cells.length);
  const known: { readonly key: number; cell: number; met: number }[] = [];
  await turns.map(partsOf(cells.length, CELLS_AT_ONCE), ([from, to]) => {
    for (let cell = from; cell < to; cell += 1) {
      const key = (cells[cell] ?? 0) % plan.keys;
      const number = numbers.get(key);
      const one = known[number];
      if (one === undefined) {
        numbers.set(key, known.length);
        keyOf[cell] = known.length;
        known.push({ key, cell, met: met[cell] ?? 0 });
        continue;
      }
      keyOf[cell] = number;
      one.met |= met[cell] ?? 0;
      if ((first[cell] ?? 0) < (first[one.cell] ?? 0)) one.cell = cell;
    }
  });
  const keys = await turns.map(known, (one) => ({
    column: columnOf(one.key, firstStatus[one.cell] ?? 0, firstOther[one.cell] ?? 0),
    first: first[one.cell] ?? 0,
    met: one.met,
  }));
  return { keys, keyOf };
}

/** An issue that columns do not speak for. */
interface AskedIssue {
  readonly place: number;
  /** What is needed of it once it is measured: there may be many. */
  readonly issue: Pick<Issue, 'status'>;
  readonly measured: Measured;
  readonly own: Cells;
}

/** So many issues are loaded at one go. */
const LOADED = 500;

async function measureAsked(
  { report, context, layout }: ColumnQuestion,
  places: Uint32Array,
  { rows, load, turns }: ColumnSources,
): Promise<readonly AskedIssue[]> {
  const asked: AskedIssue[] = [];
  for (let at = 0; at < places.length; at += LOADED) {
    const some = places.subarray(at, at + LOADED);
    const issues = await load(some.map((place) => rows[place] ?? 0));
    await turns.map(issues.entries(), ([i, issue]) => {
      if (issue === null) return;
      const { status } = issue;
      const measured = report.measure(issue, context);
      const own = ownCells(issue, layout.groupBy, context);
      asked.push({ place: some[i] ?? 0, issue: { status }, measured, own });
    });
  }
  return asked;
}

/** Every column and status in the order in which they come up in the rows. */
async function meetAll(
  { report, layout }: ColumnQuestion,
  {
    planned,
    keys,
    found,
    asked,
  }: {
    readonly planned: PlannedKernel;
    readonly keys: readonly MetKey[];
    readonly found: KernelCells;
    readonly asked: readonly AskedIssue[];
  },
  turns: InTurns,
): Promise<ReturnType<typeof observeColumns>> {
  const meeting = observeColumns(report, layout);
  const by = (met: number) => ({ vouched: (met & VOUCHED) !== 0, strangers: (met & STRANGER) !== 0 });
  if (found.issues.some((issues) => issues > 0)) {
    for (const column of planned.always) meeting.observeColumn(column, by(0));
  }
  const events = [
    ...keys.map(({ column, first, met }) => ({
      place: first,
      happen: () => meeting.observeColumn(column, by(met)),
    })),
    ...asked.map(({ place, issue, measured }) => ({ place, happen: () => meeting.observe(issue, measured) })),
  ];
  const { others } = found;
  for (let i = 0; i < others.length; i += 4) {
    const [code = 0, first = 0, last = 0, met = 0] = others.subarray(i, i + 4);
    const happen = () => meeting.observeStatus(planned.statusOf(code), by(met));
    events.push({ place: first, happen }, { place: last, happen });
  }
  await turns.map(await turns.sort(events, (a, b) => a.place - b.place), ({ happen }) => happen());
  return meeting;
}

/** What the rows of one group come to. */
interface GroupFigures {
  own: Cells;
  first: number;
  issues: number;
  unknown: number;
  /** The kernel's cells of the group, in the order in which they came up. */
  readonly cells: Uint32Array;
  /** By column what issues that were asked add; null where none was. */
  asked: Map<string, AskedFigures> | null;
}

interface AskedFigures {
  readonly amounts: number[];
  visits: number | null;
  uncertain: number;
}

async function groupsOf(
  found: KernelCells,
  {
    width,
    groups,
    asked,
    layout,
  }: {
    /** How many keys a group has. */
    readonly width: number;
    readonly groups: RowGroups;
    readonly asked: readonly AskedIssue[];
    readonly layout: Layout;
  },
  turns: InTurns,
): Promise<readonly GroupFigures[]> {
  const { cells, at } = await cellsByGroup(found.cells, width, groups.own.length, turns);
  const all = [
    ...(await turns.map(
      groups.own.entries(),
      ([group, own]): GroupFigures => ({
        own,
        first: groups.first[group] ?? 0,
        issues: found.issues[group] ?? 0,
        unknown: found.unknown[group] ?? 0,
        cells: cells.subarray(at[group], at[group + 1]),
        asked: null,
      }),
    )),
  ];
  if (asked.length > 0) {
    const identities = await turns.map(all, ({ own }) => groupIdentity(own, layout.groupBy));
    const byIdentity = new Map(all.map((group, i) => [identities[i] ?? '', group]));
    await turns.map(asked, ({ place, own, measured }) => {
      const identity = groupIdentity(own, layout.groupBy);
      let group = byIdentity.get(identity);
      if (group === undefined) {
        group = { own, first: place, issues: 0, unknown: 0, cells: new Uint32Array(), asked: null };
        all.push(group);
        byIdentity.set(identity, group);
      }
      if (place < group.first) {
        group.first = place;
        group.own = own;
      }
      addAsked(group, measured);
    });
  }
  return turns.sort(
    all.filter(({ issues }) => issues > 0),
    (a, b) => a.first - b.first,
  );
}

/** The kernel's cells sorted by group, and where those of each begin. */
async function cellsByGroup(numbers: Float64Array, width: number, groups: number, turns: InTurns) {
  const at = new Uint32Array(groups + 2);
  const groupOf = new Uint32Array(numbers.length);
  await turns.map(partsOf(numbers.length, CELLS_AT_ONCE), ([from, to]) => {
    for (let cell = from; cell < to; cell += 1) {
      const group = Math.floor((numbers[cell] ?? 0) / width);
      groupOf[cell] = group;
      at[group + 2] = (at[group + 2] ?? 0) + 1;
    }
  });
  for (let group = 2; group < at.length; group += 1) at[group] = (at[group] ?? 0) + (at[group - 1] ?? 0);
  const cells = new Uint32Array(numbers.length);
  await turns.map(partsOf(numbers.length, CELLS_AT_ONCE), ([from, to]) => {
    for (let cell = from; cell < to; cell += 1) {
      const next = (groupOf[cell] ?? 0) + 1;
      cells[at[next] ?? 0] = cell;
      at[next] = (at[next] ?? 0) + 1;
    }
  });
  return { cells, at };
}

function addAsked(group: GroupFigures, { lines, unknown }: Measured): void {
  const uncertain = Number(unknown !== null);
  group.issues += 1;
  group.unknown += uncertain;
  const asked = group.asked ?? new Map<string, AskedFigures>();
  group.asked = asked;
  for (const line of lines) {
    for (const id of Object.keys(line)) {
      const { value, visits } = cellOf(line, id) ?? {};
      if (typeof value !== 'number') continue;
      const column = asked.get(id) ?? { amounts: [], visits: null, uncertain: 0 };
      asked.set(id, column);
      column.amounts.push(value);
      if (visits !== undefined) column.visits = (column.visits ?? 0) + visits;
      column.uncertain += uncertain;
    }
  }
}

/** What the kernel's cells are called: by key, null where it is not shown. */
interface NamedCells {
  readonly ids: readonly (string | null)[];
  readonly keyOf: Uint32Array;
  readonly shown: ReadonlySet<string>;
}

/** The figures of a group that are shown: the kernel's cell (-1: none), and what issues that were asked add. */
function eachFigure(
  { cells, asked }: GroupFigures,
  { ids, keyOf, shown }: NamedCells,
  take: (id: string, cell: number, added: AskedFigures | null) => void,
): void {
  const known = new Set<string>();
  for (let i = 0; i < cells.length; i += 1) {
    const cell = cells[i] ?? 0;
    const id = ids[keyOf[cell] ?? 0] ?? null;
    if (id === null) continue;
    take(id, cell, asked?.get(id) ?? null);
    if (asked !== null) known.add(id);
  }
  for (const [id, added] of asked ?? []) if (shown.has(id) && !known.has(id)) take(id, -1, added);
}

/** Each group with a figure per column that is shown, as `collectGroups` condenses them. */
async function condense(
  groups: readonly GroupFigures[],
  { found, amounts }: KernelFigures,
  {
    statistic,
    named,
    hasVisits,
  }: { readonly statistic: Statistic; readonly named: NamedCells; readonly hasVisits: boolean },
  turns: InTurns,
): Promise<readonly CondensedGroup[]> {
  const { counts, uncertain, visits } = found;
  // Whether an issue with unknown time was there nobody can tell: it is no zero.
  const zerosOf = (group: GroupFigures, cell: number, added: AskedFigures | null) =>
    statistic.denominator === 'all'
      ? group.issues -
        (group.unknown - (uncertain[cell] ?? 0) - (added?.uncertain ?? 0)) -
        ((counts[cell] ?? 0) + (added?.amounts.length ?? 0))
      : 0;
  const values =
    amounts === null ? null : await condenseEach(groups, amounts, { statistic, named, zerosOf }, turns);
  const sumOf = createSumOf(found, statistic);
  let next = 0;
  return turns.map(groups, (group) => {
    const cells: Record<string, Cell> = {};
    eachFigure(group, named, (id, cell, added) => {
      const value =
        values === null ? sumOf(cell, added, zerosOf(group, cell, added)) : (values[next] ?? Number.NaN);
      next += 1;
      if (Number.isNaN(value)) return;
      const count = hasVisits && cell >= 0 ? (visits[cell] ?? 0) + (added?.visits ?? 0) : added?.visits;
      cells[id] = hasVisits && typeof count === 'number' ? { value, visits: count } : { value };
    });
    return { own: group.own, cells, issueCount: group.issues };
  });
}

/** Sums or averages where the kernel has added up; NaN where there is none. */
function createSumOf({ counts, sums, rests }: KernelCells, { type }: Statistic) {
  const [sum, rest] = [new Float64Array(1), new Float64Array(1)];
  return (cell: number, added: AskedFigures | null, zeros: number) => {
    const count = (counts[cell] ?? 0) + (added?.amounts.length ?? 0);
    if (count === 0) return Number.NaN;
    sum[0] = sums[cell] ?? 0;
    rest[0] = rests[cell] ?? 0;
    for (const amount of added?.amounts ?? []) addExactly(sum, rest, 0, amount);
    const total = (sum[0] ?? 0) + (rest[0] ?? 0);
    return type === 'sum' ? total : total / (count + zeros);
  };
}

/** The figures by a statistic that looks at single amounts, in the order of groups and of what they show. */
async function condenseEach(
  groups: readonly GroupFigures[],
  amounts: KernelAmounts,
  {
    statistic,
    named,
    zerosOf,
  }: {
    readonly statistic: Statistic;
    readonly named: NamedCells;
    readonly zerosOf: (group: GroupFigures, cell: number, added: AskedFigures | null) => number;
  },
  turns: InTurns,
): Promise<Float64Array> {
  const cells: number[] = [];
  const zeros: number[] = [];
  const more = new Map<number, readonly number[]>();
  await turns.map(groups, (group) => {
    eachFigure(group, named, (_id, cell, added) => {
      if (added !== null) more.set(cells.length, added.amounts);
      cells.push(cell);
      zeros.push(zerosOf(group, cell, added));
    });
  });
  const where = more.size === 0 ? whereOf(cells, amounts) : await gathered(cells, more, amounts, turns);
  return condenseAmounts({ ...where, zeros: Float64Array.from(zeros), statistic });
}

/** Amounts, and by cell from which place until before which its own are. */
type PlacedAmounts = Pick<CondenseTask, 'values' | 'from' | 'to'>;

function whereOf(cells: readonly number[], { values, starts }: KernelAmounts): PlacedAmounts {
  const from = Float64Array.from(cells, (cell) => starts[cell] ?? 0);
  const to = Float64Array.from(cells, (cell) => starts[cell + 1] ?? 0);
  return { values, from, to };
}

/** The same of the kernel's amounts with more of some cells. */
async function gathered(
  cells: readonly number[],
  more: ReadonlyMap<number, readonly number[]>,
  { values, starts }: KernelAmounts,
  turns: InTurns,
): Promise<PlacedAmounts> {
  const bounds = new Float64Array(cells.length + 1);
  for (const [i, cell] of cells.entries()) {
    const count = cell < 0 ? 0 : (starts[cell + 1] ?? 0) - (starts[cell] ?? 0);
    bounds[i + 1] = (bounds[i] ?? 0) + count + (more.get(i)?.length ?? 0);
  }
  const all = new Float64Array(new SharedArrayBuffer((bounds.at(-1) ?? 0) * Float64Array.BYTES_PER_ELEMENT));
  await turns.map(cells.entries(), ([i, cell]) => {
    const at = bounds[i] ?? 0;
    const own = cell < 0 ? [] : values.subarray(starts[cell], starts[cell + 1]);
    all.set(own, at);
    all.set(more.get(i) ?? [], at + own.length);
  });
  return { values: all, from: bounds.subarray(0, -1), to: bounds.subarray(1) };
}
