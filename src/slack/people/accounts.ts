import type { WebClient } from '@slack/web-api';
import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { bringsAdmin, foldedEmail, type PeopleApi, usersWithEmail } from '../../api/people/create-people.ts';
import { createNamespace } from '../../cache/namespace.ts';
import type { PersonLink } from '../../model/chat.ts';
import { AppError } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import { foldedName } from '../../model/issues/ids-and-names.ts';
import { type Principal, principalIn } from '../../model/request.ts';
import { peopleIn, withMentions } from '../answers/view/marked-wording.ts';
import type { Accounts, PeopleParts, Profile, SlackParts } from '../app/parts.ts';
import { orElse } from '../app/show-failure.ts';
import { refusalOf, tryAgain } from '../app/slack-refusal.ts';
import {
  accountProblem,
  createMembers,
  type Home,
  type Members,
  noScope,
  readEmail,
  readProfile,
  type SlackUser,
  unknownProfile,
} from './members.ts';

/** The time for which Slack's profile of an account is cached. */
const CACHED_MS = 5 * millisecondsInMinute;
const CACHED_ACCOUNTS = 1_000;
/** Slack takes few lookups by address in a minute, and an answer names many people, some of whom have no account. */
const ADDRESS_MS = 10 * millisecondsInMinute;

/**
 * Asks Slack, and caches what it shows for minutes: profiles and addresses in `shared`, by default in this process. With
 * `stored`, for an app whose events come over connections, everyone comes from one list, read once a day, while Slack says
 * what changes.
 */
export function createAccounts(
  web: WebClient,
  {
    now,
    log,
    shared,
    stored,
  }: Pick<SlackParts, 'now' | 'log'> & Partial<Pick<SlackParts, 'shared' | 'stored'>>,
): Accounts & Pick<Members, 'noteChange' | 'noteNewcomer' | 'forget'> {
  const homes = createNamespace<Home>({ name: 'slack-home', ttlMs: null, maxEntries: 1, now });
  const homeOnce = () =>
    homes.getOrMake('', async () => {
      const { team_id: team = null, enterprise_id: enterprise = null } = await web.auth.test();
      return { team, enterprise };
    });
  const members = createMembers(web, { now, stored, home: homeOnce });
  const cached = { maxEntries: CACHED_ACCOUNTS, now, backing: shared };
  const profiles = createNamespace<Profile>({
    name: 'slack-profile',
    // A missing scope may be granted at any moment.
    ttlMs({ refused, email }) {
      if (refused !== null) return 0;
      return stored === undefined || email === null ? CACHED_MS : millisecondsInDay;
    },
    ...cached,
  });
  const addresses = createNamespace<string | null>({ name: 'slack-address', ttlMs: ADDRESS_MS, ...cached });
  /** The address by which an account was found. */
  const lookedUp = createNamespace<string>({ name: 'slack-looked-up', ttlMs: ADDRESS_MS, ...cached });

  async function ask(account: string): Promise<Profile> {
    try {
      const [{ user = {} }, here] = await Promise.all([web.users.info({ user: account }), homeOnce()]);
      return readProfile(account, user, here);
    } catch (error) {
      const refused = refusalOf(error);
      if (refused === null) throw tryAgain(error);
      return unknownProfile(account, refused);
    }
  }

  async function lookUp(email: string): Promise<string | null> {
    try {
      const [{ user }, here] = await Promise.all([web.users.lookupByEmail({ email }), homeOnce()]);
      if (user?.id === undefined) return null;
      await lookedUp.set(user.id, email);
      const read = readEmail(readProfile(user.id, user, here));
      return 'email' in read && foldedEmail(read.email) === foldedEmail(email) ? user.id : null;
    } catch (error) {
      if (refusalOf(error) === 'users_not_found') return null;
      log.warn({ err: error }, 'looking an account up by its email address failed');
      throw unavailable(error);
    }
  }

  /** Forgets what was looked up of an account, also by its address, the one that it had and the one that it has now. */
  async function forgetLookUps({ id = '', profile }: SlackUser): Promise<void> {
    await profiles.delete(id);
    for (const email of [await lookedUp.get(id), profile?.email]) {
      if (email !== undefined) await addresses.delete(foldedEmail(email));
    }
  }

  return {
    async called(name) {
      const wanted = foldedName(name);
      const everyone = await members.all().catch((error: unknown) => {
        throw unavailable(error);
      });
      const found = wanted === '' ? [] : [...everyone].filter(({ names }) => names.includes(wanted));
      const here = found.filter(({ isGone }) => !isGone);
      return here.length > 0 ? here : found;
    },

    async profileOf(account) {
      const followed = await members.followed();
      const listed = followed?.list?.get(account);
      if (listed !== undefined) return listed.profile;
      // Events need not come of accounts of other workspaces, which the list lacks.
      const followedMs = followed?.list === null ? now() - followed.since : 0;
      const youngerThanMs = Math.max(CACHED_MS, followedMs);
      return profiles.getOrMake(account, () => ask(account), { youngerThanMs });
    },

    async withEmail(email) {
      const { list = null, hasAddresses = false } = (await members.followed()) ?? {};
      // Without the scope Slack leaves all addresses out of the list; a lookup says so.
      if (list === null || !hasAddresses) return addresses.getOrMake(foldedEmail(email), () => lookUp(email));
      return list.withEmail(email).find(({ profile }) => 'email' in readEmail(profile))?.account ?? null;
    },

    async noteChange(user) {
      await Promise.all([members.noteChange(user), forgetLookUps(user)]);
    },

    async noteNewcomer(user) {
      await Promise.all([members.noteNewcomer(user), forgetLookUps(user)]);
    },

    forget: () => members.forget(),
  };
}

