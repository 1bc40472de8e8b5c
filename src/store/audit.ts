import type { AuditEntry, AuditEvent, AuditFilter } from '../model/audit.ts';
import type { Instant } from '../model/issue.ts';

/**
 * The audit log of a tenant. Changes of documents write their own entries, in their own transactions; the rest is added
 * here.
 */
export interface AuditLog {
  /**
   * Adds entries of what is no change of a document, or leaves Dwell: it is to leave once this has resolved. Entries
   * survive a killed process; with `isDurable: false` a failing power supply may take the last of them.
   */
  add(events: readonly AuditEvent[], how?: { readonly isDurable: boolean }): Promise<void>;
  /** The first entries that meet a filter, by their ids, at most `count`. Whoever goes on after the last id misses none. */
  list(filter: AuditFilter, count: number): Promise<readonly AuditEntry[]>;
  /** Removes entries from before an instant, the oldest first, at most `count`; returns how many. */
  remove(which: { readonly before: Instant; readonly areQuestions: boolean }, count: number): Promise<number>;
}
