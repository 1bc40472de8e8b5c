import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import pLimit from 'p-limit';
import { createClockCheck, isDue } from '../../concurrency/clock-check.ts';
import { createLeasedWorker, type Hold } from '../../concurrency/leased-worker.ts';
import type { Digest, DigestRun } from '../../model/digest.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { HeldRun } from '../../store/job-stores.ts';
import type { DigestNotifier } from './digests-api.ts';
import {
  deliverPeriod,
  isTimeToNotify,
  type PeriodHold,
  pauseAfter,
  readOwnNote,
  withOwn,
} from './deliver-period.ts';
import { type DigestsParts, putPeriodsRight, writePeriods } from './plan-periods.ts';

/** Longer than a call of Slack may last, so that nobody looks for a message that is still on its way. */
const LEASE_MS = 60_000;
/** How often it is renewed (ms of real time). */
const RENEW_MS = 10_000;
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
  /** From now on periods that fall due are posted; what an earlier process left is taken up. */
  start(notifier: DigestNotifier): void;
  /** Called by the clock, every minute; one call at a time does the work. Failures are logged, never thrown. */
  tick(): Promise<void>;
  /** Takes nothing new up, and lets go of the work under way within `patienceMs`. */
  stop(patienceMs: number): Promise<void>;
}

/** A worker that looks for work when it is called. */
export function createDigestWorker(parts: DigestsParts): DigestWorker {
  const { store, now, newId, log } = parts;
  const holder = newId();
  const checkClock = createClockCheck();
  const answering = pLimit(MOST_ANSWERS_AT_ONCE);
  /** Where digests are being brought to. */
  const busy = new Set<string>();
  let notifier: DigestNotifier | null = null;
  let lookedAt: Instant = 0;
  let wroteAt: Instant = 0;
  let isSane = false;
  let forgotAt: Instant | null = null;
  let rightAt: Instant | null = null;

  const worker = createLeasedWorker<HeldRun>({
    ...{ holder, now, leaseMs: LEASE_MS, renewMs: RENEW_MS, concurrency: MOST_AT_ONCE },
    async look(takeUp) {
      if (notifier === null) return;
      if (!(await write())) return;
      lookedAt = now();
      wroteAt = lookedAt;
      await takeUp();
      await notifyOwners(notifier, worker.stopping, parts);
      if (!worker.stopping.aborted) await forget();
    },
    async claim(lease) {
      if (Math.abs(now() - wroteAt) >= LOOK_EVERY_MS) {
        wroteAt = now();
        await write();
      }
      if (!isSane) return null;
      // One digest at a time for each place, as Slack takes one message a second there.
      const held = await store.claim(now(), lease(), [...busy]);
      if (held !== null) busy.add(placeOf(held.digest));
      return held;
    },
    renew: ({ run: { digestId, due } }, lease) => store.renew(digestId, due, lease),
    async work({ item, hold }) {
      try {
        await bring(item, hold);
      } finally {
        busy.delete(placeOf(item.digest));
      }
      return null;
    },
    onUnrenewed: (error, { run: { digestId, due } }) =>
      log.warn({ err: error, digestId, due }, 'the lease of a digest could not be renewed'),
    onProblem(error, held) {
      if (held === null) log.error({ err: error }, 'looking for digests failed, and will be repeated');
      else log.error({ err: error, digestId: held.digest.id }, 'a digest could not be brought');
    },
  });

  /** Writes what is due; false, and nothing, while the time is not sane. */
  async function write(): Promise<boolean> {
    const at = now();
    const clock = checkClock(at);
    isSane = clock !== null;
    if (clock === null) return false;
    // What is due too late is found at once where the clock goes back, and in an hour where another's did.
    if (rightAt === null || clock.wrongAfter !== null || at - rightAt >= RIGHT_EVERY_MS) {
      await putPeriodsRight(clock.wrongAfter ?? at, parts);
      rightAt = at;
    }
    await writePeriods(parts);
    return true;
  }

  async function bring(held: HeldRun, hold: Hold): Promise<void> {
    if (notifier === null) return;
    const { digestId, due } = held.run;
    let notBefore: Instant | null = now() + AFTER_BUG_MS;
    try {
      const became = worker.stopping.aborted
        ? { notBefore: now() }
        : await deliverPeriod(held, noting(held, hold), worker.stopping, {
            ...parts,
            notifier,
            lookedAt,
            answering,
          });
      notBefore = became !== 'lost' && 'notBefore' in became ? became.notBefore : null;
      if (became === 'lost' || !('state' in became) || worker.isOver()) return;
      await store.finish(digestId, due, holder, { ...became, at: now() });
    } finally {
      if (notBefore !== null && !worker.isOver())
        await store.release(digestId, due, holder, notBefore, false);
    }
  }

  /** A hold with the note of its period. */
  function noting({ run }: HeldRun, hold: Hold): PeriodHold {
    const { digestId, due } = run;
    let { note } = run;
    return {
      lost: hold.lost,
      note: () => note,
      async keep(changed) {
        if (hold.lost.aborted || !(await store.putNote(digestId, due, hold.lease(), changed))) {
          hold.lose();
          throw new AppError('unavailable', 'The digest is being posted by another process.');
        }
        note = changed;
      },
    };
  }

  async function forget(): Promise<void> {
    const before = forgotAt;
    if (!isDue(now(), before, FORGET_EVERY_MS)) return;
    forgotAt = now();
    // What a clock that jumped ahead takes for old was posted lately: forgotten, it would be posted again.
    const passed = before === null ? Number.NaN : forgotAt - before;
    if (passed >= 0 && passed < 2 * FORGET_EVERY_MS) await store.forget(forgotAt - REMEMBERED_MS);
  }

  return {
    start(opened) {
      notifier = opened;
    },
    tick: worker.tick,
    stop: worker.stop,
  };
}

