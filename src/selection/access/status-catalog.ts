import { detached, type YieldIfDue } from '../../concurrency/cooperative-yield.ts';
import { IRREGULAR, STATUS_CODE } from '../../engine/columns/column-arrays.ts';
import type { IssueColumns } from '../../engine/columns/issue-columns.ts';
import { FIRST_VALUE } from '../../engine/columns/value-codes.ts';
import { inWorkflowOrder } from '../../engine/measure/column-order.ts';
import { runScan } from '../../engine/measure/kernels/run-kernel.ts';
import { scopesOf } from '../../engine/measure/own-cells.ts';
import { isListed } from '../../engine/measure/select-columns.ts';
import {
  codeOfCategory,
  impliedCategory,
  rowIn,
  type StatusFacts,
  statusFactsScan,
} from '../../engine/measure/status-facts.ts';
import type { MeasureContext } from '../../engine/reports/measuring/report-type.ts';
import type { IssueTable } from '../../mirror/issue-table.ts';
import type { FieldValue, Instant, Status, StatusCategory } from '../../model/issue.ts';
import { foldedName } from '../../model/issues/ids-and-names.ts';
import { changesOf } from '../../model/issues/issue-fields.ts';
import { isValue } from '../../model/issues/value-sets.ts';
import { eachIssue, type Read, type SelectedIssues } from './selected-issues.ts';

/**
 * The statuses of a tenant's tracker by id, in workflow order: what lists and issues say of each, with a category as far as
 * one is known or can be assumed, and whether it is gone. Without a table only what lists and issues say counts.
 */
export type StatusCatalog = (
  statuses: ReadonlyMap<string, Status>,
  table: IssueTable | null,
) => Promise<ReadonlyMap<string, Status>>;

/**
 * The catalog depends on no one's permissions and on no selection, so that a status is the same in every answer. Histories
 * are looked at once for a version of the columns.
 */
export function createStatusCatalog(): StatusCatalog {
  let known: {
    readonly version: number;
    readonly statuses: ReadonlyMap<string, Status>;
    readonly text: string;
    readonly catalog: Promise<ReadonlyMap<string, Status>>;
  } | null = null;
  return (statuses, table) => {
    if (table === null) return Promise.resolve(ordered(withCategoriesByName(statuses)));
    const { version } = table.columns;
    // Lists are read again whenever another process writes anything.
    const text = known?.statuses === statuses ? known.text : JSON.stringify([...statuses.values()]);
    if (known?.version === version && known.text === text) return known.catalog;
    const entry = { version, statuses, text, catalog: detached(() => catalogOf(statuses, table)) };
    known = entry;
    entry.catalog.catch(() => {
      if (known === entry) known = null;
    });
    return entry.catalog;
  };
}

async function catalogOf(
  statuses: ReadonlyMap<string, Status>,
  { columns }: IssueTable,
): Promise<ReadonlyMap<string, Status>> {
  const named = withCategoriesByName(statuses);
  return columns.reading(async () => {
    const values = columns.values('status');
    const codesById = new Map<string, number[]>();
    const categories = new Uint8Array(values.size);
    const listed = new Uint8Array(values.size);
    for (let code = FIRST_VALUE; code < values.size; code += 1) {
      const value = values.at(code);
      if (!isValue(value)) continue;
      // A status that was renamed has several codes.
      codesById.set(value.id, [...(codesById.get(value.id) ?? []), code]);
      categories[code] = codeOfCategory[named.get(value.id)?.category ?? 'Undefined'];
      listed[code] = Number(isListed({ status: value }, statuses));
    }
    const slots = Uint16Array.from(categories, (_, code) => code);
    const facts = await runScan(columns.arrays(), columns.rowsByCreation(), statusFactsScan, {
      asOf: Number.POSITIVE_INFINITY,
      calendar: null,
      slots,
      kinds: [new Uint8Array(values.size)],
      flows: null,
      categories,
      listed,
    });
    const keys = projectKeys(named, codesById, facts, columns);
    const all = [...named.values()].map(({ scope, ...status }) =>
      described(
        scope === undefined ? status : { ...status, scope: keys.get(scope) ?? scope },
        codesById.get(status.id) ?? [],
        facts,
      ),
    );
    return ordered(new Map(all.map((status) => [status.id, status])), meanPositions(codesById, facts));
  });
}

/** A status with what all issues say of it. */
function described(status: Status, codes: readonly number[], facts: StatusFacts): Status {
  const implied = lacksCategory(status) ? impliedCategory(facts, codes) : 'Undefined';
  const isThere = codes.some((code) => rowIn(facts, code) !== null);
  const isElsewhere = codes.some((code) => (facts.sums.elsewhere[code] ?? 0) > 0);
  // One that no list has is newer than the lists where an issue is in it, and may be of a site without a list.
  const deleted = status.deleted && !isThere && !isElsewhere;
  return {
    ...status,
    deleted,
    ...(implied === 'Undefined' ? {} : { category: implied, categorySource: 'neighbors' }),
  };
}

/**
 * Returns true where the project of a status is given by its id and not by its key, which has letters: Jira Cloud does so for
 * team-managed projects, and imports have no list of projects.
 */
