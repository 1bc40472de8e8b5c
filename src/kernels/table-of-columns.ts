import type { IssueColumns } from '../columns/issue-columns.ts';
import {
  type BuiltTable,
  type InTurns,
  type Layout,
  layOutGroups,
  layOutList,
  type SurveyedList,
  type TableBuilder,
} from '../engine/build-table.ts';
import { type CondensedGroup, createGroupNames, groupIdentity } from '../engine/collect-groups.ts';
import { ownCells } from '../engine/own-cells.ts';
import type { MeasureContext, Measured, ReportType } from '../engine/report-type.ts';
import { meetColumns } from '../engine/select-columns.ts';
import type { Issue } from '../model/issue.ts';
import type { Statistic } from '../model/request.ts';
import type { CalendarDefinition } from '../model/settings.ts';
import { type Cell, type Cells, cellOf } from '../model/table.ts';
import { type AskedCodes, groupRows, type RowGroups } from './group-rows.ts';
import { addExactly, type KernelCells } from './kernel-cells.ts';
import type { KernelRows } from './kernel-plan.ts';
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
  const { head, linesOf } = layOutList(report, context, layout, learnt.meeting.select(learnt.issues), names);
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
  readonly meeting: ReturnType<typeof meetColumns>;
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
  const keys = keysOf(found, planned);
  if (new Set(keys.map(({ column }) => column.id)).size < keys.length) return null;
  const asked = await measureAsked(question, found.asked, sources);
  const meeting = meetAll(question, { planned, keys, found, asked });
  const all = groupsOf(found, { planned, keys, groups, asked, layout });
  const issues = all.reduce((sum, group) => sum + group.issues, 0);
  sources.limit?.({
    size: () => ({ lines: all.length, columns: meeting.size() }),
    shown: () => meeting.select(Math.max(issues, 2)).columns.length,
  })();
  return {
    issues,
    hasUnknown: all.some(({ unknown }) => unknown > 0),
    meeting,
    ownCells: [...groups.cells, ...asked.map(({ own }) => own)],
    async tables() {
      // One issue alone stands in a group as well: columns come in the order of groups.
      const selected = meeting.select(Math.max(issues, 2));
      const shown = new Set(selected.columns.map(({ id }) => id));
      const tables = new Map<Statistic, BuiltTable>();
      // What looks at amounts in their order comes before what changes it.
      for (const statistic of statistics.toSorted(
        (a, b) => Number(isSelection(a)) - Number(isSelection(b)),
      )) {
        const condensed = await condense(all, figures, { statistic, shown, hasVisits: planned.hasVisits });
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
  { columns, rows, calendar, limit, workersFrom, asks }: ColumnSources,
) {
  const { report, context, layout } = question;
  const groups = await groupRows(columns, rows, layout.groupBy, context, asks);
  if (groups === null) return null;
  const arrays = columns.arrays();
  let earliest = context.asOf;
  for (const row of rows) earliest = Math.min(earliest, arrays.created[row] ?? earliest);
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
    const meeting = meetAll(question, { planned, keys: keysOf(found, planned), found, asked: [] });
    limit({
      size: () => ({ lines: plan.groups, columns: meeting.size() }),
      shown: () => meeting.select(Math.max(rows.length, 2)).columns.length,
    })();
  }
  const needsAmounts =
    statistics.some((one) => isSelection(one) || one.type === 'standardDeviation') ||
    (statistics.length > 0 && isFractional(context, report));
  const figures = await runKernel(arrays, split, plan, { needsAmounts, workersFrom });
  return { planned, figures, groups };
}

/** Cells beyond which it is worth a look whether there are too many to answer. */
const MOST_CELLS = 2_000_000;

function isSelection({ type }: Statistic): boolean {
  return type === 'median' || type === 'percentile';
}

/** Sums of amounts that are no whole milliseconds depend on the order in which they are added. */
function isFractional({ multiVisitBehavior }: MeasureContext, { columns }: ReportType): boolean {
  return multiVisitBehavior === 'average' && columns?.kernel === 'status' && columns.counts === 'time';
}

/** A key that came up: its column, the kernel's number for it, and where it came up first. */
interface MetKey {
  readonly key: number;
  readonly column: ReturnType<PlannedKernel['columnOf']>;
  readonly first: number;
  readonly met: number;
}

function keysOf(
  { cells, first, firstStatus, firstOther, met }: KernelCells,
  { plan, columnOf }: PlannedKernel,
): readonly MetKey[] {
  const byKey = new Map<number, { cell: number; met: number }>();
  for (let cell = 0; cell < cells.length; cell += 1) {
    const key = (cells[cell] ?? 0) % plan.keys;
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, { cell, met: met[cell] ?? 0 });
    else {
      known.met |= met[cell] ?? 0;
      if ((first[cell] ?? 0) < (first[known.cell] ?? 0)) known.cell = cell;
    }
  }
  return [...byKey].map(([key, known]) => ({
    key,
    column: columnOf(key, firstStatus[known.cell] ?? 0, firstOther[known.cell] ?? 0),
    first: first[known.cell] ?? 0,
    met: known.met,
  }));
}

