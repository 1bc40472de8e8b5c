import type { User } from '../../model/issue.ts';
import { holdersOf } from './holders-of.ts';

/** The login, else the id, by which somebody and nobody else can be meant; null where others are called by both. */
export function unmistakableName({ id, login = id }: User, users: ReadonlyMap<string, User>): string | null {
  const isTheirs = (name: string) => holdersOf(name, users).every((one) => one.id === id);
  return [login, id].find(isTheirs) ?? null;
}
