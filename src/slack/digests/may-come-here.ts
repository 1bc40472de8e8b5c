import { badRequest } from '../../model/error.ts';
import { refusalOf, tryAgain } from '../exports/refusal.ts';
import type { SlackParts } from '../parts.ts';

const invite = 'Type `/invite @Dwell` there and try again, or say `to me`.';

/**
 * Whether Dwell may post in a channel, asked when a digest is made rather than when it is due: a `bad-request` where it
 * surely may not; a sentence (mrkdwn) where Slack does not tell; null where it may.
 */
export async function mayComeHere(
  channel: string,
  { web, log }: Pick<SlackParts, 'web' | 'log'>,
): Promise<string | null> {
  try {
    const { channel: facts } = await web.conversations.info({ channel });
    if (facts?.is_archived === true)
      throw badRequest('This channel is archived. Try: another channel, or to me.');
    if (facts?.is_member === false) throw badRequest(`I am not in this channel. ${invite}`);
    return null;
  } catch (error) {
    const code = refusalOf(error);
    if (code === 'channel_not_found') throw badRequest(`I am not in this channel. ${invite}`);
    if (code === null && tryAgain(error) === error) throw error;
    log.warn({ err: error, channel }, 'whether Dwell is in a channel cannot be found out');
    return code === 'missing_scope'
      ? 'I may not see whether I am in this channel: for that an admin has to give the app the scopes `channels:read`, `groups:read` and `mpim:read`. If I am not, type `/invite @Dwell` here.'
      : 'Slack does not tell at the moment whether I am in this channel. If I am not, type `/invite @Dwell` here.';
  }
}
