import type { LinkProof, PersonLink } from '../model/chat.ts';
import { AppError } from '../model/error.ts';
import type { Instant, User } from '../model/issue.ts';
import type { LinkStore } from '../store/store.ts';
import { storedId } from './delegations/stored-id.ts';
import { unknownUser } from './delegations/unknown.ts';
import { knownLogins } from './logins/known-logins.ts';
import { createInvitations, invalidInvitation, type SealedInvitation } from './people/invitations.ts';
import type { PeopleApi } from './people.ts';
import type { Tokens } from './tokens.ts';

/** What the port of who is who is made of; links are asked for anew with every question. */
interface PeopleParts {
  readonly links: () => Promise<LinkStore>;
  readonly users: () => Promise<ReadonlyMap<string, User>>;
  readonly tokens: Pick<Tokens, 'tenant' | 'recordOf' | 'isActive' | 'key'>;
  readonly now: () => Instant;
  /** The hosted register, where there is one; `counts` while there is no tracker that tells of people. */
  readonly register?: {
    readonly counts: () => Promise<boolean>;
    /** A user name as it is stored there; null for nobody's. */
    readonly nameOf: (name: string) => Promise<string | null>;
  };
}

/** The port of who is who, over the tracker's users and the links kept here. */
export function createPeople({ links, users: told, tokens, now, register }: PeopleParts): PeopleApi {
  const invitations = createInvitations(tokens.key, now);

  // A token that has merely expired proved what it proved; one that was switched off is believed nothing.
  const holds = async ({ proof }: PersonLink) => proof === null || (await tokens.isActive(proof.token));

  async function linksThat(hold: boolean): Promise<readonly PersonLink[]> {
    const all = await (await links()).links();
    const holding = await Promise.all(all.map(holds));
    return all.filter((_, i) => holding[i] === hold);
  }

  const areOfRegister = async () => register !== undefined && (await register.counts());

  /** A register does not list its users: those who are linked have been found there. */
  async function users(): Promise<ReadonlyMap<string, User>> {
    const known = await told();
    if (!(await areOfRegister())) return known;
    const linked = await (await links()).links();
    return new Map([...linked.map(({ user }) => [user, { id: user, name: user }] as const), ...known]);
  }

  async function ofRegister(name: string): Promise<User | null> {
    if (register === undefined || !(await areOfRegister())) return null;
    const id = await register.nameOf(name);
    return id === null ? null : { id, name: id };
  }

  async function linkFor(account: string, user: string, by: string | null, proof: LinkProof | null) {
    const known = await users();
    const id = storedId(known, knownLogins(known).idOfHolder(user)) ?? (await ofRegister(user))?.id ?? null;
    if (id === null) throw unknownUser(user);
    return { account, user: id, by: by ?? id, at: now(), proof };
  }

  async function readValid(ticket: string): Promise<SealedInvitation> {
    const sealed = await invitations.read(ticket);
    const store = await links();
    const { account } = sealed.invitation;
    const link = await store.link(account);
    if (link?.proof === null) throw saidByAdmin(link);
    if ((await store.revision(account)) !== sealed.revision) throw invalidInvitation();
    return sealed;
  }

  return {
    tenant: tokens.tenant,
    users,
    areOfRegister,
    ofRegister,
    links: () => linksThat(true),
    dormantLinks: () => linksThat(false),
    async linkOf(account) {
      const link = await (await links()).link(account);
      return link !== null && (await holds(link)) ? link : null;
    },
    async link(account, user, by) {
      const link = await linkFor(account, user, by, null);
      await (await links()).put(link);
      return link;
    },
    unlink: async (account) => (await links()).remove(account),
    invite: async (invitation) =>
      invitations.seal({ invitation, revision: await (await links()).revision(invitation.account) }),
    readInvitation: async (ticket) => (await readValid(ticket)).invitation,
    async accept(ticket, token) {
      const { invitation, revision } = await readValid(ticket);
      const { id, user, admin } = await tokens.recordOf(token);
      const link = await linkFor(invitation.account, user, null, { token: id, admin });
      if (!(await (await links()).put(link, revision))) throw invalidInvitation();
      return link;
    },
  };
}

/** What an admin said is not for the person to change: whoever holds their token could otherwise take their account. */
function saidByAdmin({ user, by }: PersonLink): AppError {
  return new AppError(
    'not-allowed',
    `An admin (${by}) has linked this account to ${user}; ask them, or another admin, to change that.`,
  );
}
