import type { ReportingApi } from '../../api/reporting.ts';
import type { Instant, StatusCategory } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import { ask, type ReportRequest } from '../../model/request.ts';
import {
  type CurrentValue,
  cellOf,
  type IssueFacts,
  type Provenance,
  type UnknownTime,
} from '../../model/table.ts';

/** The time an issue spent in one status: visits, working ms, and the part (0 to 1) of its whole life. */
interface StatusTime {
  readonly status: string;
  readonly category: StatusCategory;
  readonly visits: number;
  readonly ms: number;
  readonly share: number;
  /** The issue is in this status at the as-of instant. */
  readonly now: boolean;
}

/** All that is to be told of one issue: where its time went, what it is doing now, and how far to trust it. */
export interface IssueSummary {
  readonly key: string;
  readonly summary: string;
  readonly link: string | null;
  readonly assignee: string | null;
  readonly created: Instant;
  readonly statuses: readonly StatusTime[];
  readonly totalMs: number;
  readonly current: (CurrentValue & { readonly forMs: number | null }) | null;
  /** The status the tracker shows when the history does not tell since when. */
  readonly statusNow: string | null;
  readonly unknown: (UnknownTime & { readonly share: number }) | null;
  readonly history: IssueFacts['history'];
  readonly contradictions: number;
  readonly provenance: Provenance;
}

/** Which hours count, a calendar's id or `normalHours`, and of which instant is told; null: now. */
type IssueMeasure = Pick<ReportRequest, 'calendar' | 'asOf'>;

const everyHourUntilNow: IssueMeasure = { calendar: 'normalHours', asOf: null };

/** Tells one issue's time in status from its creation until an instant. */
export async function summarizeIssue(
  reporting: ReportingApi,
  principal: Principal,
  key: string,
  { calendar, asOf: asked }: IssueMeasure = everyHourUntilNow,
): Promise<IssueSummary> {
  const request = { principal, selection: { by: 'keys', keys: [key.toUpperCase()] }, calendar } as const;
  const table = await reporting.report(
    ask({
      ...request,
      reportType: 'statusDuration',
      asOf: asked,
      includeDeletedStatuses: true,
      fields: ['status', 'assignee'],
    }),
  );
  const [issue] = table.issues;
  const [row] = table.rows;
  if (issue === undefined || row === undefined) throw new Error(`The report lost the issue ${key}`);
  const [current] = issue.current;
  const met = [...table.statuses.included, ...table.statuses.deleted];
  const times = table.columns
    .filter((column) => column.part === 'value')
    .map((column) => {
      const cell = cellOf(row.cells, column.id);
      const now = column.id === current?.columnId;
      const category = met.find(({ id }) => id === column.id)?.category ?? 'Undefined';
      return { status: column.title, category, visits: cell?.visits ?? 0, ms: Number(cell?.value ?? 0), now };
    });
  const totalMs = times.reduce((sum, time) => sum + time.ms, 0) + (issue.unknown?.ms ?? 0);
  const share = (ms: number) => (totalMs === 0 ? 0 : ms / totalMs);
  const textOf = (id: string) => {
    const value = issue.cells[id]?.value;
    return value === undefined ? null : String(value);
  };
  const { asOf, calendar: facts } = table.provenance;
  const since = current?.since ?? null;
  const age = { ...request, asOf, status: current?.columnId ?? '' };
  // Of an only visit the figure itself is exact, where a beginning may be told to the minute.
  const only = times.find(({ now, visits }) => now && visits === 1 && issue.unknown === null);
  const lastMs = async () =>
    facts.continuous && since !== null ? asOf - since : await ageBy(age, reporting);
  const forMs = since === null ? null : (only?.ms ?? (await lastMs()));
  return {
    key: issue.key,
    summary: textOf('summary') ?? '',
    link: issue.link,
    assignee: textOf('assignee'),
    created: issue.created,
    statuses: times.map((time) => ({ ...time, share: share(time.ms) })),
    totalMs,
    current: current === undefined ? null : { ...current, forMs },
    statusNow: textOf('status'),
    unknown: issue.unknown === null ? null : { ...issue.unknown, share: share(issue.unknown.ms) },
    history: issue.history,
    contradictions: issue.contradictions,
    provenance: table.provenance,
  };
}

/** The working ms of the visit an issue is in, which is the last one of its status: every service tells that. */
async function ageBy(
  {
    status,
    ...request
  }: Pick<ReportRequest, 'principal' | 'selection' | 'calendar' | 'asOf'> & {
    readonly status: string;
  },
  reporting: ReportingApi,
): Promise<number | null> {
  const { rows } = await reporting.report(
    ask({
      ...request,
      reportType: 'statusDuration',
      multiVisitBehavior: 'last',
      includeDeletedStatuses: true,
    }),
  );
  const age = rows[0] && cellOf(rows[0].cells, status)?.value;
  return typeof age === 'number' ? age : null;
}
