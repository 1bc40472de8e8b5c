import { memo } from '../../cache/namespace.ts';
import { delegatesAt, delegatorsAt } from '../../delegation/delegates-at.ts';
import { foldedCategoryName } from '../../issues/ids-and-names.ts';
import {
  type Category,
  type CategoryId,
  type DelegateLookup,
  type Delegation,
  GENERAL,
} from '../../model/delegation.ts';
import type { Directory } from '../../model/directory.ts';
import { AppError, type ErrorReason, quoted } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import type { DelegationStore } from '../../store/store.ts';
import { storedId, unknownUser } from '../people/logins.ts';
import { checkCategory, checkCount, checkDelegation } from './check-delegation.ts';
import type { DelegationRecords, OwnRecords } from './delegation-api.ts';

/** What local records are made of; each is read again for every question. */
interface LocalRecordsParts {
  readonly store: () => Promise<DelegationStore>;
  /** The delegations and categories the tracker brings along. */
  readonly directory: () => Promise<Pick<Directory, 'categories' | 'delegations'>>;
  readonly users: () => Promise<ReadonlyMap<string, User>>;
  readonly now: () => Instant;
}

/** Delegations in our own store, together with what the tracker brings along. */
export function createLocalRecords(parts: LocalRecordsParts): DelegationRecords {
  const { store, directory, users, now } = parts;

  const delegations = async () =>
    allDelegations((await directory()).delegations, await (await store()).delegations());

  async function categories() {
    const all = [...(await directory()).categories, ...(await (await store()).categories())];
    return all.sort((a, b) => a.id - b.id);
  }

  async function delegation(id: number): Promise<Delegation> {
    const found = (await delegations()).find((one) => one.id === id);
    if (found === undefined) throw unknownDelegation(id);
    return found;
  }

  const lookup =
    (othersAt: typeof delegatesAt) =>
    async (name: string, category: string, at: Instant | null): Promise<DelegateLookup> => {
      const person = storedId(await users(), name);
      if (person === null) throw unknownUser(name);
      const { id, name: stored } = findCategory(await categories(), category);
      const asOf = at ?? now();
      return { person, category: stored, asOf, others: othersAt(await delegations(), person, id, asOf) };
    };

  /** All that is needed to save, before the store lets no one else write. */
  async function toSave(by: string) {
    const known = { users: await users(), categories: await categories() };
    const brought = await directory();
    const foreign = brought.categories.map(({ id }) => id);
    return { known, brought: brought.delegations, foreign, saving: { by, at: now() } };
  }

  return {
    delegatesOf: lookup(delegatesAt),
    delegatorsOf: lookup(delegatorsAt),
    categories,
    delegations,
    delegation,
    add: (input, by) =>
      saved(async () => {
        const { known, brought, foreign, saving } = await toSave(by);
        const checked = checkDelegation(input, { ...known, current: null });
        return (await store()).add(checked, saving, foreign, (stored) =>
          checkCount(checked, { all: allDelegations(brought, stored), current: null, now: saving.at }),
        );
      }),
    change: (id, change, by) =>
      saved(async () => {
        await delegation(id);
        const { known, brought, foreign, saving } = await toSave(by);
        const base = brought.find((one) => one.id === id) ?? null;
        const checked = (current: Delegation, stored: readonly Delegation[]) => {
          const input = checkDelegation(change(current), { ...known, current });
          checkCount(input, { all: allDelegations(brought, stored), current, now: saving.at });
          return input;
        };
        return (await store()).change(id, base, checked, saving, foreign);
      }),
    own: ownRecords(parts),
  };
}

/** `save` checks, then writes, and gives null when a category was removed in between: then the check says so. */
async function saved(save: () => Promise<Delegation | null>): Promise<Delegation> {
  const delegation = (await save()) ?? (await save());
  if (delegation !== null) return delegation;
  throw new AppError('busy-elsewhere', 'The categories are being changed right now; please try again.');
}

