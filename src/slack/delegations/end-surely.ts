import type { DelegationApi } from '../../api/delegations/delegation-api.ts';
import { createLimitByKey } from '../../concurrency/concurrency-limit.ts';
import type { Delegation } from '../../model/delegation.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';

/** A hosted register lets two end the same one at the same time, and both sides would be told twice. */
const mutex = createLimitByKey<number>(1);

/** A delegation that does not hold any more; `already` where it did not before either. */
interface Ended {
  readonly delegation: Delegation;
  readonly already: boolean;
}

/** What somebody's click ends. */
interface EndWish {
  readonly principal: Principal;
  readonly id: number;
}

/**
 * Ends a delegation, unless that was done before. Where the register leaves open whether the end is saved, the record
 * tells.
 */
export function endSurely(
  { principal, id }: EndWish,
  { delegations, now }: { readonly delegations: DelegationApi; readonly now: () => Instant },
): Promise<Ended> {
  const isOver = ({ active, end }: Delegation) => !active || end <= now();
  return mutex(id, async () => {
    const kept = await delegations.delegation(principal, id);
    if (isOver(kept)) return { delegation: kept, already: true };
    try {
      return { delegation: await delegations.end(principal, id), already: false };
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== 'outcome-unknown') throw error;
      const saved = await delegations.delegation(principal, id).catch(() => null);
      if (saved === null || !isOver(saved)) throw error;
      return { delegation: saved, already: false };
    }
  });
}
