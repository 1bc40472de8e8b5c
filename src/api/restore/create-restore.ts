import { readFile, rename, writeFile } from 'node:fs/promises';
import { millisecondsInMinute } from 'date-fns/constants';
import type { Logger } from 'pino';
import { isDue } from '../../concurrency/clock-check.ts';
import { pausedText } from '../../model/digest.ts';
import { systemCode } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import {
  addResumingStamp,
  addStamp,
  DATABASE_STAMP,
  DROPPED,
  FOLDER_STAMP,
  stampsOf,
} from '../../store/stamps.ts';
import type { TenantStore } from '../../store/store.ts';
import { TO_MAKE } from '../../store/work-kinds.ts';
import { afterMaking, undelivered } from '../exports/export-states.ts';

/** Pauses scheduled posts after a restore until an admin resumes them. */
export interface RestoreApi {
  /** Nothing is posted on a schedule, since the database was restored and no one has said that it is the one that posts. */
  isPaused(): Promise<boolean>;
  /**
   * From now on this database posts digests and alerts. What was due before now is not posted: another database may have
   * done so. False when nothing was paused.
   */
  resume(): Promise<boolean>;
}

/** A copy of the file that is put back shows as such when it was made before the last stamp. */
const STAMP_EVERY_MS = 10 * millisecondsInMinute;

/** Stands for the stamp of a folder without one, before the newest word of its database. */
const NO_STAMP = 'none';

/** The place of a database, by which it is noticed that it was restored there. */
interface DatabasePlace {
  /** The file of the folder's stamp; null where the database is in no folder, but of a server. */
  readonly file: string | null;
  /** The identity of the database by its server; null where it is in a folder. */
  readonly identity: () => Promise<string | null>;
}

/** The parts that show that a database was restored, and those that rest until it is resumed. */
interface RestoreParts extends DatabasePlace {
  readonly store: Pick<TenantStore, 'stamps' | 'digests' | 'watches' | 'exports'>;
  /** Counts digests and alerts that are due by now as posted. */
  readonly startOver: () => Promise<void>;
  /** Counts answers to nudges as delivered. */
  readonly dropAnswers: () => Promise<void>;
  /** Another file has taken the place of the open database. */
  readonly isReplaced: () => boolean;
  /** Makes a random word. */
  readonly newStamp: () => string;
  readonly now: () => Instant;
  readonly log: Logger;
}

/** The restore of the process that posts: it stamps the folder, and rests while posting is paused. */
interface Restore extends RestoreApi {
  /** Logs whether posting is paused; if not, stamps folder and database. */
  start(): Promise<void>;
  /** A call of the clock that does nothing while posting is paused, or what is written would be lost. */
  unlessPaused(tick: () => Promise<void>): () => Promise<void>;
  /** To be called by the clock. */
  tick(): Promise<void>;
  /** Marks them a last time. */
  stop(): Promise<void>;
}

/**
 * Sees by a stamp that a database was restored: database and folder get the same random word again and again, so a database
 * that lacks the word of its folder, or is in a folder without one, was put there. A copy made by `backup` has none of the
 * words of its original. A database of a server has the identity that the server gives it as its stamp; one that was restored
 * has that of its original.
 */
export function createRestore({
  store,
  file,
  identity,
  startOver,
  dropAnswers,
  isReplaced,
  newStamp,
  now,
  log,
}: RestoreParts): Restore {
  const { stamps } = store;
  /** Once it is known that the database posts, it does until the process ends. */
  let isOurs = false;
  let stampedAt: Instant | null = null;
  let isReplacementLogged = false;

  const name = file === null ? DATABASE_STAMP : FOLDER_STAMP;
  const place = { file, identity };

  async function isPaused(): Promise<boolean> {
    if (isOurs) return false;
    const isElsewhere = await awaitsResume(store, place);
    isOurs = !isElsewhere;
    return isElsewhere;
  }

  /** The original has posted these, or still does. What was ordered since the restore is posted here, after any start. */
  async function dropDeliveries(): Promise<void> {
    const newest = async () => (await stampsOf(stamps, name))[0];
    if (!(await wasRestored(store, place))) return;
    const here = (await readWord(place)) ?? `${NO_STAMP} ${await newest()}`;
    if ((await stampsOf(stamps, DROPPED)).includes(here)) return;
    await store.exports.change({ open: [TO_MAKE, ...afterMaking] }, (records) => ({
      put: records.filter(({ delivery }) => delivery?.pending).map(undelivered),
    }));
    await dropAnswers();
    await addStamp(stamps, DROPPED, { stamp: here });
  }

  async function stamp(add: typeof addStamp = addStamp): Promise<void> {
    if (file === null) {
      const here = await identity();
      if (here !== null) await add(stamps, name, { stamp: here });
    } else {
      const word = newStamp();
      const temporary = `${file}.${process.pid}.new`;
      // A folder that cannot be written to is found before anything is stored.
      await writeFile(temporary, word, { mode: 0o600 });
      await add(stamps, name, { stamp: word, present: await readStamp(file) });
      await rename(temporary, file);
    }
    stampedAt = now();
  }

  /** A folder that cannot be written to keeps its earlier stamp, which the database knows as well. */
  async function stampQuietly(): Promise<void> {
    try {
      if (!isReplaced() && !(await isPaused())) await stamp();
    } catch (error) {
      log.warn({ err: error }, 'the stamp of the database could not be written');
    }
  }

  async function isOff(): Promise<boolean> {
    if (!isReplaced()) return isPaused();
    if (!isReplacementLogged)
      log.error('the database in DATA_DIR was replaced while Dwell runs: restart Dwell');
    isReplacementLogged = true;
    return true;
  }

  return {
    isPaused,
    async resume() {
      if (!(await isPaused())) return false;
      await dropDeliveries();
      await startOver();
      await stamp(addResumingStamp);
      return true;
    },
    async start() {
      await dropDeliveries();
      if (await isPaused()) log.warn(pausedText);
      await stampQuietly();
    },
    unlessPaused: (tick) => async () => {
      if (!(await isOff())) await tick();
    },
    async tick() {
      if (isDue(now(), stampedAt, STAMP_EVERY_MS)) await stampQuietly();
    },
    stop: stampQuietly,
  };
}

/**
 * Returns true where a database was restored and posts nothing until it is resumed. One without digests and watches posts
 * nothing anyway, so no one has to decide which one posts.
 */
export async function awaitsResume(
  store: Pick<TenantStore, 'stamps' | 'digests' | 'watches'>,
  place: DatabasePlace,
): Promise<boolean> {
  if (!(await wasRestored(store, place))) return false;
  return (await store.digests.list()).length > 0 || (await store.watches.list()).length > 0;
}

async function wasRestored({ stamps }: Pick<TenantStore, 'stamps'>, place: DatabasePlace): Promise<boolean> {
  const name = place.file === null ? DATABASE_STAMP : FOLDER_STAMP;
  const [known, here] = [await stampsOf(stamps, name), await readWord(place)];
  // A database that was never stamped is new on its server, while a folder may have the stamp of another one.
  if (here === null || place.file === null) return known.length > 0 && known[0] !== here;
  return !known.includes(here);
}

/** The word of the place that a database is in, which the database should know. */
function readWord({ file, identity }: DatabasePlace): Promise<string | null> {
  return file === null ? identity() : readStamp(file);
}

/** Null where there is none. */
async function readStamp(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}