export const isProjectId = (scope: string) => /^\d+$/.test(scope);

/** The keys of projects by their ids, as far as an issue is in a status of theirs. */
function projectKeys(
  statuses: ReadonlyMap<string, Status>,
  codesById: ReadonlyMap<string, readonly number[]>,
  facts: StatusFacts,
  columns: IssueColumns,
): ReadonlyMap<string, string> {
  const { project } = columns.arrays();
  const keys = new Map<string, string>();
  for (const { id, scope } of statuses.values()) {
    if (scope === undefined || !isProjectId(scope) || keys.has(scope)) continue;
    for (const code of codesById.get(id) ?? []) {
      const key = columns.projectKeys[project[rowIn(facts, code) ?? -1] ?? IRREGULAR];
      if (key !== undefined) keys.set(scope, key);
    }
  }
  return keys;
}

/** No one says what its category is; of one in the tracker's list the tracker says that it has none. */
function lacksCategory({ category, listed }: Status): boolean {
  return category === 'Undefined' && listed !== true;
}

/** Statuses without a category have that of the others of their name, where these agree. */
function withCategoriesByName(statuses: ReadonlyMap<string, Status>): ReadonlyMap<string, Status> {
  if (!statuses.values().some(lacksCategory)) return statuses;
  const byName = new Map<string, Set<StatusCategory>>();
  for (const { name, category } of statuses.values()) {
    if (category === 'Undefined') continue;
    const folded = foldedName(name);
    byName.set(folded, (byName.get(folded) ?? new Set()).add(category));
  }
  return new Map(
    [...statuses].map(([id, status]) => {
      const [category, ...others] = lacksCategory(status) ? (byName.get(foldedName(status.name)) ?? []) : [];
      if (category === undefined || others.length > 0) return [id, status];
      return [id, { ...status, category, categorySource: 'same name' }];
    }),
  );
}

/** The position of each status among those an issue entered, on average over the issues that were in it, by id. */
function meanPositions(
  codesById: ReadonlyMap<string, readonly number[]>,
  { sums: { issues, positions } }: StatusFacts,
): ReadonlyMap<string, number> {
  const means = new Map<string, number>();
  for (const [id, codes] of codesById) {
    const count = codes.reduce((sum, code) => sum + (issues[code] ?? 0), 0);
    const position = codes.reduce((sum, code) => sum + (positions[code] ?? 0), 0);
    if (count > 0) means.set(id, position / count);
  }
  return means;
}

function ordered(
  statuses: ReadonlyMap<string, Status>,
  positions?: ReadonlyMap<string, number>,
): ReadonlyMap<string, Status> {
  return new Map(inWorkflowOrder(statuses.values(), positions).map((status) => [status.id, status]));
}

/** The statuses that issues were in within the time of a question, as far as they need their project beside their name. */
export async function observedNamesakes(
  selected: SelectedIssues,
  {
    context: { asOf, trim },
    statuses,
    ...reading
  }: {
    readonly context: Pick<MeasureContext, 'asOf' | 'trim'>;
    readonly statuses: ReadonlyMap<string, Status>;
    readonly read: Read;
    readonly pace: YieldIfDue;
  },
): Promise<readonly Status[]> {
  if (scopesOf(statuses.values()).size === 0) return [];
  const within = {
    from: trim.from ?? Number.NEGATIVE_INFINITY,
    until: Math.min(asOf, trim.to ?? Number.POSITIVE_INFINITY),
  };
  const ids = await observedStatuses(selected, within, reading);
  return [...ids].flatMap((id) => statuses.get(id) ?? []);
}

/** The ids of the statuses that issues were in within a time. */
async function observedStatuses(
  selected: SelectedIssues,
  { from, until }: { readonly from: Instant; readonly until: Instant },
  reading: { readonly read: Read; readonly pace: YieldIfDue },
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  const note = (value: FieldValue | null) => {
    if (value !== null) ids.add(value.id);
  };
  const { rowSelection } = selected;
  if (rowSelection === null) {
    await eachIssue(selected, reading, (issue) => {
      let now: FieldValue | null = issue.status;
      let isWithin = true;
      for (const { at, from: before } of changesOf(issue, 'status').toReversed()) {
        if (isWithin && at <= until) note(now);
        now = before;
        isWithin = at > from;
      }
      if (isWithin && issue.created <= until) note(now);
    });
    return ids;
  }
  const { columns } = rowSelection.visible.table;
  await columns.reading(async () => {
    const { statusAt, statusCount, visitStart, visitStatus } = columns.arrays();
    const codes = new Set<number>();
    for (const row of rowSelection.rows) {
      const first = statusAt[row] ?? 0;
      const end = first + (statusCount[row] ?? 0);
      for (let visit = first; visit < end; visit += 1) {
        const left = visit + 1 < end ? (visitStart[visit + 1] ?? 0) : Number.POSITIVE_INFINITY;
        if ((visitStart[visit] ?? 0) <= until && left > from)
          codes.add((visitStatus[visit] ?? 0) & STATUS_CODE);
      }
    }
    const values = columns.values('status');
    for (const code of codes) {
      const value = values.at(code);
      if (isValue(value)) note(value);
    }
  });
  return ids;
}
