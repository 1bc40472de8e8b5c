import { z } from 'zod';
import type { User } from '../../model/issue.ts';
import { knownZone } from '../../time/zones.ts';

const optionalText = z.string().nullish().catch(null);

/** A person as Jira sends it, as far as it is read here. */
export const jiraPerson = z
  .object({
    accountId: optionalText,
    key: optionalText,
    name: optionalText,
    displayName: optionalText,
    emailAddress: optionalText,
    timeZone: optionalText,
  })
  .nullish();
export type JiraPerson = z.output<typeof jiraPerson>;

/**
 * Cloud identifies people by account id, Data Center by key; the one that is present and not empty is the identity. The
 * name by which people sign in to Data Center can be given to another person, the key cannot.
 */
export function readPerson(person: JiraPerson): User | null {
  if (!person) return null;
  const id = person.accountId || person.key || person.name || person.displayName;
  if (!id) return null;
  // Old exports of Cloud have names as well, which are no longer in use there.
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
