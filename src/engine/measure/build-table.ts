import type { InTurns } from '../../concurrency/cooperative-yield.ts';
import type { Priority } from '../../model/directory.ts';
import type { Issue } from '../../model/issue.ts';
import type { Statistic } from '../../model/request.ts';
import type { Cells, Column, IssueFacts, Row, Table } from '../../model/table.ts';
import type { MeasureContext, Measured, ReportType } from '../reports/measuring/report-type.ts';
import {
  collectGroups,
  compareGroupKeys,
  type GroupCollector,
  groupKeyOf,
  groupRanks,
  type SprintOrder,
} from './collect-groups.ts';
import { measurerOf } from './measure-issue.ts';
import { createGroupNames, type GroupNames, headerColumns, ownCells, scopedName } from './own-cells.ts';
import {
  observeColumns,
  type RequestedColumns,
  type SelectedColumns,
  withDistinctTitles,
} from './select-columns.ts';

/** The columns that a request shows and groups by. */
export interface Layout extends RequestedColumns {
  readonly fields: readonly Column[];
  readonly groupBy: readonly Column[];
  /** The tracker's priorities in order; without them, well-known names of priorities decide the order of groups. */
  readonly priorities?: readonly Priority[];
  /** The tracker's sprints; without them, groups of sprints are sorted by name. */
  readonly sprints?: SprintOrder;
  /** Group names of all pages, so that a page renames cells like the whole list; absent without pages. */
  readonly names?: GroupNames;
}

/** A table without its provenance and page, which the caller adds. */
export type BuiltTable = Omit<Table, 'provenance' | 'page'>;

/** Builds a table from issues that are added one by one, so that the caller can yield between them. */
export interface TableBuilder {
  /** Adds an issue step by step: iterate to the end. Before each step, `size` already includes what the step adds. */
  add(issue: Issue): Iterable<void>;
  /** Size of the table so far. */
  readonly size: () => TableSize;
  /** Number of value columns that the table shows so far. */
  readonly shown: () => number;
  build(turns: InTurns): Promise<BuiltTable>;
}

/** Number of lines (in a list: of issues), and an upper bound for the number of value columns: some may be hidden. */
interface TableSize {
  readonly lines: number;
  readonly columns: number;
}

/** Creates a builder of a table with one line per issue or visit or, with a statistic, one line per group of issues. */
export function createTableBuilder(
  report: ReportType,
  context: MeasureContext,
  layout: Layout,
  statistic: Statistic | null,
): TableBuilder {
  return statistic === null
    ? listBuilder(report, context, layout)
    : groupBuilder(report, context, layout, statistic);
}

function listBuilder(report: ReportType, context: MeasureContext, layout: Layout): TableBuilder {
  const observed = observeColumns(report, layout);
  const measure = measurerOf(report, context, layout.knownStatuses);
  const names = layout.names ?? createGroupNames(layout.groupBy, layout.knownStatuses);
  const measured: { readonly issue: Issue; readonly measured: Measured }[] = [];
  return {
    add(issue) {
      const one = measure(issue);
      observed.observe(issue, one);
      measured.push({ issue, measured: one });
      if (layout.groupBy.length > 0) names.note(ownCells(issue, layout.groupBy, context));
      return [];
    },
    size: () => ({ lines: measured.length, columns: observed.maxShown() }),
    shown: observed.shown,
    async build(turns) {
      const selected = await observed.select(measured.length, turns);
      const { head, linesOf } = layOutList(report, context, layout, selected, names);
      const lines = await turns.map(measured, ({ issue, measured: one }) => linesOf(issue, one));
      return {
        ...head,
        issues: lines.map((one) => one.facts),
        rows: lines.flatMap((one) => one.rows),
      };
    },
  };
}

function groupBuilder(
  report: ReportType,
  context: MeasureContext,
  layout: Layout,
  statistic: Statistic,
): TableBuilder {
  const { done, ...survey } = surveyList(report, context, layout, [statistic]);
  return {
    ...survey,
    async build(turns) {
      const [table] = (await done(turns)).statistics;
      if (table === undefined) throw new Error('A statistic has one table.');
      return table;
    },
  };
}

/** Result of the first pass over a list: the head of the list, and the complete tables of its statistics. */
export interface SurveyedList extends Pick<ListLayout, 'head'> {
  readonly hasUnknown: boolean;
  readonly statistics: readonly BuiltTable[];
  /** Measures an issue of the first pass again, and returns its lines. */
  linesOf(issue: Issue): ReturnType<ListLayout['linesOf']>;
}

/**
 * Collects columns, groups and statistics of a list, but none of its lines, so memory does not grow with them; its size is
 * that of the tables of the statistics.
 */
interface ListSurvey extends Omit<TableBuilder, 'build'> {
  done(turns: InTurns): Promise<SurveyedList>;
}

/**
 * Creates the first pass over a list that is streamed: its columns and the figures over all issues are known only after
 * each issue has been measured. In the second pass, `linesOf` returns the lines of each issue.
 */
