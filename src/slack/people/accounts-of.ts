import type { User } from '../../model/issue.ts';
import type { PeopleParts } from '../parts.ts';
import { usersWithEmail } from './recognize.ts';

/**
 * The accounts somebody reads: those linked to them, the last one first, then the one with their e-mail address; none
 * that is not certain. Slack is asked only by whoever goes on beyond the linked ones.
 */
export async function* accountsOf(user: User, { people, accounts }: PeopleParts): AsyncGenerator<string> {
  const linked = (await people.links())
    .filter((link) => link.user === user.id)
    .toSorted((a, b) => b.at - a.at)
    .map(({ account }) => account);
  yield* linked;
  if (user.email === undefined || usersWithEmail(user.email, await people.users()).length > 1) return;
  const account = await accounts.withEmail(user.email);
  // Whoever said that they are somebody else is believed.
  if (account !== null && (await people.linkOf(account)) === null) yield account;
}
