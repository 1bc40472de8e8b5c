import type { IssueColumns } from '../../engine/columns/issue-columns.ts';
import type { ScanPlan } from '../../engine/measure/row-cursor.ts';
import { type NumbersByKey, type Scan, type ScanFound, scanRows } from '../../engine/measure/scan-rows.ts';
import { tableOf } from '../../mirror/issue-table.ts';
import type { Flows } from '../../model/flow.ts';
import { reportIds } from '../../model/report-ids.ts';
import { type AudienceScope, ask, type ReportRequest } from '../../model/request.ts';
import type { Column, Provenance, Table } from '../../model/table.ts';
import type { IssueSlice, ReportingApi } from '../reporting/reporting-api.ts';
import type { ProjectPart } from './outcomes-api.ts';
import { emptyScope } from './read-table.ts';

/** Facts beside a plan with which it is completed. */
export interface PassFacts {
  /** Ids of statuses by slot; that of slot 0, which is no status, is empty. */
  readonly statusIds: readonly string[];
  readonly columns: IssueColumns;
  /** Ids of the fields that may hold sprints. */
  readonly sprintFields: readonly string[];
  /** Something in a field, now or in its history, is hidden from the principal. */
  readonly hidesIn: (field: string) => Promise<boolean>;
}

/** The result of one pass over the rows of a request's issues. Indexes are of these issues in its order, from 0 on. */
export interface Passed<List extends string, Sum extends string>
  extends Pick<ScanFound<List, Sum>, 'lists' | 'sums'>,
    Pick<PassFacts, 'statusIds'> {
  /** The columns of the observed statuses, as a table of all the issues has them. */
  readonly columns: readonly Column[];
  /** The provenance of all issues of the request; null where only their reports have it. */
  readonly provenance: Provenance | null;
  /** The project of each access class: its key, upper case. */
  readonly projects: readonly string[];
  /** The scope of issues that are counted by access class. */
  scopeOf(counts: ArrayLike<number>): AudienceScope;
  keys(indexes: ArrayLike<number>): readonly string[];
  /** The issues themselves at some indexes; no slice of none. */
  slices(indexes: ArrayLike<number>): AsyncIterable<IssueSlice>;
  /**
   * The issues of a list of indexes, by default of those that rows cannot speak for. Where there are no rows, these are all
   * issues of the requests, by default of that of the pass.
   */
  remaining(which?: {
    readonly list?: NumbersByKey;
    readonly requests?: readonly ReportRequest[];
  }): AsyncIterable<IssueSlice>;
}

/**
 * Passes over rows once. `planOf` completes the plan; where it fails with `MissingColumn`, columns come to hold what it
 * lacks, and it is called again.
 */
export type PassOver = <Plan extends ScanPlan, List extends string, Sum extends string>(
  request: ReportRequest,
  scan: Scan<Plan, List, Sum>,
  planOf: (plan: ScanPlan, facts: PassFacts) => Plan | Promise<Plan>,
  how: PassOptions,
) => Promise<Passed<List, Sum>>;

/** The flows that count, and which rows: `part`, only these of all issues that a request without conditions is about. */
export interface PassOptions {
  readonly flows: Flows;
  readonly part?: ProjectPart | undefined;
  /** The scan reads what blocked the issues. */
  readonly needsBlocked?: true;
}

/** Issues that are listed visit by visit at once: few enough that their lines take no memory to speak of. */
const MAX_AT_ONCE = 500;

/** Issues visit by visit, some of them at once, with their keys. */
export async function* visitTables(
  keys: readonly string[],
  request: Pick<ReportRequest, 'principal' | 'asOf' | 'calendar'> & Partial<ReportRequest>,
  reporting: Pick<ReportingApi, 'report'>,
): AsyncGenerator<{ readonly some: readonly string[]; readonly table: Table }, undefined> {
  for (let start = 0; start < keys.length; start += MAX_AT_ONCE) {
    const some = keys.slice(start, start + MAX_AT_ONCE);
    const table = await reporting.report(
      ask({
        ...request,
        selection: { by: 'keys', keys: some },
        reportType: reportIds.statusDurationExpanded,
        includeDeletedStatuses: true,
      }),
    );
    yield { some, table };
  }
}

/** A pass where there are no rows: nothing is found, and all issues remain. */
export function passOverLists({ slices }: Pick<ReportingApi, 'slices'>): PassOver {
  const { columns } = tableOf([]);
  return async (request, scan, planOf, { part }) => {
    const { asOf } = request;
    const none = new Uint8Array(1);
    const own = {
      asOf: asOf ?? 0,
      calendar: null,
      slots: new Uint16Array(1),
      kinds: [none],
      listed: none,
      flows: null,
    };
    const facts = { statusIds: [''], columns, sprintFields: [], hidesIn: async () => false };
    const plan = await planOf(own, facts);
    const all: ReportRequest =
      part === undefined ? request : { ...request, selection: { by: 'project', project: part.project } };
    return {
      ...scanRows(scan, columns.arrays(), { rows: new Uint32Array(), offset: 0 }, plan),
      statusIds: facts.statusIds,
      columns: [],
      provenance: null,
      projects: [],
      scopeOf: () => emptyScope,
      keys: () => [],
      async *slices() {},
      async *remaining({ requests = [all] } = {}) {
        for (const one of requests) yield* slices(one);
      },
    };
  };
}
