import type { Logger } from 'pino';
import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import type { WorkObserver } from '../../concurrency/leased-worker.ts';
import type { Answer } from '../../model/answer.ts';
import type { DigestPeriod, DigestRun, Schedule, Skipped, StoredDigest } from '../../model/digest.ts';
import type { Instant } from '../../model/issue.ts';
import type { Question } from '../../model/question.ts';
import type { Principal } from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import type { TenantStore } from '../../store/store.ts';
import { ENDED, periodId, TO_REPORT, type WorkChanges } from '../../store/work-kinds.ts';
import { fireTimes } from '../../time/cron.ts';
import { calendarName, isWorkingDay, nextWorkingDay } from '../../time/working-days.ts';
import { calendarById, type SettingsApi } from '../settings/settings-api.ts';

/** The parts of the port of digests. */
export interface DigestsParts {
  readonly store: Pick<TenantStore, 'digests' | 'periods'>;
  /** Answers a question as of an instant. */
  readonly answers: {
    answer(principal: Principal, question: Question, asOf: Instant): Promise<Answer>;
  };
  readonly settings: SettingsApi;
  readonly tenant: string;
  readonly now: () => Instant;
  readonly newId: () => string;
  readonly log: Logger;
  readonly observer?: WorkObserver | undefined;
}

/** The number of periods of one outage that are caught up, the newest. */
export const CAUGHT_UP = 3;
/** The number of other periods of an outage that are named, the newest. */
const NAMED = 100;

const MISSED: Skipped = {
  skipReason: 'away',
  message: "Dwell wasn't running when it was due; only the latest three were posted.",
};
/** The reason a period that waits is not posted any more, once `CAUGHT_UP` newer ones wait. */
export const OUTDATED: Skipped = {
  skipReason: 'waiting',
  message: 'Three newer posts were due before it could be posted, so it was skipped.',
};

/** A period as it is written: the instant it may begin, or the reason it never will. */
interface Period {
  readonly due: Instant;
  readonly notBefore: Instant;
  readonly skipped: Skipped | null;
}

/** A period in the light of the one after it. */
export function plannedPeriod(
  due: Instant,
  following: Instant | null,
  schedule: Schedule,
  calendar: CalendarDefinition | null,
): Period {
  const begin = beginOf(due, schedule, calendar);
  const isInTime = begin !== null && (begin === due || following === null || following > begin);
  if (isInTime) return { due, notBefore: begin, skipped: null };
  const name = calendar === null ? '' : calendarName(calendar);
  const message =
    begin === null
      ? `It was due on a day off, and ${name} has no working day within a year.`
      : `It was due on a day off of ${name}, and the next one is due before it could be posted on the next working day.`;
  return { due, notBefore: due, skipped: { skipReason: 'day-off', message } };
}

/** The begin of a period: on a day off the same time of the next working day; null where there is none. */
export function beginOf(
  due: Instant,
  { timeZone }: Schedule,
  calendar: CalendarDefinition | null,
): Instant | null {
  if (calendar === null || isWorkingDay(calendar, due, timeZone)) return due;
  return nextWorkingDay(calendar, due, timeZone);
}

/** Writes the periods that fell due. */
export async function writePeriods(parts: DigestsParts): Promise<void> {
  const due = dueOf(await parts.store.digests.list(), parts.now());
  await forEach(due, parts, (digest) => writeDue(digest, parts));
}

/** Digests that are due, the longest waiting first. */
function dueOf(digests: readonly StoredDigest[], now: Instant): readonly StoredDigest[] {
  return digests
    .filter(({ paused, nextDue }) => !paused && nextDue !== null && nextDue <= now)
    .toSorted((a, b) => Number(a.nextDue) - Number(b.nextDue));
}

