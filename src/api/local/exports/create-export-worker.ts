import { AppError } from '../../../model/error.ts';
import type { Delivery, ExportRecord } from '../../../model/export.ts';
import type { Instant } from '../../../model/issue.ts';
import type { Courier } from '../../exports.ts';
import { deliverExport } from './deliver-export.ts';
import type { ExportFiles } from './export-files.ts';
import type { LocalExportsParts } from './exports-parts.ts';
import { type Hold, holdExport, leaseFor } from './hold-export.ts';
import { makeQueued } from './make-queued.ts';
import { every, type Pace, pause } from './pace.ts';
import { sweepExports } from './sweep-exports.ts';
import { tellProgress } from './tell-progress.ts';

const SWEEP_MS = 60_000;
/** What has failed by a bug will most likely fail again. */
const AFTER_BUG_MS = 60_000;

/** Works on queued exports, one at a time. */
export interface ExportWorker {
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
  const stopping = new AbortController();
  let couriers: Readonly<Partial<Record<Delivery['door'], Courier>>> | null = null;
  let stopLooking = () => {};
  let looking: Promise<void> | null = null;
  let again = false;
  let current: Hold | null = null;
  let isWriting = false;
  let sweptAt: Instant | null = null;
  /** Nothing may be asked of the store any more. */
  let isOver = false;

  function kick(): void {
    if (couriers === null || stopping.signal.aborted) return;
    again = true;
    looking ??= look();
  }

  async function look(): Promise<void> {
    while (again && !stopping.signal.aborted) {
      again = false;
      try {
        await sweep();
        await workThrough();
      } catch (error) {
        report(error, 'looking for exports failed, and will be repeated');
      }
    }
    looking = null;
  }

  async function sweep(): Promise<void> {
    if (sweptAt !== null && now() - sweptAt < SWEEP_MS) return;
    sweptAt = now();
    try {
      await sweepExports(parts);
    } catch (error) {
      report(error, 'old exports could not be taken away');
    }
  }

  async function workThrough(): Promise<void> {
    while (!stopping.signal.aborted) {
      const record = await store.claim(now(), leaseFor({ holder, now }));
      if (record === null) return;
      await take(record);
    }
  }

  async function take(record: ExportRecord): Promise<void> {
    const hold = holdExport(record, { ...parts, holder });
    current = hold;
    let notBefore = now() + AFTER_BUG_MS;
    try {
      notBefore = (await workOn(record, hold)) ?? now();
    } finally {
      current = null;
      hold.end();
      if (!isOver) await store.release(record.id, holder, notBefore);
    }
  }

  /** When to take it up again; null: at once, if there is anything left to do. */
  async function workOn(record: ExportRecord, hold: Hold): Promise<Instant | null> {
    const open = couriers ?? {};
    const signal = AbortSignal.any([hold.lost, stopping.signal]);
    if (record.state === 'Running') {
      const courier = record.delivery?.pending ? open[record.delivery.door] : undefined;
      const endTelling =
        courier === undefined
          ? async () => {}
          : tellProgress(record, hold, courier, { everyMs: pace.progressMs, log });
      isWriting = true;
      const isFinished = await makeQueued(record, hold, signal, parts).finally(() => {
        isWriting = false;
        return endTelling();
      });
      if (!isFinished) return null;
    }
    const finished = await store.get(record.id);
    return finished === null || stopping.signal.aborted
      ? null
      : deliverExport(finished, hold, signal, { ...parts, couriers: open });
  }

  function report(error: unknown, message: string): void {
    if (isOver) return;
    if (error instanceof AppError) log.warn({ err: error }, message);
    else log.error({ err: error }, message);
  }

  return {
    start(opened) {
      couriers = opened;
      stopLooking = every(pace.lookMs, kick);
      kick();
    },
    kick,
    aborted(id) {
      if (isWriting && current?.id === id) current.lose();
      kick();
    },
    async stop(patienceMs) {
      stopping.abort();
      stopLooking();
      if (looking !== null) {
        const done = new AbortController();
        void looking.then(() => done.abort());
        await pause(Math.max(0, patienceMs), done.signal);
      }
      isOver = true;
      current?.end();
    },
  };
}
