import type { Instant } from '../model/issue.ts';
import { type Asker, ask } from '../model/request.ts';
import {
  type CurrentValue,
  cellOf,
  type IssueFacts,
  type Provenance,
  type UnknownTime,
} from '../model/table.ts';
import type { ReportingApi } from './reporting.ts';

/** The time an issue spent in one status: visits, working ms, and the part (0 to 1) of its whole life. */
export interface StatusTime {
  readonly status: string;
  readonly visits: number;
  readonly ms: number;
  readonly share: number;
  /** The issue is in this status at the as-of instant. */
  readonly now: boolean;
}

/** All that is to be told of one issue: where its time went, what it is doing now, and how far to trust it. */
export interface IssueStory {
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

/** Tells one issue's time in status from its creation until now, in the continuous calendar. */
export async function tellIssue(reporting: ReportingApi, asker: Asker, key: string): Promise<IssueStory> {
  const table = await reporting.report(
    ask({
      asker,
      reportType: 'statusDuration',
      selection: { by: 'keys', keys: [key] },
      includeDeletedStatuses: true,
      fields: ['status', 'assignee'],
    }),
  );
  const [issue] = table.issues;
  const [row] = table.rows;
  if (issue === undefined || row === undefined) throw new Error(`The report lost the issue ${key}`);
  const [current] = issue.current;
  const times = table.columns
    .filter((column) => column.part === 'value')
    .map((column) => {
      const cell = cellOf(row.cells, column.id);
      const now = column.id === current?.columnId;
      return { status: column.title, visits: cell?.visits ?? 0, ms: Number(cell?.value ?? 0), now };
    });
  const totalMs = times.reduce((sum, time) => sum + time.ms, 0) + (issue.unknown?.ms ?? 0);
  const share = (ms: number) => (totalMs === 0 ? 0 : ms / totalMs);
  const textOf = (id: string) => {
    const value = issue.cells[id]?.value;
    return value === undefined ? null : String(value);
  };
  const { asOf } = table.provenance;
  return {
    key: issue.key,
    summary: textOf('summary') ?? '',
    link: issue.link,
    assignee: textOf('assignee'),
    created: issue.created,
    statuses: times.map((time) => ({ ...time, share: share(time.ms) })),
    totalMs,
    current:
      current === undefined
        ? null
        : { ...current, forMs: current.since === null ? null : asOf - current.since },
    statusNow: textOf('status'),
    unknown: issue.unknown === null ? null : { ...issue.unknown, share: share(issue.unknown.ms) },
    history: issue.history,
    contradictions: issue.contradictions,
    provenance: table.provenance,
  };
}
