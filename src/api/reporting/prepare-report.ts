import { rowFlag } from '../../columns/issue-columns.ts';
import { createYieldIfDue, type YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import type { Layout } from '../../engine/build-table.ts';
import type { GroupNames } from '../../engine/collect-groups.ts';
import { compareGroups, createGroupNames } from '../../engine/collect-groups.ts';
import { ownCells } from '../../engine/own-cells.ts';
import type { MeasureContext, ReportType } from '../../engine/report-type.ts';
import { changesOf } from '../../issues/issue-fields.ts';
import type { Instant, Issue } from '../../model/issue.ts';
import type { AudienceScope } from '../../model/permissions.ts';
import type { ReportRequest } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import type { CalendarFacts, PageFacts, Provenance } from '../../model/table.ts';
import type { Calendar } from '../../time/calendar.ts';
import type { DelegationApi } from '../delegation.ts';
import { contentsOf, contentsOfRows, type ToldFields } from './contents-of.ts';
import { hideClosedKeys } from './hide-closed-keys.ts';
import { mayHoldKeys } from './issue-keys-in.ts';
import { delegatesFor, measureContext } from './measure-context.ts';
import type { Scene } from './scene.ts';
import { isValue } from './seen-issues.ts';
import { type Selected, selectFor } from './select-for.ts';
import { atHand, type ChosenIssues, slicesOf } from './select-rows.ts';
import { type PageLists, type TakenPage, takePage } from './take-page.ts';
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
  readonly chosen: ChosenIssues;
  readonly context: MeasureContext;
  readonly layout: Layout;
  readonly page: PageFacts | null;
  readonly provenance: Provenance;
  /** The issues as the asker may read them, a slice at a time; as often as it is called. */
  slices(): AsyncGenerator<readonly Issue[]>;
}

/** Issues that were chosen for several reports. */
export interface ChosenBefore {
  readonly selected: Selected;
  readonly chosen: ChosenIssues;
}

/** So many issues are read once and then at hand. */
const MOST_AT_HAND = 2_000;

/** Chooses the issues of a question, of its page where it asks for one, and tells where the figures will come from. */
export async function prepareReport(
  request: ReportRequest,
  scene: Scene,
  sources: ReportSources,
  pace: YieldIfDue,
  before?: ChosenBefore,
): Promise<PreparedReport> {
  const understood = await understand(request, scene, sources, before?.selected);
  const { report, selected } = understood;
  const page: TakenPage =
    before === undefined
      ? await takePage(request, scene.asOf, {
          ...sources,
          now: scene.askedAt,
          calendar: understood.definition,
          credited: understood.credited,
          seen: selected.world,
          select: (asOf, first) => selectAll(request, { ...scene, asOf }, understood, { pace, first }),
        })
      : { chosen: before.chosen, all: before.chosen, asOf: scene.asOf, facts: null };
  const { asOf } = page;
  const told = toldFields(understood, asOf);
  const read = readableAs(told, scene, selected);
  const isFew = page.chosen.count <= MOST_AT_HAND;
  const chosen = isFew
    ? atHand(await read(await page.chosen.load(0, page.chosen.count)), page.chosen.undecided)
    : page.chosen;
  async function* slices() {
    for await (const slice of slicesOf(chosen)) yield isFew ? slice : await read(slice);
  }
  const facts = await factsOf(chosen, asOf);
  const delegates =
    understood.credited === null
      ? new Map()
      : await delegatesFor(facts.assignees(), understood.credited.times, scene);
  const context = measureContext(request, scene, understood, { born: facts.born, asOf, delegates });
  const isPart = page.all.count > page.chosen.count && understood.groupBy.length > 0;
  const names = isPart ? await namesOnAllPages(page.all, understood, { context, read, pace }) : null;
  const { issues, cutHistories } = facts;
  return {
    ...{ report, chosen, context, slices },
    layout: { ...layoutOf(request, understood), ...(names === null ? {} : { names }) },
    page: page.facts,
    provenance: {
      ...provenanceOf(request, scene, understood, page, { issues, cutHistories }),
      contents: await contentsOfChosen(chosen, slices, told, scene),
    },
  };
}

/** Issues as the asker may read the fields that are told of them. */
function readableAs(
  { now, ever }: ToldFields,
  scene: Scene,
  { known }: Selected,
): (issues: readonly Issue[]) => Promise<readonly Issue[]> {
  return (issues) => hideClosedKeys(issues, [...now, ...ever], scene, known);
}