/** Corrects the periods that a clock that had jumped ahead wrote for times after an instant. */
export async function putPeriodsRight(after: Instant, parts: DigestsParts): Promise<void> {
  await parts.store.periods.change({ plannedAfter: after }, (found) => ({
    remove: found.filter((period) => period.run.due > after && isUntouchedPeriod(period)),
  }));
  await forEach(await parts.store.digests.list(), parts, (digest) => putRight(digest, after, parts));
}

/** Writes the periods of each digest; a failure of one does not keep the others from being written. */
async function forEach(
  digests: readonly StoredDigest[],
  { log }: DigestsParts,
  write: (digest: StoredDigest) => Promise<void>,
): Promise<void> {
  for (const digest of digests) {
    await write(digest).catch((error) =>
      log.error({ err: error, digestId: digest.id }, 'the periods of a digest could not be written'),
    );
    await yieldToOthers();
  }
}

async function writeDue(digest: StoredDigest, parts: DigestsParts): Promise<void> {
  const { id, nextDue, schedule, workingDays, createdAt } = digest;
  const { now, log } = parts;
  if (nextDue === null) return;
  const calendar = workingDays === null ? null : await calendarById(workingDays, parts);
  if (workingDays !== null && calendar === null) {
    log.warn({ digestId: id, workingDays }, 'the calendar of a digest is gone, so every day counts');
  }
  const { dues, next } = duesUntil(schedule, nextDue, now());
  const planned = dues.map((due, i) => plannedPeriod(due, dues[i + 1] ?? next, schedule, calendar));
  const caughtUp = new Set(planned.filter(({ skipped }) => skipped === null).slice(-CAUGHT_UP));
  const periods = planned.map((period) =>
    period.skipped !== null || caughtUp.has(period) ? period : { ...period, skipped: MISSED },
  );
  // If a clock went back too far for a while, times before the digest was made are none of its own.
  const own = now() < createdAt ? periods : periods.filter(({ due }) => due >= createdAt);
  await addDigestPeriods(digest, { periods: own, next }, parts);
}

/**
 * Writes the periods of a digest that fell due, without those that are known already, and the instant it is due next;
 * nothing where it is not due any more. Skipped periods have ended at once.
 */
export async function addDigestPeriods(
  digest: StoredDigest,
  { periods, next }: { readonly periods: readonly Period[]; readonly next: Instant | null },
  { store, now }: Pick<DigestsParts, 'store' | 'now'>,
): Promise<void> {
  const { id, nextDue } = digest;
  const isDue = (stored: StoredDigest | null) => stored?.paused === false && stored.nextDue === nextDue;
  if (!isDue(await store.digests.get(id))) return;
  const added = periods.map(({ due, notBefore, skipped }) => {
    const period = newPeriod(id, due, notBefore);
    return skipped === null ? period : endedPeriod(period, { state: 'skipped', ...skipped }, due);
  });
  const { put = [] } = await store.periods.change({ ids: idsOf(added) }, (known) => {
    const knownIds = new Set(idsOf(known));
    return { put: added.filter((period) => idsOf([period]).some((one) => !knownIds.has(one))) };
  });
  // Only now, as a process that is killed between has its periods found again.
  const stored = await store.digests.change(id, (current) =>
    current !== null && isDue(current) ? { ...current, nextDue: next } : current,
  );
  if (stored !== null && !stored.paused && !isElsewhere(digest, stored)) return;
  // Periods that were written after the digest was changed do not belong to it.
  await store.periods.change({ ids: idsOf(put), freeAt: now() }, (found) => ({
    remove: found.filter(isUntouchedPeriod),
  }));
}

function idsOf(periods: readonly DigestPeriod[]): readonly string[] {
  return periods.map(({ run: { digestId, due } }) => periodId(digestId, due));
}

