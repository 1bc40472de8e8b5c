import { createYieldIfDue, type YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { createTableBuilder, type Layout, type TableBuilder } from '../../engine/build-table.ts';
import { compareGroups, createGroupNames, type GroupNames } from '../../engine/collect-groups.ts';
import { ownCells } from '../../engine/own-cells.ts';
import type { MeasureContext, ReportType } from '../../engine/report-type.ts';
import { type AppError, badFields, badRequest } from '../../model/error.ts';
import type { Instant, Issue } from '../../model/issue.ts';
import type { AudienceScope } from '../../model/permissions.ts';
import type { ReportRequest } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import type { CalendarFacts, PageFacts, Provenance, Table } from '../../model/table.ts';
import type { Calendar } from '../../time/calendar.ts';
import type { DelegationApi } from '../delegation.ts';
import type { IssueSlice } from '../reporting.ts';
import { contentsOf, type ToldFields } from './contents-of.ts';
import { delegatesFor } from './credited-delegates.ts';
import { hideClosedKeys } from './hide-closed-keys.ts';
import { mayHoldKeys } from './issue-keys-in.ts';
import { issuesByKey } from './issues-by-key.ts';
import { measureContext } from './measure-context.ts';
import type { Scene } from './scene.ts';
import type { Selected } from './select-for.ts';
import type { ChosenIssues } from './select-issues.ts';
import { type PageLists, type SelectedKeys, type TakenPage, takePage } from './take-page.ts';
import { type Understood, understand } from './understand.ts';
import { inTurns } from './yielding-loops.ts';

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
  readonly issues: readonly Issue[];
  readonly context: MeasureContext;
  readonly layout: Layout;
  readonly page: PageFacts | null;
  readonly provenance: Provenance;
}

/**
 * A question arrives; issues are selected; their changes become visits; visits are measured under a calendar;
 * measures become a table, perhaps condensed by a statistic, that says where its figures come from.
 */
export async function runReport(
  request: ReportRequest,
  scene: Scene,
  sources: ReportSources,
  chosen?: ChosenBefore,
): Promise<Table> {
  const pace = createYieldIfDue();
  const { report, issues, context, layout, page, provenance } = await prepareReport(
    request,
    scene,
    sources,
    pace,
    chosen,
  );
  const builder = createTableBuilder(report, context, layout, request.statistic);
  const refuseTooWide = widthCheck(request, issues.length, builder);
  for (const issue of issues) {
    const rest = pace();
    if (rest !== null) await rest;
    builder.add(issue);
    refuseTooWide();
  }
  return { ...(await builder.build(inTurns(pace))), page, provenance };
}

/** Issues that were chosen for several reports. */
interface ChosenBefore extends ChosenIssues {
  readonly selected: Selected;
}

/** So many issues make a slice: their table is nothing, and what each slice takes beside measuring is less. */
const SLICE = 2_000;

/** The issues of a request in slices; there is one even of no issues, which tells where its figures come from. */
export async function* runSlices(
  request: ReportRequest,
  scene: Scene,
  sources: ReportSources,
): AsyncGenerator<IssueSlice> {
  const { selected } = await understand(request, scene, sources);
  const { issues, undecided } = await selected.select(createYieldIfDue());
  for (let start = 0; start === 0 || start < issues.length; start += SLICE) {
    const chosen = { selected, issues: issues.slice(start, start + SLICE), undecided };
    yield { report: (own) => runReport(own, scene, sources, chosen) };
  }
}

