import { isDue } from '../../concurrency/clock-check.ts';
import { compare } from './compare.ts';
import { countAll } from './count-all.ts';
import { fillIssues } from './fill-issues.ts';
import { follow } from './follow.ts';
import { refuseIfMostRejected, retryRejected } from './retry-rejected.ts';
import type { SyncState } from './sync-state.ts';
import { takeLists } from './take-lists.ts';
import type { Work } from './work.ts';

/** What a turn is to do beyond what is due. */
export interface Wish {
  readonly compare: boolean;
  readonly acceptRemovals: boolean;
  /** The site that answers is the one whose issues are kept, whatever its address. */
  readonly acceptAddress?: boolean;
}

/**
 * One turn: the lists and all issues the first time, then what was updated, then whatever is due. A list that cannot be
 * taken holds up nothing but itself.
 */
export async function takeSteps(work: Work, withIssues: boolean, wish: Wish): Promise<void> {
  const { state, keep, now } = work;
  const step = async (name: SyncState['step'], take: () => Promise<unknown>) => {
    await keep({ step: name });
    await take();
  };
  const withCompare = wish.compare || wish.acceptRemovals;

  if (withIssues) {
    if (state().listsTriedAt === null) await step('lists', () => takeLists(work));
    if (state().searchedAt === null) await step('fill', () => fillIssues(work));
    if (state().wishChanged && state().total === null) await keep({ total: await countAll(work) });
    await step('follow', () => follow(work, wish));
    // They may be what the first fill waits for.
    await retryRejected(work, wish.compare || state().filledAt === null, wish.acceptRemovals);
    const { compare: underWay, compareTriedAt, compareEveryMs, thoroughAt, thoroughEveryMs } = state();
    const thorough = wish.compare || isDue(now(), thoroughAt, thoroughEveryMs);
    const comparesNow = withCompare || thorough || state().wishChanged;
    if (comparesNow || underWay !== null || isDue(now(), compareTriedAt, compareEveryMs)) {
      const how = { acceptRemovals: wish.acceptRemovals, thorough };
      await step('compare', () => compare(work, how));
      while (state().compare !== null && (withCompare || state().filledAt === null)) {
        await step('follow', () => follow(work, wish));
        await step('compare', () => compare(work, how));
      }
    }
    if (state().filledAt === null) {
      await refuseIfMostRejected(work);
      await keep({ filledAt: now() });
    }
  }
  if (withCompare || isDue(now(), state().listsTriedAt, state().listsEveryMs)) {
    await step('lists', async () => {
      const failure = await takeLists(work);
      if (failure !== null && !withIssues) throw failure;
    });
  }
  await keep({ step: 'rests', problem: null });
}
