import { randomUUID } from 'node:crypto';
import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import type { Logger } from 'pino';
import type { Limit } from '../../concurrency/concurrency-limit.ts';
import type { Hold } from '../../concurrency/leased-worker.ts';
import { pause } from '../../concurrency/poller.ts';
import { AppError } from '../../model/error.ts';
import type { ExportInput, ExportRecord } from '../../model/export.ts';
import type { Instant } from '../../model/issue.ts';
import type { ExportOutcome, ExportStore } from '../../store/job-stores.ts';
import type { ExportFile } from '../exports.ts';
import type { ReportingApi } from '../reporting/reporting-api.ts';
import type { ExportFiles } from './export-files.ts';
import { formatOf, writeExport } from './write-export.ts';

/** What exports are made from. Files lie in `folder`, which is made when it is first needed. */
export interface LocalExportsParts {
  readonly reporting: ReportingApi;
  readonly store: ExportStore;
  readonly folder: string;
  /** The secret that tickets are sealed with. */
  readonly key: () => Promise<Uint8Array>;
  /** Whether a token, by its id, is switched on. */
  readonly isActive: (token: string) => Promise<boolean>;
  readonly now: () => Instant;
  readonly newId: () => string;
  readonly version: string;
  readonly log: Logger;
}

/** How often work beside answering looks about itself, in milliseconds of real time. */
export interface Pace {
  /** For work that others have left. */
  readonly lookMs: number;
  /** For whether an export is still ours; its progress is kept with that. */
  readonly renewMs: number;
  /** How often a courier shows progress. */
  readonly progressMs: number;
}

/** Renewing is far quicker than a lease ends; progress is what Slack takes of one message without slowing us down. */
export const usualPace: Pace = { lookMs: 2_000, renewMs: 500, progressMs: 3_000 };

/** A queued export that is being made; `progress` is how far it is, kept with every renewal. */
export interface ExportJob {
  readonly record: ExportRecord;
  readonly progress: () => { readonly completed: number; readonly total: number };
  readonly onProgress: (completed: number, total: number) => void;
}

/** An export that has brought this many processes down would bring down the next one. */
const MOST_ATTEMPTS = 5;
const EXPIRES_MS = millisecondsInDay;
/** No one waits for it, and the file is kept for a day; harder takes longer and makes it hardly smaller. */
const COMPRESSION = 5;

/** Trouble of the store passes, or does not: the user who waits hears of it in the end. */
const PATIENCE_MS = 10 * millisecondsInMinute;

/** `lost`: the signal came first, or the export is not ours any more. `later`: something is out of reach for a while. */
type Making = 'ended' | 'lost' | 'later';

/** What making the file of a queued export needs. */
type MakingParts = Pick<LocalExportsParts, 'reporting' | 'version' | 'store' | 'now' | 'log'> & {
  readonly files: ExportFiles;
  readonly pace: { readonly lookMs: number };
};

/** Makes the file of an export that is held, and keeps how it ended; otherwise nothing is left of the attempt. */
export async function makeQueued(
  job: ExportJob,
  hold: Hold,
  signal: AbortSignal,
  parts: MakingParts,
): Promise<Making> {
  const { store, now, log, files, pace } = parts;
  const { record } = job;
  const outcome = await attempt(job, hold, signal, parts);
  const leaveNothing = () =>
    files.remove(record.id, record.attempts).catch((error) => {
      // It will be swept away later.
      log.warn({ err: error, exportId: record.id }, 'what is left of an export could not be removed');
    });
  // An onlooker must not see a part of what has ended.
  if (outcome === null || outcome === 'later' || outcome.state === 'Failed') await leaveNothing();
  if (outcome === null || outcome === 'later') return outcome ?? 'lost';
  const finish = () => store.finish(record.id, hold.lease(), now(), outcome);
  if (await untilStored(finish, { signal, pauseMs: pace.lookMs, log })) return 'ended';
  await leaveNothing();
  return 'lost';
}