/** An issue that columns do not speak for. */
interface AskedIssue {
  readonly place: number;
  readonly issue: Issue;
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
      const measured = report.measure(issue, context);
      asked.push({ place: some[i] ?? 0, issue, measured, own: ownCells(issue, layout.groupBy, context) });
    });
  }
  return asked;
}

/** Every column and status in the order in which they come up in the rows. */
function meetAll(
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
): ReturnType<typeof meetColumns> {
  const meeting = meetColumns(report, layout);
  const by = (met: number) => ({ vouched: (met & VOUCHED) !== 0, strangers: (met & STRANGER) !== 0 });
  if (found.issues.some((issues) => issues > 0)) {
    for (const column of planned.always) meeting.meetColumn(column, by(0));
  }
  const events = [
    ...keys.map(({ column, first, met }) => ({
      place: first,
      happen: () => meeting.meetColumn(column, by(met)),
    })),
    ...asked.map(({ place, issue, measured }) => ({ place, happen: () => meeting.meet(issue, measured) })),
  ];
  const { others } = found;
  for (let i = 0; i < others.length; i += 4) {
    const [code = 0, first = 0, last = 0, met = 0] = others.subarray(i, i + 4);
    const happen = () => meeting.meetStatus(planned.statusOf(code), by(met));
    events.push({ place: first, happen }, { place: last, happen });
  }
  for (const { happen } of events.sort((a, b) => a.place - b.place)) happen();
  return meeting;
}

/** What the rows of one group come to. */
interface GroupFigures {
  own: Cells;
  first: number;
  issues: number;
  unknown: number;
  readonly columns: Map<string, ColumnFigures>;
}

/** Of a group and a column: the kernel's cell (-1: none), and what issues that were asked add. */
interface ColumnFigures {
  readonly cell: number;
  readonly amounts: number[];
  visits: number | null;
  uncertain: number;
}

function groupsOf(
  found: KernelCells,
  {
    planned,
    keys,
    groups,
    asked,
    layout,
  }: {
    readonly planned: PlannedKernel;
    readonly keys: readonly MetKey[];
    readonly groups: RowGroups;
    readonly asked: readonly AskedIssue[];
    readonly layout: Layout;
  },
): readonly GroupFigures[] {
  const all = groups.own.map(
    (own, group): GroupFigures => ({
      own,
      first: groups.first[group] ?? 0,
      issues: found.issues[group] ?? 0,
      unknown: found.unknown[group] ?? 0,
      columns: new Map(),
    }),
  );
  const idOf = new Map(keys.map(({ key, column }) => [key, column.id]));
  const { keys: width } = planned.plan;
  for (let cell = 0; cell < found.cells.length; cell += 1) {
    const number = found.cells[cell] ?? 0;
    all[Math.floor(number / width)]?.columns.set(idOf.get(number % width) ?? '', {
      cell,
      amounts: [],
      visits: planned.hasVisits ? (found.visits[cell] ?? 0) : null,
      uncertain: found.uncertain[cell] ?? 0,
    });
  }
  const byIdentity = new Map(all.map((group) => [groupIdentity(group.own, layout.groupBy), group]));
  for (const { place, own, measured } of asked) {
    const identity = groupIdentity(own, layout.groupBy);
    let group = byIdentity.get(identity);
    if (group === undefined) {
      group = { own, first: place, issues: 0, unknown: 0, columns: new Map() };
      all.push(group);
      byIdentity.set(identity, group);
    }
    if (place < group.first) {
      group.first = place;
      group.own = own;
    }
    addAsked(group, measured);
  }
  return all.filter(({ issues }) => issues > 0).sort((a, b) => a.first - b.first);
}

