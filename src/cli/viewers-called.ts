import { knownLogins } from '../api/logins/known-logins.ts';
import { foldedName } from '../model/folded-name.ts';
import type { Known } from './known.ts';

/** A person or a group, of which one may have the id of the other. */
export interface Viewer {
  readonly kind: 'user' | 'group';
  readonly id: string;
}

/**
 * Whom a word can mean: a user by id or login and a group by id; if there is none spelled so, all whose id, login,
 * address or full name, or whose name as a group, is the same without regard to case. `user:` or `group:` before it says
 * which of both is meant.
 */
export function viewersCalled(word: string, known: Known): readonly Viewer[] {
  const [, kind = null, bare = word] = /^(user|group):(.+)$/s.exec(word) ?? [];
  const found = [
    ...(kind === 'group' ? [] : usersCalled(bare, known)),
    ...(kind === 'user' ? [] : groupsCalled(bare, known)),
  ];
  const exact = found.filter(({ isExact }) => isExact);
  return (exact.length > 0 ? exact : found).map(({ viewer }) => viewer);
}

interface Found {
  readonly viewer: Viewer;
  readonly isExact: boolean;
}

function usersCalled(word: string, { users }: Known): readonly Found[] {
  const named = users.get(knownLogins(users).idNamed(word));
  const alike = [...users.values()].filter(
    (user) => user === named || [user.email, user.name].some((one) => isCalled(one, word)),
  );
  return alike.map(({ id, login }) => ({
    viewer: { kind: 'user', id },
    isExact: id === named?.id && (id === word || login === word),
  }));
}

function groupsCalled(word: string, { groups }: Known): readonly Found[] {
  return groups
    .filter(({ id, name }) => id === word || isCalled(name, word))
    .map(({ id }) => ({ viewer: { kind: 'group', id }, isExact: id === word }));
}

function isCalled(name: string | null | undefined, word: string): boolean {
  return typeof name === 'string' && foldedName(name) === foldedName(word);
}
