import type { Delivery, ExportInput, ExportRecord } from '../model/export.ts';
import type { Principal } from '../model/principal.ts';
import type { Provenance, Table } from '../model/table.ts';

/** A finished file. */
export interface ExportFile {
  /** Where it lies on this machine. */
  readonly path: string;
  readonly bytes: number;
  /** The name it is offered under. */
  readonly fileName: string;
  readonly mediaType: string;
  /** Where its figures come from, and how far they can be trusted. */
  readonly provenance: Provenance;
}

/** Files made of reports: at once, or queued. Every call acts with the rights of the principal and fails with an AppError. */
export interface ExportsApi {
  /** How many issues the wish is about; fails for everything that is wrong with it. */
  count(wish: ExportInput): Promise<number>;
  /** Makes the file at once, unless the signal comes first. `close` takes it away again, and must be called. */
  now(wish: ExportInput, signal?: AbortSignal): Promise<ExportFile & { close(): Promise<void> }>;
  /**
   * Checks the wish, then queues it for its principal; it speaks of the instant of queueing. `too-many` while so many of
   * the principal's are unfinished that no further one is taken.
   */
  queue(wish: ExportInput, delivery?: Delivery): Promise<ExportRecord>;
  /** Those of the principal. Somebody else's, and one made with rights of an admin that the principal lacks, are `not-found`. */
  get(principal: Principal, id: string): Promise<ExportRecord>;
  /** The principal's own, newest first. */
  list(
    principal: Principal,
    page: { readonly start: number; readonly size: number },
  ): Promise<{ readonly records: readonly ExportRecord[]; readonly total: number }>;
  /** Ends it before its time; `not-found` when it has ended already. */
  abort(principal: Principal, id: string): Promise<ExportRecord>;
  /** The file of a successful export; `not-found` with the reason when there is none, or none yet. */
  file(principal: Principal, id: string): Promise<ExportFile>;
  /**
   * An opaque text that opens this one file for a few minutes, whoever shows it, and only while the token (its id) is
   * switched on that it was asked for with, if any.
   */
  ticket(record: ExportRecord, token: string | null): Promise<string>;
  /** The file a ticket opens; `not-found` when the ticket is false or old, or the file gone. */
  fileByTicket(ticket: string): Promise<ExportFile>;
  /** The first issues (at most `most`) of a wish as a table, for a glance at what the file will hold. */
  preview(wish: ExportInput, most: number): Promise<Table>;
}

/**
 * Brings what came of an export to where it was asked from. Each call may be repeated after a crash: it finds out by
 * what the note tells whether it was done already. `keep` makes a changed note durable, and fails with an AppError when
 * somebody else has taken the export over: the courier must stop then.
 */
export interface Courier {
  /** Tells how far a running export is; failing is no harm. */
  progress(record: ExportRecord): Promise<void>;
  /**
   * Tells the end, with the file where there is one. An AppError `unavailable` means: try again later; any other
   * failure gives the delivery up.
   */
  deliver(
    record: ExportRecord,
    file: ExportFile | null,
    keep: (note: Delivery['note']) => Promise<void>,
  ): Promise<void>;
}
