import { foldedCategoryName } from '../../../issues/ids-and-names.ts';
import { type Category, type CategoryId, GENERAL } from '../../../model/delegation.ts';
import { unknownCategory } from '../../delegations/unknown.ts';

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