/** The newest instants from `first` on up to now, oldest first, and the next one after them; null: never again. */
function duesUntil(
  schedule: Schedule,
  first: Instant,
  now: Instant,
): { readonly dues: readonly Instant[]; readonly next: Instant | null } {
  let dues: readonly Instant[] = [first];
  for (;;) {
    const more = fireTimes(schedule, dues.at(-1) ?? first, NAMED);
    const next = more.find((at) => at > now);
    dues = [...dues, ...more.filter((at) => at <= now)].slice(-(NAMED + CAUGHT_UP));
    if (next !== undefined || more.length === 0) return { dues, next: next ?? null };
  }
}

/** Moves a digest that is due later than its schedule says: a clock that went ahead wrote that. */
async function putRight(
  { id, paused, nextDue, schedule }: StoredDigest,
  after: Instant,
  { store }: DigestsParts,
): Promise<void> {
  if (paused || nextDue === null) return;
  const [next] = fireTimes(schedule, after, 1);
  if (next === undefined || nextDue <= next) return;
  await store.digests.change(id, (current) =>
    current === null || current.paused || current.nextDue !== nextDue
      ? current
      : { ...current, nextDue: next },
  );
}

/** The periods directly before one that were not posted, oldest first. `runs` are newest first. */
export function missedBefore(
  due: Instant,
  runs: readonly DigestRun[],
  isUnposted: (run: DigestRun) => boolean,
): readonly Instant[] {
  // Between missed periods there may be some that no one wanted.
  const isWanted = ({ state, skipReason }: DigestRun) =>
    state !== 'skipped' || skipReason === 'away' || skipReason === 'waiting';
  const before = runs.filter((run) => run.due < due && isWanted(run));
  const end = before.findIndex(
    (run) => run.state !== 'skipped' && !(run.state === 'failed' && isUnposted(run)),
  );
  return (end < 0 ? before : before.slice(0, end)).map((run) => run.due).toReversed();
}

/** The end of a period. */
export type PeriodEnd = Pick<DigestRun, 'message'> & {
  readonly state: 'sent' | 'silent' | 'skipped' | 'failed';
  readonly skipReason?: DigestRun['skipReason'];
};

/** A period before any work on it. */
function newPeriod(digestId: string, due: Instant, plannedFor: Instant): DigestPeriod {
  const nothing = { note: {}, attempts: 0, message: null, skipReason: null, finishedAt: null };
  return { run: { digestId, due, state: 'claimed', ...nothing }, plannedFor };
}

/** A period whose work was started. */
export function takenPeriod({ run, plannedFor }: DigestPeriod): DigestPeriod {
  return { run: { ...run, attempts: run.attempts + 1 }, plannedFor };
}

/** A period that its process released in good order, which was no attempt; null where it has ended. */
export function releasedPeriod(period: DigestPeriod): DigestPeriod | null {
  return changedPeriod(period, ({ attempts }) => ({ attempts: attempts - 1 }));
}

/** A period that has come to its end; null where it had before. */
export function finishedPeriod(
  period: DigestPeriod,
  end: PeriodEnd,
  finishedAt: Instant,
): DigestPeriod | null {
  return period.run.state === 'claimed' ? endedPeriod(period, end, finishedAt) : null;
}

/** Gives another note to the period that has this one, among periods that have ended. */
export function renoted(
  found: readonly DigestPeriod[],
  before: DigestRun['note'],
  note: DigestRun['note'],
): WorkChanges<DigestPeriod> {
  const put = found
    .filter(({ run }) => JSON.stringify(run.note) === JSON.stringify(before))
    .map(({ run, plannedFor }) => ({ run: { ...run, note }, plannedFor }));
  return put.length === 0 ? {} : { put };
}

/** Records of a period that failed, or is not known, that it was posted after all. */
export function posted(
  stored: DigestPeriod | undefined,
  { digestId, due, note }: Pick<DigestRun, 'digestId' | 'due' | 'note'>,
): WorkChanges<DigestPeriod> {
  if (stored !== undefined && stored.run.state !== 'failed') return {};
  const { run, plannedFor } = stored ?? newPeriod(digestId, due, due);
  const finishedAt = run.finishedAt ?? due;
  return { put: [{ run: { ...run, state: 'sent', message: null, note, finishedAt }, plannedFor }] };
}

