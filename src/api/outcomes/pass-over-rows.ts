import { flowRows, kindCode } from '../../engine/columns/flow-rows.ts';
import type { IssueColumns } from '../../engine/columns/issue-columns.ts';
import { FIRST_VALUE } from '../../engine/columns/value-codes.ts';
import { runScan } from '../../engine/measure/kernels/run-kernel.ts';
import { headerColumns, scopedName, scopesOf } from '../../engine/measure/own-cells.ts';
import {
  type ObservedSlots,
  type ScanPlan,
  type StatusSlots,
  UNLISTED,
} from '../../engine/measure/row-cursor.ts';
import { numbersAt, type Scan } from '../../engine/measure/scan-rows.ts';
import { describeStatus, isListed, withDistinctTitles } from '../../engine/measure/select-columns.ts';
import { tableOf } from '../../mirror/issue-table.ts';
import type { Flows } from '../../model/flow.ts';
import type { Status } from '../../model/issue.ts';
import { isValue } from '../../model/issues/value-sets.ts';
import type { ReportRequest } from '../../model/request.ts';
import type { Column } from '../../model/table.ts';
import { assumedAmong } from '../../output/assumed-categories.ts';
import { classesOf, scopeOfClasses } from '../../selection/access/audience-scope.ts';
import { mayHoldKeys } from '../../selection/access/hide-closed-keys.ts';
import { createdBy } from '../../selection/access/matching-rows.ts';
import type { QueryContext } from '../../selection/access/query-context.ts';
import { factsOf, inOrder, rowIssues, withColumns } from '../../selection/access/selected-issues.ts';
import type { VisibleIssues } from '../../selection/access/visible-issues.ts';
import { everySprintField } from '../../selection/jql/field-contents.ts';
import { arraysWith, blockedFacts, withLinks } from '../reporting/blocked-report.ts';
import { provenanceOf } from '../reporting/prepare-report.ts';
import { type ReportSources, resolveRequest } from '../reporting/resolve-request.ts';
import { runReport, SLICE } from '../reporting/run-report.ts';
import type { ProjectPart } from './outcomes-api.ts';
import type { Passed, PassFacts, PassOptions } from './pass.ts';

/** Selects the issues of a request, and passes over their rows once. */
export async function passOverRows<Plan extends ScanPlan, List extends string, Sum extends string>(
  request: ReportRequest,
  queryContext: QueryContext,
  sources: ReportSources,
  {
    scan,
    planOf,
    part,
    flows,
    needsBlocked,
  }: PassOptions & {
    readonly scan: Scan<Plan, List, Sum>;
    readonly planOf: (plan: ScanPlan, facts: PassFacts) => Plan | Promise<Plan>;
  },
): Promise<Passed<List, Sum>> {
  const resolved = await resolveRequest(request, queryContext, sources);
  const { selection, fields, definition, calendar } = resolved;
  const { visible } = selection;
  const { asOf } = queryContext;
  const issues =
    part === undefined || visible === null
      ? await inOrder(await selection.choose())
      : rowIssues(createdBy(rowsOfPart(visible, part), visible, asOf), visible, 0);
  const { rowSelection, count } = issues;
  // Columns are made of issues that are loaded already.
  const table = rowSelection?.visible.table ?? tableOf(await issues.load(0, count));
  const { columns } = table;
  const rows = rowSelection?.rows ?? Uint32Array.from({ length: count }, (_, row) => row);
  const { ids: statusIds, ...statuses } = statusSlots(columns, selection.statuses, flows);
  const facts: PassFacts = {
    statusIds,
    columns,
    sprintFields: everySprintField(selection),
    async hidesIn(field) {
      if (selection.keys.all || !mayHoldKeys(field)) return false;
      await table.hold(field);
      return !columns.hasField(field) || (await selection.keys.hiddenIn(field)) !== null;
    },
  };
  const own = {
    ...statuses,
    asOf,
    calendar: calendar.continuous ? null : definition,
    flows: flows.all.length === 1 ? null : flowRows(flows, columns),
  };
  const plan = await withColumns(table, () => planOf(own, facts));
  const blocked = needsBlocked ? await blockedFacts(request, selection, { ...queryContext, flows }) : null;
  // The columns are not written to while they are read.
  const { lists, sums, observed } = await withColumns(table, () =>
    columns.reading(async () =>
      runScan(await arraysWith(blocked, issues, columns.arrays()), rows, scan, plan),
    ),
  );
  const ofAll = await factsOf(issues, queryContext);
  async function* slices(indexes: ArrayLike<number>) {
    const all = Uint32Array.from(indexes);
    for (let start = 0; start < all.length; start += SLICE) {
      const before = { selection, issues: issues.at(all.subarray(start, start + SLICE)) };
      yield { report: (own: ReportRequest) => runReport(own, queryContext, sources, before) };
    }
  }
  return {
    lists,
    sums,
    statusIds,
    columns: statusColumns(
      observed,
      { ...statuses, ids: statusIds },
      { columns, known: selection.statuses, fields },
    ),
    provenance: {
      ...provenanceOf(request, queryContext, resolved, issues, ofAll),
      contents: await withLinks(
        scopeOfClasses(ofAll.classes ?? classesOf(rows, columns), columns),
        issues,
        blocked,
      ),
      ...assumedAmong(
        observed.codes.flatMap(
          (code) => selection.statuses.get(statusIds[statuses.slots[code] ?? 0] ?? '') ?? [],
        ),
      ),
    },
    projects: columns.classes.all.map(({ projectKey }) => projectKey.toUpperCase()),
    scopeOf: (counts) => scopeOfClasses(counts, columns),
    keys: (indexes) => Array.from(indexes, issues.keyAt),
    slices,
    remaining: ({ list = lists.rest } = {}) => slices(numbersAt(list)),
  };
}