export function surveyList(
  report: ReportType,
  context: MeasureContext,
  layout: Layout,
  statistics: readonly Statistic[],
): ListSurvey {
  const observed = observeColumns(report, layout);
  const measure = measurerOf(report, context, layout.knownStatuses);
  const collectors = statistics.map((statistic) => ({
    statistic,
    groups: collectGroups(layout.groupBy, statistic),
  }));
  const names = createGroupNames(layout.groupBy, layout.knownStatuses);
  let issues = 0;
  let hasUnknown = false;
  return {
    *add(issue) {
      const measured = measure(issue);
      observed.observe(issue, measured);
      hasUnknown ||= measured.unknown !== null;
      issues += 1;
      if (collectors.length + layout.groupBy.length === 0) return;
      const own = ownCells(issue, layout.groupBy, context);
      names.note(own);
      for (const { groups } of collectors) yield* groups.add(own, measured);
    },
    size: () => ({ lines: collectors[0]?.groups.size() ?? 0, columns: observed.maxShown() }),
    shown: observed.shown,
    async done(turns) {
      const listed = await observed.select(issues, turns);
      const { head, linesOf } = layOutList(report, context, layout, listed, names);
      const selected = issues < 2 ? await observed.select(2, turns) : listed;
      const tables: BuiltTable[] = [];
      for (const one of collectors) tables.push(await layOutGroups(report, layout, selected, one, turns));
      return {
        head,
        hasUnknown,
        statistics: tables,
        linesOf: (issue) => linesOf(issue, measure(issue)),
      };
    },
  };
}

/** The head of a list, and the function that makes the lines of an issue. */
interface ListLayout {
  readonly head: Omit<BuiltTable, 'issues' | 'rows'>;
  linesOf(issue: Issue, measured: Measured): { readonly facts: IssueFacts; readonly rows: readonly Row[] };
}

/** Lays out a list with one line per issue or visit, from the selected columns and the noted group names. */
export function layOutList(
  report: ReportType,
  context: MeasureContext,
  layout: Layout,
  selected: SelectedColumns,
  names: GroupNames,
): ListLayout {
  const own = [...headerColumns, ...layout.groupBy, ...layout.fields];
  return {
    head: {
      columns: withDistinctTitles([...own, ...selected.columns]),
      statuses: selected.statuses,
      composite: report.composite,
      statistic: null,
    },
    linesOf(issue, measured) {
      const cells = names.distinct(ownCells(issue, own, context), selected.scopes);
      const states = measured.states === null ? {} : { states: measured.states };
      const hasVisits = report.shape === 'visit' && report.levels.includes('status');
      const rows = measured.lines.map(
        (line): Row => ({
          issueKey: issue.key,
          own: cells,
          cells: visible(hasVisits ? scoped(line, selected) : line, selected.hidden),
          ...states,
        }),
      );
      const current = measured.current.map((one) => ({
        ...one,
        title: scopedName(one.title, selected.scopes.get(one.columnId)),
      }));
      return { facts: factsOf(issue, { ...measured, current }, cells, leftOut(measured, selected)), rows };
    },
  };
}

/** The line of a visit, with the name of its status as in the rest of the table (see `scopedName`). */
function scoped(line: Cells, { scopes }: Pick<SelectedColumns, 'scopes'>): Cells {
  const { value } = line;
  const scope = value === undefined ? undefined : scopes.get(value.id ?? '');
  return value === undefined || scope === undefined
    ? line
    : { ...line, value: { ...value, value: scopedName(String(value.value), scope) } };
}

function visible(line: Cells, hidden: ReadonlySet<string>): Cells {
  if (hidden.size === 0) return line;
  return Object.fromEntries(Object.entries(line).filter(([id]) => !hidden.has(id)));
}

/** Names of deleted statuses of the issue that the table leaves out, each once. */
function leftOut({ columns, statuses }: Measured, selected: SelectedColumns): string[] {
  const shownIds = new Set(columns.map((column) => column.id));
  return [
    ...new Set([
      ...selected.leftOut.filter(({ columnId }) => shownIds.has(columnId)).map(({ status }) => status),
      ...statuses.filter(selected.isAside).map(({ name }) => name),
    ]),
  ];
}

function factsOf(
  issue: Issue,
  { current, unknown, contradictions }: Measured,
  cells: Cells,
  missing: readonly string[],
): IssueFacts {
  const { key, created, history, link = null } = issue;
  return { key, cells, link, created, current, history, unknown, contradictions, leftOut: missing };
}

/** Lays out a table with one line per group of issues, in the order of groups. */
export async function layOutGroups(
  report: ReportType,
  layout: Layout,
  selected: SelectedColumns,
  {
    groups,
    statistic,
  }: { readonly groups: Pick<GroupCollector, 'condensed'>; readonly statistic: Statistic },
  { map, sort }: InTurns,
): Promise<BuiltTable> {
  const names = createGroupNames(layout.groupBy, layout.knownStatuses);
  const condensed = await map(
    groups.condensed((columnId) => selected.shown.has(columnId)),
    (group) => {
      names.note(group.own);
      return group;
    },
  );
  const ranks = groupRanks(layout.knownStatuses, layout.priorities ?? [], layout.sprints);
  const keyed = await map(condensed, (group) => ({
    group,
    key: groupKeyOf(group.own, layout.groupBy, ranks),
  }));
  const sorted = await sort(keyed, (a, b) => compareGroupKeys(a.key, b.key));
  const rows = await map(
    sorted,
    ({ group: { own, cells, issueCount } }): Row => ({
      issueKey: null,
      cells,
      issueCount,
      own: names.distinct(own, selected.scopes),
    }),
  );
  return {
    columns: withDistinctTitles([...layout.groupBy, ...selected.columns]),
    issues: [],
    rows,
    statuses: selected.statuses,
    composite: report.composite,
    statistic,
  };
}
