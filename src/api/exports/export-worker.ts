import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import type { Logger } from 'pino';
import { isDue } from '../../concurrency/clock-check.ts';
import {
  createLeasedWorker,
  type Lease,
  type LeasedWork,
  type LeasedWorker,
  unobserved,
  type WorkObserver,
} from '../../concurrency/leased-worker.ts';
import { pause } from '../../concurrency/poller.ts';
import { AppError } from '../../model/error.ts';
import { type Delivery, doors, type ExportRecord } from '../../model/export.ts';
import type { Instant } from '../../model/issue.ts';
import type { BlobStore } from '../../store/blobs.ts';
import { TO_MAKE, toDeliver, type Work } from '../../store/work-kinds.ts';
import type { SigningKeys } from '../people/signing-keys.ts';
import type { ReportingApi } from '../reporting/reporting-api.ts';
import { asOfNow, type ExportFiles, explainFailure, fileOf } from './export-files.ts';
import {
  afterMaking,
  type ExportOutcome,
  type ExportProgress,
  expired,
  finished,
  forgotten,
  released,
  renewed,
  taken,
} from './export-states.ts';
import type { CycleTimeSource, ExportNotifier } from './exports-api.ts';
import { formatOf, writeExport } from './write-export.ts';

/** The parts of the port of exports. */
export interface ExportsParts {
  readonly reporting: ReportingApi;
  readonly cycleTimes: CycleTimeSource;
  readonly store: Work<ExportRecord>;
  readonly blobs: BlobStore;
  /** The keys that tickets are encrypted with. */
  readonly keys: SigningKeys;
  /** True if a token, by its id, is switched on. */
  readonly isActive: (token: string) => Promise<boolean>;
  readonly now: () => Instant;
  readonly newId: () => string;
  readonly version: string;
  readonly log: Logger;
  readonly observer?: WorkObserver | undefined;
}

/**
 * The pauses (ms of real time) between looks for exports that other processes have left, and between renewals of a lease
 * (far quicker than it ends) with its progress.
 */
export const defaultPace = { pollMs: 2_000, renewMs: 500 };
export type ExportPace = Readonly<typeof defaultPace>;

/** Long enough for a busy process to renew it, short enough to wait for when its holder was killed. */
const LEASE_MS = 8_000;
/** The number of exports delivered at a time. */
const MAX_DELIVERIES = 4;
/** An export that has brought this many processes down would bring down the next one. */
const MAX_ATTEMPTS = 5;
/** The compression of a file that no one waits for and that is stored for a day; more takes longer and saves little. */
const COMPRESSION = 5;
const EXPIRES_MS = millisecondsInDay;
/** The pause before an export is tried again whose source is out of reach, and the time after which it has failed. */
const RETRY_MS = 10_000;
const GIVE_UP_MAKING_MS = 10 * millisecondsInMinute;
/** The pauses of a delivery double between these, for a day. */
const MIN_DELIVERY_PAUSE_MS = 10_000;
const MAX_DELIVERY_PAUSE_MS = 15 * millisecondsInMinute;
const GIVE_UP_DELIVERY_MS = millisecondsInDay;
const SWEEP_MS = millisecondsInMinute;
/** The time a finished export is remembered. */
const REMEMBERED_MS = 7 * millisecondsInDay;
/** The files of one owner; with more the oldest goes, as the disk is for everyone. */
const MAX_FILES = 20;

type Notifiers = Readonly<Partial<Record<Delivery['door'], ExportNotifier>>>;

/** Makes the files of queued exports, one at a time, and has the notifiers of its start deliver them. */
export interface ExportWorker extends LeasedWorker<Notifiers> {
  /** Stops work on an export that was aborted, where it is the one under way. */
  aborted(id: string): void;
}

/** A queued export; `progress` is stored with every renewal. */
interface ExportJob {
  readonly record: ExportRecord;
  progress: ExportProgress;
}

type ExportWork = LeasedWork<ExportJob, Notifiers>;