function rowsOfPart(
  { table, rowsIn }: VisibleIssues,
  { project, classes, changedSince }: ProjectPart,
): Uint32Array {
  const { updated } = table.columns.arrays();
  return rowsIn(project, classes).filter((row) => (updated[row] ?? 0) >= changedSince);
}

/** The statuses of columns, whatever they were called, as the principal can know them. */
function statusSlots(
  columns: IssueColumns,
  known: ReadonlyMap<string, Status>,
  { all }: Flows,
): StatusSlots & { readonly ids: readonly string[] } {
  const values = columns.values('status');
  const slots = new Uint16Array(values.size);
  const listed = new Uint8Array(values.size);
  const ids = [''];
  const kinds = all.map((): number[] => [kindCode.unknown]);
  const slotOf = new Map<string, number>();
  for (let code = FIRST_VALUE; code < values.size; code += 1) {
    const value = values.at(code);
    if (!isValue(value)) continue;
    const { id } = value;
    listed[code] = Number(isListed({ status: value }, known));
    let slot = slotOf.get(id);
    if (slot === undefined) {
      slot = ids.push(id) - 1;
      slotOf.set(id, slot);
      for (const [i, { kindOf }] of all.entries()) kinds[i]?.push(kindCode[kindOf(id)]);
    }
    slots[code] = slot;
  }
  return { slots, kinds: kinds.map((own) => Uint8Array.from(own)), listed, ids };
}

/** The columns of the statuses that were observed, titled as in a table of all the issues. */
function statusColumns(
  observed: ObservedSlots,
  { slots, ids }: StatusSlots & { readonly ids: readonly string[] },
  {
    columns,
    known,
    fields,
  }: {
    readonly columns: IssueColumns;
    readonly known: ReadonlyMap<string, Status>;
    readonly fields: readonly Column[];
  },
): readonly Column[] {
  const values = columns.values('status');
  const strange = new Set(ids.filter((_, slot) => observed.by[slot] === UNLISTED));
  const statusOf = describeStatus({ knownStatuses: known, strange });
  const found = new Map<number, Status>();
  for (const code of observed.codes) {
    const value = values.at(code);
    const slot = slots[code] ?? 0;
    if (!isValue(value) || found.has(slot)) continue;
    found.set(slot, { ...statusOf(value), id: value.id });
  }
  const scopes = scopesOf(found.values());
  const titled = [...found.values()].map(
    ({ id, name }): Column => ({
      id,
      title: scopedName(name, scopes.get(id)),
      kind: 'duration',
      part: 'value',
    }),
  );
  return withDistinctTitles([...headerColumns, ...fields, ...titled]).filter(({ part }) => part === 'value');
}
