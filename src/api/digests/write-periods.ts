import { setImmediate as othersTurn } from 'node:timers/promises';
import { fireTimes } from '../../calendar/fire-times.ts';
import type { Digest } from '../../model/digest.ts';
import { calendarNamed } from './calendar-named.ts';
import type { DigestsParts } from './digests-parts.ts';
import { planPeriods } from './plan-periods.ts';

/** Writes the periods that fell due. */
export async function writePeriods(parts: DigestsParts): Promise<void> {
  const { store, now } = parts;
  for (const digest of await store.due(now())) await each(digest, parts, writeDue);
}

/** Puts right what a clock that had jumped ahead left behind; others get their turn between. */
export async function putPeriodsRight(parts: DigestsParts): Promise<void> {
  for (const digest of await parts.store.list()) {
    await each(digest, parts, putRight);
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
  const { id, nextDue, schedule, workingDays } = digest;
  if (nextDue === null) return;
  const calendar = workingDays === null ? null : await calendarNamed(workingDays, settings);
  if (workingDays !== null && calendar === null) {
    log.warn({ digestId: id, workingDays }, 'the calendar of a digest is gone, so every day counts');
  }
  const { periods, nextDue: next } = planPeriods({ schedule, calendar }, nextDue, now());
  await store.addRuns(id, nextDue, periods, next);
}

/** What is due later than the schedule says next was written by a clock that went ahead. */
async function putRight(
  { id, paused, nextDue, schedule }: Digest,
  { store, now }: DigestsParts,
): Promise<void> {
  if (paused || nextDue === null) return;
  const at = now();
  const [next] = fireTimes(schedule, at, 1);
  if (next === undefined || nextDue <= next) return;
  await store.change(id, (kept) =>
    kept.paused || kept.nextDue !== nextDue ? kept : { ...kept, nextDue: next },
  );
}
