import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import type { Digest } from '../../model/digest.ts';
import type { Instant } from '../../model/issue.ts';
import type { HeldRun } from '../../store/job-stores.ts';
import type { DigestPostman } from '../digests.ts';
import { oneLookAtATime } from '../one-look-at-a-time.ts';
import { createAtMost } from './at-most.ts';
import { createClockTrust } from './clock-trust.ts';
import { type DeliveringParts, deliverPeriod } from './deliver-period.ts';
import type { DigestsParts } from './digests-parts.ts';
import { holdPeriod, type PeriodHold, periodLease } from './hold-period.ts';
import { tellOwners } from './tell-owners.ts';
import { putPeriodsRight, writePeriods } from './write-periods.ts';

/** How many places digests are brought to at a time: most of that is waiting for Slack. */
const MOST_AT_ONCE = 32;
const MOST_ANSWERS_AT_ONCE = 4;
/** What falls due while others are brought is not left waiting for longer. */
const LOOK_EVERY_MS = 60_000;
/** What has failed by a bug will most likely fail again. */
const AFTER_BUG_MS = 60_000;
/** How long ended periods are remembered. */
const REMEMBERED_MS = 90 * millisecondsInDay;
const FORGET_EVERY_MS = millisecondsInHour;
const RIGHT_EVERY_MS = millisecondsInHour;

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
  const holds = new Set<PeriodHold>();
  const trust = createClockTrust();
  const answering = createAtMost(MOST_ANSWERS_AT_ONCE);
  let postman: DigestPostman | null = null;
  const looks = oneLookAtATime(() => (postman === null ? null : look(postman)));
  let forgotAt: Instant | null = null;
  let rightAt: Instant | null = null;
  /** Nothing may be asked of the store any more. */
  let isOver = false;

  async function look(opened: DigestPostman): Promise<void> {
    try {
      if (!(await write())) return;
      await workThrough(opened);
      await tellOwners(opened, looks.stopping, parts);
      if (looks.stopping.aborted) return;
      const passed = forgotAt === null ? Number.NaN : now() - forgotAt;
      if (passed >= 0 && passed < FORGET_EVERY_MS) return;
      forgotAt = now();
      // What a clock that jumped ahead takes for old was posted lately: forgotten, it would be posted again.
      if (passed >= 0 && passed < 2 * FORGET_EVERY_MS) await store.forget(forgotAt - REMEMBERED_MS);
    } catch (error) {
      if (!isOver) log.error({ err: error }, 'looking for digests failed, and will be repeated');
    }
  }

  /** Writes what is due; false, and nothing, while the clock is not to be believed. */
  async function write(): Promise<boolean> {
    const at = now();
    const believed = trust(at);
    if (believed === null) return false;
    // Whoever is due too late is found at once where the clock goes back, and in an hour where another's did.
    const { wrongAfter } = believed;
    if (rightAt === null || wrongAfter !== null || at - rightAt >= RIGHT_EVERY_MS) {
      await putPeriodsRight(wrongAfter ?? at, parts);
      rightAt = at;
    }
    await writePeriods(parts);
    return true;
  }

  /** One digest at a time for each place, as Slack takes one message a second there. */
  async function workThrough(opened: DigestPostman): Promise<void> {
    const underWay = new Map<string, Promise<void>>();
    const lookedAt = now();
    let wroteAt = lookedAt;
    while (!looks.stopping.aborted) {
      if (Math.abs(now() - wroteAt) >= LOOK_EVERY_MS) {
        wroteAt = now();
        if (!(await write())) break;
      }
      const isFull = underWay.size >= MOST_AT_ONCE;
      const held = isFull ? null : await store.claim(now(), periodLease(holder, parts), [...underWay.keys()]);
      if (held !== null) {
        const place = placeOf(held.digest);
        const work = workOn(held, lookedAt, opened).finally(() => underWay.delete(place));
        underWay.set(place, work);
      } else if (underWay.size > 0) {
        await Promise.race(underWay.values());
      } else break;
    }
    await Promise.all(underWay.values());
  }

  async function workOn(held: HeldRun, lookedAt: Instant, opened: DigestPostman): Promise<void> {
    const hold = holdPeriod(held, holder, parts);
    holds.add(hold);
    try {
      await bring(held, hold, { ...parts, postman: opened, lookedAt, answering });
    } catch (error) {
      if (!isOver) log.error({ err: error, digestId: held.digest.id }, 'a digest could not be brought');
    } finally {
      hold.end();
      holds.delete(hold);
    }
  }

  async function bring(held: HeldRun, hold: PeriodHold, delivering: DeliveringParts): Promise<void> {
    const { digestId, due } = held.run;
    let notBefore: Instant | null = now() + AFTER_BUG_MS;
    try {
      const became = looks.stopping.aborted
        ? { notBefore: now() }
        : await deliverPeriod(held, hold, looks.stopping, delivering);
      notBefore = became !== 'lost' && 'notBefore' in became ? became.notBefore : null;
      if (became === 'lost' || !('state' in became) || isOver) return;
      await store.finish(digestId, due, holder, { ...became, at: now() });
    } finally {
      if (notBefore !== null && !isOver) await store.release(digestId, due, holder, notBefore, false);
    }
  }

  return {
    start(opened) {
      postman = opened;
    },
    tick: looks.tick,
    async stop(patienceMs) {
      await looks.stop(patienceMs);
      isOver = true;
      for (const hold of holds) hold.end();
    },
  };
}

/** As a store names the places that are busy. */
function placeOf({ place, owner }: Digest): string {
  return place.kind === 'channel' ? place.channel : owner;
}