/** Chooses the issues of a question, of its page where it asks for one, and tells where the figures will come from. */
export async function prepareReport(
  request: ReportRequest,
  scene: Scene,
  sources: ReportSources,
  pace: YieldIfDue,
  chosen?: ChosenBefore,
): Promise<PreparedReport> {
  const understood = await understand(request, scene, sources, chosen?.selected);
  const { report, selected } = understood;
  const page: TakenPage =
    chosen === undefined
      ? await takePage(request, () => selectKeys(request, scene, understood, pace), {
          ...sources,
          now: scene.askedAt,
          calendar: understood.definition,
          credited: understood.credited,
        })
      : {
          keys: [],
          all: [],
          issues: chosen.issues,
          undecided: chosen.undecided,
          asOf: scene.asOf,
          facts: null,
        };
  const issues = await hideClosedKeys(
    page.issues ?? issuesByKey(page.keys, selected.candidates),
    [...toldNow(understood), ...toldEver(understood)],
    scene,
    selected.candidates,
  );
  let cutHistories = 0;
  for (const { history } of issues) {
    const rest = pace();
    if (rest !== null) await rest;
    if (!history.complete) cutHistories += 1;
  }
  const delegates =
    understood.credited === null ? new Map() : await delegatesFor(issues, understood.credited.times, scene);
  const context = measureContext(request, scene, understood, { issues, asOf: page.asOf, delegates });
  const isPart = page.all.length > page.keys.length && understood.groupBy.length > 0;
  const names = isPart ? await namesOnAllPages(page.all, understood, { context, scene, pace }) : null;
  return {
    report,
    issues,
    context,
    layout: { ...layoutOf(request, understood), ...(names === null ? {} : { names }) },
    page: page.facts,
    provenance: {
      ...provenanceOf(request, scene, understood, page, { issues: issues.length, cutHistories }),
      contents: await contentsOf(issues, toldFields(understood, page.asOf), scene),
    },
  };
}

/** A group must not be called otherwise on the next page. */
async function namesOnAllPages(
  keys: readonly string[],
  understood: Understood,
  { context, scene, pace }: { context: MeasureContext; scene: Scene; pace: YieldIfDue },
): Promise<GroupNames> {
  const { groupBy, selected } = understood;
  const issues = issuesByKey(keys, selected.candidates);
  const names = createGroupNames(groupBy);
  for (const issue of await hideClosedKeys(issues, toldNow(understood), scene, selected.candidates)) {
    const rest = pace();
    if (rest !== null) await rest;
    names.note(ownCells(issue, groupBy, context));
  }
  return names;
}

function provenanceOf(
  request: ReportRequest,
  scene: Scene,
  { report, calendar, selected, credited }: Understood,
  page: TakenPage,
  { issues, cutHistories }: Pick<Provenance, 'issues' | 'cutHistories'>,
): Provenance {
  return {
    reportType: report.id,
    calendar: describe(calendar),
    askedAt: scene.askedAt,
    asOf: page.asOf,
    dataAsOf: scene.dataAsOf,
    tracker: scene.tracker,
    trim: request.trim,
    timeZone: scene.timeZone,
    complete: cutHistories === 0 && page.undecided === 0 && scene.unasked === 0,
    issues,
    cutHistories,
    query: selected.query,
    ...(selected.dependsOnAsker ? { dependsOnAsker: true } : {}),
    undecided: page.undecided,
    ...(scene.unasked === 0 ? {} : { unasked: scene.unasked }),
    ...(credited === null ? {} : { creditedCategories: credited.categories }),
  };
}

function toldFields(understood: Understood, asOf: Instant): ToldFields {
  return { now: toldNow(understood), ever: toldEver(understood), asOf };
}

function toldNow({ fields, groupBy }: Understood): readonly string[] {
  return [...fields, ...groupBy].map(({ id }) => id).filter(mayHoldKeys);
}

function toldEver({ historyFields }: Understood): readonly string[] {
  return historyFields.map(({ id }) => id).filter(mayHoldKeys);
}

/** What issues a question is about; nothing is measured. */
export async function surveyContents(
  request: ReportRequest,
  scene: Scene,
  sources: ReportSources,
): Promise<AudienceScope> {
  const understood = await understand(request, scene, sources);
  const { issues } = await understood.selected.select(createYieldIfDue());
  const told = toldFields(understood, scene.asOf);
  const { candidates } = understood.selected;
  return contentsOf(
    await hideClosedKeys(issues, [...told.now, ...told.ever], scene, candidates),
    told,
    scene,
  );
}

