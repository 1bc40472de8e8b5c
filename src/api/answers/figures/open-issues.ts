import type { IssueColumns } from '../../../engine/columns/issue-columns.ts';
import { type AgesFound, agesScan } from '../../../engine/measure/life-scans.ts';
import type { LeftOut } from '../../../model/answer.ts';
import type { Instant, Status } from '../../../model/issue.ts';
import { projectKeyOf } from '../../../model/issues/issue-fields.ts';
import {
  type AudienceScope,
  ask,
  type Principal,
  type ReportRequest,
  type Selection,
} from '../../../model/request.ts';
import { cellOf, type IssueFacts, type Provenance, type Row, type Table } from '../../../model/table.ts';
import type { ReportingApi, ScannedIssues } from '../../reporting/reporting-api.ts';
import type { Aging, AgingIssue } from '../aging/aging-answer.ts';
import { categoryUnknown } from './finish-of.ts';
import { joinProvenance, statusNow } from './read-table.ts';

/** Which open issues, and in which calendar. `assignee`: only those that are known to be with this person (user id). */
export interface AgingInput {
  readonly selection: Selection;
  readonly calendar: string;
  readonly assignee: string | null;
  /** Issues that are not started: only counted (`out`), or after all others (`last`). Absent: among the others. */
  readonly backlog?: 'out' | 'last';
}

/** An open issue before it is compared with what is usual. */
export type OpenIssue = Omit<AgingIssue, 'usual' | 'pace'>;

/** Open issues that a pass over columns found. */
export interface AgesInColumns extends Pick<ScannedIssues<AgesFound>, 'projects' | 'statusIds'> {
  readonly found: Pick<AgesFound, 'places' | 'ages' | 'slots' | 'classes'>;
  /** By slot: 1 where the status is one of issues that are not started. */
  readonly backlogSlots: Uint8Array;
  /** The scope of them and of the issues that are only counted. */
  readonly contents: AudienceScope;
  keys(places: readonly number[]): readonly string[];
  /** Some of them as themselves, in whatever order; those that are gone meanwhile are left out. */
  issues(places: readonly number[]): Promise<readonly OpenIssue[]>;
}

/**
 * Open issues: those whose entry into their status is known, and the keys of the others; and those whose status has no
 * known category, with the titles of such statuses.
 */
export interface OpenIssues {
  readonly known: readonly OpenIssue[];
  readonly unknown: readonly string[];
  readonly unclear: readonly LeftOut[];
  readonly withoutCategory: readonly string[];
  /** All that are not started, whether they are among the others or only counted. */
  readonly notStarted: Aging['notStarted'];
  /** Those that are not started come after all others. */
  readonly backlogLast: boolean;
  /** How many of them have a cut history. */
  readonly cutHistories: number;
  /**
   * The keys of all but those of columns, slice by slice of the selection, also of those that are only counted;
   * `contents` of the whole slice: null where it is unknown, undefined where it was not asked for yet.
   */
  readonly slices: readonly {
    readonly keys: readonly string[];
    readonly contents: AudienceScope | null | undefined;
  }[];
  /** Further ones whose entry is known; null where there are no columns. */
  readonly columns: AgesInColumns | null;
  /** Of the report over the whole selection. */
  readonly provenance: Provenance;
}

/**
 * The issues that are not in a status of the category Done, and how long they have been in their status. Where the
 * tracker shows another status than the last change, a step is missing, and since when is unknown.
 */
export async function openIssues(
  { selection, calendar, assignee, backlog }: AgingInput,
  principal: Principal,
  asOf: Instant,
  reporting: ReportingApi,
): Promise<OpenIssues> {
  const request = ask({
    principal,
    reportType: 'statusDuration',
    selection,
    asOf,
    calendar,
    // The last visit of the status an issue is in is the one that still lasts.
    multiVisitBehavior: 'last',
    includeDeletedStatuses: true,
    fields: ['status', 'assignee'],
  });
  const all = await reporting.statuses(principal);
  const scanned = selection.by === 'keys' ? undefined : await scanAges(request, assignee, reporting);
  const known = { all, titles: titlesIn(scanned ?? { columns: [] }), assignee, isLeftOut: backlog === 'out' };
  const open = nothingGathered();
  const slices: OpenIssues['slices'][number][] = [];
  let provenance = scanned?.provenance ?? null;
  for await (const slice of scanned?.slices(scanned.found.rest) ?? reporting.slices(request)) {
    const table = await slice.report(request);
    const issues = await withAssignees(table, request, slice);
    const keys = gather({ ...table, issues }, known, open);
    slices.push({ keys, contents: table.provenance.contents ?? null });
    if (scanned !== undefined) continue;
    provenance = provenance === null ? table.provenance : joinProvenance(provenance, table.provenance);
  }
  if (provenance === null) throw new Error('There is always a slice.');
  const columns = scanned === undefined ? null : agesInColumns(scanned, request, known, open.notStarted);
  const withoutCategory = [...open.withoutCategory];
  return { ...open, withoutCategory, backlogLast: backlog === 'last', slices, columns, provenance };
}

