import type { Logger } from 'pino';
import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import type { Digest, DigestRun, Schedule } from '../../model/digest.ts';
import type { Instant } from '../../model/issue.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import type { DigestStore } from '../../store/job-stores.ts';
import { fireTimes } from '../../time/cron.ts';
import { isWorkingDay, nextWorkingDay } from '../../time/working-days.ts';
import type { AnswersApi } from '../answers.ts';
import { calendarNamed } from '../calendar-named.ts';
import type { DigestNotifier } from '../digests.ts';
import type { SettingsApi } from '../settings/settings-api.ts';

/** What digests are stored and made with. */
export interface DigestsParts {
  readonly store: DigestStore;
  readonly answers: AnswersApi;
  readonly settings: SettingsApi;
  readonly now: () => Instant;
  readonly newId: () => string;
  readonly log: Logger;
}

/** Of one outage so many periods are caught up, the newest. */
const CAUGHT_UP = 3;
/** Of a longer outage only the newest of the others are named. */
const NAMED = 100;

const MISSED = 'It was missed while Dwell was away; the newest three periods were caught up.';
const OUTDATED = 'It could not be brought before the next three were due; the newest three are.';

/** Why a period that waits is not brought any more, as `waiting` newer ones wait; null: it is. */
export function whyOutdated(waiting: number): string | null {
  return waiting >= CAUGHT_UP ? OUTDATED : null;
}

/** Whether a period was left out for newer ones. */
function isMissed({ state, message }: Pick<DigestRun, 'state' | 'message'>): boolean {
  return state === 'skipped' && (message === MISSED || message === OUTDATED);
}

/** A period as it is written: when it may begin, or why it never will. */
interface Period {
  readonly due: Instant;
  readonly notBefore: Instant;
  readonly skipped: string | null;
}

/** The periods due from `first` on up to now, oldest first, and when the next one is due; null: never again. */
function planPeriods(
  { schedule, calendar }: { readonly schedule: Schedule; readonly calendar: CalendarDefinition | null },
  first: Instant,
  now: Instant,
): { readonly periods: readonly Period[]; readonly nextDue: Instant | null } {
  const { dues, nextDue } = duesUntil(schedule, first, now);
  const planned = dues.map((due, i) => periodOf(due, dues[i + 1] ?? nextDue, schedule, calendar));
  const told = planned.filter(({ skipped }) => skipped === null);
  const caughtUp = new Set(told.slice(-CAUGHT_UP));
  return {
    nextDue,
    periods: planned.map((period) =>
      period.skipped !== null || caughtUp.has(period) ? period : { ...period, skipped: MISSED },
    ),
  };
}

/** When a period may begin that falls on a day off: the same time of the next working day; null where there is none. */
export function beginOf(
  due: Instant,
  { timeZone }: Schedule,
  calendar: CalendarDefinition | null,
): Instant | null {
  if (calendar === null || isWorkingDay(calendar, due, timeZone)) return due;
  return nextWorkingDay(calendar, due, timeZone);
}

/** A period in the light of the one after it. */
export function periodOf(
  due: Instant,
  following: Instant | null,
  schedule: Schedule,
  calendar: CalendarDefinition | null,
): Period {
  const begin = beginOf(due, schedule, calendar);
  const name = calendar?.name ?? '';
  if (begin === null) {
    return {
      due,
      notBefore: due,
      skipped: `It was due on a day off, and ${name} has no working day within a year.`,
    };
  }
  if (begin > due && following !== null && following <= begin) {
    return {
      due,
      notBefore: due,
      skipped: `It was due on a day off of ${name}, and the next one falls due before the next working day is over its time.`,
    };
  }
  return { due, notBefore: begin, skipped: null };
}

function duesUntil(
  schedule: Schedule,
  first: Instant,
  now: Instant,
): { readonly dues: readonly Instant[]; readonly nextDue: Instant | null } {
  let dues: readonly Instant[] = [first];
  for (;;) {
    const last = dues.at(-1) ?? first;
    const more = fireTimes(schedule, last, NAMED);
    const after = more.find((at) => at > now);
    dues = [...dues, ...more.filter((at) => at <= now)].slice(-(NAMED + CAUGHT_UP));
    if (after !== undefined || more.length === 0) return { dues, nextDue: after ?? null };
  }
}

/** Writes the periods that fell due. */
export async function writePeriods(parts: DigestsParts): Promise<void> {
  const { store, now } = parts;
  for (const digest of await store.due(now())) await each(digest, parts, writeDue);
}

/** Puts right what a clock that had jumped ahead wrote for times after an instant; others get their turn between. */
export async function putPeriodsRight(after: Instant, parts: DigestsParts): Promise<void> {
  for (const digest of await parts.store.list()) {
    await each(digest, parts, (one, { store }) => putRight(one, after, store));
    await yieldToOthers();
  }
}

/** What fails for one digest is no reason to leave out the others. */
async function each(
  digest: Digest,
  parts: DigestsParts,
  write: (digest: Digest, parts: DigestsParts) => Promise<void>,
): Promise<void> {
  try {
    await write(digest, parts);
  } catch (error) {
    parts.log.error({ err: error, digestId: digest.id }, 'the periods of a digest could not be written');
  }
}

async function writeDue(digest: Digest, { store, settings, now, log }: DigestsParts): Promise<void> {
  const { id, nextDue, schedule, workingDays, createdAt } = digest;
  if (nextDue === null) return;
  const calendar = workingDays === null ? null : await calendarNamed(workingDays, settings);
  if (workingDays !== null && calendar === null) {
    log.warn({ digestId: id, workingDays }, 'the calendar of a digest is gone, so every day counts');
  }
  const { periods, nextDue: next } = planPeriods({ schedule, calendar }, nextDue, now());
  // Where a clock went back too far for a while, times before the digest was made are none of its own.
  const own = now() < createdAt ? periods : periods.filter(({ due }) => due >= createdAt);
  await store.addRuns(id, nextDue, own, next);
}

/** What is due later than the schedule says next was written by a clock that went ahead. */
async function putRight(
  { id, paused, nextDue, schedule }: Digest,
  after: Instant,
  store: DigestsParts['store'],
): Promise<void> {
  await store.takeBack(id, after);
  if (paused || nextDue === null) return;
  const [next] = fireTimes(schedule, after, 1);
  if (next === undefined || nextDue <= next) return;
  await store.change(id, (kept) =>
    kept.paused || kept.nextDue !== nextDue ? kept : { ...kept, nextDue: next },
  );
}

/** The periods directly before one that were not posted, oldest first. `runs` are newest first. */
export function missedBefore(
  due: Instant,
  runs: readonly DigestRun[],
  standing: DigestNotifier['standing'],
): readonly Instant[] {
  const isGap = (run: DigestRun) => isMissed(run) || (run.state === 'failed' && standing(run) === 'no');
  // Between missed periods there may be some that nobody wanted.
  const before = runs.filter((run) => run.due < due && (run.state !== 'skipped' || isMissed(run)));
  const end = before.findIndex((run) => !isGap(run));
  return (end < 0 ? before : before.slice(0, end)).map((run) => run.due).toReversed();
}
