import { delegateTimesOf } from '../../delegation/chain.ts';
import { type DelegateTime, GENERAL } from '../../model/delegation.ts';
import type { DelegationApi } from '../delegation.ts';
import { creditRevision } from './credit-revision.ts';
import type { DelegationParts } from './delegation-parts.ts';
import { namedCategories } from './named-categories.ts';
import type { PrincipalRights } from './principal-rights.ts';

/** Who stood in when, for reports; `general` counts first unless categories are named. */
export function delegateTimes(
  { register }: DelegationParts,
  rights: PrincipalRights,
): Pick<DelegationApi, 'delegateTimes'> {
  return {
    async delegateTimes(principal, texts) {
      await rights.viewingAll(principal);
      const all: readonly DelegateTime['category'][] = [
        { id: null, name: GENERAL },
        ...(await register.categories()).map(({ id, name }) => ({ id, name })),
      ];
      const asked = texts === null ? all : namedCategories(texts, all);
      const delegations = await register.delegations();
      return {
        times: delegateTimesOf(delegations, asked),
        categories: asked.map(({ name }) => name),
        revision: (until) => creditRevision(delegations, asked, until),
      };
    },
  };
}
