import type { Category, CategoryInput } from '../../../model/delegation.ts';
import { AppError, badFields } from '../../../model/error.ts';
import { unknownCategoryId, unknownDelegation } from '../../delegations/unknown.ts';
import type { OwnRegister } from '../../register.ts';
import { quoted } from '../settings/quoted.ts';
import { checkCategory } from './check-category.ts';
import type { LocalRegisterParts } from './register-parts.ts';

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
