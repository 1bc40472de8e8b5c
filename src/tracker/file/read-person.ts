import type { User } from '../../model/issue.ts';
import type { JiraPerson } from './jira-schema.ts';
import { readTimeZone } from './read-time-zone.ts';

/** Cloud knows people by account id, Data Center by key; whatever is there, and not empty, decides who somebody is. */
export function readPerson(person: JiraPerson): User | null {
  if (!person) return null;
  const id = person.accountId || person.key || person.name || person.displayName;
  if (!id) return null;
  const email = person.emailAddress;
  const timeZone = readTimeZone(person.timeZone);
  return {
    id,
    name: person.displayName || person.name || id,
    ...(email ? { email } : {}),
    ...(timeZone ? { timeZone } : {}),
  };
}
