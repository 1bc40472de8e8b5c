import type { User } from '../../model/issue.ts';
import type { DoorParts } from '../command.ts';

/** Which user of the tracker an account is; where that is not certain, who it may be or why nobody knows. */
export type Recognition =
  | { readonly kind: 'known'; readonly user: User }
  | { readonly kind: 'several'; readonly users: readonly User[] }
  | { readonly kind: 'unknown'; readonly because: string };

/** What recognizing somebody draws on. */
export type PeopleParts = Pick<DoorParts, 'people' | 'accounts'>;

const noScope =
  'Slack does not let me read e-mail addresses: an admin has to install the app again with the scopes users:read and users:read.email.';

/** By what somebody has said, else by an e-mail address that exactly one user of the tracker has. Never a guess. */
export async function recognize(account: string, { people, accounts }: PeopleParts): Promise<Recognition> {
  const users = await people.users();
  const link = await people.linkOf(account);
  if (link !== null) {
    const user = users.get(link.user);
    return user === undefined
      ? { kind: 'unknown', because: `The account is linked to ${link.user}, whom the tracker does not know.` }
      : { kind: 'known', user };
  }
  const { email, refused } = await accounts.profileOf(account);
  if (refused === 'missing_scope') return { kind: 'unknown', because: noScope };
  if (refused !== null)
    return { kind: 'unknown', because: `Slack tells nothing of the account (${refused}).` };
  if (email === null) return { kind: 'unknown', because: 'Slack tells no e-mail address of the account.' };
  const [user, ...others] = usersWithEmail(email, users);
  if (user === undefined) {
    return { kind: 'unknown', because: 'Nobody in the tracker has the e-mail address that Slack tells.' };
  }
  return others.length === 0 ? { kind: 'known', user } : { kind: 'several', users: [user, ...others] };
}

/** Everybody with an e-mail address, without regard to case. */
export function usersWithEmail(email: string, users: ReadonlyMap<string, User>): readonly User[] {
  const wanted = email.toLowerCase();
  return [...users.values()].filter((user) => user.email?.toLowerCase() === wanted);
}