/** How many issues a question is about; nothing is measured. */
export async function countIssues(
  request: ReportRequest,
  scene: Scene,
  sources: ReportSources,
): Promise<number> {
  const { selected } = await understand(request, scene, sources);
  return (await selected.select(createYieldIfDue())).issues.length;
}

/** A table of more cells than this would be hundreds of megabytes of text, and everybody else would wait for it. */
const MOST_CELLS = 500_000;

/** Refuses a page, or groups, as soon as it is known that they have too many cells: none of them is made yet. */
function widthCheck(
  { statistic, page, groupBy, reportType }: ReportRequest,
  issues: number,
  { size, shown }: Pick<TableBuilder, 'size' | 'shown'>,
): () => void {
  // Unpaged lists are asked for by ourselves alone.
  if (statistic === null && page === null) return () => {};
  if (statistic !== null) {
    return limitCells({ size, shown }, (...made) => tooManyGroups({ groupBy, reportType }, ...made));
  }
  return limitCells({ size: () => ({ ...size(), lines: issues }), shown }, (lines, columns) =>
    badRequest(
      `pageSize '${page?.size}' makes a page of ${lines * columns} cells; allowed: ${MOST_CELLS} cells, by a smaller page, fewer statuses, a longer timePeriod or a trimmed history.`,
    ),
  );
}

/** Called again and again, fails once lines × columns are too many. What is shown takes a while to find out. */
export function limitCells(
  { size, shown }: Pick<TableBuilder, 'size' | 'shown'>,
  refusal: (lines: number, columns: number) => AppError,
): () => void {
  let looked = MOST_CELLS;
  return () => {
    const { lines, columns: most } = size();
    if (lines * most <= looked) return;
    looked = lines * most * 1.1;
    const columns = shown();
    if (lines * columns > MOST_CELLS) throw refusal(lines, columns);
  };
}

/** Whichever of the two choices is the wide one is named. */
export function tooManyGroups(
  { groupBy, reportType }: Pick<ReportRequest, 'groupBy' | 'reportType'>,
  groups: number,
  columns: number,
): AppError {
  const made = `makes at least ${groups} groups of ${columns} columns; an answer has at most ${MOST_CELLS} cells.`;
  if (groups > columns) {
    const sentence = `groupByFields '${groupBy.join(',')}' ${made} Try: a field with fewer different values, or fewer issues.`;
    return badFields({ groupByFields: sentence });
  }
  const sentence = `columnsBy '${reportType}' ${made} Try: statuses, a longer timePeriod, or no groupByFields.`;
  return badFields({ columnsBy: sentence });
}

/** The keys of all selected issues, those of a group together where groups are asked for in a list. */
async function selectKeys(
  request: ReportRequest,
  scene: Scene,
  understood: Understood,
  pace: YieldIfDue,
): Promise<SelectedKeys> {
  const { issues, undecided } = await understood.selected.select(pace);
  const { groupBy, selected } = understood;
  const { asOf } = scene;
  const keysOf = (chosen: readonly Issue[]) => chosen.map((issue) => issue.key);
  if (groupBy.length === 0 || request.statistic !== null) {
    // Pages need keys that outlive this question.
    if (request.page === null) return { keys: [], issues, undecided, asOf };
    return { keys: keysOf(issues), undecided, asOf };
  }
  const context = measureContext(request, scene, understood, { issues: [], asOf, delegates: new Map() });
  const grouped: { readonly issue: Issue; readonly cells: ReturnType<typeof ownCells> }[] = [];
  for (const issue of await hideClosedKeys(issues, toldNow(understood), scene, selected.candidates)) {
    const rest = pace();
    if (rest !== null) await rest;
    grouped.push({ issue, cells: ownCells(issue, groupBy, context) });
  }
  const sorted = await inTurns(pace).sort(grouped, (a, b) => compareGroups(a.cells, b.cells, groupBy));
  return { keys: keysOf(sorted.map(({ issue }) => issue)), undecided, asOf };
}

function layoutOf(
  request: ReportRequest,
  { fields, groupBy, groups, statuses, selected }: Understood,
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
