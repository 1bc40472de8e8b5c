import type { IssueColumns } from '../../engine/columns/issue-columns.ts';
import { agesScan } from '../../engine/measure/outcome-scans.ts';
import { joinNumbers, numbersAt } from '../../engine/measure/scan-rows.ts';
import type { LeftOut } from '../../model/answer.ts';
import type { Flows } from '../../model/flow.ts';
import type { Status } from '../../model/issue.ts';
import { projectKeyOf } from '../../model/issues/issue-fields.ts';
import { reportIds } from '../../model/report-ids.ts';
import { type AudienceScope, ask, type ReportRequest } from '../../model/request.ts';
import { cellOf, type IssueFacts, type Row, type Table } from '../../model/table.ts';
import type { IssueSlice, ReportingApi } from '../reporting/reporting-api.ts';
import { categoryUnknown, startMetric } from './finish-of.ts';
import { flowFields, flowOfIssue, isStarted, withFlows } from './issue-flow.ts';
import { cellsByKey, clocksOf } from './issue-outcomes.ts';
import type { OpenGroup, OpenInput, OpenIssue, OpenIssues, OutcomesInput } from './outcomes-api.ts';
import type { PassOver } from './pass.ts';
import { addScopes, joinProvenance, namedIssue, numberIn, statusNow } from './read-table.ts';

/**
 * The open issues and their ages. Where the tracker shows another status than the last change, a step is missing, and since
 * when is unknown.
 */
export async function openIssues(
  { selection, assignees, onlyStarted, ...input }: OpenInput,
  reporting: Pick<ReportingApi, 'statuses' | 'audienceScope' | 'flows'>,
  passOver: PassOver,
): Promise<OpenIssues> {
  const { flows = await reporting.flows(input.principal), ...own } = input;
  const request = ask({
    ...own,
    reportType: reportIds.statusDuration,
    selection,
    // The last visit of the status an issue is in is the one that still lasts.
    multiVisitBehavior: 'last',
    includeDeletedStatuses: true,
    fields: ['status', 'assignee', ...flowFields(flows)],
  });
  const { lists, sums, statusIds, projects, columns, scopeOf, keys, slices, ...passed } = await passOver(
    request,
    agesScan,
    (plan, facts) => ({
      ...plan,
      assignees: assignees === null ? null : codesOf(assignees, facts.columns),
    }),
    { flows },
  );
  const all = await reporting.statuses(input.principal);
  const known = { all, titles: titlesIn({ columns }), assignees, onlyStarted, flows };
  const open = nothingGathered();
  let { provenance } = passed;
  let contents: AudienceScope | null = scopeOf(sums.classes);
  for await (const slice of passed.remaining()) {
    const table = await slice.report(request);
    const issues = await withAssignees(table, request, slice);
    const workOf = await workClocks(table, request, slice, known);
    const keysOfTable = gather({ ...table, issues }, { ...known, workOf }, open);
    const { contents: ofTable = null } = table.provenance;
    const isOpen = ofTable === null || ofTable.issues === keysOfTable.length;
    const scope = isOpen
      ? ofTable
      : await scopeOfKeys(keysOfTable, ofTable.withLevel !== 0, input, reporting);
    contents = addScopes(contents, scope);
    if (passed.provenance === null)
      provenance = provenance === null ? table.provenance : joinProvenance(provenance, table.provenance);
  }
  if (provenance === null) throw new Error('There is always a slice.');
  const indexesOf = new Map<OpenGroup, Float64Array>();
  for (const [key, parts] of lists.ages) {
    const statusId = statusIds[key % statusIds.length] ?? '';
    const ages = joinNumbers(parts);
    const group = Math.floor(key / statusIds.length);
    const isStarted = group % 2 === 1;
    if (!isStarted) for (const age of ages) countNotStarted(open.notStarted, age);
    if (!isStarted && onlyStarted) continue;
    const indexes = numbersAt(lists.indexes, key);
    const work = numbersAt(lists.work, key);
    const flowIndexes = numbersAt(lists.flows, key);
    const project = projects[group >> 1] ?? '';
    const keyAt = (index: number) => keys([indexes[index] ?? 0])[0] ?? '';
    const flowAt = (index: number) => flows.all[flowIndexes[index] ?? -1] ?? null;
    indexesOf.set({ project, statusId, isStarted, ages, work, flowAt, keyAt }, indexes);
  }
  const others = groupsOf(open.known);
  return {
    ...open,
    withoutCategory: [...open.withoutCategory],
    groups: [...indexesOf.keys(), ...others.keys()],
    async issues(some) {
      const read = some.flatMap(({ group, index }) => others.get(group)?.[index] ?? []);
      const inRows = some.filter(({ group }) => indexesOf.has(group));
      const indexes = inRows.flatMap(({ group, index }) => indexesOf.get(group)?.[index] ?? []);
      const workByKey = new Map(inRows.map(({ group, index }) => [group.keyAt(index), group.work[index]]));
      const workOf = (key: string) => workByKey.get(key) ?? Number.NaN;
      const found = nothingGathered();
      for await (const slice of slices(indexes.sort((a, b) => a - b)))
        gather(await slice.report(request), { ...known, workOf }, found);
      return [...found.known, ...read];
    },
    contents,
    provenance: withFlows(provenance, flows),
  };
}

