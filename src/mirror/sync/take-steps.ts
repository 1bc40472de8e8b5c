import { compare } from './compare.ts';
import { fillIssues } from './fill-issues.ts';
import { follow } from './follow.ts';
import type { SyncState } from './sync-state.ts';
import { takeLists } from './take-lists.ts';
import type { Work } from './work.ts';

/** What a turn is to do beyond what is due. */
export interface Wish {
  readonly compare: boolean;
  readonly acceptRemovals: boolean;
}

/**
 * One turn: the lists and all issues the first time, then what was updated, then whatever is due. A list that cannot be
 * taken holds up nothing but itself, once there are lists.
 */
export async function takeSteps(work: Work, withIssues: boolean, wish: Wish): Promise<void> {
  const { state, keep, now } = work;
  const step = async (name: SyncState['step'], take: () => Promise<void>) => {
    await keep({ step: name });
    await take();
  };
  const isDue = (last: number | null, everyMs: number) =>
    last === null || now() - last >= everyMs || now() < last;
  const withCompare = wish.compare || wish.acceptRemovals;

  if (withIssues) {
    if (state().listsAt === null) await step('lists', () => takeLists(work));
    if (state().searchedAt === null) await step('fill', () => fillIssues(work));
    await step('follow', () => follow(work));
    const { compare: underWay, compareTriedAt, compareEveryMs } = state();
    if (withCompare || underWay !== null || isDue(compareTriedAt, compareEveryMs)) {
      const how = { acceptRemovals: wish.acceptRemovals, thorough: wish.compare };
      await step('compare', () => compare(work, how));
      while (state().compare !== null && (withCompare || state().filledAt === null)) {
        await step('follow', () => follow(work));
        await step('compare', () => compare(work, how));
      }
    }
    if (state().filledAt === null) await keep({ filledAt: now() });
  }
  if (withCompare || isDue(state().listsAt, state().listsEveryMs)) await step('lists', () => takeLists(work));
  await keep({ step: 'rests', problem: null });
}
