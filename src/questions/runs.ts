import { millisecondsInDay } from 'date-fns/constants';
import type { Backing } from '../cache/backing.ts';
import { createNamespace } from '../cache/namespace.ts';
import { AppError } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';
import type { Run } from '../model/question.ts';
import type { AnswersApi } from './answers.ts';

const KEPT_FOR_MS = 90 * millisecondsInDay;

/** What runs are kept with. */
interface RunsParts {
  readonly stored: Backing;
  readonly now: () => Instant;
  readonly newId: () => string;
}

/** Questions that were answered, for 90 days. */
export function createRuns({ stored, now, newId }: RunsParts): Pick<AnswersApi, 'storeRun' | 'run'> {
  const runs = createNamespace<Run>({
    name: 'run',
    // The last millisecond counts.
    ttlMs: KEPT_FOR_MS + 1,
    most: null,
    now,
    backing: stored,
    fromFuture: 'good',
  });
  return {
    async storeRun(account, { question, asOf }) {
      const run = { id: newId(), account, question, asOf, askedAt: now() };
      await runs.set(run.id, run);
      return run;
    },
    async run(id) {
      const run = await runs.get(id);
      if (run !== undefined) return run;
      throw new AppError('unknown-answer', 'This answer is not known any more', [
        `The answer '${id}' was never given, or more than 90 days ago. Ask the question again.`,
      ]);
    },
  };
}

/** Where the data comes from (the tracker's name), and what time it is. */
interface ReinventedParts {
  readonly tracker: () => Promise<string>;
  readonly now: () => Instant;
}

/**
 * The sample is invented up to the midnight (UTC) before it is asked, and so tells of an earlier day what it did not
 * know on that day: an answer of then cannot be told again. `not-found` for one.
 */
export async function refuseReinvented({ asOf }: Run, { tracker, now }: ReinventedParts): Promise<void> {
  if (dayOf(asOf) >= dayOf(now()) || (await tracker()) !== 'sample') return;
  throw new AppError('unknown-answer', 'This answer is gone with its day', [
    'Sample data is new each day, so an answer of an earlier day cannot be shown again. Ask the question again.',
  ]);
}

function dayOf(at: Instant): number {
  return Math.floor(at / millisecondsInDay);
}
