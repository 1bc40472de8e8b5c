import type { User } from '../../model/issue.ts';
import { knownZone } from '../../time/zones.ts';
import type { JiraPerson } from './jira-schema.ts';

/**
 * Cloud knows people by account id, Data Center by key; whatever is there, and not empty, decides who somebody is. The
 * name by which people sign in to Data Center can be given to another person, the key cannot.
 */
export function readPerson(person: JiraPerson): User | null {
  if (!person) return null;
  const id = person.accountId || person.key || person.name || person.displayName;
  if (!id) return null;
  // Old exports of Cloud have names as well, which nobody there is called by any more.
  const login = person.accountId || person.name === id ? null : person.name;
  const email = person.emailAddress;
  const timeZone = knownZone(person.timeZone);
  return {
    id,
    name: person.displayName || person.name || id,
    ...(login ? { login } : {}),
    ...(email ? { email } : {}),
    ...(timeZone ? { timeZone } : {}),
  };
}
