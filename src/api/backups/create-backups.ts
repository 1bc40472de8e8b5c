import { statSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { AppError, badRequest, systemCode } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { makeFolder } from '../../store/sqlite/make-folder.ts';
import type { Store, TenantStore } from '../../store/store.ts';

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

/** The fact about the latest verified backup, as JSON. */
const LATEST = 'backup';

/** The latest backup as its fact has it, `at` in epoch ms. */
const noted = z.object({ at: z.number(), file: z.string(), bytes: z.number(), verified: z.boolean() });

/** The latest backup of a database of SQLite; null: none was made yet. */
export async function latestBackup({
  facts,
}: Pick<TenantStore, 'facts'>): Promise<z.infer<typeof noted> | null> {
  return noted.safeParse(JSON.parse((await facts.get(LATEST)) ?? 'null')).data ?? null;
}

/** The parts of backups. */
interface BackupParts {
  readonly backUp: Store['backUp'];
  readonly store: Pick<TenantStore, 'facts'>;
  /** Makes a random word. */
  readonly newStamp: () => string;
  readonly now: () => Instant;
}

/** Backups by the store's own copies, whose newest one is a fact of the store. */
export function createBackups({ backUp, store, newStamp, now }: BackupParts): BackupsApi {
  async function copied(file: string, at: Instant, signal: AbortSignal) {
    const copy = { ...(await backUp(file, { stamp: newStamp(), signal })), verified: true } as const;
    const record = async () => {
      await store.facts.change(LATEST, () => JSON.stringify({ at, ...copy }));
    };
    return { copy, record };
  }

  return {
    async toFile(file, killed) {
      if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
        throw badRequest(`FILE '${file}' is a folder. Try: --keep 28, or the name of a file in it.`);
      const { copy, record } = await copied(file, now(), killed);
      await record();
      return { ...copy, kept: [copy.file], removed: [] };
    },
    async toFolder(folder, { max, killed }) {
      const at = now();
      const name = nameOf(at);
      if ((await namesIn(folder)).includes(name)) {
        const why = `FOLDER '${folder}' has a backup of this minute already: ${name}. Try again in a minute.`;
        throw new AppError('busy-elsewhere', why);
      }
      makeTarget(folder);
      const { copy, record } = await copied(join(folder, name), at, killed);
      const names = await namesIn(folder);
      const surplus = max === null ? 0 : Math.max(0, names.length - max);
      const removed = names.filter((one) => one < name).slice(0, surplus);
      const inFolder = (one: string) => resolve(folder, one);
      for (const one of removed) await remove(inFolder(one));
      await record();
      const present = names.filter((one) => !removed.includes(one));
      return { ...copy, kept: present.map(inFolder), removed: removed.map(inFolder) };
    },
    async newestIn(folder) {
      const past = (await namesIn(folder)).map(instantOf).filter((at) => at <= now());
      return past.at(-1) ?? null;
    },
  };
}

/** The name of a backup: its minute in UTC, so that names in order are backups in order. */
function nameOf(at: Instant): string {
  return `dwell-${new Date(at).toISOString().slice(0, 16).replace(':', '')}Z.db`;
}

const ownName = /^dwell-(\d{4}-\d\d-\d\dT\d\d)(\d\d)Z\.db$/;

function instantOf(name: string): Instant {
  return Date.parse(name.replace(ownName, '$1:$2Z'));
}

/** Returns the minute in which a backup in a folder was made, by its name; null for any other name. */
export function backupInstant(name: string): Instant | null {
  const at = instantOf(name) || 0;
  return nameOf(at) === name ? at : null;
}

/** The backups in a folder by their names, the oldest first; none where there is no folder. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => backupInstant(name) !== null).toSorted();
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return [];
    throw unusable(folder, cause);
  }
}

function makeTarget(folder: string): void {
  try {
    makeFolder(folder);
  } catch (cause) {
    throw unusable(folder, cause);
  }
}

async function remove(file: string): Promise<void> {
  try {
    await rm(file, { force: true });
  } catch (cause) {
    const why = `The old backup '${file}' could not be removed (${systemCode(cause) ?? String(cause)}).`;
    throw new AppError('store-unavailable', why, [], { cause });
  }
}

function unusable(folder: string, cause: unknown): AppError {
  const code = systemCode(cause) ?? String(cause);
  return badRequest(`FOLDER '${folder}' cannot be used (${code}). Try: another folder.`);
}
