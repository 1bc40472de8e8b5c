import { randomUUID } from 'node:crypto';
import type { UsersInfoResponse, WebClient } from '@slack/web-api';
import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import pLimit from 'p-limit';
import { foldedEmail } from '../../api/people/create-people.ts';
import { type Backing, createNamespace, singleFlight } from '../../cache/namespace.ts';
import type { Instant } from '../../model/issue.ts';
import { foldedName } from '../../model/issues/ids-and-names.ts';
import { isTimeZone } from '../../time/zones.ts';
import type { Called, Profile, Standing } from '../app/parts.ts';

/** Slack gives no more in one page, and takes few requests for pages in a minute. */
const MAX_PAGE = 1_000;

/**
 * The time for which the list is good where events are not relied on, and after which it is read again in the
 * background.
 */
const CACHED_MS = 5 * millisecondsInMinute;

/** A user as Slack's API shows them. */
export type SlackUser = NonNullable<UsersInfoResponse['user']>;

/** A member of the workspace, by the names that find them. `updatedAt` is in seconds, as Slack gives it. */
interface Member extends Called {
  readonly names: readonly string[];
  readonly isGone: boolean;
  readonly profile: Profile;
  readonly updatedAt: number;
}

/** All members, by account and by address. One is replaced in place: Slack also says when a status text changes. */
class MemberList {
  readonly #byAccount = new Map<string, Member>();
  readonly #byAddress = new Map<string, readonly Member[]>();

  put(member: Member): void {
    const before = this.#byAccount.get(member.account);
    // Slack sends an event again that was not acknowledged; a newer one may have come meanwhile.
    if (before !== undefined && before.updatedAt > member.updatedAt) return;
    this.#byAccount.set(member.account, member);
    for (const [one, added] of [[before, []] as const, [member, [member]] as const]) {
      const email = one?.profile.email ?? null;
      if (email === null) continue;
      const others = this.withEmail(email).filter(({ account }) => account !== member.account);
      this.#byAddress.set(foldedEmail(email), [...others, ...added]);
    }
  }

  get(account: string): Member | undefined {
    return this.#byAccount.get(account);
  }

  all(): Iterable<Member> {
    return this.#byAccount.values();
  }

  withEmail(email: string): readonly Member[] {
    return this.#byAddress.get(foldedEmail(email)) ?? [];
  }

  /** True if Slack shows any address. */
  hasAddresses(): boolean {
    return this.#byAddress.size > 0;
  }
}

/** The members that events of Slack keep up to date; everything looked up since then is up to date, too. */
interface Followed {
  readonly since: Instant;
  /** Null until it is read. */
  readonly list: MemberList | null;
  /** True if Slack showed addresses when the list was read. */
  readonly hasAddresses: boolean;
}

/** The members of the workspace. */
export interface Members {
  /** Everyone, from a list no older than five minutes, or a day while events are relied on. Fails as Slack does. */
  all(): Promise<Iterable<Member>>;
  /** Null while events are not relied on. Does not wait for the list, which is read in the background. */
  followed(): Promise<Followed | null>;
  /** Takes in a member who changed, as an event of Slack shows them. */
  noteChange(user: SlackUser): Promise<void>;
  /** The same of one who is new: it does not show that changes are sent. */
  noteNewcomer(user: SlackUser): Promise<void>;
  /** Events may have been missed: until another comes, everything counts as long as without them. */
  forget(): Promise<void>;
}

/**
 * The members of the workspace. Events are relied on from the first change that comes until none has come for a day, and only
 * with `stored`, where the processes of a folder note which of them got the last one: Slack sends an event to one of them,
 * and the others have missed it.
 */