/** As a store names the places that are busy. */
function placeOf({ place, owner }: Digest): string {
  return place.kind === 'channel' ? place.channel : owner;
}

/** Later nobody needs to hear why a period was given up. */
const NOTIFIED_WITHIN_MS = 3 * millisecondsInDay;
/** Before a period that failed there may be so many that nobody wanted. */
const LOOKED_BACK = 150;

/** Notifies owners of periods that were given up, until they know or we stop; each digest in the order of its periods. */
async function notifyOwners(
  notifier: DigestNotifier,
  stopping: AbortSignal,
  parts: DigestsParts,
): Promise<void> {
  const waiting = new Set<string>();
  for (const run of await parts.store.unreported(parts.now() - NOTIFIED_WITHIN_MS)) {
    if (stopping.aborted) return;
    if (waiting.has(run.digestId)) continue;
    const isNotified = await notifyOwner(run, notifier, parts).catch((error: unknown) => {
      if (!stopping.aborted)
        parts.log.error({ err: error, digestId: run.digestId }, 'an owner could not be notified of a digest');
      return false;
    });
    if (!isNotified) waiting.add(run.digestId);
  }
}

async function notifyOwner(
  run: DigestRun,
  notifier: DigestNotifier,
  { store, now }: DigestsParts,
): Promise<boolean> {
  const { digestId, due, note } = run;
  const digest = await store.get(digestId);
  if (digest === null) return true;
  const { owner } = digest;
  const before = (await store.runs(digestId, LOOKED_BACK)).find(
    (one) => one.due < due && one.state !== 'skipped' && one.state !== 'claimed',
  );
  // What failed for the same reason the last time was told then.
  if (
    before?.state === 'failed' &&
    before.message === run.message &&
    readOwnNote(before.note).told === owner
  ) {
    return store.changeNote(digestId, due, note, withOwn(note, { told: owner }));
  }
  const { tellTries, tellSince } = readOwnNote(note);
  const at = now();
  if (!isTimeToNotify(note, at, pauseAfter(tellTries))) return false;
  const isFirst = tellTries === 0;
  const begun = withOwn(note, {
    tellTries: tellTries + 1,
    tellSince: isFirst ? at : tellSince,
    tellLast: at,
  });
  // Another process may be telling it.
  if (!(await store.changeNote(digestId, due, note, begun))) return false;
  const isNotified = await notifier.notifyOwner(digest, { ...run, note: begun }, isFirst ? null : tellSince);
  if (isNotified) await store.changeNote(digestId, due, begun, withOwn(begun, { told: owner }));
  return isNotified;
}
