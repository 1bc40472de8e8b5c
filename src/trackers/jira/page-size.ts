import type { JiraRequest } from './jira-client.ts';
import { JiraOverload } from './jira-failures.ts';

/** After so many good answers in a row it is tried again with more. */
const GOOD_ENOUGH = 10;

/** How much is asked for at once, and how patiently. */
export interface Portion {
  readonly size: number;
  readonly tries: JiraRequest['tries'];
}

/** Asks for at most so much; half of it after every answer that was too much for Jira, to a single one at the least. */
export type AskPortion = <Answer>(
  atMost: number,
  ask: (portion: Portion) => Promise<Answer>,
) => Promise<Answer>;

/** Portions of `largest` at the most, remembered from one question to the next. */
export function createPageSize(largest: number): AskPortion {
  let current = largest;
  let good = 0;

  function grow(): void {
    good += 1;
    if (good < GOOD_ENOUGH) return;
    current = Math.min(largest, current * 2);
    good = 0;
  }

  return async (atMost, ask) => {
    for (;;) {
      const size = Math.min(current, atMost);
      try {
        const answer = await ask({ size, tries: size > 1 ? 'few' : undefined });
        grow();
        return answer;
      } catch (error) {
        if (!(error instanceof JiraOverload)) throw error;
        // Where not even a single one is told, it is not the size.
        current = size > 1 ? Math.floor(size / 2) : largest;
        good = 0;
        if (size <= 1) throw error;
      }
    }
  };
}
