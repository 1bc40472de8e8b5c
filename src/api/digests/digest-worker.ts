import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import pLimit from 'p-limit';
import { z } from 'zod';
import { createClockCheck, isDue } from '../../concurrency/clock-check.ts';
import {
  createLeasedWorker,
  type Lease,
  type LeasedWork,
  type LeasedWorker,
  unobserved,
} from '../../concurrency/leased-worker.ts';
import type { DigestPeriod, DigestRun, StoredDigest } from '../../model/digest.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { ENDED, periodId, TO_POST } from '../../store/work-kinds.ts';
import { flowsSince } from '../answers/index.ts';
import { explainFailure } from '../exports/export-files.ts';
import { calendarById } from '../settings/settings-api.ts';
import type { DigestNotifier } from './digests-api.ts';
import {
  beginOf,
  CAUGHT_UP,
  changedPeriod,
  type DigestsParts,
  finishedPeriod,
  forgetPeriods,
  missedBefore,
  OUTDATED,
  type PeriodEnd,
  placeOf,
  postingChannel,
  putPeriodsRight,
  releasedPeriod,
  renoted,
  resting,
  runsOf,
  takenPeriod,
  unreported,
  writePeriods,
} from './plan-periods.ts';

/** Longer than a call of Slack may last, so that no one searches for a message that is still on its way. */
const LEASE_MS = 60_000;
const RENEW_MS = 10_000;
/** The number of places digests are posted to at a time: most of that is waiting for Slack. */
const MAX_AT_ONCE = 32;
const MAX_ANSWERS_AT_ONCE = 4;
/** The time after which periods are written that fall due while others are posted. */
const WRITE_EVERY_MS = 60_000;
/** The time ended periods are remembered. */
const REMEMBERED_MS = 90 * millisecondsInDay;
const FORGET_EVERY_MS = millisecondsInHour;
const RIGHT_EVERY_MS = millisecondsInHour;
/** A period that has brought this many processes down would bring down the next one. */
const MAX_ATTEMPTS = 5;
/** The delay from which on a post is marked late. */
const LATE_MS = 5 * millisecondsInMinute;
/** The pause while an older period of the same digest is under way, or waits. */
const IN_ORDER_MS = 60_000;
/** The number of earlier periods that are read: more than those of one outage. */
const LOOKED_BACK = 150;
/** The pauses after failed tries; the last holds for all that follow. */
const pausesMs = [1, 2, 5, 15, 30].map((minutes) => minutes * millisecondsInMinute);
/** The pause while Slack refuses the whole app. */
const REFUSED_MS = millisecondsInMinute;
/** The time after which a period is given up, counted in tries, because clocks may jump. */
const GIVE_UP_MS = 12 * millisecondsInHour;
/** The time within which an owner is notified that a period was given up. */
const NOTIFIED_WITHIN_MS = 3 * millisecondsInDay;

/** A period under way, and its note as it is stored by now. */
interface PeriodJob {
  readonly digest: StoredDigest;
  readonly run: DigestRun;
  note: DigestRun['note'];
  isLate: boolean;
}

type PeriodWork = LeasedWork<PeriodJob, DigestNotifier>;

