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
