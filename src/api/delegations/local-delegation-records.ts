import { isDeepStrictEqual } from 'node:util';
import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { memo } from '../../cache/namespace.ts';
import { isDue } from '../../concurrency/clock-check.ts';
import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { delegatesAt, delegatorsAt } from '../../delegation/delegates-at.ts';
import {
  type Category,
  type CategoryId,
  type DelegateLookup,
  type Delegation,
  type DelegationEntry,
  type DelegationInput,
  type DelegationVersion,
  GENERAL,
} from '../../model/delegation.ts';
import type { Directory } from '../../model/directory.ts';
import { AppError, about, badRequestAs, quoted } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import { foldedCategoryName } from '../../model/issues/ids-and-names.ts';
import type { Documents } from '../../store/documents.ts';
import { storedId, unknownUser } from '../people/logins.ts';
import { checkCategory, checkCount, checkDelegation } from './check-delegation.ts';
import type { DelegationRecords, OwnRecords } from './delegation-api.ts';

/** The sources of local records; each is read again for every request. */
interface LocalRecordsParts {
  readonly store: () => Promise<Documents<DelegationEntry>>;
  /** The delegations and categories the tracker brings along. */
  readonly directory: () => Promise<Brought>;
  readonly users: () => Promise<ReadonlyMap<string, User>>;
  readonly now: () => Instant;
}

type Brought = Pick<Directory, 'categories' | 'delegations'>;

/** Delegations in our own store, together with those the tracker brings along. */
export function createLocalRecords(parts: LocalRecordsParts): DelegationRecords {
  const { store, directory, users, now } = parts;
  const sameWhileEqual = steady<readonly Delegation[]>();

  async function delegations(): Promise<readonly Delegation[]> {
    const brought = await directory();
    const stored = newestIn(await (await store()).list());
    return allDelegations(brought.delegations, sameWhileEqual(stored));
  }

  const categories = async () => allCategories(await directory(), await (await store()).list());

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

  /** Makes a check of an input, to be run in the transaction that saves it. */
  async function checking() {
    const [known, brought, at] = [await users(), await directory(), now()];
    const checked = (
      input: DelegationInput,
      current: Delegation | null,
      entries: readonly DelegationEntry[],
    ) => {
      const all = allDelegations(brought.delegations, newestIn(entries));
      const context = { users: known, categories: allCategories(brought, entries), current };
      const stored = checkDelegation(input, context);
      checkCount(stored, { all, current, now: at });
      return stored;
    };
    return { checked, brought: brought.delegations, at };
  }

  return {
    delegatesOf: lookup(delegatesAt),
    delegatorsOf: lookup(delegatorsAt),
    categories,
    delegations,
    delegation,
    async add(input, by) {
      const { checked, at } = await checking();
      const { versions } = await (await store()).addNumbered(delegationNumbers, (id, entries) => {
        return { versions: [versionOf(checked(input, null, entries), { id, version: 1, by, at })] };
      });
      return savedIn(versions);
    },
    async change(id, change, by) {
      const { checked, brought, at } = await checking();
      const { versions } = await (await store()).change(entryOfDelegation(id), (stored, entries) => {
        const before = withBrought(versionsOf(stored), id, brought);
        const current = savedIn(before);
        const changed = checked(change(current), current, entries);
        return { versions: [...before, versionOf(changed, { id, version: current.version + 1, by, at })] };
      });
      return savedIn(versions);
    },
    own: ownRecords(parts),
  };
}

/** Returns the value it returned before as long as that is equal, so that results of it can be cached. */
function steady<Value>(): (value: Value) => Value {
  let last: { readonly seen: Value; readonly given: Value } | null = null;
  return (value) => {
    if (last?.seen === value) return last.given;
    last = { seen: value, given: last !== null && isDeepStrictEqual(last.given, value) ? last.given : value };
    return last.given;
  };
}

function savedIn(versions: readonly DelegationVersion[]): Delegation {
  const newest = newestOf(versions);
  if (newest === null) throw new Error('A delegation has at least one version.');
  return newest;
}

/** The versions of a delegation; where none is stored, the one that the tracker brings along. */
function withBrought(
  stored: readonly DelegationVersion[],
  id: number,
  brought: readonly Delegation[],
): readonly DelegationVersion[] {
  if (stored.length > 0) return stored;
  const first = brought.find((delegation) => delegation.id === id);
  if (first === undefined) throw unknownDelegation(id);
  return [{ ...first, savedBy: null, savedAt: null }];
}

function allCategories({ categories }: Brought, entries: readonly DelegationEntry[]): readonly Category[] {
  return [...categories, ...categoriesIn(entries)].sort((a, b) => a.id - b.id);
}