/** One pass over the columns of the issues; undefined where there are none. */
async function scanAges(
  request: ReportRequest,
  assignee: string | null,
  { scan }: Pick<ReportingApi, 'scan'>,
): Promise<ScannedIssues<AgesFound> | undefined> {
  return scan?.(request, agesScan, (plan, columns) => ({
    ...plan,
    assignees: assignee === null ? null : codesOf(assignee, columns),
  }));
}

/** By code: 1 where it is the person with an id, whatever their name was then. */
function codesOf(id: string, columns: IssueColumns): Uint8Array {
  const people = columns.values('assignee');
  return Uint8Array.from({ length: people.size }, (_, code) => {
    const person = people.at(code);
    return Number(person !== null && typeof person === 'object' && 'id' in person && person.id === id);
  });
}

/** The issues of columns; those that are not started are counted as well. */
function agesInColumns(
  { found, statusIds, projects, audienceScope, keys, slices }: ScannedIssues<AgesFound>,
  request: ReportRequest,
  known: Known,
  notStarted: NotStarted,
): AgesInColumns {
  const backlog = new Set(known.all.filter(isBacklog).map(({ id }) => id));
  const backlogSlots = Uint8Array.from(statusIds, (id) => Number(backlog.has(id)));
  const counts = new Float64Array(projects.length);
  const { length } = found.places;
  const [places, ages] = [new Float64Array(length), new Float64Array(length)];
  const [slots, classes] = [new Float64Array(length), new Float64Array(length)];
  let shown = 0;
  for (let i = 0; i < length; i += 1) {
    const own = found.classes[i] ?? 0;
    const slot = found.slots[i] ?? 0;
    const ageMs = found.ages[i] ?? 0;
    counts[own] = (counts[own] ?? 0) + 1;
    const isWaiting = backlogSlots[slot] === 1;
    if (isWaiting) countNotStarted(notStarted, ageMs);
    if (isWaiting && known.isLeftOut) continue;
    places[shown] = found.places[i] ?? 0;
    ages[shown] = ageMs;
    slots[shown] = slot;
    classes[shown] = own;
    shown += 1;
  }
  return {
    found: {
      places: places.subarray(0, shown),
      ages: ages.subarray(0, shown),
      slots: slots.subarray(0, shown),
      classes: classes.subarray(0, shown),
    },
    statusIds,
    backlogSlots,
    projects,
    contents: audienceScope(counts),
    keys,
    async issues(places) {
      const open = nothingGathered();
      for await (const slice of slices(places)) gather(await slice.report(request), known, open);
      return open.known;
    },
  };
}

/** Whether work on the issues of a status has not begun. */
export function isBacklog({ category }: Pick<Status, 'category'>): boolean {
  return category === 'To Do';
}

interface NotStarted {
  count: number;
  oldestMs: number | null;
}

function countNotStarted(counted: NotStarted, ageMs: number | null): void {
  counted.count += 1;
  if (ageMs !== null) counted.oldestMs = Math.max(ageMs, counted.oldestMs ?? 0);
}

/** What was found in the slices up to now. */
interface Gathered {
  readonly known: OpenIssue[];
  readonly unknown: string[];
  readonly unclear: LeftOut[];
  readonly withoutCategory: Set<string>;
  readonly notStarted: NotStarted;
  cutHistories: number;
}

function nothingGathered(): Gathered {
  const notStarted = { count: 0, oldestMs: null };
  return { known: [], unknown: [], unclear: [], withoutCategory: new Set(), notStarted, cutHistories: 0 };
}

/** What is known beside a table; `titles` of statuses by id go before its own. */
interface Known extends Pick<AgingInput, 'assignee'> {
  readonly all: readonly Status[];
  readonly titles: ReadonlyMap<string, string>;
  /** Issues that are not started are only counted. */
  readonly isLeftOut: boolean;
}