/** A period with changes, if it has not come to its end; else null. */
export function changedPeriod(
  { run, plannedFor }: DigestPeriod,
  changes: (run: DigestRun) => Partial<DigestRun>,
): DigestPeriod | null {
  return run.state === 'claimed' ? { run: { ...run, ...changes(run) }, plannedFor } : null;
}

/** A period that has come to its end. */
export function endedPeriod(
  period: DigestPeriod,
  { skipReason = null, ...end }: PeriodEnd,
  finishedAt: Instant,
): DigestPeriod {
  return { ...period, run: { ...period.run, ...end, skipReason, finishedAt } };
}

/** A period of which nothing was, or can have been, posted. */
export function isUntouchedPeriod({ run: { state, note } }: DigestPeriod): boolean {
  if (state === 'claimed') return Object.keys(note).length === 0;
  return state === 'skipped' || state === 'silent';
}

/** Removes the periods that ended before an instant, but for the newest of each digest. */
export async function forgetPeriods(
  { periods }: Pick<TenantStore, 'periods'>,
  before: Instant,
): Promise<void> {
  const old = { open: ENDED, plannedBefore: before };
  const owners = new Set((await periods.list(old)).map(({ run }) => run.digestId));
  const newest = new Map<string, Instant>();
  for (const owner of owners) {
    for (const { run } of await periods.list({ owner, open: ENDED }, 1)) newest.set(owner, run.due);
  }
  const isForgotten = ({ run: { digestId, due, finishedAt } }: DigestPeriod) =>
    Number(finishedAt) < before && due < (newest.get(digestId) ?? due);
  await periods.change(old, (found) => ({ remove: found.filter(isForgotten) }));
}

/** The newest periods of a digest, newest first; with `ended` only those that have ended. */
export async function runsOf(
  { periods }: Pick<TenantStore, 'periods'>,
  owner: string,
  count: number,
  options: { readonly ended: boolean } = { ended: false },
): Promise<readonly DigestRun[]> {
  const found = await periods.list({ owner, ...(options.ended && { open: ENDED }) }, count);
  return found.map(({ run }) => run).toSorted((a, b) => b.due - a.due);
}

/** Periods that failed since an instant and whose owners are to be notified, the oldest first. */
export async function unreported(
  { periods }: Pick<TenantStore, 'periods'>,
  since: Instant,
): Promise<readonly DigestRun[]> {
  const failed = (await periods.list({ open: [TO_REPORT] })).map(({ run }) => run);
  return failed.filter(({ finishedAt }) => Number(finishedAt) >= since).toReversed();
}

/** The channel that a digest is posted to; null: it is for its owner alone. */
export function postingChannel({ place }: Pick<StoredDigest, 'place'>): string | null {
  return place.kind === 'channel' ? place.channel : null;
}

/** Returns the channel a digest is posted in, or else its owner. */
export function placeOf(digest: StoredDigest): string {
  return postingChannel(digest) ?? digest.owner;
}

/** Ids of the digests of which nothing is posted now: they are paused, or their place is busy. */
export function resting(digests: readonly StoredDigest[], busy: ReadonlySet<string>): readonly string[] {
  return digests.filter((one) => one.paused || busy.has(placeOf(one))).map(({ id }) => id);
}

/** Returns true where the open periods of a digest were planned for another time or place than it has now. */
export function isElsewhere(before: DigestPlan, now: DigestPlan): boolean {
  const [cron, timeZone] = [now.schedule.cron, now.schedule.timeZone];
  if (before.schedule.cron !== cron || before.schedule.timeZone !== timeZone) return true;
  return postingChannel(before) !== postingChannel(now);
}

type DigestPlan = Pick<StoredDigest, 'schedule' | 'place'>;
