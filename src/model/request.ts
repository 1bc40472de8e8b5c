import type { Instant } from './issue.ts';

/** Who asks, and so what they may see; part of every request. */
export interface Asker {
  readonly user: string;
  readonly admin: boolean;
}

/** Which visits of a status count when it was visited more than once. */
export const multiVisitBehaviors = ['total', 'first', 'last', 'average'] as const;
export type MultiVisitBehavior = (typeof multiVisitBehaviors)[number];

/** One asking. Absent choices are spelled out (null, []), so that two equal requests are equal values. */
export interface ReportRequest {
  readonly asker: Asker;
  readonly reportType: string;
  readonly issueKeys: readonly string[];
  /** Answer as the world was at this instant; null: now. */
  readonly asOf: Instant | null;
  /** History trimming: as if created at `from` with what the issue had then, and gone at `to`. */
  readonly trim: { readonly from: Instant | null; readonly to: Instant | null };
  /** Calendar id, or `normalHours`. */
  readonly calendar: string;
  /** Status ids to show as columns; null: every status met. */
  readonly statuses: readonly string[] | null;
  readonly includeDeletedStatuses: boolean;
  readonly multiVisitBehavior: MultiVisitBehavior;
  /** Field ids to show as further columns. */
  readonly fields: readonly string[];
  /** The fields whose history is reported by the any-field report types. */
  readonly historyFields: readonly string[];
}
