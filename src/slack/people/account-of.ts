import type { User } from '../../model/issue.ts';
import { type PeopleParts, usersWithEmail } from './recognize.ts';

/** The account somebody reads: the one linked last, else the one with their e-mail address; null where none is certain. */
export async function accountOf(user: User, { people, accounts }: PeopleParts): Promise<string | null> {
  const links = (await people.links()).filter((link) => link.user === user.id);
  const [latest] = links.toSorted((a, b) => b.at - a.at);
  if (latest !== undefined) return latest.account;
  if (user.email === undefined || usersWithEmail(user.email, await people.users()).length > 1) return null;
  const account = await accounts.withEmail(user.email);
  // Whoever said that they are somebody else is believed.
  return account !== null && (await people.linkOf(account)) === null ? account : null;
}