/** Why Slack did not answer, as a failure. */
function unavailable(error: unknown): unknown {
  const refused = refusalOf(error);
  if (refused === null) return tryAgain(error);
  const why = refused === 'missing_scope' ? noScope : `Slack refused: ${refused}.`;
  return new AppError('slack-unavailable', why, [], { cause: error });
}

/** Why an account that is no user of the tracker gets no answers, in a sentence; null for a full member of this workspace. */
function strangerProblem(profile: Profile): string | null {
  if (profile.refused === 'missing_scope')
    return "Slack doesn't let me see who you are. An admin must reinstall the app with the scope users:read.";
  if (profile.isGuest) return 'You are a guest here.';
  return accountProblem(profile);
}

/** The user name of a person in the tracker; the id where there is no other. */
export function loginOf({ id, login = id }: Pick<User, 'id' | 'login'>): string {
  return login;
}

/** A person in Slack who is known in the tracker. */
export interface Member {
  readonly account: string;
  readonly user: User;
  /** The text that means only them on the command line. */
  readonly typedAs: string;
  readonly principal: Principal;
  /** IANA zone of the days they type and read. */
  readonly timeZone: string;
  /** True if the tracker has admins, who can help. */
  readonly hasAdmins: boolean;
}

/**
 * The rights of an account: those of the tracker's user it certainly is. Full members of our workspace who are not in the
 * tracker see what every user sees; anyone else is `not-allowed`. A Slack that does not answer is `unavailable`.
 */
export async function resolvePrincipal(account: string, parts: PeopleParts): Promise<Principal> {
  const known = await knownPrincipal(account, parts);
  if (known !== null) return known;
  const because = strangerProblem(await parts.accounts.profileOf(account));
  if (because === null) return principalIn(parts.people.tenant, account, 'stranger');
  throw new AppError('unknown-person-asks', 'Dwell answers people of this workspace.', [
    because,
    'If you have a Jira account, link it with /tis link.',
  ]);
}

/** The same; null where it is not certain which user of the tracker an account is. */
export async function knownPrincipal(account: string, parts: PeopleParts): Promise<Principal | null> {
  const found = await recognize(account, parts);
  return found.kind === 'known' ? principalOfUser(parts.people.tenant, found) : null;
}

/** The same as `resolvePrincipal`; null where that is not allowed, or unavailable. */
export async function principalOrNobody(account: string, parts: PeopleParts): Promise<Principal | null> {
  return orElse(resolvePrincipal(account, parts), () => null, 'not-allowed', 'unavailable');
}

/** Accounts that get no digests, by their standing or by what Slack refuses. */
const gone = new Set<string | null>(['deactivated', 'foreign', 'bot', 'user_not_found', 'user_not_visible']);

/**
 * The rights of the owner of a digest; null for people who have left, and for guests who are not in the tracker.
 * `unavailable` while Slack does not answer: that is no reason to give a period up.
 */
