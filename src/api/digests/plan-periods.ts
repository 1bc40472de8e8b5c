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
import { periodId } from '../../store/work-kinds.ts';
import { fireTimes } from '../../time/cron.ts';
import { calendarName, isWorkingDay, nextWorkingDay } from '../../time/working-days.ts';
import type { SettingsApi } from '../settings/settings-api.ts';
import { calendarById } from '../settings/settings-in-use.ts';
import { ended, isElsewhere, isUntouched, newPeriod } from './period-states.ts';

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
export function periodOf(
  due: Instant,
  following: Instant | null,
  schedule: Schedule,
  calendar: CalendarDefinition | null,
): Period {
  const begin = beginOf(due, schedule, calendar);
  const name = calendar === null ? '' : calendarName(calendar);
  const message =
    begin === null
      ? `It was due on a day off, and ${name} has no working day within a year.`
      : begin > due && following !== null && following <= begin
        ? `It was due on a day off of ${name}, and the next one is due before it could be posted on the next working day.`
        : null;
  const skipped: Skipped | null = message === null ? null : { skipReason: 'day-off', message };
  return { due, notBefore: skipped === null && begin !== null ? begin : due, skipped };
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
export function dueOf(digests: readonly StoredDigest[], now: Instant): readonly StoredDigest[] {
  return digests
    .filter(({ paused, nextDue }) => !paused && nextDue !== null && nextDue <= now)
    .toSorted((a, b) => Number(a.nextDue) - Number(b.nextDue));
}

/** Corrects the periods that a clock that had jumped ahead wrote for times after an instant. */
export async function putPeriodsRight(after: Instant, parts: DigestsParts): Promise<void> {
  await parts.store.periods.change({ plannedAfter: after }, (found) => ({
    remove: found.filter((period) => period.run.due > after && isUntouched(period)),
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
  const planned = dues.map((due, i) => periodOf(due, dues[i + 1] ?? next, schedule, calendar));
  const caughtUp = new Set(planned.filter(({ skipped }) => skipped === null).slice(-CAUGHT_UP));
  const periods = planned.map((period) =>
    period.skipped !== null || caughtUp.has(period) ? period : { ...period, skipped: MISSED },
  );
  // If a clock went back too far for a while, times before the digest was made are none of its own.
  const own = now() < createdAt ? periods : periods.filter(({ due }) => due >= createdAt);
  await addPeriods(digest, { periods: own, next }, parts);
}

/**
 * Writes the periods of a digest that fell due, without those that are known already, and the instant it is due next;
 * nothing where it is not due any more. Skipped periods have ended at once.
 */
export async function addPeriods(
  digest: StoredDigest,
  { periods, next }: { readonly periods: readonly Period[]; readonly next: Instant | null },
  { store, now }: Pick<DigestsParts, 'store' | 'now'>,
): Promise<void> {
  const { id, nextDue } = digest;
  const isDue = (stored: StoredDigest | null) => stored?.paused === false && stored.nextDue === nextDue;
  if (!isDue(await store.digests.get(id))) return;
  const added = periods.map(({ due, notBefore, skipped }) => {
    const period = newPeriod(id, due, notBefore);
    return skipped === null ? period : ended(period, { state: 'skipped', ...skipped }, due);
  });
  const { put = [] } = await store.periods.change({ ids: idsOf(added) }, (known) => {
    const knownIds = new Set(idsOf(known));
    return { put: added.filter((period) => idsOf([period]).some((one) => !knownIds.has(one))) };
  });
  // Only now, as a process that is killed between has its periods found again.
  const stored = await store.digests.change(id, (kept) =>
    kept !== null && isDue(kept) ? { ...kept, nextDue: next } : kept,
  );
  if (stored !== null && !stored.paused && !isElsewhere(digest, stored)) return;
  // Periods that were written after the digest was changed do not belong to it.
  await store.periods.change({ ids: idsOf(put), freeAt: now() }, (found) => ({
    remove: found.filter(isUntouched),
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
  await store.digests.change(id, (kept) =>
    kept === null || kept.paused || kept.nextDue !== nextDue ? kept : { ...kept, nextDue: next },
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
