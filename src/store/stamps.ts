import type { Documents } from './documents.ts';

/**
 * Stamps are random words that the database gets together with something outside of it, such as the file of columns: the
 * last few by its name, the newest first. What has a stamp that is not among these was made with another database, or with
 * a later state of a database that was put back since.
 */
export type Stamps = Documents<readonly string[]>;

/** The name of the stamps of the folder a database is in. */
export const FOLDER_STAMP = 'folder';

/** The name of the stamp of a database of a server: its identity there, the only one it is known by. */
export const DATABASE_STAMP = 'database';

/** Under this name are the stamps of places in which deliveries from before a restore were dropped. */
export const DROPPED = 'dropped-deliveries';

/** Under this name is the last stamp that a restored database got because it posts again. */
export const RESUMED = 'resumed';

/** The names of stamps that are not those of a file that can be made again. */
export const lastingStamps: readonly string[] = [FOLDER_STAMP, DATABASE_STAMP, DROPPED, RESUMED];

/** Several processes may add a stamp at once, each before it writes its file; and one may be killed in between. */
const MAX_STAMPS = 8;

/** The stamps of a name; empty where none was ever added. */
export async function stampsOf(stamps: Stamps, name: string): Promise<readonly string[]> {
  return (await stamps.get(name)) ?? [];
}

/**
 * To be called before the stamp is written anywhere else, which may fail: what is written there now, `present`, is not
 * forgotten, however often that happens.
 */
export async function addStamp(stamps: Stamps, name: string, added: AddedStamp): Promise<void> {
  await stamps.change(name, (known) => withStamp(known, added));
}

/** The same, by which the database posts again after a restore: both are one change. */
export async function addResumingStamp(stamps: Stamps, name: string, added: AddedStamp): Promise<void> {
  await stamps.changeAll([name, RESUMED], ([known = null]) => [withStamp(known, added), [added.stamp]]);
}

/** A stamp that is added, and the one that is written outside of the database now; null: none. */
interface AddedStamp {
  readonly stamp: string;
  readonly present?: string | null;
}

function withStamp(
  known: readonly string[] | null,
  { stamp, present = null }: AddedStamp,
): readonly string[] {
  // Only what is known already: a stamp of another database stays that.
  const here = (known ?? []).filter((word) => word === present);
  const others = (known ?? []).filter((word) => word !== present);
  return [...new Set([stamp, ...here, ...others])].slice(0, MAX_STAMPS);
}