/**
 * What the tracker brings along and what is stored here, by id; of one id what is stored here counts. The same array for
 * the same two, so that what is made of it can be cached.
 */
function allDelegations(
  brought: readonly Delegation[],
  stored: readonly Delegation[],
): readonly Delegation[] {
  return brought.length === 0 ? stored : joinedWith(stored)(brought);
}

const joinedWith = memo((stored: readonly Delegation[]) =>
  memo((brought: readonly Delegation[]): readonly Delegation[] => {
    const byId = new Map([...brought, ...stored].map((delegation) => [delegation.id, delegation]));
    return [...byId.values()].sort((a, b) => a.id - b.id);
  }),
);

/** Categories and old versions. What the tracker brings along is shown with the rest; its categories cannot be changed. */
function ownRecords({ store, directory }: LocalRecordsParts): OwnRecords {
  const namesOfTracker = async () => (await directory()).categories.map(({ name }) => name);

  async function refuseForeign(id: number): Promise<void> {
    const foreign = (await directory()).categories.find((category) => category.id === id);
    if (foreign === undefined) return;
    throw new AppError(
      'managed-by-tracker',
      `Category with id "${id}" (${foreign.name}) belongs to the tracker's workspace and cannot be changed here.`,
    );
  }

  return {
    async versions(id) {
      const stored = await (await store()).versions(id);
      if (stored.length > 0) return stored;
      const brought = (await directory()).delegations.find((delegation) => delegation.id === id);
      if (brought === undefined) throw unknownDelegation(id);
      return [{ ...brought, savedBy: null, savedAt: null }];
    },
    async addCategory(given) {
      const input = checkCategory(given);
      const added = await (await store()).addCategory(input, await namesOfTracker());
      if (added === null) throw nameTaken(input.name);
      return added;
    },
    async changeCategory(id, given) {
      await refuseForeign(id);
      const input = checkCategory(given);
      const changed = await (await store()).changeCategory(id, input, await namesOfTracker());
      if (changed === null) throw unknownCategory('id', id);
      if (changed === false) throw nameTaken(input.name);
      return changed;
    },
    async removeCategory(id) {
      await refuseForeign(id);
      const { delegations } = await directory();
      const isNamed = delegations.some(({ categoryIds }) => categoryIds.includes(id));
      const outcome = isNamed ? 'used' : await (await store()).removeCategory(id);
      if (outcome === 'unknown') throw unknownCategory('id', id);
      if (outcome === 'used') {
        const sentence = `id '${id}' is a category that delegations name, and all their versions are stored. Try: a category that none names.`;
        throw badField('in-use', 'id', sentence);
      }
    },
  };
}

function nameTaken(name: string): AppError {
  const sentence = `name ${quoted(name)} is the name of another category. Try: a name that no category has in any case.`;
  return badField('name-taken', 'name', sentence);
}

function badField(reason: ErrorReason, field: string, sentence: string): AppError {
  return new AppError(reason, 'Bad request', [sentence], { fields: { [field]: sentence } });
}

function unknownDelegation(id: number): AppError {
  return new AppError('unknown-delegation', `Delegation with id "${id}" could not be found.`, [], {
    data: { id },
  });
}

function unknownCategory(by: 'id' | 'name', value: string | number): AppError {
  return new AppError('unknown-category', `Category with ${by} "${value}" could not be found.`, [], {
    data: { [by]: value },
  });
}

/** The category of a name, whatever the case, as it is stored; null in place of an id for `general`. `not-found` for none. */
export function findCategory(
  categories: readonly Category[],
  name: string,
): { readonly id: CategoryId; readonly name: string } {
  const wanted = foldedCategoryName(name);
  const all = [{ id: null, name: GENERAL }, ...categories];
  const found = all.find((category) => foldedCategoryName(category.name) === wanted);
  if (found === undefined) throw unknownCategory('name', name);
  return found;
}
