import type { YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import type { Layout } from '../../engine/build-table.ts';
import type { GroupNames } from '../../engine/collect-groups.ts';
import { compareGroups, createGroupNames } from '../../engine/collect-groups.ts';
import { ownCells } from '../../engine/own-cells.ts';
import type { MeasureContext, ReportType } from '../../engine/report-type.ts';
import type { Instant, Issue } from '../../model/issue.ts';
import type { ReportRequest } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import type { CalendarFacts, PageFacts, Provenance } from '../../model/table.ts';
import type { Calendar } from '../../time/calendar.ts';
import type { DelegationApi } from '../delegation.ts';
import { contentsOf, type ToldFields } from './contents-of.ts';
import { hideClosedKeys } from './hide-closed-keys.ts';
import { issuesByKey, mayHoldKeys } from './issue-keys-in.ts';
import { delegatesFor, measureContext } from './measure-context.ts';
import type { Scene } from './scene.ts';
import type { ChosenIssues, Selected } from './select-for.ts';
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

/** Issues that were chosen for several reports. */
export interface ChosenBefore extends ChosenIssues {
  readonly selected: Selected;
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

export function toldFields(understood: Understood, asOf: Instant): ToldFields {
  return { now: toldNow(understood), ever: toldEver(understood), asOf };
}

function toldNow({ fields, groupBy }: Understood): readonly string[] {
  return [...fields, ...groupBy].map(({ id }) => id).filter(mayHoldKeys);
}

function toldEver({ historyFields }: Understood): readonly string[] {
  return historyFields.map(({ id }) => id).filter(mayHoldKeys);
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
