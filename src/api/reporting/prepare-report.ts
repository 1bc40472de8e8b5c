import { createYieldIfDue, type YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { inTurns } from '../../concurrency/in-turns.ts';
import type { Layout } from '../../engine/build-table.ts';
import type { MeasureContext, ReportType } from '../../engine/report-type.ts';
import { changesOf } from '../../issues/issue-fields.ts';
import type { AskedCodes } from '../../kernels/group-rows.ts';
import type { ColumnSources } from '../../kernels/table-of-columns.ts';
import type { IssueTable } from '../../mirror/issue-table.ts';
import { type AppError, about, badRequest } from '../../model/error.ts';
import type { Instant, Issue } from '../../model/issue.ts';
import type { AudienceScope } from '../../model/permissions.ts';
import type { ReportRequest } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import type { CalendarFacts, Column, PageFacts, Provenance } from '../../model/table.ts';
import type { Calendar } from '../../time/calendar.ts';
import type { DelegationApi } from '../delegations/delegation-api.ts';
import {
  atHand,
  type ChosenIssues,
  FEW_ISSUES,
  factsOfRows,
  heldFor,
  inRows,
  type Read,
  slicesOf,
} from './chosen-issues.ts';
import { contentsOf, contentsOfHeld, type ReportedFields } from './contents-of.ts';
import { hiddenInTable, hideClosedKeys, mayHoldKeys } from './hide-closed-keys.ts';
import { inOrderOfGroups, namesOfGroups } from './order-issues.ts';
import type { QueryContext } from './query-context.ts';
import { delegatesFor, measureContext, type ResolvedRequest, resolveRequest } from './resolve-request.ts';
import { type ClosedKeys, isValue, type SeenIssues } from './seen-issues.ts';
import { type Selected, selectFor } from './select-for.ts';
import { type PageLists, type TakenPage, takePage } from './take-page.ts';

/** What a report can draw on, besides what the tracker tells. */
export interface ReportSources {
  readonly reports: readonly ReportType[];
  readonly calendars: readonly CalendarDefinition[];
  readonly pages: PageLists;
  readonly newId: () => string;
  readonly delegateTimes: DelegationApi['delegateTimes'];
}

/** A question whose issues are chosen: all that is left is to measure them. */
interface PreparedReport {
  readonly report: ReportType;
  readonly chosen: ChosenIssues;
  readonly context: MeasureContext;
  readonly layout: Layout;
  readonly page: PageFacts | null;
  readonly provenance: Provenance;
  /** What tells figures of all of them at once; null where they are better measured one by one. */
  readonly fromColumns: HeldSources | null;
  /** The issues as the principal may read them, a slice at a time; as often as it is called. */
  slices(): AsyncGenerator<readonly Issue[]>;
}

/** What columns tell of rows is asked of a table, which can be made to hold more. */
interface HeldSources extends ColumnSources {
  readonly table: IssueTable;
}

/** Issues that were chosen for several reports. */
export interface ChosenBefore {
  readonly selected: Selected;
  readonly chosen: ChosenIssues;
}

/** Chooses the issues of a question, of its page where it asks for one, and tells where the figures will come from. */
export async function prepareReport(
  request: ReportRequest,
  queryContext: QueryContext,
  sources: ReportSources,
  pace: YieldIfDue,
  before?: ChosenBefore,
): Promise<PreparedReport> {
  const resolved = await resolveRequest(request, queryContext, sources, before?.selected);
  const { report, selected } = resolved;
  const page: TakenPage =
    before === undefined
      ? await takePage(request, queryContext.asOf, {
          ...sources,
          now: queryContext.askedAt,
          calendar: resolved.definition,
          credited: resolved.credited,
          seen: selected.world,
          select: (asOf, first) => selectAll(request, { ...queryContext, asOf }, resolved, { pace, first }),
        })
      : { chosen: before.chosen, all: before.chosen, asOf: queryContext.asOf, facts: null };
  const { asOf } = page;
  const reported = reportedFields(resolved, asOf);
  const read = readableAs(reported, queryContext, selected);
  // Figures of issues in rows need none of them.
  const isAtHand = page.chosen.count <= FEW_ISSUES && request.statistic === null;
  const chosen = isAtHand
    ? atHand(await read(await page.chosen.load(0, page.chosen.count)), page.chosen.undecided)
    : page.chosen;
  async function* slices() {
    for await (const slice of slicesOf(chosen)) yield isAtHand ? slice : await read(slice);
  }
  const asks = await askedCodes(resolved, queryContext, page.all.count);
  const facts = await factsOf(chosen, asOf, pace);
  const delegates =
    resolved.credited === null
      ? new Map()
      : await delegatesFor(facts.assignees(), resolved.credited.times, queryContext);
  const context = measureContext(request, queryContext, resolved, { born: facts.born, asOf, delegates });
  const { groupBy, definition } = resolved;
  const isPart = page.all.count > page.chosen.count && groupBy.length > 0;
  const names = isPart ? await namesOfGroups(page.all, { groupBy, context, read, asks, pace }) : null;
  const { issues, cutHistories, classes } = facts;
  const fromColumns = sourcesOf(page.chosen, { groupBy, definition, read, asks, pace });
  return {
    ...{ report, chosen, context, slices },
    layout: { ...layoutOf(request, resolved), ...(names === null ? {} : { names }) },
    fromColumns:
      fromColumns === null || classes === null ? fromColumns : { ...fromColumns, earliest: facts.born },
    page: page.facts,
    provenance: {
      ...provenanceOf(request, queryContext, resolved, page, { issues, cutHistories }),
      contents: await contentsOfChosen(chosen, slices, reported, {
        queryContext,
        read,
        seen: selected.world,
        pace,
        classes,
      }),
    },
  };
}

/** What columns tell of rows of issues; null where these are better looked at one by one. */
function sourcesOf(
  chosen: ChosenIssues,
  {
    groupBy,
    definition,
    read,
    asks,
    pace,
  }: {
    readonly groupBy: readonly Column[];
    readonly definition: CalendarDefinition;
    readonly read: Read;
    readonly asks: AskedCodes;
    readonly pace: YieldIfDue;
  },
): HeldSources | null {
  const held = heldFor(
    chosen,
    groupBy.map(({ id }) => id),
  );
  if (held === null) return null;
  const { table } = held.seen;
  const { columns } = table;
  return {
    table,
    columns,
    rows: held.rows,
    calendar: definition.id === null ? null : definition,
    async load(rows) {
      const issues = await table.load(rows);
      const readable = await read(issues.filter((issue) => issue !== null));
      let next = 0;
      return issues.map((issue) => (issue === null ? null : (readable[next++] ?? null)));
    },
    turns: inTurns(pace),
    asks,
  };
}

/** Issues as the principal may read the fields that are reported of them. */
function readableAs({ now, ever }: ReportedFields, queryContext: QueryContext, { known }: Selected): Read {
  return (issues) => hideClosedKeys(issues, [...now, ...ever], queryContext, known);
}

/** What is to be known of all issues of a question before they are measured. */
interface ChosenFacts extends Pick<Provenance, 'issues' | 'cutHistories'> {
  /** When the first was created; no later than `asOf`. */
  readonly born: Instant;
  /** How many are of each access class; null of issues at hand. */
  readonly classes: readonly number[] | null;
  /** Ids of everybody they are or were with, and perhaps of others. */
  assignees(): ReadonlySet<string>;
}

async function factsOf(
  { count, held, load }: ChosenIssues,
  asOf: Instant,
  pace: YieldIfDue,
): Promise<ChosenFacts> {
  if (held === null) {
    let [born, cutHistories] = [asOf, 0];
    const issues = await load(0, count);
    for (const { created, history } of issues) {
      born = Math.min(born, created);
      if (!history.complete) cutHistories += 1;
    }
    return {
      ...{ issues: issues.length, cutHistories, born, classes: null },
      assignees: () => assigneesOf(issues),
    };
  }
  const { columns } = held.seen.table;
  const found = await factsOfRows(held.rows.subarray(0, count), { columns, seen: held.seen }, asOf, pace);
  return {
    ...{ issues: count, ...found },
    assignees() {
      const values = columns.values('assignee').contents();
      return new Set(values.flatMap((one) => (isValue(one) ? one.id : [])));
    },
  };
}

/** Ids of everybody the issues are or were with. */
function assigneesOf(issues: readonly Issue[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const issue of issues) {
    if (issue.assignee !== null) ids.add(issue.assignee.id);
    for (const { from, to } of changesOf(issue, 'assignee')) {
      if (from !== null) ids.add(from.id);
      if (to !== null) ids.add(to.id);
    }
  }
  return ids;
}

async function contentsOfChosen(
  { held }: ChosenIssues,
  slices: () => AsyncIterable<readonly Issue[]>,
  reported: ReportedFields,
  {
    queryContext,
    read,
    seen,
    pace,
    classes,
  }: {
    readonly queryContext: QueryContext;
    readonly read: Read;
    readonly seen: SeenIssues | null;
    readonly pace: YieldIfDue;
    /** How many are of each access class, where that is known. */
    readonly classes: readonly number[] | null;
  },
): Promise<AudienceScope> {
  if (held === null || seen === null) return contentsOf(slices(), reported, queryContext);
  const { columns } = seen.table;
  const hidden = new Map<string, ClosedKeys | null>();
  for (const field of reported.now) {
    if (!columns.hasField(field)) continue;
    hidden.set(field, (await hiddenInTable(field, queryContext, seen))?.closed ?? null);
  }
  const all = held.seen;
  async function* load(rows: Uint32Array) {
    for await (const slice of slicesOf(inRows(rows, all, 0))) yield await read(slice);
  }
  const { rows } = held;
  const known = await contentsOfHeld({ rows, classes }, columns, reported, {
    hidden,
    load,
    queryContext,
    pace,
  });
  return known ?? contentsOf(slices(), reported, queryContext);
}

/** Where the figures of a request come from, without what issues they are of. */
export function provenanceOf(
  request: ReportRequest,
  queryContext: QueryContext,
  { report, calendar, selected, credited }: ResolvedRequest,
  page: Pick<TakenPage, 'asOf' | 'chosen'>,
  { issues, cutHistories }: Pick<Provenance, 'issues' | 'cutHistories'>,
): Provenance {
  return {
    reportType: report.id,
    calendar: describe(calendar),
    askedAt: queryContext.askedAt,
    asOf: page.asOf,
    dataAsOf: queryContext.dataAsOf,
    tracker: queryContext.tracker,
    trim: request.trim,
    timeZone: queryContext.timeZone,
    complete: cutHistories === 0 && page.chosen.undecided === 0 && queryContext.unasked === 0,
    issues,
    cutHistories,
    query: selected.query,
    ...(selected.dependsOnPrincipal ? { dependsOnPrincipal: true } : {}),
    undecided: page.chosen.undecided,
    ...(queryContext.unasked === 0 ? {} : { unasked: queryContext.unasked }),
    ...(credited === null ? {} : { creditedCategories: credited.categories }),
  };
}

function reportedFields(resolved: ResolvedRequest, asOf: Instant): ReportedFields {
  return { now: toldNow(resolved), ever: toldEver(resolved), asOf };
}

function toldNow({ fields, groupBy }: ResolvedRequest): readonly string[] {
  return [...fields, ...groupBy].map(({ id }) => id).filter(mayHoldKeys);
}

function toldEver({ historyFields }: ResolvedRequest): readonly string[] {
  return historyFields.map(({ id }) => id).filter(mayHoldKeys);
}

/** All issues of a question as of an instant, those of a group together where groups are asked for in a list. */
async function selectAll(
  request: ReportRequest,
  queryContext: QueryContext,
  resolved: ResolvedRequest,
  { pace, first }: { readonly pace: YieldIfDue; readonly first: number | undefined },
): Promise<ChosenIssues> {
  const { groupBy } = resolved;
  const selected =
    queryContext.asOf === resolved.asOf ? resolved.selected : await selectFor(request, queryContext);
  const isGrouped = groupBy.length > 0 && request.statistic === null;
  const chosen = await selected.select(pace, isGrouped ? undefined : first);
  if (!isGrouped) return chosen;
  const { asOf } = queryContext;
  const context = measureContext(request, queryContext, resolved, { born: asOf, asOf, delegates: new Map() });
  const reported = { now: toldNow(resolved), ever: [], asOf };
  const read = readableAs(reported, queryContext, selected);
  const asks = await askedCodes(resolved, queryContext, chosen.count);
  return inOrderOfGroups(chosen, { groupBy, context, read, asks, pace });
}

/**
 * Where the principal may not read what is grouped by, as far as columns hold it, only issues say it. Columns hold what many
 * issues are grouped by from then on; where that is too long, grouping is refused.
 */
async function askedCodes(
  { groupBy, selected }: ResolvedRequest,
  queryContext: QueryContext,
  count: number,
): Promise<AskedCodes> {
  const { world } = selected;
  const asks = new Map<string, ReadonlySet<number>>();
  if (world === null) return asks;
  const { table } = world;
  for (const { id, kind } of groupBy) {
    const isHeld = count > FEW_ISSUES && kind !== 'instant' && !id.startsWith('calc:');
    if (isHeld) await table.hold(id);
    if (isHeld && table.columns.isTooLong(id)) throw tooLongToGroup(id);
    if (!mayHoldKeys(id)) continue;
    if (!table.columns.hasField(id)) continue;
    const hidden = await hiddenInTable(id, queryContext, world);
    if (hidden !== null) asks.set(id, hidden.codes);
  }
  return asks;
}

function tooLongToGroup(field: string): AppError {
  const most = FEW_ISSUES.toLocaleString('en-US');
  return badRequest(
    about(
      'groupByFields',
      `'${field}' has too much text to group so many issues by. Try: a field with fewer different values, or at most ${most} issues.`,
    ),
  );
}

/** What issues a question is about; nothing is measured. */
export async function surveyContents(
  request: ReportRequest,
  queryContext: QueryContext,
  sources: ReportSources,
): Promise<AudienceScope> {
  const resolved = await resolveRequest(request, queryContext, sources);
  const pace = createYieldIfDue();
  const chosen = await resolved.selected.select(pace, 0);
  const reported = reportedFields(resolved, queryContext.asOf);
  const read = readableAs(reported, queryContext, resolved.selected);
  async function* slices() {
    for await (const slice of slicesOf(chosen)) yield await read(slice);
  }
  const { world: seen } = resolved.selected;
  return contentsOfChosen(chosen, slices, reported, { queryContext, read, seen, pace, classes: null });
}

function layoutOf(
  request: ReportRequest,
  { fields, groupBy, groups, statuses, selected }: ResolvedRequest,
): Layout {
  return {
    fields,
    groupBy,
    statuses: statuses.statuses,
    consolidated: statuses.consolidated,
    includeDeletedStatuses: request.includeDeletedStatuses,
    groups: request.groups === null ? null : groups,
    knownStatuses: selected.statuses,
  };
}

function describe({ id, name, timeZone, dailyMs, equalDays, continuous }: Calendar): CalendarFacts {
  return { id, name, timeZone, dailyMs, equalDays, continuous };
}
