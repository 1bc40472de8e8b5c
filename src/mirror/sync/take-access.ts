import { millisecondsInMinute } from 'date-fns/constants';
import { isDue } from '../../concurrency/clock-check.ts';
import { AppError } from '../../model/error.ts';
import { costlyInterval, deniedCodes } from './sync-state.ts';
import type { Work } from './work.ts';

/** The number of projects that are read before others get their turn. */
const PROJECTS_AT_ONCE = 20;

/** The shortest and the longest pause (ms) between two passes; with more requests in a pass it is longer. */
const EVERY_MS = [10 * millisecondsInMinute, 40 * millisecondsInMinute] as const;
const REQUESTS_PER_HOUR = 6000;

/** An answer is good for so many pauses, so that the next pass has time to read it again. */
const GOOD_FOR_PAUSES = 1.5;

/** Returns true where a pass through who can browse projects is due, or under way. */
export function isAccessDue({ tracker, state, now }: Work): boolean {
  if (tracker.projectAccess === undefined) return false;
  const { access, accessAt, accessEveryMs } = state();
  return access !== null || isDue(now(), accessAt, accessEveryMs ?? EVERY_MS[0]);
}

/**
 * Stores who can browse each project that has issues, in slices, with `pause` between them; where this is cut off, the next turn
 * goes on after the last slice. An answer that the tracker does not renew stays until it is too old: then questions ask for it.
 */
export async function takeAccess(work: Work, pause: () => Promise<void>): Promise<void> {
  const { tracker, store, request, keep, now, state } = work;
  let pass = state().access ?? { after: null, startedAt: now(), sent: 0 };
  for (;;) {
    const projects = await store.projectsAfter(pass.after, PROJECTS_AT_ONCE);
    const last = projects.at(-1);
    if (last === undefined) break;
    const at = now();
    const before = tracker.connection.requests().sent;
    try {
      const some = await request(async () => (await tracker.projectAccess?.(projects)) ?? []);
      const everyMs = state().accessEveryMs ?? EVERY_MS[1];
      await store.putProjectAccess(some, { at, until: at + GOOD_FOR_PAUSES * everyMs });
    } catch (error) {
      // The next turn goes on here; nothing else has to wait for it.
      if (error instanceof AppError && !deniedCodes.has(error.code)) return;
      throw error;
    }
    const sent = pass.sent + tracker.connection.requests().sent - before;
    pass = { after: last, startedAt: pass.startedAt, sent };
    await keep({ access: pass });
    await pause();
  }
  // Projects without issues were not read again.
  await store.clearProjectAccess(pass.startedAt);
  const accessEveryMs = costlyInterval(pass.sent, EVERY_MS, REQUESTS_PER_HOUR);
  await keep({ access: null, accessAt: pass.startedAt, accessEveryMs });
}
