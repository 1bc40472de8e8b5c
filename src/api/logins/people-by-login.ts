import type { Chain, Coverage, Delegation } from '../../model/delegation.ts';
import type { User } from '../../model/issue.ts';
import type { DelegationApi } from '../delegation.ts';
import { knownLogins } from './known-logins.ts';
import { type Rename, renamePeople, renameStandIns } from './rename-people.ts';

/**
 * The delegation port for those who know people by login: they are named and told so, or by id where somebody has no
 * login. Principals are left as they are.
 */
export function peopleByLogin(
  api: DelegationApi,
  users: () => Promise<ReadonlyMap<string, User>>,
): DelegationApi {
  const logins = async () => knownLogins(await users());
  const told = async (delegation: Delegation) => renamePeople(delegation, (await logins()).nameOf);

  return {
    ...api,
    async delegatesOf(question) {
      const { idNamed, nameOf } = await logins();
      const answer = await api.delegatesOf({ ...question, person: idNamed(question.person) });
      return renameStandIns(answer, nameOf);
    },
    async delegatorsOf(question) {
      const { idNamed, nameOf } = await logins();
      const answer = await api.delegatorsOf({ ...question, person: idNamed(question.person) });
      return renameStandIns(answer, nameOf);
    },
    async chainOf(question) {
      const { idNamed, nameOf } = await logins();
      return renameChain(await api.chainOf({ ...question, person: idNamed(question.person) }), nameOf);
    },
    coverage: async (principal, span) =>
      renameCoverage(await api.coverage(principal, span), (await logins()).nameOf),
    delegation: async (principal, id) => told(await api.delegation(principal, id)),
    async delegations(principal, query) {
      const { idNamed, nameOf } = await logins();
      const delegator = query.delegator === null ? null : idNamed(query.delegator);
      const delegate = query.delegate === null ? null : idNamed(query.delegate);
      const { values, total } = await api.delegations(principal, { ...query, delegator, delegate });
      return { values: values.map((one) => renamePeople(one, nameOf)), total };
    },
    create: async (principal, wish) =>
      told(await api.create(principal, renamePeople(wish, (await logins()).idNamed))),
    update: async (principal, id, wish) =>
      told(await api.update(principal, id, renamePeople(wish, (await logins()).idNamed))),
    end: async (principal, id) => told(await api.end(principal, id)),
    async versions(principal, id) {
      const versions = await api.versions(principal, id);
      const { nameOf } = await logins();
      return versions.map((version) => ({
        ...renamePeople(version, nameOf),
        savedBy: version.savedBy === null ? null : nameOf(version.savedBy),
      }));
    },
  };
}

function renameChain(chain: Chain, rename: Rename): Chain {
  return {
    ...chain,
    person: rename(chain.person),
    paths: chain.paths.map(({ people, backTo }) => ({
      people: people.map(rename),
      backTo: backTo === null ? null : rename(backTo),
    })),
  };
}

function renameCoverage(coverage: Coverage, rename: Rename): Coverage {
  const { delegations, uncovered, awayToo, ending } = coverage;
  return {
    ...coverage,
    delegations: delegations.map((one) => renamePeople(one, rename)),
    uncovered: uncovered.map((one) => ({ ...one, person: rename(one.person) })),
    awayToo: awayToo.map((one) => ({
      ...one,
      person: rename(one.person),
      delegate: rename(one.delegate),
      standIns: one.standIns?.map(rename) ?? null,
    })),
    ending: ending.map((one) => renamePeople(one, rename)),
  };
}
