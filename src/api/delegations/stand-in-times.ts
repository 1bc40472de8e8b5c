import { delegateTimesOf } from '../../delegation/chain.ts';
import { type DelegateTime, GENERAL } from '../../model/delegation.ts';
import type { DelegationApi } from '../delegation.ts';
import type { AskerRights } from './asker-rights.ts';
import { creditRevision } from './credit-revision.ts';
import type { DelegationParts } from './delegation-parts.ts';
import { namedCategories } from './named-categories.ts';

/** Who stood in when, for reports; `general` counts first unless categories are named. */
export function delegateTimes(
  { register }: DelegationParts,
  rights: AskerRights,
): Pick<DelegationApi, 'delegateTimes'> {
  return {
    async delegateTimes(asker, texts) {
      await rights.viewingAll(asker);
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
