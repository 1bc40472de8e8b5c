import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import { ageText } from '../../output/duration-text.ts';
import type { Wording } from './wording.ts';

/** When something was, and how long ago: `09:41, 2 min ago`; what is over a day old with its date as well. */
export function momentText(
  at: Instant,
  now: Instant,
  { date, time }: Pick<Wording, 'date' | 'time'>,
): string {
  const age = now - at;
  return `${age < millisecondsInDay ? time(at) : date(at)}, ${ageText(age)}`;
}
