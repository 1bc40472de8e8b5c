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

/** The number of pauses for which an answer is good: the next pass has time to read it again. */
const GOOD_FOR_PAUSES = 1.5;

/** Returns true where a pass through who can browse projects is due, or under way. */
export function isAccessDue({ state, now }: Work): boolean {
  const { access, accessAt, accessEveryMs } = state();
  return access !== null || isDue(now(), accessAt, accessEveryMs ?? EVERY_MS[0]);
}

/**
 * Stores who can browse each project that has issues, in slices, with `pause` between them. Where this is cut off, the
 * next turn goes on after the last slice, as it does where the tracker fails: then the result is false.
 */
export async function takeAccess(work: Work, pause: () => Promise<void>): Promise<boolean> {
  const { tracker, store, request, keep, now, state } = work;
  let pass = state().access ?? { after: null, startedAt: now(), sent: 0 };
  for (;;) {
    const projects = await store.projectsAfter(pass.after, PROJECTS_AT_ONCE);
    const last = projects.at(-1);
    if (last === undefined) break;
    const at = now();
    const before = tracker.connection.requests().sent;
    const some = await unlessFailed(request(async () => (await tracker.projectAccess?.(projects)) ?? []));
    if (some === null) return false;
    const goodMs = GOOD_FOR_PAUSES * (state().accessEveryMs ?? EVERY_MS[1]);
    await store.putProjectAccess(some, { at, until: at + goodMs });
    const sent = pass.sent + tracker.connection.requests().sent - before;
    pass = { after: last, startedAt: pass.startedAt, sent };
    await keep({ access: pass });
    await pause();
  }
  // The others have no issues any more, or the tracker does not show who can browse them.
  await store.clearProjectAccess(pass.startedAt);
  const accessEveryMs = costlyInterval(pass.sent, EVERY_MS, REQUESTS_PER_HOUR);
  await keep({ access: null, accessAt: pass.startedAt, accessEveryMs });
  return true;
}

/** The answer; null where the tracker fails, which holds up nothing else. Throws where Dwell is denied access. */
async function unlessFailed<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof AppError) || deniedCodes.has(error.code)) throw error;
    return null;
  }
}