/** Issues by project and status. */
function groupsOf(issues: readonly OpenIssue[]): ReadonlyMap<OpenGroup, readonly OpenIssue[]> {
  const groups = new Map<OpenGroup, readonly OpenIssue[]>();
  for (const [project, inProject] of Map.groupBy(issues, (issue) => issue.project)) {
    for (const [statusId, own] of Map.groupBy(inProject, ({ status }) => status.id)) {
      for (const [isQueue, some] of Map.groupBy(own, ({ status }) => status.kind === 'queue')) {
        groups.set(
          {
            project,
            statusId,
            isStarted: !isQueue,
            ages: Float64Array.from(some, ({ ageMs }) => ageMs),
            work: Float64Array.from(isQueue ? [] : some, ({ workMs }) => workMs ?? Number.NaN),
            flowAt: (index) => some[index]?.flow ?? null,
            keyAt: (index) => some[index]?.key ?? '',
          },
          some,
        );
      }
    }
  }
  return groups;
}

/** The scope of some issues, which is read only where some may have a level. Null where it is unknown. */
export async function scopeOfKeys(
  keys: readonly string[],
  mayHaveLevels: boolean,
  { principal, asOf, timeZone = null }: Omit<OutcomesInput, 'calendar' | 'flows'>,
  reporting: Pick<ReportingApi, 'audienceScope'>,
): Promise<AudienceScope | null> {
  if (keys.length === 0 || !mayHaveLevels) {
    const projects = [...new Set(keys.map((key) => projectKeyOf({ key }).toUpperCase()))].sort();
    return { projects, issues: keys.length, withLevel: 0 };
  }
  const selection = { by: 'keys', keys } as const;
  return reporting.audienceScope(
    ask({ principal, reportType: reportIds.statusDuration, selection, asOf, timeZone }),
  );
}

/** By code: 1 where it is one of the people with some ids, whatever their name was then. */
function codesOf(ids: readonly string[], columns: IssueColumns): Uint8Array {
  const people = columns.values('assignee');
  return Uint8Array.from({ length: people.size }, (_, code) => {
    const person = people.at(code);
    return Number(person !== null && typeof person === 'object' && 'id' in person && ids.includes(person.id));
  });
}

interface NotStarted {
  count: number;
  oldestMs: number | null;
}

function countNotStarted(counted: NotStarted, ageMs: number | null): void {
  counted.count += 1;
  if (ageMs !== null) counted.oldestMs = Math.max(ageMs, counted.oldestMs ?? 0);
}

/** The open issues of the slices up to now. */
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

