import { millisecondsInMinute } from 'date-fns/constants';
import type { DelegationInput } from '../../../model/delegation.ts';
import type { Instant } from '../../../model/issue.ts';
import { isoText } from '../../../time/iso-dates.ts';

/** The years that are written with four digits, from the first instant there is in many systems. */
const LAST = Date.UTC(9999, 11, 31, 23, 59);

/** What is wrong with start and end, by their members of REST. */
export function whyBadTimes({
  start,
  end,
}: Pick<DelegationInput, 'start' | 'end'>): Readonly<Record<'startDate' | 'endDate', string | null>> {
  const startDate = whyNoMinute('startDate', start);
  const endDate = whyNoMinute('endDate', end);
  if (startDate !== null || endDate !== null || start < end) return { startDate, endDate };
  return {
    startDate: null,
    endDate: `endDate '${isoText(end)}' is not after the start; allowed: a time after '${isoText(start)}'.`,
  };
}

function whyNoMinute(member: string, instant: Instant): string | null {
  if (!(instant >= 0 && instant < LAST + millisecondsInMinute)) {
    return `${member} is out of range; allowed: a time of the years 1970 to 9999.`;
  }
  return instant % millisecondsInMinute === 0
    ? null
    : `${member} '${isoText(instant)}' has seconds; allowed: whole minutes.`;
}
