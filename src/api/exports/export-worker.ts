import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { isDue } from '../../concurrency/clock-check.ts';
import { createLeasedWorker, type Hold } from '../../concurrency/leased-worker.ts';
import { repeatEvery } from '../../concurrency/poller.ts';
import { AppError } from '../../model/error.ts';
import { type Delivery, doors, type ExportRecord } from '../../model/export.ts';
import type { Instant } from '../../model/issue.ts';
import type { Courier } from '../exports.ts';
import { deliverExport } from './deliver-export.ts';
import type { ExportFiles, FoundFile } from './export-files.ts';
import { type ExportJob, type LocalExportsParts, makeQueued, type Pace } from './make-export.ts';

/** Long enough for a busy process to renew it, short enough to wait for when its holder was killed. */
const LEASE_MS = 8_000;
/** How many ends are delivered at a time. */
const MOST_DELIVERIES = 4;
/** What is out of reach for a while is looked for again. */
const LATER_MS = 10_000;
/** What has failed by a bug will most likely fail again. */
const AFTER_BUG_MS = 60_000;

/** Makes the files of queued exports, one at a time, and brings them to where they were asked for. */
interface ExportWorker {
  /** Begins to look for work. */
  start(couriers: Readonly<Partial<Record<Delivery['door'], Courier>>>): void;
  /** There is something to do. */
  kick(): void;
  /** An export was aborted, which may be the one that is worked on. */
  aborted(id: string): void;
  /** Lets go of what is under way; resolves when that is done, or after `patienceMs`. */
  stop(patienceMs: number): Promise<void>;
}

/** A worker over a store that other processes take work from as well. */
export function createExportWorker(
  parts: LocalExportsParts & { readonly files: ExportFiles; readonly pace: Pace },
): ExportWorker {
  const { store, now, newId, log, pace } = parts;
  const holder = newId();
  const sweep = createSweep(parts);
  let couriers: Readonly<Partial<Record<Delivery['door'], Courier>>> | null = null;
  let stopLooking = () => {};
  let writing: { readonly id: string; readonly hold: Hold } | null = null;
  let delivering = 0;

  const worker = createLeasedWorker<ExportJob>({
    ...{ holder, now, leaseMs: LEASE_MS, renewMs: pace.renewMs, concurrency: 1 },
    async claim(lease) {
      await sweep().catch((error: unknown) => report(error, 'old exports could not be taken away'));
      const record = await store.claim(now(), lease(), delivering < MOST_DELIVERIES ? openDoors() : []);
      return record === null ? null : jobOf(record);
    },
    renew: ({ record, progress }, lease) => store.renew(record.id, lease, progress()),
    async work({ item, hold, signal }) {
      const { id, state } = item.record;
      if (state === 'Running' && !(await held(id, () => write(item, hold, signal)))) return null;
      // Slack may be slow, and the next export need not wait for it.
      return async () => {
        delivering += 1;
        try {
          await held(id, () => deliver(id, hold, signal));
        } finally {
          delivering -= 1;
        }
      };
    },
    onUnrenewed: (error, { record }) =>
      log.warn({ err: error, exportId: record.id }, 'the lease of an export could not be renewed'),
    onProblem: (error, job) =>
      report(
        error,
        job === null
          ? 'looking for exports failed, and will be repeated'
          : 'work on an export failed, and will be repeated',
      ),
  });

  function openDoors(): readonly Delivery['door'][] {
    return doors.filter((door) => couriers?.[door] !== undefined);
  }

  /** Does some work on an export; unless it answers true, the export is let go of until the instant it answers. */
  async function held(id: string, work: () => Promise<Instant | true>): Promise<boolean> {
    let notBefore: Instant | true = now() + AFTER_BUG_MS;
    try {
      notBefore = await work();
    } finally {
      if (notBefore !== true && !worker.isOver()) await store.release(id, holder, notBefore);
    }
    return notBefore === true;
  }

  /** True when the export has come to its end; otherwise it may be taken up again at once, if anything is left of it. */
  async function write(job: ExportJob, hold: Hold, signal: AbortSignal): Promise<Instant | true> {
    const { record } = job;
    const courier = record.delivery?.pending ? couriers?.[record.delivery.door] : undefined;
    const endProgress = courier === undefined ? async () => {} : showProgress(job, courier);
    writing = { id: record.id, hold };
    try {
      const made = await makeQueued(job, hold, signal, parts);
      return made === 'ended' || now() + (made === 'later' ? LATER_MS : 0);
    } finally {
      writing = null;
      await endProgress();
    }
  }

  /** Shows now and then how far an export is. Returns what ends that, once nothing is being shown any more. */
  function showProgress({ record, progress }: ExportJob, courier: Courier): () => Promise<void> {
    let showing: Promise<void> | null = null;
    const stop = repeatEvery(pace.progressMs, () => {
      showing ??= show();
    });

    async function show(): Promise<void> {
      try {
        await courier.progress({ ...record, ...progress() });
      } catch (error) {
        log.debug({ err: error, exportId: record.id }, 'progress of an export could not be shown');
      } finally {
        showing = null;
      }
    }

    return async () => {
      stop();
      await showing;
    };
  }

  async function deliver(id: string, hold: Hold, signal: AbortSignal): Promise<Instant> {
    const finished = await store.get(id);
    if (finished === null || signal.aborted) return now();
    return (await deliverExport(finished, hold, signal, { ...parts, couriers: couriers ?? {} })) ?? now();
  }

  function report(error: unknown, message: string): void {
    if (worker.isOver()) return;
    if (error instanceof AppError) log.warn({ err: error }, message);
    else log.error({ err: error }, message);
  }

  function kick(): void {
    if (couriers !== null) worker.kick();
  }

  return {
    start(opened) {
      couriers = opened;
      stopLooking = repeatEvery(pace.lookMs, kick);
      kick();
    },
    kick,
    aborted(id) {
      if (writing?.id === id) writing.hold.lose();
      kick();
    },
    async stop(patienceMs) {
      stopLooking();
      await worker.stop(patienceMs);
    },
  };
}

