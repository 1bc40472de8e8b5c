import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { refusalOf } from '../exports/refusal.ts';
import { guestsAmong } from './guests-among.ts';
import { MOST_MEMBERS, membersOf } from './members-of.ts';
import type { Outsiders } from './outsiders.ts';
import { whyUntold } from './why-untold.ts';

const none: Outsiders = { kind: 'none' };
const guests: Outsiders = { kind: 'some', what: 'has guests' };
const shared: Outsiders = { kind: 'some', what: 'is shared with other workspaces' };
const notOurs: Outsiders = { kind: 'some', what: 'is a conversation without me' };
const crowded: Outsiders = {
  kind: 'unknown',
  because: 'Too many people are in this channel to look for guests among them.',
  passes: false,
};

/** What finding them takes. */
interface FindingParts {
  readonly web: WebClient;
  readonly log: Logger;
}

/**
 * What one call tells of a channel: who reads there, where that is enough to tell, else how many do (null: Slack does not
 * tell).
 */
export async function glanceAt(
  channel: string,
  { web, log }: FindingParts,
): Promise<Outsiders | { readonly kind: 'look'; readonly members: number | null }> {
  try {
    const { channel: facts = {} } = await web.conversations.info({ channel, include_num_members: true });
    if (isDirectMessage(channel)) return none;
    const kinds = [facts.is_shared, facts.is_ext_shared, facts.is_org_shared, facts.is_pending_ext_shared];
    if (kinds.includes(true)) return shared;
    const { num_members: members = null } = facts;
    return members !== null && members > MOST_MEMBERS ? crowded : { kind: 'look', members };
  } catch (error) {
    // Slack lets an app post in its own conversations only, so that whatever else it refuses to tell does no harm.
    if (isDirectMessage(channel)) return refusalOf(error) === 'channel_not_found' ? notOurs : none;
    return unknownFor(channel, error, log);
  }
}

/** Looks for guests among all who are in a channel. */
export async function lookForGuests(channel: string, { web, log }: FindingParts): Promise<Outsiders> {
  try {
    const members = await membersOf(channel, web);
    if (members === null) return crowded;
    const hasGuests = await guestsAmong(members, web);
    if (hasGuests === null) return crowded;
    return hasGuests ? guests : none;
  } catch (error) {
    return unknownFor(channel, error, log);
  }
}

/** Of two, one of whom may be the app. */
function isDirectMessage(channel: string): boolean {
  return channel.startsWith('D');
}

function unknownFor(channel: string, error: unknown, log: Logger): Outsiders {
  log.warn({ err: error, channel }, 'who reads in a channel cannot be found out');
  return { kind: 'unknown', because: whyUntold(error), passes: refusalOf(error) === null };
}
