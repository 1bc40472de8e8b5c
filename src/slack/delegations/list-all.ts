import type { DelegationApi, DelegationQuery } from '../../api/delegations/delegation-api.ts';
import type { Delegation } from '../../model/delegation.ts';
import type { Principal } from '../../model/principal.ts';

const PAGE = 1_000;

/** Every active delegation that is not over and fits, by its start. */
export async function listAll(
  principal: Principal,
  who: Pick<DelegationQuery, 'delegator'> | Pick<DelegationQuery, 'delegate'>,
  delegations: Pick<DelegationApi, 'delegations'>,
): Promise<readonly Delegation[]> {
  const found: Delegation[] = [];
  for (let start = 0; ; ) {
    const query = {
      delegator: null,
      delegate: null,
      includeExpired: false,
      notes: '',
      start,
      size: PAGE,
      ...who,
    };
    const { values, total } = await delegations.delegations(principal, query);
    found.push(...values);
    start += values.length;
    if (values.length === 0 || start >= total) break;
  }
  return found.filter(({ active }) => active).toSorted((a, b) => a.start - b.start || a.id - b.id);
}