function jobOf(record: ExportRecord): ExportJob {
  let progress = { completed: record.completed, total: record.total };
  return {
    record,
    progress: () => progress,
    onProgress(completed, total) {
      progress = { completed, total };
    },
  };
}

const SWEEP_MS = 60_000;
/** How long a finished export is remembered. */
const REMEMBERED_MS = 7 * millisecondsInDay;
/** Who makes more than that has had the oldest long enough; the disk is for everybody. */
const MOST_FILES = 20;
/** A file made at once is waited for, which no one does for so long. */
const LOOSE_MS = millisecondsInHour;

/** Takes away files whose time is over or whose makers were killed, and forgets exports of long ago; once a minute. */
function createSweep({
  store,
  files,
  now,
  newId,
}: Pick<LocalExportsParts, 'store' | 'now' | 'newId'> & {
  readonly files: ExportFiles;
}): () => Promise<void> {
  let sweptAt: Instant | null = null;

  /** A file belongs to the attempt that is under way, or that succeeded. */
  async function isWanted({ id, attempt, part }: FoundFile): Promise<boolean> {
    const record = await store.get(id);
    if (record === null || record.attempts !== attempt) return false;
    return record.state === 'Running' || (record.state === 'Successful' && !part);
  }

  return async () => {
    if (!isDue(now(), sweptAt, SWEEP_MS)) return;
    sweptAt = now();
    await store.expire(now(), now() - REMEMBERED_MS, MOST_FILES);
    for (const file of await files.found()) {
      if (!(await isWanted(file))) await files.removeFound(file);
    }
    await files.removeOld(newId(), LOOSE_MS);
  };
}