export async function digestPrincipal(account: string, parts: PeopleParts): Promise<Principal | null> {
  const { standing, isGuest, refused } = await parts.accounts.profileOf(account);
  if (gone.has(standing) || gone.has(refused)) return null;
  return isGuest ? knownPrincipal(account, parts) : resolvePrincipal(account, parts);
}

/** The rights with which an account reads and changes digests. */
export async function digestPrincipalHere(account: string, parts: PeopleParts): Promise<Principal> {
  return { ...(await resolvePrincipal(account, parts)), account };
}

/** True if the tracker has admins; without any, the command line does their work. */
export async function hasAdmins(people: Pick<PeopleApi, 'users'>): Promise<boolean> {
  return (await people.users()).values().some(({ admin }) => admin === true);
}

/** Which user of the tracker is meant, with the link that says so if any; else the candidates, or why and similar names. */
export type Recognition =
  | { readonly kind: 'known'; readonly user: User; readonly link?: PersonLink }
  | { readonly kind: 'several'; readonly users: readonly User[] }
  | { readonly kind: 'unknown'; readonly because: string; readonly similar?: readonly User[] };

/**
 * By a link, else by the confirmed e-mail address of a member of the workspace, where exactly one user of the tracker has
 * it. Never a guess.
 */
export async function recognize(account: string, { people, accounts }: PeopleParts): Promise<Recognition> {
  const users = await people.users();
  const link = await people.linkOf(account);
  if (link !== null) {
    const user = users.get(link.user);
    return user === undefined
      ? { kind: 'unknown', because: `The account is linked to ${link.user}, who isn't in Jira anymore.` }
      : { kind: 'known', user, link };
  }
  const read = readEmail(await accounts.profileOf(account));
  if ('because' in read) return { kind: 'unknown', ...read };
  const [user, ...others] = usersWithEmail(read.email, users);
  if (user === undefined)
    return { kind: 'unknown', because: 'No one in Jira has the email address of this Slack account.' };
  return others.length === 0 ? { kind: 'known', user } : { kind: 'several', users: [user, ...others] };
}

/** The rights of a user; those of an admin only where what links the account brings them. */
export function principalOfUser(
  tenant: string,
  { user, link }: Extract<Recognition, { readonly kind: 'known' }>,
): Principal {
  const isAdmin = user.admin === true && (link === undefined || bringsAdmin(link));
  return principalIn(tenant, user.id, isAdmin ? 'admin' : 'user');
}

/**
 * The Slack accounts of a user: those linked, the last one first, then the one with their e-mail address; none that is not
 * certain. Slack is asked only after the linked ones are used up.
 */
export async function* accountsOf(user: User, { people, accounts }: PeopleParts): AsyncGenerator<string> {
  const linked = (await people.links())
    .filter((link) => link.user === user.id)
    .toSorted((a, b) => b.at - a.at)
    .map(({ account }) => account);
  yield* linked;
  if (user.email === undefined || usersWithEmail(user.email, await people.users()).length > 1) return;
  const account = await accounts.withEmail(user.email);
  // A link of the account to another user counts more than its address.
  if (account !== null && (await people.linkOf(account)) === null) yield account;
}

/** The account a user is reached by, the first of those; null where there is none. */
export async function slackAccountOf(id: User['id'], parts: PeopleParts): Promise<string | null> {
  const user = (await parts.people.users()).get(id);
  if (user !== undefined) for await (const account of accountsOf(user, parts)) return account;
  return null;
}

/** The same for several; those whom Slack does not let us look up are left out. */
export async function accountsById(
  ids: readonly User['id'][],
  parts: PeopleParts,
): Promise<ReadonlyMap<User['id'], string | null>> {
  const found = [...new Set(ids)].map(async (id) =>
    slackAccountOf(id, parts).then(
      (account) => [[id, account] as const],
      () => [],
    ),
  );
  return new Map((await Promise.all(found)).flat());
}

/**
 * The value to send, with each mark of a user of the tracker as a mention, or as a plain name where they are not in
 * Slack.
 */
export async function withKnownMentions<Sent>(sent: Sent, parts: PeopleParts): Promise<Sent> {
  const people = peopleIn(sent);
  if (people.size === 0) return sent;
  const accounts = await accountsById([...people], parts);
  return withMentions(sent, (id) => accounts.get(id));
}
