import type { AuditEntry, AuditEvent, AuditFilter } from '../../model/audit.ts';
import type { Instant } from '../../model/issue.ts';
import type { Principal } from '../../model/request.ts';

/** The days for which entries are kept; null: for good. */
export interface AuditDays {
  readonly changes: number | null;
  readonly questions: number;
}

/** The port of the audit log: entries are read by admins, and written before something leaves Dwell. */
export interface AuditApi {
  /** Fails as `admin-only` for anyone who cannot read the audit log. */
  permit(principal: Principal): Promise<void>;
  /** The first entries that meet a filter, the oldest first, at most `count`. */
  read(filter: AuditFilter, count: number): Promise<readonly AuditEntry[]>;
  /** Returns how far back the log reaches: the instants of its first entries (null: it has none), and how long they are kept. */
  reach(): Promise<{
    readonly changes: Instant | null;
    readonly questions: Instant | null;
    readonly days: AuditDays;
  }>;
  /** Writes what leaves Dwell. It is to leave once this has resolved, and to stay where it fails. */
  leaving(event: AuditEvent): Promise<void>;
}

/** Writes what leaves Dwell; see `AuditApi`. */
export type AuditLeaving = Pick<AuditApi, 'leaving'>;
