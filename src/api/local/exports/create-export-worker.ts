import { AppError } from '../../../model/error.ts';
import { type Delivery, doors, type ExportRecord } from '../../../model/export.ts';
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
/** How many ends are told at a time. */
const MOST_DELIVERIES = 4;
/** What is out of reach for a while is looked for again. */
const LATER_MS = 10_000;
/** What has failed by a bug will most likely fail again. */
const AFTER_BUG_MS = 60_000;

/** Makes the files of queued exports, one at a time, and brings them to where they were asked for. */
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
  let writing: Hold | null = null;
  const holds = new Set<Hold>();
  const deliveries = new Set<Promise<void>>();
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
        await workThrough();
      } catch (error) {
        report(error, 'looking for exports failed, and will be repeated');
      }
    }
    looking = null;
  }

  async function sweep(): Promise<void> {
    if (sweptAt !== null && Math.abs(now() - sweptAt) < SWEEP_MS) return;
    sweptAt = now();
    try {
      await sweepExports(parts);
    } catch (error) {
      report(error, 'old exports could not be taken away');
    }
  }

  async function workThrough(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sweep();
      const isFull = deliveries.size >= MOST_DELIVERIES;
      const record = await store.claim(now(), leaseFor({ holder, now }), isFull ? [] : openDoors());
      if (record === null) return;
      const hold = holdExport(record, { ...parts, holder });
      holds.add(hold);
      const signal = AbortSignal.any([hold.lost, stopping.signal]);
      if (record.state !== 'Running' || (await held(hold, () => write(record, hold, signal)))) {
        deliver(record.id, hold, signal);
      }
    }
  }

  function openDoors(): readonly Delivery['door'][] {
    return doors.filter((door) => couriers?.[door] !== undefined);
  }

  /** Does some work on an export; unless it answers true, the export is let go of. */
  async function held(hold: Hold, work: () => Promise<Instant | true>): Promise<boolean> {
    let notBefore: Instant | true = now() + AFTER_BUG_MS;
    try {
      notBefore = await work();
    } finally {
      if (notBefore !== true) {
        hold.end();
        holds.delete(hold);
        if (!isOver) await store.release(hold.id, holder, notBefore);
      }
    }
    return notBefore === true;
  }

  /** True when the export has come to its end; otherwise it may be taken up again at once, if anything is left of it. */
  async function write(record: ExportRecord, hold: Hold, signal: AbortSignal): Promise<Instant | true> {
    const courier = record.delivery?.pending ? couriers?.[record.delivery.door] : undefined;
    const endTelling =
      courier === undefined
        ? async () => {}
        : tellProgress(record, hold, courier, { everyMs: pace.progressMs, log });
    writing = hold;
    try {
      const made = await makeQueued(record, hold, signal, parts);
      return made === 'ended' || now() + (made === 'later' ? LATER_MS : 0);
    } finally {
      writing = null;
      await endTelling();
    }
  }

  /** Slack may be slow, and the next export need not wait for it. */
  function deliver(id: string, hold: Hold, signal: AbortSignal): void {
    const delivery = held(hold, async () => {
      const finished = await store.get(id);
      if (finished === null || signal.aborted) return now();
      return (await deliverExport(finished, hold, signal, { ...parts, couriers: couriers ?? {} })) ?? now();
    })
      .catch((error) => report(error, 'the end of an export could not be told, which will be repeated'))
      .then(() => void deliveries.delete(delivery));
    deliveries.add(delivery);
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
      if (writing?.id === id) writing.lose();
      kick();
    },
    async stop(patienceMs) {
      stopping.abort();
      stopLooking();
      const done = new AbortController();
      // Whoever is still looking may have something to tell at last.
      void Promise.resolve(looking)
        .then(() => Promise.all(deliveries))
        .then(() => done.abort());
      await pause(Math.max(0, patienceMs), done.signal);
      isOver = true;
      for (const hold of holds) hold.end();
    },
  };
}