export function createMembers(
  web: WebClient,
  {
    now,
    stored,
    home,
  }: {
    readonly now: () => Instant;
    readonly stored: Backing | undefined;
    readonly home: () => Promise<Home>;
  },
): Members {
  const self = randomUUID();
  const receivers = createNamespace<string>({
    name: 'slack-event-receiver',
    ttlMs: null,
    maxEntries: 1,
    now,
    backing: stored,
    fromFuture: 'good',
  });
  const inTurn = pLimit(1);
  const reading = singleFlight<MemberList>();
  let listed: { readonly at: Instant; readonly list: MemberList; readonly hasAddresses: boolean } | null =
    null;
  /** Members whom events have shown since the list began to be read. */
  let changed: Member[] = [];
  let followedSince: Instant | null = null;
  let lastEventAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;

  const isWithin = (at: Instant, ms: number) => at <= now() && now() - at < ms;
  const listWithin = (ms: number) => (listed !== null && isWithin(listed.at, ms) ? listed.list : null);

  async function followed(): Promise<Followed | null> {
    const since = followedSince;
    if (since === null || !isWithin(lastEventAt, millisecondsInDay)) return null;
    const isReceiver = (await receivers.get('')) === self;
    if (!isReceiver || since !== followedSince) return null;
    const { hasAddresses = false } = listed ?? {};
    // The scope for addresses may be granted at any moment.
    return { since, list: listWithin(hasAddresses ? millisecondsInDay : CACHED_MS), hasAddresses };
  }

  const read = () =>
    reading.run('', async (isCurrent) => {
      const at = now();
      changed = [];
      const list = new MemberList();
      const here = await home();
      let cursor = '';
      do {
        const page = await web.users.list({ limit: MAX_PAGE, ...(cursor === '' ? {} : { cursor }) });
        for (const user of page.members ?? []) list.put(memberOf(user, here));
        cursor = page.response_metadata?.next_cursor ?? '';
      } while (cursor !== '');
      if (!isCurrent()) return list;
      const hasAddresses = list.hasAddresses();
      for (const member of changed) list.put(member);
      listed = { at, list, hasAddresses };
      return list;
    });

  const note = (user: SlackUser, isNew: boolean) =>
    inTurn(async () => {
      if (stored === undefined) return;
      const member = memberOf(user, await home());
      if (reading.joined('') !== null) changed.push(member);
      listed?.list.put(member);
      if ((await followed()) !== null) {
        if (!isNew) lastEventAt = now();
        return;
      }
      followedSince = null;
      await receivers.set('', self);
      if (isNew) return;
      // A list that was read before may be older than changes whose events did not come here.
      listed = null;
      reading.drop('');
      lastEventAt = now();
      followedSince = now();
    });

  return {
    async all() {
      const list = (await followed())?.list ?? listWithin(CACHED_MS) ?? (await read());
      return list.all();
    },
    async followed() {
      const found = await followed();
      if (found?.list === null && !isWithin(triedAt, CACHED_MS)) {
        triedAt = now();
        read().catch(() => {});
      }
      return found;
    },
    noteChange: (user) => note(user, false),
    noteNewcomer: (user) => note(user, true),
    forget: () =>
      inTurn(async () => {
        followedSince = null;
      }),
  };
}

function memberOf(user: SlackUser, home: Home): Member {
  const { id = '', name = '', deleted, is_bot: isBot, updated: updatedAt = 0, profile = {} } = user;
  const { display_name: shown = '', real_name: real = '' } = profile;
  const names = [name, shown, real].map(foldedName);
  const isGone = deleted === true || isBot === true;
  return { account: id, handle: name, names, isGone, updatedAt, profile: readProfile(id, user, home) };
}

/** The workspace the app is installed in, and the organization it is part of; null where it is part of none. */
export interface Home {
  readonly team: string | null;
  readonly enterprise: string | null;
}

/** Slack does not mark it as a bot. */
const SLACKBOT = 'USLACKBOT';

/** An account as Slack shows it to an app of the home workspace. */
export function readProfile(account: string, user: SlackUser, home: Home): Profile {
  const { real_name: realName, email } = user.profile ?? {};
  return {
    name: realName ?? user.name ?? account,
    standing: standingOf(account, user, home),
    isGuest: user.is_restricted === true || user.is_ultra_restricted === true,
    email: email === undefined || email === '' ? null : email,
    // Slack shows it to some apps only; without it, there is nothing against the address.
    emailConfirmed: user.is_email_confirmed !== false,
    timeZone: user.tz !== undefined && isTimeZone(user.tz) ? user.tz : null,
    refused: null,
  };
}

/** An account that Slack does not show. */
export function unknownProfile(name: string, refused: string): Profile {
  const nothing = { email: null, emailConfirmed: false, timeZone: null };
  return { name, standing: null, isGuest: false, ...nothing, refused };
}

function standingOf(account: string, user: SlackUser, home: Home): Standing {
  const bot = user.is_bot === true || user.is_workflow_bot === true || user.is_connector_bot === true;
  if (bot || account === SLACKBOT) return 'bot';
  if (user.deleted === true) return 'deactivated';
  const enterprise = user.enterprise_user?.enterprise_id ?? user.enterprise_id;
  const near =
    (home.team !== null && user.team_id === home.team) ||
    (home.enterprise !== null && enterprise === home.enterprise);
  // A stranger belongs to another workspace, wherever they are met.
  return near && user.is_stranger !== true ? 'ours' : 'foreign';
}

const noAddress =
  "Slack doesn't show the email address of this account. If it shows none at all, an admin must reinstall the app with the scope users:read.email.";
export const noScope =
  "Slack doesn't let me read email addresses. An admin must reinstall the app with the scopes users:read and users:read.email.";

/** Why an account cannot be linked, in a sentence; null for a member of this workspace. */
export function accountProblem({ refused, standing }: Profile): string | null {
  if (refused === 'missing_scope') return noScope;
  if (refused !== null) return `Slack doesn't show this account (${refused}).`;
  if (standing === 'ours') return null;
  if (standing === 'deactivated') return 'The account is deactivated in Slack.';
  return `The account belongs to ${standing === 'bot' ? 'a bot' : 'another workspace'}.`;
}

/** The confirmed e-mail address of an account, or why there is none, in sentences. */
export function readEmail(profile: Profile): { readonly email: string } | { readonly because: string } {
  const because = accountProblem(profile);
  if (because !== null) return { because };
  const { email, emailConfirmed } = profile;
  // A token without the scope is no failure to Slack: it leaves the address out.
  if (email === null) return { because: noAddress };
  return emailConfirmed
    ? { email }
    : { because: "The email address of the account isn't confirmed in Slack." };
}
