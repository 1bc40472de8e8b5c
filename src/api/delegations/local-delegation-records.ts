import { memo } from '../../cache/memo.ts';
import { delegatesAt, delegatorsAt } from '../../delegation/delegates-at.ts';
import { foldedCategoryName } from '../../issues/ids-and-names.ts';
import {
  type Category,
  type CategoryId,
  type CategoryInput,
  type DelegateLookup,
  type Delegation,
  GENERAL,
} from '../../model/delegation.ts';
import type { Directory } from '../../model/directory.ts';
import { AppError, badFields } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import type { DelegationStore } from '../../store/store.ts';
import {
  storedId,
  unknownCategory,
  unknownCategoryId,
  unknownDelegation,
  unknownUser,
} from '../people/logins.ts';
import { quoted } from '../refusals.ts';
import { checkRoom, checkWish } from './check-delegation.ts';
import type { OwnRegister, Register } from './delegation-api.ts';

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

/** What the local register is built from; each is asked for anew with every question. */
export interface LocalRegisterParts {
  readonly store: () => Promise<DelegationStore>;
  /** The delegations and categories the tracker brings along. */
  readonly directory: () => Promise<Pick<Directory, 'categories' | 'delegations'>>;
  readonly users: () => Promise<ReadonlyMap<string, User>>;
  readonly now: () => Instant;
}

/** Categories and old versions. What the tracker brings along is told with the rest; its categories stay as they are. */
export function ownRegister({ store, directory }: LocalRegisterParts): OwnRegister {
  const namesOfTracker = async () => (await directory()).categories.map(({ name }) => name);

  async function refuseForeign(id: number): Promise<void> {
    const foreign = (await directory()).categories.find((category) => category.id === id);
    if (foreign !== undefined) throw foreignCategory(foreign);
  }

  return {
    async versions(id) {
      const kept = await (await store()).versions(id);
      if (kept.length > 0) return kept;
      const brought = (await directory()).delegations.find((delegation) => delegation.id === id);
      if (brought === undefined) throw unknownDelegation(id);
      return [{ ...brought, savedBy: null, savedAt: null }];
    },
    async addCategory(given) {
      const wish = checkCategory(given);
      const added = await (await store()).addCategory(wish, await namesOfTracker());
      if (added === null) throw nameTaken(wish);
      return added;
    },
    async changeCategory(id, given) {
      await refuseForeign(id);
      const wish = checkCategory(given);
      const changed = await (await store()).changeCategory(id, wish, await namesOfTracker());
      if (changed === null) throw unknownCategoryId(id);
      if (changed === false) throw nameTaken(wish);
      return changed;
    },
    async removeCategory(id) {
      await refuseForeign(id);
      const { delegations } = await directory();
      if (delegations.some(({ categoryIds }) => categoryIds.includes(id))) throw usedCategory(id);
      switch (await (await store()).removeCategory(id)) {
        case 'used':
          throw usedCategory(id);
        case 'unknown':
          throw unknownCategoryId(id);
        case 'removed':
          return;
      }
    },
  };
}

function nameTaken({ name }: CategoryInput): AppError {
  return badFields({
    name: `name ${quoted(name)} is the name of another category; allowed: a name that no category has in any case.`,
  });
}

function usedCategory(id: number): AppError {
  return badFields({
    id: `id '${id}' is a category that delegations name, and all their versions are kept; allowed: categories that none names.`,
  });
}

function foreignCategory({ id, name }: Category): AppError {
  return new AppError(
    'not-allowed',
    `Category with id "${id}" (${name}) belongs to the tracker's workspace and cannot be changed here.`,
  );
}

const LONGEST_NAME = 100;
const LONGEST_DESCRIPTION = 1_000;

/** Control and format characters, separators of lines, and halves of characters. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The wish without blanks around the name; what is wrong is `bad-request`. Whether the name is taken is not asked. */
function checkCategory({ name: given, description }: CategoryInput): CategoryInput {
  const name = given.trim().normalize('NFC');
  const legible = name.replaceAll(unseen, '\u{FFFD}');
  const wrong: Record<string, string> = {};
  if (name.length < 1 || name.length > LONGEST_NAME) {
    wrong.name = `name ${quoted(legible)} has ${name.length} characters; allowed: 1 to ${LONGEST_NAME} characters.`;
  } else if (legible !== name || foldedCategoryName(name) === '') {
    wrong.name = `name ${quoted(legible)} has characters that nobody sees; allowed: letters, digits, signs and blanks, in one line.`;
  } else if (foldedCategoryName(name) === GENERAL) {
    wrong.name = `name ${quoted(name)} is that of what covers every category; allowed: any other name.`;
  }
  if (description.length > LONGEST_DESCRIPTION) {
    wrong.description = `description ${quoted(description)} has ${description.length} characters; allowed: at most ${LONGEST_DESCRIPTION} characters.`;
  }
  if (Object.keys(wrong).length > 0) throw badFields(wrong);
  return { name, description };
}

/** A category as it is told: its stored name, and null in place of an id for `general`. */
interface NamedCategory {
  readonly id: CategoryId;
  readonly name: string;
}

/** The category that somebody names, whatever the case; `not-found` for none. */
export function findCategory(categories: readonly Category[], name: string): NamedCategory {
  const wanted = foldedCategoryName(name);
  const all: readonly NamedCategory[] = [{ id: null, name: GENERAL }, ...categories];
  const found = all.find((category) => foldedCategoryName(category.name) === wanted);
  if (found === undefined) throw unknownCategory(name);
  return found;
}
