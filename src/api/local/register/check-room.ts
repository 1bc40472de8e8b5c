import type { Delegation, DelegationInput } from '../../../model/delegation.ts';
import { badFields } from '../../../model/error.ts';
import type { Instant } from '../../../model/issue.ts';

/** More is nobody's absence, but would be looked at with every question about everybody. */
const MOST_AHEAD = 100;

/** What a wish is held against: all delegations as they are, and the one it is to change, null for a new one. */
interface RoomContext {
  readonly all: readonly Delegation[];
  readonly kept: Delegation | null;
  readonly now: Instant;
}

/** Refuses one more of a delegator who has as many that are active and not over as one may have: `bad-request`. */
export function checkRoom(wish: DelegationInput, { all, kept, now }: RoomContext): void {
  const isAhead = ({ active, end }: DelegationInput) => active && end > now;
  if (!isAhead(wish) || (kept !== null && isAhead(kept))) return;
  const ahead = all.filter((one) => one.delegator === wish.delegator && isAhead(one));
  if (ahead.length < MOST_AHEAD) return;
  throw badFields({
    delegator: `delegator '${wish.delegator}' has ${ahead.length} delegations that are active and not over; allowed: at most ${MOST_AHEAD}: end one of them first.`,
  });
}
