import { inTurns, type YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import type { Layout } from '../../engine/measure/build-table.ts';
import type { SprintOrder } from '../../engine/measure/collect-groups.ts';
import type { NeedsIssue } from '../../engine/measure/kernels/group-rows.ts';
import { isRecorded } from '../../engine/measure/kernels/row-kernels.ts';
import type { ColumnSources } from '../../engine/measure/kernels/table-of-columns.ts';
import type { MeasureContext, ReportType } from '../../engine/reports/measuring/report-type.ts';
import { blockedAuthors } from '../../engine/visits/blocked-visits.ts';
import type { IssueTable } from '../../mirror/issue-table.ts';
import type { Directory } from '../../model/directory.ts';
import { about, badRequestAs } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { untitledAmong } from '../../model/issues/field-titles.ts';
import type { AudienceScope, ReportRequest } from '../../model/request.ts';
import type { PageFacts, Provenance } from '../../model/table.ts';
import { audienceScopeOf, type ReportedFields } from '../../selection/access/audience-scope.ts';
import { createBlockedReader } from '../../selection/access/blocked-issues.ts';
import { mayHoldKeys } from '../../selection/access/hide-closed-keys.ts';
import { inOrderOfGroups, namesOfGroups } from '../../selection/access/order-issues.ts';
import type { QueryContext } from '../../selection/access/query-context.ts';
import { type ResolvedSelection, resolveSelection } from '../../selection/access/select-issues.ts';
import {
  type ChosenIssues,
  FEW_ISSUES,
  factsOf,
  inOrder,
  inOwnOrder,
  loadedIssues,
  loadVisible,
  type Read,
  rowSelectionFor,
  type SelectedIssues,
} from '../../selection/access/selected-issues.ts';
import { observedNamesakes } from '../../selection/access/status-catalog.ts';
import { sprintFields } from '../../selection/jql/field-contents.ts';
import { withFlows } from '../outcomes/issue-flow.ts';
import {
  type BlockedReport,
  blockedHistory,
  blockedReport,
  isInColumns,
  withLinks,
} from './blocked-report.ts';
import { loadPage, wholePage } from './load-page.ts';
import { delegatesFor, measureContext } from './measure-context.ts';
import { type ReportSources, type ResolvedRequest, resolveRequest } from './resolve-request.ts';

/** A question whose issues are selected, ready to be measured. */
interface PreparedReport {
  readonly report: ReportType;
  readonly issues: SelectedIssues;
  readonly context: MeasureContext;
  readonly layout: Layout;
  readonly page: PageFacts | null;
  readonly provenance: Provenance;
  /** The columns from which the figures of all issues follow; null if the issues are better measured one by one. */
  readonly fromColumns: RowSources | null;
  /** Replaces contents that the principal cannot read in issues. */
  readonly read: Read;
}

/** Columns of the issues' rows, and the table that loads more fields into them. */
interface RowSources extends ColumnSources {
  readonly table: IssueTable;
}

/** Issues that were selected once for several reports. */
export interface SelectedBefore {
  readonly selection: ResolvedSelection;
  readonly issues: SelectedIssues;
}

/** Selects the issues of a question, or of one of its pages, and prepares context, layout, columns and provenance. */
export async function prepareReport(
  request: ReportRequest,
  queryContext: QueryContext,
  sources: ReportSources,
  before?: SelectedBefore,
): Promise<PreparedReport> {
  const resolved = await resolveRequest(request, queryContext, sources, before?.selection);
  const { report, selection, fields, groupBy, statuses, consolidated, credited } = resolved;
  const { statuses: knownStatuses, directory, keys, visible } = selection;
  const page =
    before === undefined
      ? await loadPage(request, queryContext.asOf, {
          ...sources,
          now: queryContext.askedAt,
          definition: resolved.definition,
          credited,
          visible,
          choose: (asOf) => chooseAll(request, { ...queryContext, asOf }, resolved),
        })
      : wholePage(before.issues, queryContext.asOf);
  const pageContext = { ...queryContext, asOf: page.asOf };
  const { pace } = queryContext;
  const reported = reportedFields(resolved, page.asOf);
  const blocked = await blockedReport(request, resolved, pageContext);
  const read = readerOf(reported, selection, blocked);
  // A few issues are loaded now, unless a statistic condenses them: columns may have its figures.
  const isLoaded = page.issues.count <= FEW_ISSUES && request.statistic === null;
  const loaded = isLoaded ? await read(await page.issues.load(0, page.issues.count)) : null;
  const issues = loaded === null ? page.issues : loadedIssues(loaded, page.issues.unknown);
  const readNow: Read = isLoaded ? async (readable) => readable : read;
  const needsIssue = await needsIssueOf(resolved, page.all.count);
  const facts = await factsOf(issues, pageContext);
  const { classes, born: earliest } = facts;
  const people =
    credited !== null
      ? await delegatesFor(facts.assignees(), credited.times, queryContext)
      : loaded !== null && blocked !== null
        ? await queryContext.people(blockedAuthors(loaded))
        : undefined;
  const context = measureContext(request, pageContext, resolved, earliest, people);
  const isPart = page.all.count > page.issues.count;
  const grouping = { groupBy, context, read, needsIssue, pace, statuses: knownStatuses };
  const names = isPart && groupBy.length > 0 ? await namesOfGroups(page.all, grouping) : null;
  const hasStatuses = report.levels.some((level) => ['status', 'user', 'group'].includes(level));
  const onAllPages = isPart && hasStatuses ? await observedNamesakes(page.all, grouping) : [];
  const hasColumns =
    isInColumns(blocked, page.issues) && (await hasReadableHistories(page.issues, resolved, reported));
  const scope = await audienceScopeOf(issues, reported, {
    context: queryContext,
    keys,
    read: readNow,
    classes,
  });
  const provenance = {
    ...provenanceOf(request, pageContext, resolved, issues, facts),
    contents: await withLinks(scope, issues, blocked),
  };
  return {
    report,
    issues,
    context,
    read: readNow,
    layout: {
      fields,
      groupBy,
      statuses,
      consolidated,
      knownStatuses,
      priorities: directory.priorities,
      sprints: sprintOrder(directory),
      includeDeletedStatuses: request.includeDeletedStatuses,
      groups: request.groups === null ? null : resolved.groups,
      ...(names === null ? {} : { names }),
      ...(onAllPages.length === 0 ? {} : { onAllPages }),
    },
    fromColumns: hasColumns
      ? columnSources(page.issues, resolved, {
          read,
          needsIssue,
          pace,
          blocked,
          earliest: classes === null ? null : earliest,
        })
      : null,
    page: page.facts,
    // A report by stages says which flows these are of.
    provenance:
      request.consolidated === 'stages'
        ? withFlows(provenance, (await queryContext.world()).flows)
        : provenance,
  };
}

/** The columns of the selected rows; null if the issues are better measured one by one. */
function columnSources(
  issues: SelectedIssues,
  { report, groupBy, definition, selection }: ResolvedRequest,
  {
    read,
    needsIssue,
    pace,
    blocked,
    earliest,
  }: {
    readonly read: Read;
    readonly needsIssue: NeedsIssue;
    readonly pace: YieldIfDue;
    readonly blocked: BlockedReport | null;
    readonly earliest: Instant | null;
  },
): RowSources | null {
  const rowSelection = rowSelectionFor(issues, groupBy);
  if (rowSelection === null) return null;
  const { table } = rowSelection.visible;
  return {
    table,
    columns: table.columns,
    rows: rowSelection.rows,
    turns: inTurns(pace),
    needsIssue,
    // A value written since the permissions were checked may be hidden from the principal.
    ...(selection.keys.all || report.fields !== 'history'
      ? {}
      : { isCurrent: () => table.columns.writtenSince(rowSelection.visible.version)?.size === 0 }),
    calendar: definition.id === null ? null : definition,
    ...(blocked === null ? {} : { blocked: () => blockedHistory(blocked) }),
    ...(earliest === null ? {} : { earliest }),
    async load(rows) {
      const loaded = await loadVisible(rowSelection.visible, rows);
      const readable = await read(loaded.filter((issue) => issue !== null));
      let next = 0;
      return loaded.map((issue) => (issue === null ? null : (readable[next++] ?? null)));
    },
  };
}

/**
 * False if the histories that a report needs cannot come from columns: one of their values is hidden from the principal,
 * the columns lack a field, or they lack a history and the issues are few enough to be read one by one.
 */
async function hasReadableHistories(
  { rowSelection, count }: SelectedIssues,
  { report, historyFields, selection: { keys } }: ResolvedRequest,
  { ever }: ReportedFields,
): Promise<boolean> {
  if (report.fields !== 'history' || rowSelection === null) return true;
  const { table } = rowSelection.visible;
  const { columns } = table;
  const fields = historyFields.map(({ id }) => id).filter((id) => !isRecorded(id));
  if (count <= FEW_ISSUES && fields.some((field) => !columns.histories.has(field))) return false;
  // All histories are loaded before their values are checked.
  await Promise.all(fields.map((field) => table.hold(field, 'history')));
  if (keys.all) return true;
  for (const field of ever) {
    await table.hold(field);
    if (!columns.hasField(field) || (await keys.hiddenIn(field)) !== null) return false;
  }
  return true;
}

/** The provenance of a request's figures, without the audience scope. */
export function provenanceOf(
  request: ReportRequest,
  { askedAt, asOf, dataAsOf, tracker, timeZone, unasked }: QueryContext,
  resolved: ResolvedRequest,
  { unknown: undecided }: Pick<SelectedIssues, 'unknown'>,
  { issues, cutHistories }: Pick<Provenance, 'issues' | 'cutHistories'>,
): Provenance {
  const { report, selection, credited } = resolved;
  const { between: _, ...calendar } = resolved.calendar;
  const notes = untitledNotes(resolved, asOf < askedAt);
  return {
    reportType: report.id,
    calendar,
    askedAt,
    asOf,
    dataAsOf,
    tracker,
    trim: request.trim,
    timeZone,
    complete: cutHistories === 0 && undecided === 0 && unasked === 0 && notes.length === 0,
    issues,
    cutHistories,
    query: selection.query,
    ...(selection.dependsOnPrincipal ? { dependsOnPrincipal: true } : {}),
    undecided,
    ...(unasked === 0 ? {} : { unasked }),
    ...(credited === null ? {} : { creditedCategories: credited.categories }),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

/** A note on each custom field whose history a report needs, but whose changes may have an unknown title. */
function untitledNotes(
  { report, fields, groupBy, historyFields, selection }: ResolvedRequest,
  isPast: boolean,
): readonly string[] {
  const needed = [
    ...(report.levels.includes('value') ? historyFields : []),
    ...(isPast ? [...fields, ...groupBy] : []),
  ];
  const { contents: ids, changed } = selection.fieldsKnown;
  const names = new Map(selection.directory.fields.map(({ id, name }) => [id, name]));
  const untitled = untitledAmong(new Set(needed.map(({ id }) => id)), { ids, changed, names });
  return untitled.map(
    (id) =>
      `The changes of ${id} are unknown, because the changelogs have titles of fields instead of ids. Import Jira's list of fields (GET /rest/api/2/field).`,
  );
}

function sprintOrder(directory: Directory): SprintOrder {
  return { fields: sprintFields({ directory }), sprints: directory.sprints };
}

function reportedFields({ fields, groupBy, historyFields }: ResolvedRequest, asOf: Instant): ReportedFields {
  const idsOf = (columns: ResolvedRequest['fields']) => columns.map(({ id }) => id).filter(mayHoldKeys);
  return { now: idsOf([...fields, ...groupBy]), ever: idsOf(historyFields), asOf };
}

/** Returns a function that reads issues as the principal can read their reported fields. */
function readerOf(
  { now, ever }: ReportedFields,
  { keys }: ResolvedSelection,
  blocked: BlockedReport | null = null,
): Read {
  const fields = [...now, ...ever];
  if (blocked === null) return (issues) => keys.read(issues, fields);
  const readBlocked = createBlockedReader(blocked.context);
  return async (issues) => keys.read(await readBlocked(issues), fields);
}

/** Chooses all issues of a question as of an instant. In a grouped list, the issues of a group follow each other. */
async function chooseAll(
  request: ReportRequest,
  queryContext: QueryContext,
  resolved: ResolvedRequest,
): Promise<ChosenIssues> {
  const { groupBy } = resolved;
  const { asOf, pace } = queryContext;
  const selection =
    asOf === resolved.asOf ? resolved.selection : await resolveSelection(request, queryContext);
  const chosen = await selection.choose();
  if (groupBy.length === 0 || request.statistic !== null) return chosen;
  const issues = await inOrder(chosen);
  const context = measureContext(request, queryContext, resolved, asOf);
  const read = readerOf(reportedFields(resolved, asOf), selection);
  const needsIssue = await needsIssueOf(resolved, issues.count);
  const { statuses, directory } = selection;
  const sprints = sprintOrder(directory);
  const grouping = {
    groupBy,
    context,
    read,
    needsIssue,
    pace,
    statuses,
    sprints,
    priorities: directory.priorities,
  };
  return inOwnOrder(await inOrderOfGroups(issues, grouping));
}

/**
 * Finds the group-by values that the principal cannot read in columns, so that only the issues show them. If there are
 * many issues, it loads the group-by fields into columns; a field with too much text fails with `too-large`.
 */
async function needsIssueOf({ groupBy, selection }: ResolvedRequest, count: number): Promise<NeedsIssue> {
  const codes = new Map<string, ReadonlySet<number>>();
  const { visible, keys } = selection;
  // A value written since the permissions were checked may be hidden from the principal, or be in a hidden issue.
  const canHide = visible !== null && !visible.visibility.all;
  const needsIssue = {
    codes,
    written: () => (canHide ? visible.table.columns.writtenSince(visible.version) : new Set<number>()),
  };
  if (visible === null) return needsIssue;
  const { table } = visible;
  for (const { id, kind } of groupBy) {
    if (count > FEW_ISSUES && kind !== 'instant' && !id.startsWith('calc:')) {
      await table.hold(id);
      if (table.columns.isTooLong(id)) {
        const max = FEW_ISSUES.toLocaleString('en-US');
        const problem = `'${id}' has too much text to group so many issues by. Try: a field with fewer different values, or at most ${max} issues.`;
        throw badRequestAs('too-large', about('groupByFields', problem), { value: id, most: FEW_ISSUES });
      }
    }
    const hidden = await keys.hiddenIn(id);
    if (hidden !== null) codes.set(id, hidden.codes);
  }
  return needsIssue;
}

/** Finds the audience scope of a question, which decides who else can read its answer, without measuring issues. */
export async function scopeOfRequest(
  request: ReportRequest,
  queryContext: QueryContext,
  sources: ReportSources,
): Promise<AudienceScope> {
  const resolved = await resolveRequest(request, queryContext, sources);
  const { selection } = resolved;
  const reported = reportedFields(resolved, queryContext.asOf);
  const { all } = await selection.choose();
  const scope = await audienceScopeOf(all, reported, {
    context: queryContext,
    keys: selection.keys,
    read: readerOf(reported, selection),
  });
  return withLinks(scope, all, await blockedReport(request, resolved, queryContext));
}
