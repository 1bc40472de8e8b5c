import { ToBeContinued, untilOver } from '../../issues/issue-chunks.ts';
import { nextTurn } from '../next-turn.ts';

/** Work may go on this long before others get their turn; far below what a click in Slack may wait. */
const TURN_MS = 12;

/** Tells whether it is time to let others go on: a promise to wait for, or null. */
export type Pacer = () => Promise<void> | null;

/** A pacer of its own for each question; asking it costs next to nothing. */
export function createPacer(): Pacer {
  let since = performance.now();
  return () => {
    if (performance.now() - since < TURN_MS) return null;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}

/** What has to be found at one go but may look through all issues: others get their turn between the chunks of them. */
export async function findInTurns<Result>(find: () => Result): Promise<Result> {
  for (;;) {
    const until = performance.now() + TURN_MS;
    let isFirst = true;
    // Whatever a turn is worth, something is found in it.
    const over = () => {
      const ends = !isFirst && performance.now() > until;
      isFirst = false;
      return ends;
    };
    try {
      return untilOver(over, find);
    } catch (error) {
      if (!(error instanceof ToBeContinued)) throw error;
      await nextTurn();
    }
  }
}
