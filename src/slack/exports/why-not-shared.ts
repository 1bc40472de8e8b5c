import type { Logger } from 'pino';
import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
import { AppError } from '../../model/error.ts';
import type { ExportRecord } from '../../model/export.ts';
import type { ChannelFacts } from '../audience/channel-facts.ts';
import { type AudienceLookups, whyNotHere } from '../audience/why-not-here.ts';

/**
 * Why a file may not be brought to a channel after all, for its principal alone: what is in it, or who reads there, may have
 * changed since it was asked for. None: it may. What passes is `unavailable`.
 */
export async function whyNotShared(
  { id, input: wish }: ExportRecord,
  channel: string,
  parts: AudienceLookups & {
    readonly reporting: Pick<ReportingApi, 'audienceScope'>;
    readonly log: Logger;
  },
): Promise<readonly string[]> {
  try {
    const contents = await parts.reporting.audienceScope(wish.request);
    return await whyNotHere(contents, channel, { ...parts, channelFacts: lasting(parts.channelFacts) });
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') throw error;
    parts.log.warn({ err: error, export: id }, 'what is in the file of an export cannot be told');
    return ['Nobody can tell any more what is in the file.'];
  }
}

/** What passes by itself is no answer: the file waits for one. */
function lasting({ outsidersIn }: ChannelFacts): ChannelFacts {
  return {
    async outsidersIn(channel) {
      const outsiders = await outsidersIn(channel);
      if (outsiders.kind === 'unknown' && outsiders.passes)
        throw new AppError('slack-unavailable', outsiders.because);
      return outsiders;
    },
  };
}
