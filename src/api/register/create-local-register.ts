import { memo } from '../../cache/memo.ts';
import { delegatesAt, delegatorsAt } from '../../delegation/delegates-at.ts';
import type { DelegateLookup, Delegation } from '../../model/delegation.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { storedId } from '../delegations/stored-id.ts';
import { unknownDelegation, unknownUser } from '../delegations/unknown.ts';
import type { Register } from '../register.ts';
import { checkRoom, checkWish } from './check-wish.ts';
import { findCategory, type LocalRegisterParts, ownRegister } from './own-register.ts';

/** The register kept in our own store, over what the tracker brings along. */
export function createLocalRegister(parts: LocalRegisterParts): Register {
  const { store, directory, users, now } = parts;

  const delegations = async () =>
    allDelegations((await directory()).delegations, await (await store()).delegations());

  async function categories() {
    const [brought, kept] = [(await directory()).categories, await (await store()).categories()];
    return [...brought, ...kept].sort((a, b) => a.id - b.id);
  }

  async function delegation(id: number): Promise<Delegation> {
    const found = (await delegations()).find((one) => one.id === id);
    if (found === undefined) throw unknownDelegation(id);
    return found;
  }

  async function lookUp(
    look: typeof delegatesAt,
    name: string,
    category: string,
    at: Instant | null,
  ): Promise<DelegateLookup> {
    const person = storedId(await users(), name);
    if (person === null) throw unknownUser(name);
    const { id, name: stored } = findCategory(await categories(), category);
    const asOf = at ?? now();
    return { person, category: stored, asOf, others: look(await delegations(), person, id, asOf) };
  }

  /** All that is needed to save, before the store lets nobody else write. */
  async function toSave(by: string) {
    const known = { users: await users(), categories: await categories() };
    const brought = await directory();
    const foreign = brought.categories.map(({ id }) => id);
    return { known, brought: brought.delegations, foreign, saving: { by, at: now() } };
  }

  return {
    delegatesOf: (person, category, at) => lookUp(delegatesAt, person, category, at),
    delegatorsOf: (person, category, at) => lookUp(delegatorsAt, person, category, at),
    categories,
    delegations,
    delegation,
    add: (wish, by) =>
      saved(async () => {
        const { known, brought, foreign, saving } = await toSave(by);
        const checked = checkWish(wish, { ...known, kept: null });
        const check = (kept: readonly Delegation[]) =>
          checkRoom(checked, { all: allDelegations(brought, kept), kept: null, now: saving.at });
        return (await store()).add(checked, saving, foreign, check);
      }),
    change: (id, change, by) =>
      saved(async () => {
        await delegation(id);
        const { known, brought, foreign, saving } = await toSave(by);
        const base = brought.find((one) => one.id === id) ?? null;
        const checked = (kept: Delegation, others: readonly Delegation[]) => {
          const wish = checkWish(change(kept), { ...known, kept });
          checkRoom(wish, { all: allDelegations(brought, others), kept, now: saving.at });
          return wish;
        };
        return (await store()).change(id, base, checked, saving, foreign);
      }),
    own: ownRegister(parts),
  };
}

/** `save` checks before it writes, and tells null when a category was removed in between: then the check tells it. */
async function saved(save: () => Promise<Delegation | null>): Promise<Delegation> {
  const delegation = (await save()) ?? (await save());
  if (delegation !== null) return delegation;
  throw new AppError('unavailable', 'The categories are being changed right now; please try again.');
}

/**
 * What the tracker brings along and what is kept here, by id; of one id what is kept here counts. The same array for
 * the same two, so that it may be remembered.
 */
function allDelegations(brought: readonly Delegation[], kept: readonly Delegation[]): readonly Delegation[] {
  if (brought.length === 0) return kept;
  return joinedWith(kept)(brought);
}

const joinedWith = memo((kept: readonly Delegation[]) =>
  memo((brought: readonly Delegation[]): readonly Delegation[] => {
    const byId = new Map([...brought, ...kept].map((delegation) => [delegation.id, delegation]));
    return [...byId.values()].sort((a, b) => a.id - b.id);
  }),
);
