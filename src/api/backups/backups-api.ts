import type { Instant } from '../../model/issue.ts';

/**
 * A backup that was verified, and the backups in its place: those that are there now, itself among them, and those that
 * were removed. Files by their whole paths, the oldest first.
 */
export interface Backup {
  readonly file: string;
  readonly bytes: number;
  readonly verified: true;
  readonly kept: readonly string[];
  readonly removed: readonly string[];
}

/** Backups of everything that is stored. Each is verified before it has its name, and removed where `killed` is aborted before. */
export interface BackupsApi {
  /** Makes a backup of a name that no file has. */
  toFile(file: string, killed: AbortSignal): Promise<Backup>;
  /**
   * Makes a backup that is named after the present minute in UTC, in a folder that is made if it is missing. Then all but
   * the newest `max` of those names are removed (null: none is), never one that is newer, nor a file of another name.
   */
  toFolder(
    folder: string,
    how: { readonly max: number | null; readonly killed: AbortSignal },
  ): Promise<Backup>;
  /** The instant of the newest backup in a folder, to the minute; null where there is none. One in the future is none. */
  newestIn(folder: string): Promise<Instant | null>;
}
