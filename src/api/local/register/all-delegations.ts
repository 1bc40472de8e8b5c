import { memo } from '../../../cache/memo.ts';
import type { Delegation } from '../../../model/delegation.ts';

/**
 * What the tracker brings along and what is kept here, by id; of one id what is kept here counts. The same array for
 * the same two, so that it may be remembered.
 */
export function allDelegations(
  brought: readonly Delegation[],
  kept: readonly Delegation[],
): readonly Delegation[] {
  if (brought.length === 0) return kept;
  return joinedWith(kept)(brought);
}

const joinedWith = memo((kept: readonly Delegation[]) =>
  memo((brought: readonly Delegation[]): readonly Delegation[] => {
    const byId = new Map([...brought, ...kept].map((delegation) => [delegation.id, delegation]));
    return [...byId.values()].sort((a, b) => a.id - b.id);
  }),
);
