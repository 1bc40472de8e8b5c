import type { WebClient } from '@slack/web-api';
import { millisecondsInMinute } from 'date-fns/constants';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { type Backing, createNamespace } from '../../cache/namespace.ts';
import type { Instant } from '../../model/issue.ts';
import { isDirect } from '../app/hours-here.ts';
import type { ChannelFacts, Outsiders, SlackParts } from '../app/parts.ts';
import { isTokenRefused, missingScopesOf, refusalOf, reinstallText } from '../app/slack-refusal.ts';

/** A channel found to have guests is not looked at again for this long. */
const WITH_GUESTS_MS = 5 * millisecondsInMinute;
/** A guest may come for a person who leaves. */
const WITHOUT_GUESTS_MS = 30_000;
const CACHED_CHANNELS = 1_000;

/**
 * Asks Slack each time whether a channel is shared and how many are in it. Whether guests are among them is remembered
 * while they are as many: for half a minute that there are none, for five minutes that there are.
 */
export function createChannelFacts(
  web: WebClient,
  { now, log, shared }: { readonly now: () => Instant; readonly log: Logger; readonly shared?: Backing },
): ChannelFacts {
  const looks = createNamespace<{ readonly members: number | null; readonly outsiders: Outsiders }>({
    name: 'slack-channel-guests',
    ttlMs({ outsiders: { kind } }) {
      if (kind === 'some') return WITH_GUESTS_MS;
      // An unknown result is not kept, because its cause may be put right at any moment.
      return kind === 'none' ? WITHOUT_GUESTS_MS : 0;
    },
    maxEntries: CACHED_CHANNELS,
    now,
    backing: shared,
  });

  return {
    async outsidersIn(channel) {
      const glance = await sharingOf(channel, { web, log });
      if (glance.kind !== 'look') return glance;
      const { members } = glance;
      const look = async () => ({ members, outsiders: await findGuests(channel, { web, log }) });
      const { outsiders } = await looks.getOrMake(channel, look, {
        isStill: (looked) => looked.members === members,
      });
      return outsiders;
    },
  };
}

const none: Outsiders = { kind: 'none' };
const guests: Outsiders = { kind: 'some', what: 'has guests' };
const shared: Outsiders = { kind: 'some', what: 'is shared with other workspaces' };
const notOurs: Outsiders = { kind: 'some', what: "is a conversation I'm not in" };
const crowded: Outsiders = {
  kind: 'unknown',
  because: 'This channel has too many members to check for guests.',
  passes: false,
};

type FindingParts = Pick<SlackParts, 'web' | 'log'>;

/**
 * The readers of a channel by one call, or where finding them takes a look, the number of its members (null: Slack does
 * not say).
 */
async function sharingOf(
  channel: string,
  { web, log }: FindingParts,
): Promise<Outsiders | { readonly kind: 'look'; readonly members: number | null }> {
  try {
    const { channel: facts = {} } = await web.conversations.info({ channel, include_num_members: true });
    if (isDirectMessage(channel)) return none;
    // Between workspaces of one organization a channel is shared as well, and only its own people read there.
    const isForeign = facts.is_shared === true && facts.is_org_shared !== true;
    if (isForeign || facts.is_ext_shared === true || facts.is_pending_ext_shared === true) return shared;
    const { num_members: members = null } = facts;
    return members !== null && members > MAX_MEMBERS ? crowded : { kind: 'look', members };
  } catch (error) {
    // Slack lets an app post in its own conversations only, so whatever else it refuses to say does no harm.
    if (isDirectMessage(channel)) return refusalOf(error) === 'channel_not_found' ? notOurs : none;
    return unknownFor(channel, error, log);
  }
}

async function findGuests(channel: string, { web, log }: FindingParts): Promise<Outsiders> {
  try {
    const members = await membersOf(channel, web);
    const hasGuests = members === null ? null : await guestsAmong(members, web);
    if (hasGuests === null) return crowded;
    return hasGuests ? guests : none;
  } catch (error) {
    return unknownFor(channel, error, log);
  }
}

/** True if the channel is a conversation of two, one of whom may be the app. */
function isDirectMessage(channel: string): boolean {
  return channel.startsWith('D');
}