/** Facts beside a table. */
interface Known extends Pick<OpenInput, 'assignees' | 'onlyStarted'> {
  readonly all: readonly Status[];
  /** By id; they go before those of the table. */
  readonly titles: ReadonlyMap<string, string>;
  readonly flows: Flows;
  /** The cycle time so far of a started issue, by its key and its age; NaN: unknown. */
  readonly workOf: (key: string, ageMs: number) => number;
}

function titlesIn({ columns }: Pick<Table, 'columns'>): ReadonlyMap<string, string> {
  return new Map(columns.filter(({ part }) => part === 'value').map(({ id, title }) => [id, title]));
}

/** Adds the open issues of a table to those of others, and returns their keys. */
function gather(
  table: Table,
  { all, titles: known, assignees, onlyStarted, flows, workOf }: Known,
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
    if (assignees !== null && !isNameOnly && !assignees.includes(holder?.id ?? '')) continue;
    const { flow, counts } = flowOfIssue(facts, flows);
    const now = statusNow(facts, statuses, flow.kindOf);
    if (now?.kind === 'done' || (!counts && assignees === null)) continue;
    keys.push(facts.key);
    if (assignees !== null && isNameOnly) {
      open.unclear.push({ key: facts.key, reason: 'it is unknown which user it is assigned to' });
      continue;
    }
    const age = ageOf(row, facts, now?.id);
    if (now?.kind === 'queue') {
      countNotStarted(open.notStarted, age?.ageMs ?? null);
      if (onlyStarted) continue;
    }
    if (!facts.history.complete) open.cutHistories += 1;
    const title = now === null ? '' : (titles.get(now.id) ?? now.name);
    if (now?.kind === 'unknown') {
      open.unclear.push({ key: facts.key, reason: categoryUnknown(title) });
      open.withoutCategory.add(title);
    } else if (now === null || age === null) open.unknown.push(facts.key);
    else {
      const workMs = isStarted(now.kind) ? workOf(facts.key, age.ageMs) : Number.NaN;
      open.known.push({
        ...namedIssue(facts),
        project: projectKeyOf(facts).toUpperCase(),
        historyComplete: facts.history.complete,
        status: { id: now.id, name: title, category: now.category, kind: now.kind },
        ...age,
        workMs: Number.isNaN(workMs) ? null : workMs,
        flow: counts ? flow : null,
      });
    }
  }
  return keys;
}

/**
 * The cycle times so far of the issues of a table: the time from the first started visit to the visit that lasts, and the
 * age. Unknown where a part of the history is, or the kind of a status in it.
 */
async function workClocks(
  table: Table,
  { fields: _fields, multiVisitBehavior: _visit, ...request }: ReportRequest,
  slice: IssueSlice,
  { flows }: Pick<Known, 'flows'>,
): Promise<Known['workOf']> {
  const observed = [...titlesIn(table).keys()].map((id) => ({ id }));
  const before = new Map<string, number>();
  const lines = linesOf(table).map((line) => ({ ...line, flow: flowOfIssue(line.facts, flows).flow }));
  for (const [flow, own] of Map.groupBy(lines, (line) => line.flow)) {
    const hasStarted = own.some(({ facts: { current } }) =>
      current.some(({ columnId }) => isStarted(flow.kindOf(columnId))),
    );
    const metric = hasStarted ? startMetric(observed, flow) : null;
    if (metric === null) continue;
    const metrics = [metric];
    const clocks = slice.report(ask({ ...request, reportType: reportIds.durationBetweenStatuses, metrics }));
    const cellsOf = cellsByKey((await clocksOf(clocks)).clocks);
    for (const { row, facts } of own) {
      const isStrange = Object.keys(row.cells).some((id) => flow.kindOf(id) === 'unknown');
      const cell = cellOf(cellsOf(facts.key), metric.name);
      if (!isStrange && facts.unknown === null && cell !== undefined)
        before.set(facts.key, Number(cell.value));
    }
  }
  return (key, ageMs) => (before.get(key) ?? Number.NaN) + ageMs;
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
  const ageMs = numberIn(cells, visit.columnId);
  return ageMs === null ? null : { since: visit.since, ageMs };
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
    reportType: reportIds.assigneeDuration,
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
