import type { Asker } from '../../model/request.ts';
import type { DelegationApi } from '../delegation.ts';
import type { OwnRegister } from '../register.ts';
import type { AskerRights } from './asker-rights.ts';
import type { DelegationParts } from './delegation-parts.ts';
import { notAllowed } from './not-allowed.ts';

/** Categories are for everybody to read who may view anything. */
export function delegationCategories(
  { register }: DelegationParts,
  rights: AskerRights,
): Pick<
  DelegationApi,
  'categories' | 'permitCategories' | 'createCategory' | 'updateCategory' | 'deleteCategory'
> {
  async function editor(asker: Asker): Promise<OwnRegister> {
    await rights.editingCategories(asker);
    if (register.own === null) throw notAllowed('elsewhere');
    return register.own;
  }

  return {
    async categories(asker) {
      await rights.viewing(asker);
      return register.categories();
    },
    async permitCategories(asker) {
      await editor(asker);
    },
    createCategory: async (asker, wish) => (await editor(asker)).addCategory(wish),
    updateCategory: async (asker, id, wish) => (await editor(asker)).changeCategory(id, wish),
    deleteCategory: async (asker, id) => (await editor(asker)).removeCategory(id),
  };
}