/** Posts the periods of digests that fall due, by the notifier of its start; the clock calls it every minute. */
export function createDigestWorker(parts: DigestsParts): LeasedWorker<DigestNotifier> {
  const { store, answers, now, newId, log, observer = unobserved } = parts;
  const { digests, periods } = store;
  const holder = newId();
  const checkClock = createClockCheck();
  const answering = pLimit(MAX_ANSWERS_AT_ONCE);
  /** The places digests are being posted to. */
  const busy = new Set<string>();
  /** The instant of the last poll: a period that had to wait for others since is not late. */
  let polledAt: Instant = 0;
  let wroteAt: Instant = 0;
  let isSane = false;
  let forgotAt: Instant | null = null;
  let rightAt: Instant | null = null;

  const worker = createLeasedWorker<PeriodJob, DigestNotifier>({
    holder,
    now,
    leaseMs: LEASE_MS,
    renewMs: RENEW_MS,
    concurrency: MAX_AT_ONCE,
    log,
    name: 'a digest',
    kind: 'digest',
    observer,
    idsOf: ({ run: { digestId, due } }) => ({ digestId, due }),
    async poll(takeUp, notifier) {
      if (!(await write())) return;
      polledAt = now();
      wroteAt = polledAt;
      await takeUp();
      await notifyOwners(notifier);
      await forget();
    },
    async claim(lease) {
      if (Math.abs(now() - wroteAt) >= WRITE_EVERY_MS) {
        wroteAt = now();
        await write();
      }
      if (!isSane) return null;
      const job = await claim(lease);
      if (job !== null) busy.add(placeOf(job.digest));
      return job;
    },
    renew: ({ run }, lease) => periods.keep(idOf(run), lease, (stored) => changedPeriod(stored, () => ({}))),
    async release({ run }, notBefore) {
      await periods.release(idOf(run), { holder, notBefore }, releasedPeriod);
    },
    async work(work) {
      const { item, hold } = work;
      try {
        if (worker.stopping.aborted) return now();
        const end = await deliver(work);
        if (end === null || typeof end === 'number') return end;
        if (hold.lost.aborted) return null;
        const finish = (stored: DigestPeriod) => finishedPeriod(stored, end, now());
        if (await periods.release(idOf(item.run), { holder, notBefore: 0 }, finish))
          observer.ended('digest', outcomeOf(end, item));
        return null;
      } finally {
        busy.delete(placeOf(item.digest));
      }
    },
  });

  async function claim(lease: () => Lease): Promise<PeriodJob | null> {
    // One digest at a time for each place, as Slack takes one message a second there.
    const which = { now: now(), open: [TO_POST], resting: resting(await digests.list(), busy) };
    const period = await periods.claim(which, lease(), takenPeriod);
    if (period === null) return null;
    const { run } = period;
    const digest = await digests.get(run.digestId);
    if (digest?.paused === true) {
      // It was paused meanwhile.
      await periods.release(idOf(run), { holder, notBefore: 0 }, releasedPeriod);
      return null;
    }
    if (digest !== null) return { digest, run, note: run.note, isLate: false };
    // The digest was removed by a process that was killed before it removed these as well.
    await periods.change({ owner: run.digestId }, (remove) => ({ remove }));
    return claim(lease);
  }

  /** Writes the periods that are due; false, and nothing, while the time is not sane. */
  async function write(): Promise<boolean> {
    const at = now();
    const clock = checkClock(at);
    isSane = clock !== null;
    if (clock === null) return false;
    // Periods that a clock ahead wrote are found at once where the own clock goes back, and in an hour where another's did.
    if (rightAt === null || clock.wrongAfter !== null || at - rightAt >= RIGHT_EVERY_MS) {
      await putPeriodsRight(clock.wrongAfter ?? at, parts);
      rightAt = at;
    }
    await writePeriods(parts);
    return true;
  }

  /** Tries to post a period: its end, or the instant to try again; null when it is not ours any more. */
  async function deliver(work: PeriodWork): Promise<PeriodEnd | Instant | null> {
    const { item, hold, door: notifier } = work;
    const { digestId, due, attempts } = item.run;
    if (attempts > MAX_ATTEMPTS) return failed(interrupted);
    const runs = await runsOf(store, digestId, LOOKED_BACK);
    const waiting = runs.filter(({ state }) => state === 'claimed');
    if (waiting.some((run) => run.due < due)) return now() + IN_ORDER_MS;
    const newer = waiting.filter((run) => run.due > due && run.due <= now());
    const isUnposted = (run: DigestRun) => notifier.posted(run) === 'no';
    if (newer.length >= CAUGHT_UP && isUnposted(item.run)) return { state: 'skipped', ...OUTDATED };
    try {
      const sent = runs.filter(({ state }) => state === 'sent').map((run) => run.due);
      return await attempt(work, missedBefore(due, runs, isUnposted), Math.max(0, ...sent));
    } catch (error) {
      if (hold.lost.aborted) return null;
      if (worker.stopping.aborted) return now();
      // The digest and its channel are not to blame, however long that lasts.
      if (error instanceof AppError && error.reason === 'slack-token-refused') return now() + REFUSED_MS;
      const problem = explainFailure(error, log.child({ digestId, due }), 'a digest failed');
      const isPassing = error instanceof AppError && error.code === 'unavailable';
      return isPassing ? later(error, problem, work) : failed(problem);
    }
  }

  async function attempt(
    work: PeriodWork,
    missed: readonly Instant[],
    lastSent: Instant,
  ): Promise<PeriodEnd | Instant> {
    const { item, door: notifier } = work;
    const { run } = item;
    const { due } = run;
    const isBegun = notifier.posted(run) !== 'no';
    const digest = isBegun ? asBegun(item.digest, run.note) : item.digest;
    const principal = await notifier.principalOf(digest.owner);
    if (principal === null) return failed(gone);
    const found = await answering(() => answers.answer(principal, digest.question, due));
    const answer = flowsSince(found, Math.max(lastSent, digest.createdAt));
    // A post that was begun is brought to its end.
    if (answer.isEmpty && !isBegun) return { state: 'silent', message: null };
    const calendar = digest.workingDays === null ? null : await calendarById(digest.workingDays, parts);
    const { tries, waited } = readOwnNote(run.note);
    const late = polledAt - waited - (beginOf(due, digest.schedule, calendar) ?? due);
    item.isLate = late > LATE_MS;
    const period = { digest, run, answer, lateMs: late > LATE_MS ? late : null, missed };
    // The owner and the channel the message is begun for are stored beside the notifier's note.
    const begun = { tries, waited, forOwner: digest.owner, forChannel: postingChannel(digest) ?? '' };
    const until = await notifier.deliver(period, (note) => storeNote(withOwn(note, begun), work));
    if (until === 'nothing') return { state: 'silent', message: null };
    if (until === null) return { state: 'sent', message: null };
    await storeNote(withOwn(item.note, { waited: waited + Math.max(0, until - polledAt) }), work);
    return until;
  }

  /** Tries again after a pause, within twelve hours of pauses; null when the period is not ours any more. */
  async function later(
    err: AppError,
    problem: string,
    work: PeriodWork,
  ): Promise<PeriodEnd | Instant | null> {
    const { item, hold } = work;
    const { digestId, due } = item.run;
    const tries = readOwnNote(item.note).tries + 1;
    let waited = 0;
    for (let before = 1; before < tries; before += 1) waited += pauseAfter(before);
    if (waited >= GIVE_UP_MS) return failed(`It could not be posted for twelve hours: ${problem}`);
    log.warn({ err, digestId, due, tries }, 'a digest cannot be posted yet');
    await storeNote(withOwn(item.note, { tries }), work).catch((cause) => {
      if (!hold.lost.aborted)
        log.warn({ err: cause, digestId, due }, 'a try of a digest could not be counted');
    });
    return hold.lost.aborted ? null : now() + pauseAfter(tries);
  }

  async function storeNote(note: DigestRun['note'], { item, hold }: PeriodWork): Promise<void> {
    const busyElsewhere = 'The digest is being posted by another process.';
    const putNote = (stored: DigestPeriod) => changedPeriod(stored, () => ({ note }));
    // The note of a post is worth waiting for: without it, the digest would be posted once more.
    const put = (lease: Lease) => periods.keep(idOf(item.run), lease, putNote, { isPatient: true });
    await hold.write(put, busyElsewhere);
    item.note = note;
  }

  /** Notifies owners of periods that were given up, until they know; each digest in the order of its periods. */
  async function notifyOwners(notifier: DigestNotifier): Promise<void> {
    const waiting = new Set<string>();
    for (const run of await unreported(store, now() - NOTIFIED_WITHIN_MS)) {
      const { digestId } = run;
      if (worker.stopping.aborted) return;
      if (waiting.has(digestId)) continue;
      const isNotified = await notifyOwner(run, notifier).catch((error: unknown) => {
        if (!worker.stopping.aborted)
          log.error({ err: error, digestId }, 'an owner could not be notified of a digest');
        return false;
      });
      if (!isNotified) waiting.add(digestId);
    }
  }

  async function notifyOwner(run: DigestRun, notifier: DigestNotifier): Promise<boolean> {
    const { digestId, due, note } = run;
    const digest = await digests.get(digestId);
    if (digest === null) return true;
    const { owner } = digest;
    const before = (await runsOf(store, digestId, LOOKED_BACK)).find(
      (one) => one.due < due && one.state !== 'skipped' && one.state !== 'claimed',
    );
    // A failure for the same reason as the last time was reported then.
    const isRepeated = before?.state === 'failed' && before.message === run.message;
    if (isRepeated && readOwnNote(before.note).told === owner) {
      return changeNote(run, withOwn(note, { told: owner }));
    }
    const { tellTries, tellSince, tellLast } = readOwnNote(note);
    const at = now();
    const isFirst = tellTries === 0;
    if (!isFirst && !isDue(at, tellLast, pauseAfter(tellTries))) return false;
    const since = isFirst ? at : tellSince;
    const begun = withOwn(note, { tellTries: tellTries + 1, tellSince: since, tellLast: at });
    // Another process may be notifying them.
    if (!(await changeNote(run, begun))) return false;
    const triedAt = isFirst ? null : tellSince;
    const isNotified = await notifier.notifyOwner(digest, { ...run, note: begun }, triedAt);
    if (isNotified) await changeNote({ ...run, note: begun }, withOwn(begun, { told: owner }));
    return isNotified;
  }

  /** Replaces the note of a period that has ended; false when the stored note is another by now. */
  async function changeNote(run: DigestRun, note: DigestRun['note']): Promise<boolean> {
    const { put } = await periods.change({ ids: [idOf(run)], open: ENDED }, (found) =>
      renoted(found, run.note, note),
    );
    return put !== undefined;
  }

  async function forget(): Promise<void> {
    const before = forgotAt;
    if (worker.stopping.aborted || !isDue(now(), before, FORGET_EVERY_MS)) return;
    forgotAt = now();
    // A clock that jumped ahead takes recent periods for old: forgotten, they would be posted again.
    const passed = before === null ? Number.NaN : forgotAt - before;
    if (passed >= 0 && passed < 2 * FORGET_EVERY_MS) await forgetPeriods(store, forgotAt - REMEMBERED_MS);
  }

  return worker;
}