/**
 * The delegations that the tracker brings along and those stored here, by id; of one id the stored one counts. The same
 * array for the same two, so that results of it can be cached.
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

/** Categories and old versions. Those the tracker brings along are shown with the rest; its categories cannot be changed. */
function ownRecords({ store, directory }: LocalRecordsParts): OwnRecords {
  /** The directory of the tracker; a category of the tracker with this id is refused. */
  async function withoutCategory(id: number): Promise<Brought> {
    const brought = await directory();
    const foreign = brought.categories.find((category) => category.id === id);
    if (foreign === undefined) return brought;
    const sentence = `Category with id "${id}" (${foreign.name}) belongs to the tracker's workspace and cannot be changed here.`;
    throw new AppError('managed-by-tracker', sentence);
  }

  return {
    async versions(id) {
      const stored = versionsOf(await (await store()).get(entryOfDelegation(id)));
      return withBrought(stored, id, (await directory()).delegations);
    },
    async addCategory(given) {
      const input = checkCategory(given);
      const brought = await directory();
      const { category } = await (await store()).addNumbered(categoryNumbers, (id, entries) => {
        assertNameFree(input.name, allCategories(brought, entries));
        return { category: { id, ...input } };
      });
      return category;
    },
    async changeCategory(id, given) {
      const brought = await withoutCategory(id);
      const input = checkCategory(given);
      const { category } = await (await store()).change(entryOfCategory(id), (stored, entries) => {
        if (stored === null) throw unknownCategory('id', id);
        assertNameFree(
          input.name,
          allCategories(brought, entries).filter((other) => other.id !== id),
        );
        return { category: { id, ...input } };
      });
      return category;
    },
    async removeCategory(id) {
      const { delegations } = await withoutCategory(id);
      await (await store()).change(entryOfCategory(id), (stored, entries) => {
        const isBroughtNamed = delegations.some(({ categoryIds }) => categoryIds.includes(id));
        if (stored === null && !isBroughtNamed) throw unknownCategory('id', id);
        if (!isBroughtNamed && !isCategoryNamed(entries, id)) return null;
        const problem = `'${id}' is a category that delegations name, and all their versions are stored. Try: a category that none names.`;
        throw badRequestAs('in-use', about('id', problem));
      });
    },
  };
}

/** Refuses a name that another category has. */
function assertNameFree(name: string, others: readonly Category[]): void {
  const folded = foldedCategoryName(name);
  if (!others.some((other) => foldedCategoryName(other.name) === folded)) return;
  const problem = `${quoted(name)} is the name of another category. Try: a name that no category has in any case.`;
  throw badRequestAs('name-taken', about('name', problem));
}

function unknownDelegation(id: number): AppError {
  const sentence = `Delegation with id "${id}" could not be found.`;
  return new AppError('unknown-delegation', sentence, [], { data: { id } });
}

function unknownCategory(by: 'id' | 'name', value: string | number): AppError {
  const sentence = `Category with ${by} "${value}" could not be found.`;
  return new AppError('unknown-category', sentence, [], { data: { [by]: value } });
}

/** The stored category of a name in any case; its id is null for `general`. `not-found` where there is none. */
function findCategory(
  categories: readonly Category[],
  name: string,
): { readonly id: CategoryId; readonly name: string } {
  const wanted = foldedCategoryName(name);
  const all = [{ id: null, name: GENERAL }, ...categories];
  const found = all.find((category) => foldedCategoryName(category.name) === wanted);
  if (found === undefined) throw unknownCategory('name', name);
  return found;
}

/** Trackers bring categories and delegations along, whose ids are smaller. */
const categoryNumbers = { name: 'category', first: 101 };
const delegationNumbers = { name: 'delegation', first: 100_001 };

/** The last of some versions, without the account that saved it; null where there is none. */
const newestOf = memo((versions: readonly DelegationVersion[]): Delegation | null => {
  const last = versions.at(-1);
  if (last === undefined) return null;
  const { savedBy: _, savedAt: __, ...delegation } = last;
  return delegation;
});

/** The keys under which a category, or a delegation, is stored. */
const entryOfCategory = (id: number) => `${categoryNumbers.name} ${id}`;
const entryOfDelegation = (id: number) => `${delegationNumbers.name} ${id}`;

/** The categories among all that is stored, by id. */
const categoriesIn = memo((entries: readonly DelegationEntry[]): readonly Category[] =>
  entries.flatMap((entry) => ('category' in entry ? entry.category : [])).sort((a, b) => a.id - b.id),
);

/** The newest version of each delegation among all that is stored, by id. */
const newestIn = memo((entries: readonly DelegationEntry[]): readonly Delegation[] =>
  entries.flatMap((entry) => newestOf(versionsOf(entry)) ?? []).sort((a, b) => a.id - b.id),
);

/** The versions of a stored delegation, the oldest first; none of anything else. */
function versionsOf(entry: DelegationEntry | null): readonly DelegationVersion[] {
  return entry !== null && 'versions' in entry ? entry.versions : [];
}

/** A version of an input, which may have been made of a whole delegation: it does not bring another id or version. */
function versionOf(
  { active, delegator, delegates, categoryIds, start, end, notes }: DelegationInput,
  { id, version, by, at }: Pick<Delegation, 'id' | 'version'> & { readonly by: string; readonly at: Instant },
): DelegationVersion {
  const input = { active, delegator, delegates, categoryIds, start, end, notes };
  return { ...input, id, version, savedBy: by, savedAt: at };
}

/** Returns true where any version of a delegation names a category. */
function isCategoryNamed(entries: readonly DelegationEntry[], id: number): boolean {
  return entries.some((entry) => versionsOf(entry).some(({ categoryIds }) => categoryIds.includes(id)));
}

/**
 * Returns what the clock calls to remove delegations with all their versions once they have ended long ago, one after the
 * other, `days` after their end (null: they stay). Those that the tracker brings along would come back, and stay.
 */
export function createEndedRemoval({
  store,
  days,
  now,
}: Pick<LocalRecordsParts, 'store' | 'now'> & { readonly days: number | null }): () => Promise<void> {
  let tidiedAt: Instant | null = null;
  return async () => {
    if (days === null || !isDue(now(), tidiedAt, millisecondsInHour)) return;
    tidiedAt = now();
    const before = now() - days * millisecondsInDay;
    const documents = await store();
    const isOver = (entry: DelegationEntry | null) => {
      const last = newestOf(versionsOf(entry));
      return last !== null && last.end < before;
    };
    for (const { id, end } of newestIn(await documents.list())) {
      if (end >= before || id < delegationNumbers.first) continue;
      await documents.change(entryOfDelegation(id), (stored) => (isOver(stored) ? null : stored));
      await yieldToOthers();
    }
  };
}
