import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import type { Provenance } from '../../model/table.ts';

/** A tracker that is still read is never left alone for longer. */
const STALE_MS = 2 * millisecondsInDay;

/**
 * When the data ends, where that is before the end of what was asked about; else null. `until` is when a time that is
 * over ended; without one the answer speaks of the instant itself, and two days are allowed.
 */
export function dataEndsBefore(
  until: Instant | null,
  { asOf, dataAsOf }: Pick<Provenance, 'asOf' | 'dataAsOf'>,
): Instant | null {
  if (dataAsOf === null) return null;
  const needed = until !== null && until <= asOf ? until : asOf - STALE_MS;
  return dataAsOf < needed ? dataAsOf : null;
}

/** Whether it is known of every issue if it belongs to the answer, and if the asker may see it. */
export function isDecided({ undecided, unasked = 0 }: Provenance): boolean {
  return undecided + unasked === 0;
}