function outcomeOf({ state }: PeriodEnd, { isLate }: PeriodJob): string {
  if (state !== 'sent') return state;
  return isLate ? 'late' : 'posted';
}

function idOf({ digestId, due }: DigestRun): string {
  return periodId(digestId, due);
}

function pauseAfter(tries: number): number {
  return pausesMs[Math.min(tries, pausesMs.length) - 1] ?? 0;
}

function failed(message: string): PeriodEnd {
  return { state: 'failed', message };
}

const gone = 'Its owner left. Choose a new owner in /tis digest.';
const interrupted = `Dwell stopped ${MAX_ATTEMPTS} times while posting it. Narrow the report, or ask an admin.`;

const count = z.coerce.number().default(0);

/** The worker's part of the note of a period, beside that of its notifier. */
const ownNote = z.object({
  /** The number of failed tries. */
  tries: count,
  /** The time (ms) Slack had it wait. */
  waited: count,
  /** The owner and the channel its message was begun for; an empty channel where it is for its owner alone. */
  forOwner: z.string().optional(),
  forChannel: z.string().optional(),
  /** The number of tries to notify a person that it was given up, and the instants of the first and the last. */
  tellTries: count,
  tellSince: count,
  tellLast: count,
  /** The account that was notified. */
  told: z.string().optional(),
});

function readOwnNote(note: DigestRun['note']): z.output<typeof ownNote> {
  return ownNote.parse(note);
}

function withOwn(note: DigestRun['note'], changes: Partial<z.output<typeof ownNote>>): DigestRun['note'] {
  const texts = Object.entries(changes).map(([name, value]) => [name, String(value)]);
  return { ...note, ...Object.fromEntries(texts) };
}

/** The digest as it was when the message of a period was begun, which may have been posted there. */
function asBegun(digest: StoredDigest, note: DigestRun['note']): StoredDigest {
  const { forOwner, forChannel } = readOwnNote(note);
  if (forOwner === undefined || forChannel === undefined) return digest;
  if (forChannel !== '') return { ...digest, place: { kind: 'channel', channel: forChannel } };
  return { ...digest, owner: forOwner, place: { kind: 'owner' } };
}
