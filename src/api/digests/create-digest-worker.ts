import type { Instant } from '../../model/issue.ts';
import type { HeldRun } from '../../store/store.ts';
import type { DigestPostman } from '../digests.ts';
import { pause } from '../local/exports/pace.ts';
import { deliverPeriod } from './deliver-period.ts';
import type { DigestsParts } from './digests-parts.ts';
import { holdPeriod, type PeriodHold, periodLease } from './hold-period.ts';
import { putPeriodsRight, writePeriods } from './write-periods.ts';

/** How many digests are brought at a time. */
const MOST_AT_ONCE = 4;
/** What has failed by a bug will most likely fail again. */
const AFTER_BUG_MS = 60_000;
/** How long ended periods are remembered. */
const REMEMBERED_MS = 90 * 86_400_000;
const FORGET_EVERY_MS = 60 * 60_000;
const RIGHT_EVERY_MS = 60 * 60_000;

/** Posts the periods of digests that fall due, from a store that other processes take work from as well. */
export interface DigestWorker {
  start(postman: DigestPostman): void;
  tick(): Promise<void>;
  stop(patienceMs: number): Promise<void>;
}

/** A worker that looks for work when it is called. */
export function createDigestWorker(parts: DigestsParts): DigestWorker {
  const { store, now, newId, log } = parts;
  const holder = newId();
  const stopping = new AbortController();
  const holds = new Set<PeriodHold>();
  /** The last attempt at each digest, so that its periods come in order. */
  const lastOf = new Map<string, Promise<void>>();
  let postman: DigestPostman | null = null;
  let ticking: Promise<void> | null = null;
  let forgotAt: Instant | null = null;
  let seenAt: Instant | null = null;
  let rightAt: Instant | null = null;
  /** Nothing may be asked of the store any more. */
  let isOver = false;

  async function look(opened: DigestPostman): Promise<void> {
    try {
      const at = now();
      // Whoever is due too late is found at once where the clock goes back, and in an hour where another's did.
      if (seenAt === null || at < seenAt || at - (rightAt ?? at) >= RIGHT_EVERY_MS) {
        await putPeriodsRight(parts);
        rightAt = at;
      }
      seenAt = at;
      await writePeriods(parts);
      await workThrough(opened);
      if (forgotAt === null || Math.abs(now() - forgotAt) >= FORGET_EVERY_MS) {
        forgotAt = now();
        await store.forget(now() - REMEMBERED_MS);
      }
    } catch (error) {
      if (!isOver) log.error({ err: error }, 'looking for digests failed, and will be repeated');
    }
  }

  async function workThrough(opened: DigestPostman): Promise<void> {
    const underWay = new Set<Promise<void>>();
    while (!stopping.signal.aborted) {
      if (underWay.size >= MOST_AT_ONCE) await Promise.race(underWay);
      if (stopping.signal.aborted) break;
      const held = await store.claim(now(), periodLease(holder, parts));
      if (held === null) break;
      const { id } = held.digest;
      const hold = holdPeriod(held, holder, parts);
      holds.add(hold);
      const work: Promise<void> = (lastOf.get(id) ?? Promise.resolve())
        .then(() => bring(held, hold, opened))
        .catch((error: unknown) => {
          if (!isOver) log.error({ err: error, digestId: id }, 'a digest could not be brought');
        })
        .then(() => {
          hold.end();
          holds.delete(hold);
          underWay.delete(work);
          if (lastOf.get(id) === work) lastOf.delete(id);
        });
      lastOf.set(id, work);
      underWay.add(work);
    }
    await Promise.all(underWay);
  }

  async function bring(held: HeldRun, hold: PeriodHold, opened: DigestPostman): Promise<void> {
    const { digestId, due } = held.run;
    let notBefore: Instant | null = now() + AFTER_BUG_MS;
    try {
      const became = stopping.signal.aborted
        ? { notBefore: now() }
        : await deliverPeriod(held, hold, stopping.signal, { ...parts, postman: opened });
      notBefore = became !== 'lost' && 'notBefore' in became ? became.notBefore : null;
      if (became === 'lost' || !('state' in became) || isOver) return;
      const end = { ...became, at: now() };
      const isEnded = await store.finish(digestId, due, holder, end);
      if (!isEnded || became.state !== 'failed' || isTold(held, became.message)) return;
      const run = { ...held.run, state: became.state, note: hold.note(), message: became.message };
      await opened.tellOwner(held.digest, { ...run, finishedAt: end.at });
    } finally {
      if (notBefore !== null && !isOver) await store.release(digestId, due, holder, notBefore, false);
    }
  }

  return {
    start(opened) {
      postman = opened;
    },
    async tick() {
      if (postman === null || stopping.signal.aborted) return;
      ticking ??= look(postman).finally(() => {
        ticking = null;
      });
      await ticking;
    },
    async stop(patienceMs) {
      stopping.abort();
      const done = new AbortController();
      void Promise.resolve(ticking).then(() => done.abort());
      await pause(Math.max(0, patienceMs), done.signal);
      isOver = true;
      for (const hold of holds) hold.end();
    },
  };
}

/** What failed for the same reason the last time was told then. */
function isTold({ digest: { lastRun } }: HeldRun, message: string | null): boolean {
  return lastRun?.state === 'failed' && lastRun.message === message;
}
