import type { User } from '../../model/issue.ts';
import type { Asker } from '../../model/request.ts';
import type { DelegationApi } from '../delegation.ts';
import { knownLogins } from './known-logins.ts';

/** Lets whoever asks with a token for their login be the person of that login, with the rights and records of theirs. */
export function askersByLogin(
  api: DelegationApi,
  users: () => Promise<ReadonlyMap<string, User>>,
): DelegationApi {
  const known = async (asker: Asker): Promise<Asker> => ({
    ...asker,
    user: knownLogins(await users()).idOfHolder(asker.user),
  });

  return {
    rightOf: async (asker) => api.rightOf(await known(asker)),
    delegatesOf: async (question) => api.delegatesOf({ ...question, asker: await known(question.asker) }),
    delegatorsOf: async (question) => api.delegatorsOf({ ...question, asker: await known(question.asker) }),
    chainOf: async (question) => api.chainOf({ ...question, asker: await known(question.asker) }),
    coverage: async (asker, span) => api.coverage(await known(asker), span),
    categories: async (asker) => api.categories(await known(asker)),
    delegation: async (asker, id) => api.delegation(await known(asker), id),
    delegations: async (asker, query) => api.delegations(await known(asker), query),
    create: async (asker, wish) => api.create(await known(asker), wish),
    update: async (asker, id, wish) => api.update(await known(asker), id, wish),
    end: async (asker, id) => api.end(await known(asker), id),
    versions: async (asker, id) => api.versions(await known(asker), id),
    permitCategories: async (asker) => api.permitCategories(await known(asker)),
    createCategory: async (asker, wish) => api.createCategory(await known(asker), wish),
    updateCategory: async (asker, id, wish) => api.updateCategory(await known(asker), id, wish),
    deleteCategory: async (asker, id) => api.deleteCategory(await known(asker), id),
    delegateTimes: async (asker, categories) => api.delegateTimes(await known(asker), categories),
  };
}
