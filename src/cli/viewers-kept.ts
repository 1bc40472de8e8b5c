import { knownLogins } from '../api/logins/known-logins.ts';
import type { Known } from './known.ts';
import type { Viewer } from './viewers-called.ts';

/**
 * Whom an entry of a kept list means, as rights are told by it: exactly this id, of a user, a group or both, else
 * exactly this login. `user:` or `group:` before it says which; nobody where the tracker does not know them.
 */
export function viewersKept(entry: string, { groups, users }: Known): readonly Viewer[] {
  const [, kind = null, bare = entry] = /^(user|group):(.+)$/s.exec(entry) ?? [];
  const isGroup = kind !== 'user' && groups.some(({ id }) => id === bare);
  const id = isGroup ? bare : knownLogins(users).idOfHolder(bare);
  const isUser = kind !== 'group' && users.has(id);
  return [
    ...(isUser ? [{ kind: 'user', id } as const] : []),
    ...(isGroup ? [{ kind: 'group', id: bare } as const] : []),
  ];
}
