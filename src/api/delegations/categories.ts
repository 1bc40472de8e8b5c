import type { Principal } from '../../model/principal.ts';
import type { DelegationApi } from '../delegation.ts';
import type { OwnRegister } from '../register.ts';
import type { DelegationParts } from './delegation-parts.ts';
import { notAllowed } from './not-allowed.ts';
import type { PrincipalRights } from './principal-rights.ts';

/** Categories are for everybody to read who may view anything. */
export function delegationCategories(
  { register }: DelegationParts,
  rights: PrincipalRights,
): Pick<
  DelegationApi,
  'categories' | 'permitCategories' | 'createCategory' | 'updateCategory' | 'deleteCategory'
> {
  async function editor(principal: Principal): Promise<OwnRegister> {
    await rights.editingCategories(principal);
    if (register.own === null) throw notAllowed('elsewhere');
    return register.own;
  }

  return {
    async categories(principal) {
      await rights.viewing(principal);
      return register.categories();
    },
    async permitCategories(principal) {
      await editor(principal);
    },
    createCategory: async (principal, wish) => (await editor(principal)).addCategory(wish),
    updateCategory: async (principal, id, wish) => (await editor(principal)).changeCategory(id, wish),
    deleteCategory: async (principal, id) => (await editor(principal)).removeCategory(id),
  };
}
