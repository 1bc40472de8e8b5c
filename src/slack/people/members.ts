import type { UsersInfoResponse, WebClient } from '@slack/web-api';
import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { foldedEmail } from '../../api/people/create-people.ts';
import { createNamespace } from '../../cache/namespace.ts';
import { foldedName } from '../../issues/ids-and-names.ts';
import type { Instant } from '../../model/issue.ts';
import type { Called, Profile } from '../app/ports.ts';
import { refusalOf } from '../app/slack-refusal.ts';

/** Slack recommends no more in one page. */
const PAGE = 200;

/** How long the list is good where no events say what has changed since. */
const CACHED_MS = 5 * millisecondsInMinute;

/** A user as Slack's API shows them. */
export type SlackUser = NonNullable<UsersInfoResponse['user']>;

/** A member of the workspace, by the names that find them. */
interface Member extends Called {
  readonly names: readonly string[];
  readonly isGone: boolean;
  readonly profile: Profile;
}

/** The list of the workspace's members. */
interface Members {
  /** The list, read again every five minutes, or once a day while Slack says what changes. Fails as Slack does. */
  all(): Promise<ReadonlyMap<string, Member>>;
  /** The same; null unless Slack says what changes, or where it does not give the list. */
  followed(): Promise<ReadonlyMap<string, Member> | null>;
  /** How long Slack has been saying what changes; what was looked up since then is followed too. */
  followedForMs(): number;
  /** Takes in a member as an event of Slack shows them. */
  noteChange(user: SlackUser): Promise<void>;
  /** Events may have been missed. */
  forget(): Promise<void>;
}

/**
 * The members of the workspace. That Slack sends events is known only once one has come: the list is followed as long as
 * the last one is no older than a day. `receivesAll` false: events may go to another process. `read` is a member's profile.
 */
export function createMembers(
  web: WebClient,
  {
    now,
    receivesAll,
    read,
  }: {
    readonly now: () => Instant;
    readonly receivesAll: boolean;
    readonly read: (account: string, user: SlackUser) => Promise<Profile>;
  },
): Members {
  let heard: { readonly first: Instant; readonly last: Instant } | null = null;
  const isFollowed = () => {
    const age = heard === null ? Number.NaN : now() - heard.last;
    return age >= 0 && age < millisecondsInDay;
  };
  const lists = createNamespace<ReadonlyMap<string, Member>>({
    ...{ name: 'slack-people', most: 1, now },
    ttlMs: () => (isFollowed() ? millisecondsInDay : CACHED_MS),
  });
  const refusals = createNamespace<boolean>({
    ...{ name: 'slack-refuses-people', ttlMs: millisecondsInHour, most: 1, now },
  });

  async function memberOf(user: SlackUser): Promise<Member | null> {
    const { id, name, deleted, is_bot: isBot, profile = {} } = user;
    if (id === undefined || name === undefined) return null;
    const { display_name: shown = '', real_name: real = '' } = profile;
    const names = [name, shown, real].map(foldedName);
    const isGone = deleted === true || isBot === true;
    return { account: id, handle: name, names, isGone, profile: await read(id, user) };
  }

  async function listAll(): Promise<ReadonlyMap<string, Member>> {
    const members = new Map<string, Member>();
    let cursor = '';
    do {
      const page = await web.users.list({ limit: PAGE, ...(cursor === '' ? {} : { cursor }) });
      for (const user of page.members ?? []) {
        const member = await memberOf(user);
        if (member !== null) members.set(member.account, member);
      }
      cursor = page.response_metadata?.next_cursor ?? '';
    } while (cursor !== '');
    return members;
  }

  return {
    all: () => lists.getOrMake('', listAll),
    async followed() {
      if (!isFollowed() || (await refusals.get('')) === true) return null;
      try {
        return await lists.getOrMake('', listAll);
      } catch (error) {
        if (refusalOf(error) !== null) await refusals.set('', true);
        return null;
      }
    },
    followedForMs: () => (heard === null || !isFollowed() ? 0 : now() - heard.first),
    async noteChange(user) {
      if (!receivesAll) return;
      // What was listed before may be older than the change.
      const isFirst = !isFollowed();
      heard = { first: isFirst || heard === null ? now() : heard.first, last: now() };
      if (isFirst) await lists.delete('');
      const member = await memberOf(user);
      const list = await lists.get('').catch(() => undefined);
      if (member !== null && list !== undefined) {
        await lists.replace('', new Map([...list, [member.account, member]]));
      }
    },
    async forget() {
      heard = null;
      await lists.delete('');
    },
  };
}

/** Accounts by the address of their profile; made once for a list. */
const byAddress = new WeakMap<ReadonlyMap<string, Member>, ReadonlyMap<string, readonly string[]>>();

/** The accounts with an email address. */
export function accountsWith(email: string, members: ReadonlyMap<string, Member>): readonly string[] {
  let known = byAddress.get(members);
  if (known === undefined) {
    const groups = Map.groupBy(members.values(), ({ profile }) => foldedEmail(profile.email ?? ''));
    known = new Map([...groups].map(([address, some]) => [address, some.map(({ account }) => account)]));
    byAddress.set(members, known);
  }
  return known.get(foldedEmail(email)) ?? [];
}
