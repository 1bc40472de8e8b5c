import { millisecondsInDay } from 'date-fns/constants';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Run } from '../../model/question.ts';

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
  throw new AppError('not-found', 'This answer is gone with its day', [
    'Sample data is invented anew each day, so an answer of an earlier day cannot be told again. Ask the question again.',
  ]);
}

function dayOf(at: Instant): number {
  return Math.floor(at / millisecondsInDay);
}
