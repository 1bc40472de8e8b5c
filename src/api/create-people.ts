import type { Instant, User } from '../model/issue.ts';
import type { PersonLink } from '../model/person-link.ts';
import type { LinkStore } from '../store/store.ts';
import { storedId } from './delegations/stored-id.ts';
import { unknownUser } from './delegations/unknown.ts';
import { createInvitations } from './people/invitations.ts';
import type { PeopleApi } from './people.ts';
import type { Tokens } from './tokens.ts';

/** What the port of who is who is made of; links are asked for anew with every question. */
export interface PeopleParts {
  readonly links: () => Promise<LinkStore>;
  readonly users: () => Promise<ReadonlyMap<string, User>>;
  readonly tokens: Pick<Tokens, 'verify' | 'key'>;
  readonly now: () => Instant;
}

/** The port of who is who, over the tracker's users and the links kept here. */
export function createPeople({ links, users, tokens, now }: PeopleParts): PeopleApi {
  const invitations = createInvitations(tokens.key, now);

  async function link(account: string, user: string, by: string | null): Promise<PersonLink> {
    const id = storedId(await users(), user);
    if (id === null) throw unknownUser(user);
    const said = { account, user: id, by: by ?? id, at: now() };
    await (await links()).put(said);
    return said;
  }

  return {
    users,
    links: async () => (await links()).links(),
    linkOf: async (account) => (await links()).link(account),
    link,
    unlink: async (account) => (await links()).remove(account),
    invite: invitations.seal,
    readInvitation: invitations.read,
    async accept(ticket, token) {
      const { account } = await invitations.read(ticket);
      const { user } = await tokens.verify(token);
      return link(account, user, null);
    },
  };
}
