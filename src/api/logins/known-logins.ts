import { memo } from '../../cache/memo.ts';
import type { User } from '../../model/issue.ts';
import { storedId } from '../delegations/stored-id.ts';

/** The logins of the tracker's people: outside somebody is told by login, inside by id. */
interface Logins {
  /**
   * The id of whoever is named outside: exactly this login, else exactly this id, else the same without regard to case.
   * The name itself where that is nobody, or several.
   */
  idNamed(name: string): string;
  /** What somebody is called outside; the id where no login is known that is theirs alone. */
  nameOf(id: string): string;
  /** The id of whoever a token is for: exactly this id, else exactly this login; the text itself where that is nobody. */
  idOfHolder(user: string): string;
}

/**
 * Reads the logins of all people. A name can be the login of one and the id of another, who was called so before:
 * outside the login counts, as the tracker has it; a token stays that of the id, whose rights it always had. A login that
 * several have, because some were last told of long ago, is nobody's. The same people, asked for several times in one
 * question, are read once.
 */
export const knownLogins = memo((users: ReadonlyMap<string, User>): Logins => {
  const ids = new Map<string, string>();
  const shared = new Set<string>();
  for (const { id, login } of users.values()) {
    if (login === undefined) continue;
    if (ids.has(login)) shared.add(login);
    ids.set(login, id);
  }
  for (const login of shared) ids.delete(login);

  return {
    idNamed(name) {
      const exact = ids.get(name) ?? users.get(name)?.id;
      if (exact !== undefined) return exact;
      const login = storedId(ids, name);
      return (login === null ? storedId(users, name) : ids.get(login)) ?? name;
    },
    nameOf(id) {
      const login = users.get(id)?.login;
      return login !== undefined && ids.has(login) ? login : id;
    },
    idOfHolder: (user) => (users.has(user) ? user : (ids.get(user) ?? user)),
  };
});
