import type { PeopleApi } from '../../src/api/people/create-people.ts';
import type { PersonLink } from '../../src/model/chat.ts';
import type { User } from '../../src/model/issue.ts';
import { defaultTenant } from '../../src/model/request.ts';

/** A link told in a few words: an admin's, unless said otherwise. */
export type ShortLink = Pick<PersonLink, 'account' | 'user' | 'at'> & Partial<PersonLink>;

/** The people of a tracker with the links that hold, for reading only. */
export function peopleLinked(users: ReadonlyMap<string, User>, links: readonly ShortLink[] = []): PeopleApi {
  const known = links.map((link) => ({ by: 'ada', proof: null, ...link }));
  const notHere = async () => {
    throw new Error('not asked for here');
  };
  return {
    tenant: defaultTenant,
    users: async () => users,
    areHosted: async () => false,
    hostedUser: async () => null,
    links: async () => known,
    dormantLinks: async () => [],
    linkOf: async (account) => known.find((link) => link.account === account) ?? null,
    link: notHere,
    unlink: notHere,
    createLinkToken: notHere,
    readLinkToken: notHere,
    accept: notHere,
  };
}
