import type { Delegation, DelegationVersion } from '../../model/delegation.ts';
import { isoText } from '../../time/date-text.ts';
import { minuteText } from './minute-text.ts';

/** A delegation on the wire; no categories means general. */
export function delegationJson(delegation: Delegation) {
  const { id, version, active, delegator, delegates, categoryIds, start, end, notes } = delegation;
  return {
    delegationId: id,
    version,
    active,
    delegator,
    delegates,
    categoryIds,
    startDate: minuteText(start),
    endDate: minuteText(end),
    notes,
  };
}

/** One of its versions. */
export function delegationVersionJson(version: DelegationVersion) {
  const { savedBy, savedAt } = version;
  return { ...delegationJson(version), savedBy, savedAt: savedAt === null ? null : isoText(savedAt) };
}