function titlesIn({ columns }: Pick<Table, 'columns'>): ReadonlyMap<string, string> {
  return new Map(columns.filter(({ part }) => part === 'value').map(({ id, title }) => [id, title]));
}

/** Adds the open issues of a table to those of others, and returns their keys. */
function gather(
  table: Table,
  { all, titles: known, assignee, isLeftOut }: Known,
  open: Gathered,
): readonly string[] {
  const keys: string[] = [];
  const statuses = new Map(
    [...all, ...table.statuses.deleted, ...table.statuses.included].map((one) => [one.id, one]),
  );
  const titles = new Map([...titlesIn(table), ...known]);
  for (const { row, facts } of linesOf(table)) {
    const holder = cellOf(facts.cells, 'assignee');
    const isNameOnly = holder !== undefined && holder.id === undefined;
    if (assignee !== null && !isNameOnly && holder?.id !== assignee) continue;
    const now = statusNow(facts, statuses);
    if (now?.category === 'Done') continue;
    keys.push(facts.key);
    if (assignee !== null && isNameOnly) {
      open.unclear.push({ key: facts.key, reason: 'it is unknown which user it is assigned to' });
      continue;
    }
    const age = ageOf(row, facts, now?.id);
    if (now !== null && isBacklog(now)) {
      countNotStarted(open.notStarted, age?.ageMs ?? null);
      if (isLeftOut) continue;
    }
    if (!facts.history.complete) open.cutHistories += 1;
    const title = now === null ? '' : (titles.get(now.id) ?? now.name);
    if (now?.category === 'Undefined') {
      open.unclear.push({ key: facts.key, reason: categoryUnknown(title) });
      open.withoutCategory.add(title);
    } else if (now === null || age === null) open.unknown.push(facts.key);
    else
      open.known.push({
        ...about(facts),
        status: { id: now.id, name: title, category: now.category },
        ...age,
      });
  }
  return keys;
}

/** A list has one line per issue, in the order of the issues. */
function linesOf({ rows, issues }: Table): { readonly row: Row; readonly facts: IssueFacts }[] {
  return issues.flatMap((facts, i) => {
    const row = rows[i];
    return row?.issueKey === facts.key ? { row, facts } : [];
  });
}

function ageOf(
  { cells }: Row,
  { current }: IssueFacts,
  statusId: string | undefined,
): Pick<OpenIssue, 'since' | 'ageMs'> | null {
  const [visit] = current;
  if (visit === undefined || visit.since === null || visit.columnId !== statusId) return null;
  const ageMs = cellOf(cells, visit.columnId)?.value;
  return typeof ageMs === 'number' ? { since: visit.since, ageMs } : null;
}

function about({ key, cells, link, history }: IssueFacts): Omit<OpenIssue, 'status' | 'since' | 'ageMs'> {
  const assignee = cellOf(cells, 'assignee');
  return {
    key,
    summary: String(cellOf(cells, 'summary')?.value ?? ''),
    link,
    project: projectKeyOf({ key }).toUpperCase(),
    assignee: assignee === undefined ? null : { id: assignee.id ?? null, name: String(assignee.value) },
    historyComplete: history.complete,
  };
}

/**
 * Issues with the id of their assignee. A service that gives names alone gives the ids in its report of time with each
 * assignee; an issue that has no assignee in that report keeps the name.
 */
async function withAssignees(
  table: Table,
  request: ReportRequest,
  reporting: Pick<ReportingApi, 'report'>,
): Promise<readonly IssueFacts[]> {
  const { issues } = table;
  const isNameOnly = ({ cells }: IssueFacts) => {
    const cell = cellOf(cells, 'assignee');
    return cell !== undefined && cell.id === undefined;
  };
  if (!issues.some(isNameOnly)) return issues;
  const holders = await reporting.report({
    ...request,
    reportType: 'assigneeDuration',
    multiVisitBehavior: 'total',
    fields: [],
  });
  const ids = new Map(
    holders.issues.map(({ key, current }) => [key, current.length === 1 ? current[0]?.columnId : undefined]),
  );
  return issues.map((facts) => {
    const [id, cell] = [ids.get(facts.key), cellOf(facts.cells, 'assignee')];
    if (id === undefined || cell === undefined || !isNameOnly(facts)) return facts;
    return { ...facts, cells: { ...facts.cells, assignee: { ...cell, id } } };
  });
}
