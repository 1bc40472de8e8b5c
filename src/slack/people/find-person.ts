import type { User } from '../../model/issue.ts';
import type { PeopleParts } from '../parts.ts';
import type { Member } from './member.ts';
import { type Recognition, recognize } from './recognize.ts';
import { usersLike, usersNamed } from './users-named.ts';

/** Somebody as they were typed: a mention's account, or a name. */
export type TypedPerson = { readonly account: string } | { readonly name: string };

/** The same, found or not; `unknown` may come with names that are similar. */
export type FoundPerson =
  | Exclude<Recognition, { readonly kind: 'unknown' }>
  | { readonly kind: 'unknown'; readonly because: string; readonly similar: readonly User[] };

/** Which user of the tracker a member means; `me` is the member. */
export async function findPerson(
  typed: TypedPerson,
  { user: self }: Pick<Member, 'user'>,
  parts: PeopleParts,
): Promise<FoundPerson> {
  if ('account' in typed) {
    const found = await recognize(typed.account, parts);
    return found.kind === 'unknown' ? { ...found, similar: [] } : found;
  }
  if (typed.name.toLowerCase() === 'me') return { kind: 'known', user: self };
  const users = await parts.people.users();
  const [user, ...others] = usersNamed(typed.name, users);
  if (user === undefined) {
    const hostedUser = await parts.people.hostedUser(typed.name);
    if (hostedUser !== null) return { kind: 'known', user: hostedUser };
    const because = 'The tracker knows nobody of this user name, id or full name.';
    return { kind: 'unknown', because, similar: usersLike(typed.name, users) };
  }
  return others.length === 0 ? { kind: 'known', user } : { kind: 'several', users: [user, ...others] };
}
