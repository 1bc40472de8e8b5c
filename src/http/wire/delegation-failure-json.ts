import type { Dialect, HttpParts } from '../route.ts';
import type { Failure } from './failure-json.ts';
import { serverTime } from './server-time.ts';

/** A failure as the contract of delegations words it: what is wrong by parameter is told of every 400, of nothing else. */
export function delegationFailureJson(
  failure: Failure,
  dialect: Exclude<Dialect, 'reporting'>,
  { now, timeZone }: Pick<HttpParts, 'now' | 'timeZone'>,
) {
  const { status, reason, fields } = failure;
  return {
    status,
    message: messageOf(failure),
    reason,
    timestamp: dialect === 'look-up' ? now() : serverTime(now(), timeZone),
    ...(status === 400 ? { errors: fields } : {}),
  };
}

/** Why somebody is not known stays between them and us: a stranger learns nothing from it. */
function messageOf({ status, message, details, lapsed }: Failure): string {
  // The contract names both labels and no conditions: who reads the first needs a new token.
  if (status === 401) return lapsed ? 'Invalid Licence' : 'Invalid User';
  return details.length === 0 ? message : details.join(' ');
}