/** What is to be known of all issues of a question before they are measured. */
interface ChosenFacts extends Pick<Provenance, 'issues' | 'cutHistories'> {
  /** When the first was created; no later than `asOf`. */
  readonly born: Instant;
  /** Ids of everybody they are or were with, and perhaps of others. */
  assignees(): ReadonlySet<string>;
}

async function factsOf({ count, held, load }: ChosenIssues, asOf: Instant): Promise<ChosenFacts> {
  let [born, cutHistories] = [asOf, 0];
  if (held === null) {
    const issues = await load(0, count);
    for (const { created, history } of issues) {
      born = Math.min(born, created);
      if (!history.complete) cutHistories += 1;
    }
    return { issues: issues.length, cutHistories, born, assignees: () => assigneesOf(issues) };
  }
  const { columns } = held.seen.table;
  const { created, flags } = columns.arrays();
  for (let i = 0; i < count; i += 1) {
    const row = held.rows[i] ?? 0;
    born = Math.min(born, created[row] ?? asOf);
    if (((flags[row] ?? 0) & rowFlag.cut) !== 0) cutHistories += 1;
  }
  return {
    ...{ issues: count, cutHistories, born },
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
  told: ToldFields,
  scene: Scene,
): Promise<AudienceScope> {
  const isFigures = told.now.length + told.ever.length === 0;
  if (held !== null && isFigures) return contentsOfRows(held.rows, held.seen.table.columns);
  return contentsOf(slices(), told, scene);
}

/** A group must not be called otherwise on the next page. */
async function namesOnAllPages(
  all: ChosenIssues,
  { groupBy }: Understood,
  { context, read, pace }: { context: MeasureContext; read: ReturnType<typeof readableAs>; pace: YieldIfDue },
): Promise<GroupNames> {
  const names = createGroupNames(groupBy);
  for await (const slice of slicesOf(all)) {
    for (const issue of await read(slice)) {
      const rest = pace();
      if (rest !== null) await rest;
      names.note(ownCells(issue, groupBy, context));
    }
  }
  return names;
}

/** Where the figures of a request come from, without what issues they are of. */
export function provenanceOf(
  request: ReportRequest,
  scene: Scene,
  { report, calendar, selected, credited }: Understood,
  page: Pick<TakenPage, 'asOf' | 'chosen'>,
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
    complete: cutHistories === 0 && page.chosen.undecided === 0 && scene.unasked === 0,
    issues,
    cutHistories,
    query: selected.query,
    ...(selected.dependsOnAsker ? { dependsOnAsker: true } : {}),
    undecided: page.chosen.undecided,
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

/** All issues of a question as of an instant, those of a group together where groups are asked for in a list. */
async function selectAll(
  request: ReportRequest,
  scene: Scene,
  understood: Understood,
  { pace, first }: { readonly pace: YieldIfDue; readonly first: number | undefined },
): Promise<ChosenIssues> {
  const { groupBy } = understood;
  const selected = scene.asOf === understood.asOf ? understood.selected : await selectFor(request, scene);
  const isGrouped = groupBy.length > 0 && request.statistic === null;
  const chosen = await selected.select(pace, isGrouped ? undefined : first);
  if (!isGrouped) return chosen;
  const { asOf } = scene;
  const context = measureContext(request, scene, understood, { born: asOf, asOf, delegates: new Map() });
  const read = readableAs({ now: toldNow(understood), ever: [], asOf }, scene, selected);
  const grouped: { readonly key: string; readonly cells: ReturnType<typeof ownCells> }[] = [];
  for await (const slice of slicesOf(chosen)) {
    for (const issue of await read(slice)) {
      const rest = pace();
      if (rest !== null) await rest;
      grouped.push({ key: issue.key, cells: ownCells(issue, groupBy, context) });
    }
  }
  const sorted = await inTurns(pace).sort(grouped, (a, b) => compareGroups(a.cells, b.cells, groupBy));
  return chosen.arranged(sorted.map(({ key }) => key));
}

/** What issues a question is about; nothing is measured. */
export async function surveyContents(
  request: ReportRequest,
  scene: Scene,
  sources: ReportSources,
): Promise<AudienceScope> {
  const understood = await understand(request, scene, sources);
  const chosen = await understood.selected.select(createYieldIfDue(), 0);
  const told = toldFields(understood, scene.asOf);
  const read = readableAs(told, scene, understood.selected);
  async function* slices() {
    for await (const slice of slicesOf(chosen)) yield await read(slice);
  }
  return contentsOfChosen(chosen, slices, told, scene);
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
