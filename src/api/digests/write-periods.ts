import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Digest } from '../../model/digest.ts';
import type { Instant } from '../../model/issue.ts';
import { fireTimes } from '../../time/cron.ts';
import { calendarNamed } from './calendar-named.ts';
import type { DigestsParts } from './digests-parts.ts';
import { planPeriods } from './plan-periods.ts';

/** Writes the periods that fell due. */
export async function writePeriods(parts: DigestsParts): Promise<void> {
  const { store, now } = parts;
  for (const digest of await store.due(now())) await each(digest, parts, writeDue);
}

/** Puts right what a clock that had jumped ahead wrote for times after an instant; others get their turn between. */
export async function putPeriodsRight(after: Instant, parts: DigestsParts): Promise<void> {
  for (const digest of await parts.store.list()) {
    await each(digest, parts, (one, { store }) => putRight(one, after, store));
    await othersTurn();
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
