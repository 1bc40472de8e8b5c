import { unescapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { AppError } from '../../model/error.ts';
import type { AudienceScope } from '../../model/permissions.ts';
import { whyNotHere } from '../audience/why-not-here.ts';
import type { DigestPostParts } from '../parts.ts';

/**
 * Fails with the reasons where not everybody who reads in a channel may read a digest; `unavailable` where Slack does not
 * tell at the moment who that is, which is no reason to give the period up.
 */
export async function mayBeTold(
  contents: AudienceScope | null,
  channel: string,
  parts: Pick<DigestPostParts, 'channels' | 'channelFacts' | 'reporting' | 'people'>,
): Promise<void> {
  const channelFacts: DigestPostParts['channelFacts'] = {
    async outsidersIn(place) {
      const outsiders = await parts.channelFacts.outsidersIn(place);
      if (outsiders.kind === 'unknown' && outsiders.passes) {
        throw new AppError('slack-unavailable', unescapeMrkdwn(outsiders.because));
      }
      return outsiders;
    },
  };
  const reasons = await whyNotHere(contents, channel, { ...parts, channelFacts });
  if (reasons.length > 0) {
    throw new AppError(
      'not-for-this-channel',
      'It may not be read by everybody in its channel.',
      reasons.map(unescapeMrkdwn),
    );
  }
}
