import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { someOf } from '../../block-kit/some-of.ts';
import type { Category, CategoryId } from '../../model/delegation.ts';
import type { User } from '../../model/issue.ts';

const NAME_LENGTH = 60;

/** How people and categories are called in a message: shortened, and nothing escaped. */
export interface Names {
  person(id: string): string;
  /** A delegation without categories is of everything. */
  category(id: CategoryId): string;
}

/** Whom nobody knows any more is called by their id. */
export function namesOf(users: ReadonlyMap<string, User>, categories: readonly Category[]): Names {
  const byId = new Map(categories.map(({ id, name }) => [id, name]));
  return {
    person: (id) => shorten(users.get(id)?.name ?? id, NAME_LENGTH),
    category: (id) => (id === null ? 'everything' : shorten(byId.get(id) ?? `category ${id}`, NAME_LENGTH)),
  };
}

/** The same names, escaped. */
export function escapedNames({ person, category }: Names): Names {
  return {
    person: (id) => escapeMrkdwn(person(id)),
    category: (id) => escapeMrkdwn(category(id)),
  };
}

/** The categories of a delegation: `everything`, or the names of the first; the rest is counted. */
export function categoriesText(categoryIds: readonly number[], { category }: Names): string {
  return categoryIds.length === 0 ? category(null) : someOf(categoryIds.map(category));
}
