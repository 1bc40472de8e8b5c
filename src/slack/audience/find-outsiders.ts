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
const crowded: Outsiders = {
  kind: 'unknown',
  because: 'Too many people are in this channel to look for guests among them.',
  passes: false,
};

/** Who reads a channel beside the people of the workspace, as far as Slack tells. */
export async function findOutsiders(
  channel: string,
  { web, log }: { readonly web: WebClient; readonly log: Logger },
): Promise<Outsiders> {
  try {
    const { channel: facts = {} } = await web.conversations.info({ channel, include_num_members: true });
    const kinds = [facts.is_shared, facts.is_ext_shared, facts.is_org_shared, facts.is_pending_ext_shared];
    if (kinds.includes(true)) return shared;
    if (facts.num_members !== undefined && facts.num_members > MOST_MEMBERS) return crowded;
    const members = await membersOf(channel, web);
    if (members === null) return crowded;
    const hasGuests = await guestsAmong(members, web);
    if (hasGuests === null) return crowded;
    return hasGuests ? guests : none;
  } catch (error) {
    log.warn({ err: error, channel }, 'who reads in a channel cannot be found out');
    return { kind: 'unknown', because: whyUntold(error), passes: refusalOf(error) === null };
  }
}
