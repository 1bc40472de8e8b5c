import { millisecondsInHour } from 'date-fns/constants';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { RunStore } from '../../store/run-store.ts';
import type { AnswersApi } from '../answers.ts';

const KEPT_FOR_MS = 90 * 24 * millisecondsInHour;

/** What runs are kept with. */
export interface RunsParts {
  readonly runs: RunStore;
  readonly now: () => Instant;
  readonly newId: () => string;
}

/** Questions that were answered, for 90 days; once an hour at most, older ones are forgotten. */
export function createRuns({ runs, now, newId }: RunsParts): Pick<AnswersApi, 'keep' | 'run'> {
  let forgotAt = Number.NEGATIVE_INFINITY;
  return {
    async keep(account, question, asOf) {
      const askedAt = now();
      const run = { id: newId(), account, question, asOf, askedAt };
      await runs.put(run);
      if (askedAt - forgotAt >= millisecondsInHour) {
        forgotAt = askedAt;
        await runs.forget(askedAt - KEPT_FOR_MS);
      }
      return run;
    },
    async run(id) {
      const run = await runs.get(id);
      if (run !== null && run.askedAt >= now() - KEPT_FOR_MS) return run;
      throw new AppError('not-found', 'This answer is not known any more', [
        `The answer '${id}' was never given, or more than 90 days ago. Ask the question again.`,
      ]);
    },
  };
}
