import type { Delivery, ExportRecord } from '../model/export.ts';
import type { Instant } from '../model/issue.ts';
import type { Scope } from '../model/permissions.ts';
import type { Provenance } from '../model/table.ts';
import type { Lease } from './lease.ts';

/** How an export ended. */
export type ExportOutcome =
  | {
      readonly state: 'Successful';
      readonly fileName: string;
      readonly bytes: number;
      readonly provenance: Provenance;
      readonly scope: Scope;
      readonly expiresAt: Instant;
    }
  | { readonly state: 'Failed'; readonly message: string };

/** Queued exports. Several processes may take work from one store; each export is worked on under a lease. */
export interface ExportStore {
  /** Keeps a new one, unless its owner already has `mostUnfinished` that are queued or running: false then. */
  add(record: ExportRecord, mostUnfinished: number): Promise<boolean>;
  get(id: string): Promise<ExportRecord | null>;
  /** Newest first; those asked for by an admin only with `admin`. */
  list(
    owner: { readonly user: string; readonly admin: boolean },
    page: { readonly start: number; readonly size: number },
  ): Promise<{ readonly records: readonly ExportRecord[]; readonly total: number }>;
  /**
   * Takes up what nobody works on at `now`: an export that is not at its end (it is Running from then on), or one whose
   * delivery by one of these doors is pending. Owners take turns, of one owner's exports the oldest is first. Null:
   * there is nothing to do.
   */
  claim(now: Instant, lease: Lease, doors: readonly Delivery['door'][]): Promise<ExportRecord | null>;
  /** Tells progress and keeps the lease; false when it is lost or the export was aborted. */
  renew(
    id: string,
    lease: Lease,
    progress: { readonly completed: number; readonly total: number },
  ): Promise<boolean>;
  /** Keeps the end and the lease, for the delivery that may follow; false as above, and then nothing has changed. */
  finish(id: string, lease: Lease, at: Instant, outcome: ExportOutcome): Promise<boolean>;
  /** Changes the delivery of an export that is held; false when the lease is lost. */
  putDelivery(id: string, lease: Lease, delivery: Delivery): Promise<boolean>;
  /** Lets go of it. Unfinished work is Queued again, and nobody takes it up before `notBefore`. */
  release(id: string, holder: string, notBefore: Instant): Promise<void>;
  /** Queued or Running becomes Aborted; false when it has ended already. */
  abort(id: string, at: Instant, message: string): Promise<boolean>;
  /**
   * Successful exports past their time become Expired, and of each owner's all but the `most` newest; those that ended
   * before `oldest` are forgotten. Ids of both.
   */
  expire(now: Instant, oldest: Instant, most: number): Promise<readonly string[]>;
}
