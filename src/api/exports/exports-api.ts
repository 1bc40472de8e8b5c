import type { Readable } from 'node:stream';
import type { CycleTime } from '../../model/answer.ts';
import type { Delivery, ExportInput, ExportRecord } from '../../model/export.ts';
import type { Instant } from '../../model/issue.ts';
import type { Principal, ReportRequest } from '../../model/request.ts';
import type { Provenance } from '../../model/table.ts';
import type { FileFormat, Workbook } from '../../output/workbook.ts';

/** A file that is open. Its stream is to be read or destroyed; it can be read to its end, also once the file is removed. */
export interface OpenFile {
  readonly bytes: number;
  readonly stream: Readable;
}

/** The content of a file, wherever it is. */
export interface FileContent {
  open(): Promise<OpenFile>;
  /** Returns the path of a file on this machine: the file itself, or else a copy, which is there for an hour. */
  localPath(): Promise<string>;
}

/** A finished file. */
export interface ExportFile extends FileContent {
  readonly bytes: number;
  /** The name it is offered under. */
  readonly fileName: string;
  readonly mediaType: string;
  /** The origin of its figures and their limits. */
  readonly provenance: Provenance;
}

/** The cycle times of some issues that a request is about, by key; an issue that is gone has no entry. */
export type CycleTimeSource = (
  request: Pick<ReportRequest, 'principal' | 'calendar'>,
  keys: readonly string[],
  asOf: Instant,
) => Promise<ReadonlyMap<string, CycleTime>>;

/** Files made of reports: at once, or queued. Every call acts with the rights of the principal and fails with an AppError. */
export interface ExportsApi {
  /** The number of issues the file is about; fails for every problem of the input. */
  count(input: ExportInput): Promise<number>;
  /** Makes the file at once, unless the signal comes first. `close` takes it away again, and must be called. */
  now(input: ExportInput, signal?: AbortSignal): Promise<ExportFile & { close(): Promise<void> }>;
  /** Writes a small workbook at once. `close` takes the file away again, and must be called. */
  write(
    book: Workbook,
    format: FileFormat['id'],
  ): Promise<FileContent & Pick<ExportFile, 'fileName'> & { close(): Promise<void> }>;
  /** Queues the checked input, as of this instant unless it names one; `too-many-exports` while 10 are unfinished. */
  queue(input: ExportInput, delivery?: Delivery): Promise<ExportRecord>;
  /** An export of the principal, made with rights they have; any other is `unknown-export`. */
  get(principal: Principal, id: string): Promise<ExportRecord>;
  /** The exports of the principal, newest first. */
  list(
    principal: Principal,
    page: { readonly start: number; readonly size: number },
  ): Promise<{ readonly records: readonly ExportRecord[]; readonly total: number }>;
  /** Ends an export before its time; `export-ended` when it has ended already. */
  abort(principal: Principal, id: string): Promise<ExportRecord>;
  /** The file of a successful export; `no-export-file` when there is none, or none yet. */
  file(principal: Principal, id: string): Promise<ExportFile>;
  /** A text that opens the file for 15 minutes, as long as the token (its id) it is made for is active, if any. */
  ticket(record: ExportRecord, token: string | null): Promise<string>;
  /** The file a ticket opens; `invalid-link` when the ticket is false or old, otherwise as `file`. */
  fileByTicket(ticket: string): Promise<ExportFile>;
}

/**
 * Brings a finished export to the place it was requested at. Each call may be repeated after a crash: the note shows what
 * was done. `storeNote` makes a changed note durable, and fails with an AppError once another process has the export.
 */
export interface ExportNotifier {
  /** Posts the end, and the file if there is one. An AppError `unavailable`: again later; any other failure: never. */
  deliver(
    record: ExportRecord,
    file: ExportFile | null,
    storeNote: (note: Delivery['note']) => Promise<void>,
  ): Promise<void>;
}