async function attempt(
  { record, onProgress }: ExportJob,
  hold: Hold,
  signal: AbortSignal,
  { reporting, version, files, now, log }: MakingParts,
): Promise<ExportOutcome | 'later' | null> {
  const { id, wish, attempts, createdAt } = record;
  try {
    const path = await files.begin(id, attempts);
    if (attempts > MOST_ATTEMPTS) return interrupted();
    const scope = await reporting.scope(wish.request.principal);
    const { fileName, bytes, provenance } = await writeExport(
      wish,
      path,
      { reporting, version },
      { compression: COMPRESSION, askedAt: createdAt, onProgress, signal },
    );
    if (!(await isOurs(hold, signal))) return null;
    await files.seal(id, attempts, formatOf(wish).extension);
    return { state: 'Successful', fileName, bytes, provenance, scope, expiresAt: now() + EXPIRES_MS };
  } catch (error) {
    // The process that has taken it over may have removed what we were writing.
    if (!(await isOurs(hold, signal))) return null;
    const isPassing = error instanceof AppError && error.code === 'unavailable';
    if (isPassing && now() - createdAt < PATIENCE_MS) {
      log.warn({ err: error, exportId: id }, 'an export cannot be made yet');
      return 'later';
    }
    const why = whyFailed(error);
    if (why !== null) return { state: 'Failed', message: why };
    const reference = randomUUID();
    log.error({ err: error, reference, exportId: id }, 'export failed');
    const message = `Something went wrong on our side; the log has it under ${reference}.`;
    return { state: 'Failed', message };
  }
}

/** A store that cannot be asked has not said that it is another's. */
async function isOurs(hold: Hold, signal: AbortSignal): Promise<boolean> {
  return !signal.aborted && (await hold.renew().catch(() => true)) && !signal.aborted;
}

function interrupted(): ExportOutcome {
  return {
    state: 'Failed',
    message: `The export was interrupted ${MOST_ATTEMPTS} times by the end of the process that was making it. Please ask for fewer issues or columns, or tell an admin.`,
  };
}

/** A user is waiting, and the file is sent once. */
const QUICK = 2;

/** Makes a file while its principal waits, first for the files before it. */
export async function makeNow(
  wish: ExportInput,
  parts: Pick<LocalExportsParts, 'reporting' | 'version' | 'newId'> & {
    readonly files: ExportFiles;
    readonly limit: Limit;
  },
  signal?: AbortSignal,
): Promise<ExportFile & { close(): Promise<void> }> {
  const { files, limit } = parts;
  const make = async () => {
    const path = await files.loose(parts.newId());
    const close = () => files.removeLoose(path);
    try {
      const reading = { compression: QUICK, ...(signal && { signal }) };
      return { ...(await writeExport(wish, path, parts, reading)), path, close };
    } catch (error) {
      await close();
      throw error;
    }
  };
  try {
    return await limit(make, signal);
  } catch (error) {
    throw asAppError(error);
  }
}

/**
 * Writes to the store once it can be written to: others may hold it for long, and the work behind this write must not
 * be lost. Null when the signal came first.
 */
export async function untilStored<Result>(
  write: () => Promise<Result>,
  { signal, pauseMs, log }: { readonly signal: AbortSignal; readonly pauseMs: number; readonly log: Logger },
): Promise<Result | null> {
  while (!signal.aborted) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
      log.warn({ err: error }, 'what became of an export cannot be kept yet');
    }
    await pause(pauseMs, signal);
  }
  return null;
}

/** What the system says of a disk or folder that takes no file, in words that are no bug of ours. */
const diskTroubles: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EIO: 'the disk fails',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'the folder for files may not be written to',
  EPERM: 'the folder for files may not be written to',
  EROFS: 'the disk can only be read',
  ENOTDIR: 'a file is in the place of the folder for files',
  EEXIST: 'a file is in the place of the folder for files',
};

/** Why no file could be made, as a sentence for the user; null when it is a bug. */
export function whyFailed(error: unknown): string | null {
  if (error instanceof AppError) {
    const { message, details } = error;
    return details.length === 0 ? message : `${message.replace(/\.$/, '')}: ${details.join(' ')}`;
  }
  const trouble = diskTrouble(error);
  return trouble === null ? null : `The file could not be written: ${trouble}. Please tell an admin.`;
}

/** The same failure as one that doors can show: trouble of the disk is nothing the principal did wrong. */
function asAppError(error: unknown): unknown {
  const why = diskTrouble(error) === null ? null : whyFailed(error);
  return why === null ? error : new AppError('unavailable', why, [], { cause: error });
}

function diskTrouble(error: unknown): string | null {
  if (error === null || typeof error !== 'object' || !('code' in error)) return null;
  return typeof error.code === 'string' ? (diskTroubles[error.code] ?? null) : null;
}
