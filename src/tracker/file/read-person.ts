import type { User } from '../../model/issue.ts';
import type { JiraPerson } from './jira-schema.ts';

/** Cloud knows people by account id, Data Center by key; whatever is there decides who somebody is. */
export function readPerson(person: JiraPerson): User | null {
  const id = person?.accountId ?? person?.key ?? person?.name ?? person?.displayName;
  if (!person || !id) return null;
  const email = person.emailAddress;
  return { id, name: person.displayName ?? person.name ?? id, ...(email ? { email } : {}) };
}