function unknownFor(channel: string, error: unknown, log: Logger): Outsiders {
  // The channel has nothing to do with it.
  if (isTokenRefused(error)) throw error;
  log.warn({ err: error, channel }, 'who reads in a channel cannot be found out');
  return { kind: 'unknown', because: unknownReason(error), passes: refusalOf(error) === null };
}

/** The most people who are looked up one by one; for more the whole workspace is read. */
const ONE_BY_ONE = 30;
const MAX_ASKED = 50;

const PEOPLE_PAGE = 1_000;

/** The fields that are read of a user, in the form Slack's API shows them. */
interface Standing {
  readonly id?: string;
  readonly is_restricted?: boolean;
  readonly is_ultra_restricted?: boolean;
  readonly is_stranger?: boolean;
}

/**
 * True if guests, or strangers from elsewhere, are among these accounts; null where too many of them are not among the
 * people of the workspace that can be read. Fails as Slack does.
 */
async function guestsAmong(accounts: readonly string[], web: WebClient): Promise<boolean | null> {
  const known = accounts.length > ONE_BY_ONE ? await allPeople(web) : new Map<string, Standing>();
  const unknown = accounts.filter((account) => !known.has(account));
  if (accounts.some((account) => isGuest(known.get(account)))) return true;
  if (unknown.length > MAX_ASKED) return null;
  const users = await pLimit(5).map(
    unknown,
    async (account) => (await web.users.info({ user: account })).user,
  );
  return users.some(isGuest);
}

/** The people of the workspace by account; of a very large one the first ten thousand. */
async function allPeople(web: WebClient): Promise<ReadonlyMap<string, Standing>> {
  const found: [string, Standing][] = [];
  await eachPage(async (at) => {
    const page = await web.users.list({ limit: PEOPLE_PAGE, ...at });
    for (const member of page.members ?? []) if (member.id !== undefined) found.push([member.id, member]);
    return page;
  });
  return new Map(found);
}

/** Reads page after page; false where `read` ends it, or there are too many. */
async function eachPage(
  read: (at: { cursor?: string }) => Promise<{ response_metadata?: { next_cursor?: string } } | null>,
): Promise<boolean> {
  let cursor = '';
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const page = await read(cursor === '' ? {} : { cursor });
    if (page === null) return false;
    cursor = page.response_metadata?.next_cursor ?? '';
    if (cursor === '') return true;
  }
  return false;
}

function isGuest(user: Standing | undefined): boolean {
  return user?.is_restricted === true || user?.is_ultra_restricted === true || user?.is_stranger === true;
}

/** Guests are not looked for among more people. */
const MAX_MEMBERS = 1_000;

const MEMBERS_PAGE = 200;
const MAX_PAGES = 10;

/** The accounts in a channel; null where they are too many. */
async function membersOf(channel: string, web: WebClient): Promise<readonly string[] | null> {
  const found: string[] = [];
  const isWhole = await eachPage(async (at) => {
    const page = await web.conversations.members({ channel, limit: MEMBERS_PAGE, ...at });
    found.push(...(page.members ?? []));
    return found.length > MAX_MEMBERS ? null : page;
  });
  return isWhole ? found : null;
}

/** Why Slack does not say who reads in a channel, and what would help: a whole sentence or two. */
function unknownReason(error: unknown): string {
  const code = refusalOf(error);
  switch (code) {
    case null:
      return "I can't check who is in this channel right now. Try again in a minute.";
    case 'missing_scope': {
      const scopes = missingScopesOf(error);
      if (scopes.length > 0)
        return `I have no permission to see who is in this channel. ${reinstallText(scopes)}`;
      return 'I have no permission to see who is in this channel. An admin must reinstall the app with the scopes `channels:read`, `groups:read` and `mpim:read`.';
    }
    case 'channel_not_found':
    case 'not_in_channel':
      return "I can't see who is in this channel. Type `/invite @Dwell` there and try again.";
    default:
      return `Slack doesn't say who is in this channel (${code}).`;
  }
}

/** True if a place is the conversation of one person and the app, and not one of two people without it. */
export async function isOurConversation(channel: string, { outsidersIn }: ChannelFacts): Promise<boolean> {
  if (!isDirect(channel)) return false;
  // An account names the conversation the app has with it.
  if (!isDirectMessage(channel)) return true;
  return (await outsidersIn(channel)).kind !== 'some';
}
