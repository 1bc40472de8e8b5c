import { randomUUID } from 'node:crypto';
import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { AppError } from '../../../model/error.ts';
import type { ExportRecord } from '../../../model/export.ts';
import type { ExportOutcome } from '../../../store/job-stores.ts';
import type { ExportFiles } from './export-files.ts';
import type { LocalExportsParts } from './exports-parts.ts';
import type { Hold } from './hold-export.ts';
import { untilKept } from './until-kept.ts';
import { whyFailed } from './why-failed.ts';
import { formatOf, writeExport } from './write-export.ts';

/** An export that has brought this many processes down would bring down the next one. */
const MOST_ATTEMPTS = 5;
const EXPIRES_MS = millisecondsInDay;
/** Nobody waits for it, and the file is kept for a day; harder takes longer and makes it hardly smaller. */
const COMPRESSION = 5;

/** Trouble of the store passes, or does not: whoever waits is told in the end. */
const PATIENCE_MS = 10 * millisecondsInMinute;

/** `lost`: the signal came first, or the export is not ours any more. `later`: something is out of reach for a while. */
export type Making = 'ended' | 'lost' | 'later';

/** What making the file of a queued export needs. */
export type MakingParts = Pick<LocalExportsParts, 'reporting' | 'version' | 'store' | 'now' | 'log'> & {
  readonly files: ExportFiles;
  readonly pace: { readonly lookMs: number };
};

/** Makes the file of an export that is held, and keeps how it ended; otherwise nothing is left of the attempt. */
export async function makeQueued(
  record: ExportRecord,
  hold: Hold,
  signal: AbortSignal,
  parts: MakingParts,
): Promise<Making> {
  const { store, now, log, files, pace } = parts;
  const outcome = await attempt(record, hold, signal, parts);
  const leaveNothing = () =>
    files.remove(record.id, record.attempts).catch((error) => {
      // It will be swept away later.
      log.warn({ err: error, exportId: record.id }, 'what is left of an export could not be removed');
    });
  // An onlooker must not see a part of what has ended.
  if (outcome === null || outcome === 'later' || outcome.state === 'Failed') await leaveNothing();
  if (outcome === null || outcome === 'later') return outcome ?? 'lost';
  const finish = () => store.finish(record.id, hold.lease(), now(), outcome);
  if (await untilKept(finish, { signal, pauseMs: pace.lookMs, log })) return 'ended';
  await leaveNothing();
  return 'lost';
}

async function attempt(
  record: ExportRecord,
  hold: Hold,
  signal: AbortSignal,
  { reporting, version, files, now, log }: MakingParts,
): Promise<ExportOutcome | 'later' | null> {
  const { id, wish, attempts, createdAt } = record;
  try {
    const path = await files.begin(id, attempts);
    if (attempts > MOST_ATTEMPTS) return interrupted();
    const scope = await reporting.scope(wish.request.asker);
    const { fileName, bytes, provenance } = await writeExport(
      wish,
      path,
      { reporting, version },
      { compression: COMPRESSION, askedAt: createdAt, onProgress: hold.tell, signal },
    );
    if (!(await isOurs(hold, signal))) return null;
    await files.seal(id, attempts, formatOf(wish).extension);
    return { state: 'Successful', fileName, bytes, provenance, scope, expiresAt: now() + EXPIRES_MS };
  } catch (error) {
    // Whoever has taken it over may have removed what we were writing.
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

/** A store that cannot be asked has not said that it is somebody else's. */
async function isOurs(hold: Hold, signal: AbortSignal): Promise<boolean> {
  return !signal.aborted && (await hold.renew().catch(() => true)) && !signal.aborted;
}

function interrupted(): ExportOutcome {
  return {
    state: 'Failed',
    message: `The export was interrupted ${MOST_ATTEMPTS} times by the end of the process that was making it. Please ask for fewer issues or columns, or tell an admin.`,
  };
}
