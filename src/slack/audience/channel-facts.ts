import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { remembered } from '../../formats/remembered.ts';
import type { Instant } from '../../model/issue.ts';
import { findOutsiders } from './find-outsiders.ts';
import type { Outsiders } from './outsiders.ts';

/** How long what Slack told of a channel is believed. */
const KEPT_MS = 5 * 60_000;
const KEPT_CHANNELS = 1_000;

/** What Slack tells of channels. */
export interface ChannelFacts {
  /** Whatever hinders finding out is an answer, not a failure. */
  outsidersIn(channel: string): Promise<Outsiders>;
}

/** Asks Slack, and remembers what it told for five minutes. */
export function createChannelFacts(
  web: WebClient,
  { now, log }: { readonly now: () => Instant; readonly log: Logger },
): ChannelFacts {
  const kept = new Map<string, { readonly until: Instant; readonly outsiders: Promise<Outsiders> }>();
  return {
    outsidersIn(channel) {
      const known = kept.get(channel);
      if (known !== undefined && known.until <= now()) kept.delete(channel);
      const { outsiders } = remembered(kept, KEPT_CHANNELS, channel, () => ({
        until: now() + KEPT_MS,
        outsiders: findOutsiders(channel, { web, log }),
      }));
      // What could not be found out may be put right at any moment.
      outsiders.then(
        ({ kind }) => kind === 'unknown' && kept.delete(channel),
        () => kept.delete(channel),
      );
      return outsiders;
    },
  };
}
