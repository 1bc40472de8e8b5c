import { randomUUID } from 'node:crypto';
import { millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import type { Answer } from '../../model/answer.ts';
import type { Digest, DigestRun } from '../../model/digest.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { HeldRun } from '../../store/job-stores.ts';
import type { DigestNotifier } from '../digests.ts';
import { whyFailed } from '../exports/make-export.ts';
import { calendarById } from '../settings/settings-in-use.ts';
import { beginOf, type DigestsParts, missedBefore, whyOutdated } from './plan-periods.ts';

/** A period that has brought this many processes down would bring down the next one. */
const MOST_ATTEMPTS = 5;
/** What begins so much later than it was due is told to be late. */
const LATE_MS = 5 * millisecondsInMinute;
/** An older period of the same digest is at work, or waits. */
const IN_ORDER_MS = 60_000;
/** More than the periods of one outage that are written. */
const LOOKED_BACK = 150;

/** A period this process works on, and its note. */
export interface PeriodHold {
  /** Aborted when the period is not ours any more. */
  readonly lost: AbortSignal;
  note(): DigestRun['note'];
  /** Makes a changed note durable; `unavailable` when another process has the period by now. */
  keep(note: DigestRun['note']): Promise<void>;
}

/** What became of an attempt: the end of the period, or when to try again. `lost`: it is not ours any more. */
type Delivering =
  | { readonly state: 'sent' | 'silent' | 'skipped' | 'failed'; readonly message: string | null }
  | { readonly notBefore: Instant }
  | 'lost';

/** What an attempt needs. */
type DeliveringParts = DigestsParts & {
  readonly notifier: DigestNotifier;
  /** When work was looked for: who had to wait for others since is not late. */
  readonly lookedAt: Instant;
  /** Lets so much be answered at a time as the process can bear. */
  readonly answering: (answer: () => Promise<Answer>) => Promise<Answer>;
};

/** Tries to bring a held period to where it is told. The note remembers how often that came to nothing. */
export async function deliverPeriod(
  held: HeldRun,
  hold: PeriodHold,
  stopping: AbortSignal,
  parts: DeliveringParts,
): Promise<Delivering> {
  const { store, now, log, notifier } = parts;
  const { digestId, due, attempts } = held.run;
  if (attempts > MOST_ATTEMPTS) return failed(interrupted);
  const runs = await store.runs(digestId, LOOKED_BACK);
  if (runs.some((run) => run.due < due && run.state === 'claimed')) return { notBefore: now() + IN_ORDER_MS };
  const newer = runs.filter((run) => run.due > due && run.due <= now() && run.state === 'claimed');
  const outdated = notifier.standing(held.run) === 'no' ? whyOutdated(newer.length) : null;
  if (outdated !== null) return { state: 'skipped', message: outdated };
  try {
    return await attempt(held, missedBefore(due, runs, notifier.standing), hold, parts);
  } catch (error) {
    if (hold.lost.aborted) return 'lost';
    if (stopping.aborted) return { notBefore: now() };
    if (error instanceof AppError && error.code === 'unavailable') return later(error, held, hold, parts);
    const why = whyFailed(error);
    if (why !== null) return failed(why);
    const reference = randomUUID();
    log.error({ err: error, reference, digestId, due }, 'a digest failed');
    return failed(`Something went wrong on our side; the log has it under ${reference}.`);
  }
}

async function attempt(
  { digest: asked, run }: HeldRun,
  missed: readonly Instant[],
  hold: PeriodHold,
  parts: DeliveringParts,
): Promise<Delivering> {
  const { answers, answering, lookedAt, notifier } = parts;
  const { due } = run;
  const isBegun = notifier.standing(run) !== 'no';
  const digest = isBegun ? asBegun(asked, run.note) : asked;
  const principal = await notifier.principalOf(digest.owner);
  if (principal === null) return failed(gone);
  const answer = await answering(() => answers.answer(principal, digest.question, due));
  // What was begun is brought to its end.
  if (answer.isEmpty && !isBegun) return { state: 'silent', message: null };
  const calendar = digest.workingDays === null ? null : await calendarById(digest.workingDays, parts);
  const { waited } = readOwnNote(run.note);
  const lateMs = lookedAt - waited - (beginOf(due, digest.schedule, calendar) ?? due);
  const period = { digest, run, answer, lateMs: lateMs > LATE_MS ? lateMs : null, missed };
  const notBefore = await notifier.deliver(period, (note) =>
    hold.keep(withDeliveryNote(run.note, note, digest)),
  );
  if (notBefore !== null) {
    const longer = Math.max(0, notBefore - lookedAt);
    await hold.keep(withOwn(hold.note(), { waited: waited + longer }));
    return { notBefore };
  }
  return { state: 'sent', message: null };
}

async function later(
  error: AppError,
  { run: { digestId, due } }: HeldRun,
  hold: PeriodHold,
  { now, log }: Pick<DeliveringParts, 'now' | 'log'>,
): Promise<Delivering> {
  const tries = readOwnNote(hold.note()).tries + 1;
  const pause = backOff(tries);
  if (pause === null) {
    return failed(`It could not be brought for twelve hours: ${whyFailed(error) ?? ''}`.trim());
  }
  log.warn({ err: error, digestId, due, tries }, 'a digest cannot be brought yet');
  try {
    await hold.keep(withOwn(hold.note(), { tries }));
  } catch (cause) {
    if (hold.lost.aborted) return 'lost';
    log.warn({ err: cause, digestId, due }, 'a try of a digest could not be counted');
  }
  return { notBefore: now() + pause };
}

function failed(message: string): Delivering {
  return { state: 'failed', message };
}

const gone =
  'Its owner is gone: the account does not belong to anybody who works here any more. Hand it over to somebody else.';
const interrupted = `It was interrupted ${MOST_ATTEMPTS} times by the end of the process that was posting it. Ask for less, or tell an admin.`;

const count = z.coerce.number().default(0);

const own = z.object({
  /** How often it was tried in vain. */
  tries: count,
  /** How long (ms) Slack had it wait. */
  waited: count,
  /** For whom, and into which channel, its message was begun; empty where it is to its owner alone. */
  forOwner: z.string().optional(),
  forChannel: z.string().optional(),
  /** How often, since when and when last a person was to be notified that it was given up. */
  tellTries: count,
  tellSince: count,
  tellLast: count,
  /** Which account was told. */
  told: z.string().optional(),
});

/** What is remembered of a period beside what its notifier remembers. */
type OwnNote = z.output<typeof own>;

/** From what was kept; only we write those. */
export function readOwnNote(note: DigestRun['note']): OwnNote {
  return own.parse(note);
}

/** A note with changes of ours in it. */
export function withOwn(note: DigestRun['note'], changes: Partial<OwnNote>): DigestRun['note'] {
  const texts = Object.entries(changes).map(([name, value]) => [name, String(value)]);
  return { ...note, ...Object.fromEntries(texts) };
}

/** What the notifier wants stored, with what we remember, and for whom and where the message is begun. */
function withDeliveryNote(
  kept: DigestRun['note'],
  deliveryNote: DigestRun['note'],
  { owner, place }: Pick<Digest, 'owner' | 'place'>,
): DigestRun['note'] {
  const { tries, waited } = readOwnNote(kept);
  const forChannel = place.kind === 'channel' ? place.channel : '';
  return withOwn(deliveryNote, { tries, waited, forOwner: owner, forChannel });
}

/** The digest as it was when the message of a period was begun: that one may stand there. */
function asBegun(digest: Digest, note: DigestRun['note']): Digest {
  const { forOwner, forChannel } = readOwnNote(note);
  if (forOwner === undefined || forChannel === undefined) return digest;
  if (forChannel !== '') return { ...digest, place: { kind: 'channel', channel: forChannel } };
  return { ...digest, owner: forOwner, place: { kind: 'owner' } };
}

/** Whether it is time to notify the person again; `pauseMs` after the last time. */
export function isTimeToNotify(note: DigestRun['note'], now: Instant, pauseMs: number): boolean {
  const { tellTries, tellLast } = readOwnNote(note);
  return tellTries === 0 || now < tellLast || now - tellLast >= pauseMs;
}

/** How long nobody tries again after each try; the last holds for all that follow. */
const pausesMs = [1, 2, 5, 15, 30].map((minutes) => minutes * millisecondsInMinute);

const GIVE_UP_MS = 12 * 60 * millisecondsInMinute;

/**
 * How long (ms) to wait after so many tries that came to nothing; null: twelve hours were waited, and that was enough.
 * Counted in tries, because clocks may jump.
 */
function backOff(tries: number): number | null {
  const waited = Array.from({ length: tries - 1 }, (_, i) => pauseAfter(i + 1)).reduce(
    (sum, ms) => sum + ms,
    0,
  );
  return waited >= GIVE_UP_MS ? null : pauseAfter(tries);
}

/** How long (ms) to wait after so many tries of what is never given up. */
export function pauseAfter(tries: number): number {
  return pausesMs[Math.min(tries, pausesMs.length) - 1] ?? 0;
}
