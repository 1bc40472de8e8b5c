import type { Delegation } from '../../../model/delegation.ts';

/** What was joined of an array stays true as long as the array lives. */
const joined = new WeakMap<
  readonly Delegation[],
  { readonly brought: readonly Delegation[]; readonly all: readonly Delegation[] }
>();

/**
 * What the tracker brings along and what is kept here, by id; of one id what is kept here counts. The same array for
 * the same two, so that it may be remembered.
 */
export function allDelegations(
  brought: readonly Delegation[],
  kept: readonly Delegation[],
): readonly Delegation[] {
  if (brought.length === 0) return kept;
  const known = joined.get(kept);
  if (known?.brought === brought) return known.all;
  const byId = new Map([...brought, ...kept].map((delegation) => [delegation.id, delegation]));
  const all = [...byId.values()].sort((a, b) => a.id - b.id);
  joined.set(kept, { brought, all });
  return all;
}
