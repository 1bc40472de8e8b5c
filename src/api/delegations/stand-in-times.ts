import { standInTimesOf } from '../../delegation/stand-in-times.ts';
import { type CategoryId, GENERAL } from '../../model/delegation.ts';
import type { DelegationApi } from '../delegation.ts';
import { choose } from '../local/choose.ts';
import type { AskerRights } from './asker-rights.ts';
import type { DelegationParts } from './delegation-parts.ts';

/** Who stood in when, for reports; a name that is no category is told as the report's parameter `creditDelegates`. */
export function standInTimes(
  { register }: DelegationParts,
  rights: AskerRights,
): Pick<DelegationApi, 'standInTimes'> {
  return {
    async standInTimes(asker, names) {
      await rights.viewingAll(asker);
      const all: readonly { readonly id: CategoryId; readonly name: string }[] = [
        { id: null, name: GENERAL },
        ...(await register.categories()).map(({ id, name }) => ({ id, name })),
      ];
      const asked = names?.map((name) => choose('creditDelegates', name, all, (one) => [one.name])) ?? all;
      return standInTimesOf(await register.delegations(), asked);
    },
  };
}