function addAsked(group: GroupFigures, { lines, unknown }: Measured): void {
  const uncertain = Number(unknown !== null);
  group.issues += 1;
  group.unknown += uncertain;
  for (const line of lines) {
    for (const id of Object.keys(line)) {
      const { value, visits } = cellOf(line, id) ?? {};
      if (typeof value !== 'number') continue;
      const column = group.columns.get(id) ?? { cell: -1, amounts: [], visits: null, uncertain: 0 };
      group.columns.set(id, column);
      column.amounts.push(value);
      if (visits !== undefined) column.visits = (column.visits ?? 0) + visits;
      column.uncertain += uncertain;
    }
  }
}

/** Each group with a figure per column that is shown, as `collectGroups` condenses them. */
async function condense(
  groups: readonly GroupFigures[],
  { found, amounts }: KernelFigures,
  {
    statistic,
    shown,
    hasVisits,
  }: { readonly statistic: Statistic; readonly shown: ReadonlySet<string>; readonly hasVisits: boolean },
): Promise<readonly CondensedGroup[]> {
  const entries = groups.flatMap((group) =>
    [...group.columns].filter(([id]) => shown.has(id)).map(([id, column]) => ({ group, id, column })),
  );
  const countOf = ({ cell, amounts: own }: ColumnFigures) => own.length + (found.counts[cell] ?? 0);
  const zeros = Float64Array.from(entries, ({ group, column }) =>
    // Whether an issue with unknown time was there nobody can tell: it is no zero.
    statistic.denominator === 'all' ? group.issues - (group.unknown - column.uncertain) - countOf(column) : 0,
  );
  const values =
    amounts === null
      ? sumsOf(
          entries.map(({ column }) => column),
          found,
          { statistic, zeros },
        )
      : await condenseAmounts(
          gathered(
            entries.map(({ column }) => column),
            amounts,
          ),
          zeros,
          statistic,
        );
  const cellsOf = new Map<GroupFigures, Record<string, Cell>>(groups.map((group) => [group, {}]));
  for (const [i, { group, id, column }] of entries.entries()) {
    const value = values[i] ?? Number.NaN;
    const cells = cellsOf.get(group);
    if (cells === undefined || Number.isNaN(value)) continue;
    cells[id] = hasVisits && column.visits !== null ? { value, visits: column.visits } : { value };
  }
  return groups.map((group) => ({
    own: group.own,
    cells: cellsOf.get(group) ?? {},
    issueCount: group.issues,
  }));
}

/** Sums or averages where the kernel has added up; NaN where there is none. */
function sumsOf(
  columns: readonly ColumnFigures[],
  { counts, sums, rests }: KernelCells,
  { statistic, zeros }: { readonly statistic: Statistic; readonly zeros: Float64Array },
): Float64Array {
  const [sum, rest] = [new Float64Array(1), new Float64Array(1)];
  return Float64Array.from(columns, ({ cell, amounts }, i) => {
    const count = (counts[cell] ?? 0) + amounts.length;
    if (count === 0) return Number.NaN;
    sum[0] = sums[cell] ?? 0;
    rest[0] = rests[cell] ?? 0;
    for (const amount of amounts) addExactly(sum, rest, 0, amount);
    const total = (sum[0] ?? 0) + (rest[0] ?? 0);
    return statistic.type === 'sum' ? total : total / (count + (zeros[i] ?? 0));
  });
}

type AmountsInOrder = Pick<KernelAmounts, 'values' | 'starts'>;

/** The amounts of some columns, one after the other: the kernel's as they lie there where these are all of them. */
function gathered(columns: readonly ColumnFigures[], amounts: AmountsInOrder): AmountsInOrder {
  const { values, starts } = amounts;
  const isAll =
    columns.length === starts.length - 1 &&
    columns.every(({ cell, amounts: own }, i) => cell === i && own.length === 0);
  if (isAll) return amounts;
  const bounds = new Float64Array(columns.length + 1);
  for (const [i, { cell, amounts: own }] of columns.entries()) {
    const count = cell < 0 ? 0 : (starts[cell + 1] ?? 0) - (starts[cell] ?? 0);
    bounds[i + 1] = (bounds[i] ?? 0) + count + own.length;
  }
  const all = new Float64Array(new SharedArrayBuffer((bounds.at(-1) ?? 0) * Float64Array.BYTES_PER_ELEMENT));
  for (const [i, { cell, amounts: own }] of columns.entries()) {
    const at = bounds[i] ?? 0;
    const from = cell < 0 ? [] : values.subarray(starts[cell], starts[cell + 1]);
    all.set(from, at);
    all.set(own, at + from.length);
  }
  return { values: all, starts: bounds };
}
