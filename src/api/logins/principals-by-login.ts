import type { User } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import type { DelegationApi } from '../delegation.ts';
import { knownLogins } from './known-logins.ts';

/** Lets whoever asks with a token for their login be the person of that login, with the rights and records of theirs. */
export function principalsByLogin(
  api: DelegationApi,
  users: () => Promise<ReadonlyMap<string, User>>,
): DelegationApi {
  const known = async (principal: Principal): Promise<Principal> => ({
    ...principal,
    account: knownLogins(await users()).idOfHolder(principal.account),
  });

  return {
    rightOf: async (principal) => api.rightOf(await known(principal)),
    delegatesOf: async (question) =>
      api.delegatesOf({ ...question, principal: await known(question.principal) }),
    delegatorsOf: async (question) =>
      api.delegatorsOf({ ...question, principal: await known(question.principal) }),
    chainOf: async (question) => api.chainOf({ ...question, principal: await known(question.principal) }),
    coverage: async (principal, span) => api.coverage(await known(principal), span),
    categories: async (principal) => api.categories(await known(principal)),
    delegation: async (principal, id) => api.delegation(await known(principal), id),
    delegations: async (principal, query) => api.delegations(await known(principal), query),
    create: async (principal, wish) => api.create(await known(principal), wish),
    update: async (principal, id, wish) => api.update(await known(principal), id, wish),
    end: async (principal, id) => api.end(await known(principal), id),
    versions: async (principal, id) => api.versions(await known(principal), id),
    permitCategories: async (principal) => api.permitCategories(await known(principal)),
    createCategory: async (principal, wish) => api.createCategory(await known(principal), wish),
    updateCategory: async (principal, id, wish) => api.updateCategory(await known(principal), id, wish),
    deleteCategory: async (principal, id) => api.deleteCategory(await known(principal), id),
    delegateTimes: async (principal, categories) => api.delegateTimes(await known(principal), categories),
  };
}