/** A worker over a store that other processes take work from as well. */
export function createExportWorker(
  parts: ExportsParts & { readonly files: ExportFiles; readonly pace: ExportPace },
): ExportWorker {
  const { store, files, reporting, now, newId, log, pace, observer = unobserved } = parts;
  const holder = newId();
  let sweptAt: Instant | null = null;
  let underWay: ExportWork | null = null;
  let delivering = 0;

  const worker = createLeasedWorker<ExportJob, Notifiers>({
    holder,
    now,
    leaseMs: LEASE_MS,
    renewMs: pace.renewMs,
    pollMs: pace.pollMs,
    concurrency: 1,
    log,
    name: 'an export',
    kind: 'export',
    observer,
    idsOf: ({ record }) => ({ exportId: record.id }),
    async claim(lease, notifiers) {
      await sweep().catch((error: unknown) => {
        if (!worker.isOver()) log.warn({ err: error }, 'old exports could not be taken away');
      });
      const open = delivering < MAX_DELIVERIES ? doors.filter((door) => notifiers[door] !== undefined) : [];
      const which = { now: now(), open: [TO_MAKE, ...open.map(toDeliver)] };
      const record = await store.claim(which, lease(), taken);
      if (record === null) return null;
      const { completed, total } = record;
      return { record, progress: { completed, total } };
    },
    // An export that was aborted under way stays with its holder until that releases it.
    renew: ({ record: { id, state }, progress }, lease) =>
      store.keep(id, lease, (stored) => renewed(stored, { state }, progress)),
    async release({ record }, notBefore) {
      await store.release(record.id, { holder, notBefore }, released);
    },
    async work(work) {
      const { id, state } = work.item.record;
      const after = state === 'Running' ? await make(work) : null;
      if (after !== null) return after;
      // Slack may be slow, and the next export need not wait for it.
      return async () => {
        delivering += 1;
        try {
          const finished = await store.get(id);
          return finished === null || work.signal.aborted ? now() : await deliver(finished, work);
        } finally {
          delivering -= 1;
        }
      };
    },
  });

  /** Makes a file. Null when the export has come to its end, otherwise the instant to try again. */
  async function make(work: ExportWork): Promise<Instant | null> {
    const { item, hold, signal } = work;
    const { id, attempts } = item.record;
    const leaveNothing = () =>
      files.remove(id, attempts).catch((error) => {
        // It will be swept away later.
        log.warn({ err: error, exportId: id }, 'what is left of an export could not be removed');
      });
    underWay = work;
    try {
      const outcome = await attempt(work);
      // No part of a file remains once its export has ended.
      if (typeof outcome === 'number' || outcome.state === 'Failed') await leaveNothing();
      if (typeof outcome === 'number') return outcome;
      const finish = (stored: ExportRecord) => finished(stored, outcome, now());
      if (await untilStored(() => store.keep(id, hold.lease(), finish), signal)) {
        observer.ended('export', outcome.state === 'Successful' ? 'made' : 'failed');
        return null;
      }
      await leaveNothing();
      return now();
    } finally {
      underWay = null;
    }
  }

  /** The outcome of an export, or the instant to try again. */
  async function attempt({ item, hold, signal }: ExportWork): Promise<ExportOutcome | Instant> {
    const { id, input, attempts, createdAt } = item.record;
    // While the store cannot be reached the export is still ours.
    const isOurs = async () => !signal.aborted && (await hold.renew().catch(() => true)) && !signal.aborted;
    try {
      const path = await files.begin(id, attempts);
      if (attempts > MAX_ATTEMPTS) return { state: 'Failed', message: interrupted };
      const scope = await reporting.browseScope(input.request.principal);
      const onProgress = (completed: number, total: number) => {
        item.progress = { completed, total };
      };
      const writing = { compression: COMPRESSION, askedAt: createdAt, onProgress, signal };
      const { fileName, bytes, provenance } = await writeExport(input, path, parts, writing);
      if (!(await isOurs())) return now();
      await files.complete(id, attempts, formatOf(input).extension);
      return { state: 'Successful', fileName, bytes, provenance, scope, expiresAt: now() + EXPIRES_MS };
    } catch (error) {
      // Another process that has taken it over may have removed the file.
      if (!(await isOurs())) return now();
      if (isPassing(error) && now() - createdAt < GIVE_UP_MAKING_MS) {
        log.warn({ err: error, exportId: id }, 'an export cannot be made yet');
        return now() + RETRY_MS;
      }
      const message = explainFailure(error, log.child({ exportId: id }), 'export failed');
      return { state: 'Failed', message };
    }
  }

  /** Has a finished export delivered, and returns the instant to try again, should it still be pending. */
  async function deliver(record: ExportRecord, { hold, signal, door }: ExportWork): Promise<Instant> {
    const { id, delivery, finishedAt } = record;
    if (delivery === null || !delivery.pending) return now();
    const waited = now() - (finishedAt ?? now());
    let { note } = delivery;
    const notifier = door[delivery.door];
    // The door may be open elsewhere, or with the next configuration.
    if (notifier === undefined) return now();
    try {
      const current = asOfNow(record, now());
      const file = await fileOf(current, parts).catch((error: unknown) => {
        if (error instanceof AppError && error.reason === 'no-export-file') return null;
        throw error;
      });
      await notifier.deliver(current, file, async (changed) => {
        const busy = 'The export is being delivered by another process.';
        await hold.write((lease) => putDelivery(id, lease, { ...delivery, note: changed }), busy);
        note = changed;
      });
    } catch (error) {
      if (hold.lost.aborted) return now();
      const isRefused = error instanceof AppError && error.reason === 'slack-token-refused';
      if (isRefused || (isPassing(error) && waited < GIVE_UP_DELIVERY_MS)) {
        log.warn({ err: error, exportId: id }, 'the end of an export could not be posted yet');
        // A pause as long as the whole time since the end doubles with every try.
        return now() + Math.min(Math.max(waited, MIN_DELIVERY_PAUSE_MS), MAX_DELIVERY_PAUSE_MS);
      }
      const why = isPassing(error) ? 'was not posted within a day and will not be' : 'could not be posted';
      log.error({ err: error, exportId: id }, `the end of an export ${why}`);
    }
    const done = { ...delivery, note, pending: false };
    await untilStored(() => putDelivery(id, hold.lease(), done), signal);
    return now();
  }

  function putDelivery(id: string, lease: Lease, delivery: Delivery): Promise<boolean> {
    return store.keep(id, lease, (stored) => ({ ...stored, delivery }));
  }

  /** Writes once the store can be written to: others may lock it for long. False when the signal came first. */
  async function untilStored(write: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      try {
        return await write();
      } catch (error) {
        if (!isPassing(error)) throw error;
        log.warn({ err: error }, 'what became of an export cannot be kept yet');
      }
      await pause(pace.pollMs, signal);
    }
    return false;
  }

  /** Takes away files that are too old or whose makers were killed, and forgets exports of long ago; once a minute. */
  async function sweep(): Promise<void> {
    if (!isDue(now(), sweptAt, SWEEP_MS)) return;
    sweptAt = now();
    const oldest = now() - REMEMBERED_MS;
    await store.change({ open: afterMaking }, (records) => ({ put: expired(records, now(), MAX_FILES) }));
    const ended = { open: [...afterMaking, null], plannedBefore: oldest };
    await store.change(ended, (records) => forgotten(records, oldest));
    // A file belongs to the attempt that is under way, or that succeeded.
    await files.sweep(async ({ id, attempt: wanted, part }) => {
      const record = await store.get(id);
      if (record === null || record.attempts !== wanted) return false;
      return record.state === 'Running' || (record.state === 'Successful' && !part);
    });
  }

  return {
    ...worker,
    aborted(id) {
      if (underWay?.item.record.id === id) underWay.hold.lose();
      worker.kick();
    },
  };
}

const interrupted = `Dwell stopped ${MAX_ATTEMPTS} times while making the file. Export fewer issues or columns, or ask an admin.`;

function isPassing(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}
