import { millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import { memo } from '../../cache/namespace.ts';
import type { LinkProof, PersonLink } from '../../model/chat.ts';
import { isPseudonym } from '../../model/erasure.ts';
import { AppError } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import { foldedName } from '../../model/issues/ids-and-names.ts';
import type { Documents } from '../../store/documents.ts';
import type { KeptLink } from '../../store/tracker-documents.ts';
import { byFoldedName, holdersOf, knownLogins, storedId, unknownUser, unmistakableName } from './logins.ts';
import { createEncryptedTokens } from './signing-keys.ts';
import type { Tokens } from './tokens.ts';

/** An account of the chat that is to be linked to a user: its id, and the name the person goes by there. */
export interface ChatAccount {
  readonly account: string;
  readonly name: string;
}

/** The port of people: the tracker's users, and their accounts elsewhere (Slack). */
export interface PeopleApi {
  readonly tenant: string;
  /** Everyone the tracker knows, by id; where it knows no one, the linked users of a hosted delegation service. */
  users(): Promise<ReadonlyMap<string, User>>;
  /** True if users are those of a hosted delegation service, by user name, because no tracker gives any. */
  areHosted(): Promise<boolean>;
  /** The user of that service with a user name, as it is stored there; null for none, and where there is a tracker. */
  hostedUser(name: string): Promise<User | null>;
  /** The links in force: a link is not while the token that proved it is switched off. */
  links(): Promise<readonly PersonLink[]>;
  /** The links that are in force again once their token is switched on. */
  dormantLinks(): Promise<readonly PersonLink[]>;
  /** The one that holds. */
  linkOf(account: string): Promise<PersonLink | null>;
  /** An admin links an account to a user; `not-found` for a user who is not known. Replaces any link of the account. */
  link(account: string, user: string, by: string): Promise<PersonLink>;
  /** False when there was none. */
  unlink(account: string): Promise<boolean>;
  /**
   * An opaque link token with which the person can prove who they are. It is good for 15 minutes, and until the link of
   * the account changes, be it with this token.
   */
  createLinkToken(account: ChatAccount): Promise<string>;
  /**
   * The account a link token is for; `not-found` for a token that is false or not good any more, `not-allowed` where an
   * admin has linked the account.
   */
  readLinkToken(linkToken: string): Promise<ChatAccount>;
  /**
   * Links the account to the user of the REST token, which proves it: `not-authenticated` when it does not hold.
   * Otherwise it fails as reading the link token does.
   */
  accept(linkToken: string, token: string): Promise<PersonLink>;
}

/** The parts of the port of people; links are read again for every question. */
interface PeopleParts {
  readonly links: () => Promise<Documents<KeptLink>>;
  readonly users: () => Promise<ReadonlyMap<string, User>>;
  readonly tokens: Pick<Tokens, 'tenant' | 'recordOf' | 'isActive' | 'keys'>;
  readonly now: () => Instant;
  /** The hosted delegation service, where there is one; `counts` while no tracker gives people. */
  readonly hosted?: {
    readonly counts: () => Promise<boolean>;
    /** A user name as it is stored there; null for no one's. */
    readonly nameOf: (name: string) => Promise<string | null>;
  };
}

/** The lifetime of a link token. */
const LIFETIME_MS = 15 * millisecondsInMinute;

/** The content of a link token: the account, and the revision of its link when the token was made. */
const claims = z.object({ sub: z.string(), name: z.string(), revision: z.int() });

/** The port of people, over the tracker's users and the links stored here. */
export function createPeople({ links, users: ofTracker, tokens, now, hosted }: PeopleParts): PeopleApi {
  const linkTokens = createEncryptedTokens({
    purpose: 'dwell invitation',
    lifetimeMs: LIFETIME_MS,
    keys: tokens.keys,
    now,
    invalid: invalidLinkToken,
  });

  // A token that has merely expired proved what it proved; one that was switched off proves nothing.
  const holds = async ({ proof }: PersonLink) => proof === null || (await tokens.isActive(proof.token));

  const allLinks = async () => linksIn(await (await links()).list());
  const storedOf = async (account: string) => (await (await links()).get(account)) ?? neverLinked;

  async function linksThat(hold: boolean): Promise<readonly PersonLink[]> {
    const all = await allLinks();
    const holding = await Promise.all(all.map(holds));
    return all.filter((_, i) => holding[i] === hold);
  }

  const areHosted = async () => hosted !== undefined && (await hosted.counts());

  /** A hosted service does not list its users: those who are linked have been found there. */
  async function users(): Promise<ReadonlyMap<string, User>> {
    const known = await ofTracker();
    if (!(await areHosted())) return known;
    const linked = await allLinks();
    return new Map([...linked.map(({ user }) => [user, { id: user, name: user }] as const), ...known]);
  }

  async function hostedUser(name: string): Promise<User | null> {
    if (hosted === undefined || !(await areHosted())) return null;
    const id = await hosted.nameOf(name);
    return id === null ? null : { id, name: id };
  }

  async function linkFor(account: string, user: string, by: string | null, proof: LinkProof | null) {
    const known = await users();
    const id = storedId(known, knownLogins(known).idOfHolder(user)) ?? (await hostedUser(user))?.id ?? null;
    if (id === null || isPseudonym(id)) throw unknownUser(user);
    return { account, user: id, by: by ?? id, at: now(), proof };
  }

  async function readValid(linkToken: string): Promise<ChatAccount & { readonly revision: number }> {
    const { sub: account, name, revision } = claims.parse(await linkTokens.read(linkToken));
    const stored = await storedOf(account);
    if (stored.link?.proof === null) throw linkedByAdmin(stored.link);
    if (stored.revision !== revision) throw invalidLinkToken();
    return { account, name, revision };
  }

  return {
    tenant: tokens.tenant,
    users,
    areHosted,
    hostedUser,
    links: () => linksThat(true),
    dormantLinks: () => linksThat(false),
    async linkOf(account) {
      const { link } = await storedOf(account);
      return link !== null && (await holds(link)) ? link : null;
    },
    async link(account, user, by) {
      const link = await linkFor(account, user, by, null);
      await (await links()).change(account, (stored) => linkedNext(stored, link));
      return link;
    },
    async unlink(account) {
      let wasLinked = false;
      await (await links()).change(account, (stored) => {
        wasLinked = (stored?.link ?? null) !== null;
        return wasLinked ? linkedNext(stored, null) : stored;
      });
      return wasLinked;
    },
    createLinkToken: async ({ account, name }) =>
      linkTokens.encrypt(account, { name, revision: (await storedOf(account)).revision }),
    async readLinkToken(linkToken) {
      const { account, name } = await readValid(linkToken);
      return { account, name };
    },
    async accept(linkToken, token) {
      const { account, revision } = await readValid(linkToken);
      const { id, user, admin } = await tokens.recordOf(token);
      const link = await linkFor(account, user, null, { token: id, admin });
      await (await links()).change(account, (stored) => {
        if ((stored ?? neverLinked).revision !== revision) throw invalidLinkToken();
        return linkedNext(stored, link);
      });
      return link;
    },
  };
}

const neverLinked: KeptLink = { revision: 0, link: null };

/** The stored link of an account after a new statement about it. */
function linkedNext(stored: KeptLink | null, link: PersonLink | null): KeptLink {
  return { revision: (stored ?? neverLinked).revision + 1, link };
}

/** By account. */
const linksIn = memo((all: readonly KeptLink[]): readonly PersonLink[] =>
  all.flatMap(({ link }) => link ?? []).sort((a, b) => (a.account < b.account ? -1 : 1)),
);

/** Not for the person to change: anyone who holds their token could otherwise take their account. */
function linkedByAdmin({ user, by }: PersonLink): AppError {
  const sentence = `An admin (${by}) has linked this account to ${user}; ask them, or another admin, to change that.`;
  return new AppError('admin-only', sentence);
}

/** A link token that is false, old, or made before the link of the account changed. */
function invalidLinkToken(): AppError {
  const sentence = 'The link is no longer valid: it works once, for 15 minutes. Please ask for a new one.';
  return new AppError('invalid-link', sentence);
}

const SIMILAR_SHOWN = 5;

/** The users a typed name can mean: all with this user name or id, else all with this full name. */
export function usersNamed(name: string, users: ReadonlyMap<string, User>): readonly User[] {
  const holders = holdersOf(name, users);
  return holders.length > 0 ? holders : (byFoldedName(users).names.get(foldedName(name)) ?? []);
}

/** Some whose id, user name or full name holds a text, or begins as it does. */
export function usersLike(name: string, users: ReadonlyMap<string, User>): readonly User[] {
  const wanted = foldedName(name);
  if (wanted === '') return [];
  const start = wanted.slice(0, 3);
  const holding: User[] = [];
  const beginning: User[] = [];
  for (const user of users.values()) {
    const names = [user.id, user.login ?? user.id, user.name].map(foldedName);
    if (names.some((one) => one.includes(wanted))) holding.push(user);
    else if (names.some((one) => one.startsWith(start))) beginning.push(user);
  }
  return [...holding, ...beginning].slice(0, SIMILAR_SHOWN);
}

/**
 * The same text for the same address: without regard to the case of the letters A to Z only. Other letters fold to those
 * and still belong to another address, such as the Kelvin sign.
 */
export function foldedEmail(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Everyone with this e-mail address. */
export function usersWithEmail(email: string, users: ReadonlyMap<string, User>): readonly User[] {
  return byEmail(users).get(foldedEmail(email)) ?? [];
}

/** People are looked up with every command, and seldom change. */
const byEmail = memo((users: ReadonlyMap<string, User>): ReadonlyMap<string, readonly User[]> => {
  const named = [...users.values()].flatMap((user) =>
    user.email === undefined ? [] : [{ email: foldedEmail(user.email), user }],
  );
  return new Map(
    [...Map.groupBy(named, ({ email }) => email)].map(([email, all]) => [email, all.map(({ user }) => user)]),
  );
});

/**
 * The text that names a person on the command line so that no one else is meant: login, id or e-mail address. Where
 * none of them works, a placeholder.
 */
export function typedAs(user: User, users: ReadonlyMap<string, User>): string {
  const { email } = user;
  const address = email !== undefined && holdersOf(email, users).length === 0 ? email : null;
  return unmistakableName(user, users) ?? address ?? 'USERNAME';
}

/** True if an admin has the rights of one under the account as well: a token of lesser rights does not bring them. */
export function bringsAdmin({ proof }: PersonLink): boolean {
  return proof === null || proof.admin;
}
