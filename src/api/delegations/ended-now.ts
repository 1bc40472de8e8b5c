import { millisecondsInMinute } from 'date-fns/constants';
import type { DelegationInput } from '../../model/delegation.ts';
import { badRequest } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { isoMinute } from '../../time/iso-dates.ts';

/**
 * The delegation with its end at the start of the running minute: from now on nobody stands in. One that did not start
 * before that would have no length, and becomes inactive.
 */
export function endedNow(kept: DelegationInput, id: number, now: Instant): DelegationInput {
  const allowed = 'allowed: one that is active and not over yet';
  if (!kept.active) throw badRequest(`delegation '${id}' is inactive; ${allowed}.`);
  if (kept.end <= now) {
    throw badRequest(`delegation '${id}' is over since ${isoMinute(kept.end)}; ${allowed}.`);
  }
  const end = Math.floor(now / millisecondsInMinute) * millisecondsInMinute;
  return end > kept.start ? { ...kept, end } : { ...kept, active: false };
}
