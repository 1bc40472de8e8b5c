import type { WebClient } from '@slack/web-api';
import { millisecondsInMinute } from 'date-fns/constants';
import type { Logger } from 'pino';
import type { Backing } from '../../cache/backing.ts';
import { createNamespace } from '../../cache/namespace.ts';
import type { Instant } from '../../model/issue.ts';
import { glanceAt, lookForGuests } from './find-outsiders.ts';
import type { Outsiders } from './outsiders.ts';

/** How long it is believed that a channel has guests. */
const KEPT_MS = 5 * millisecondsInMinute;
/** A guest may come for somebody who leaves. */
const WITHOUT_GUESTS_MS = 30_000;
const KEPT_CHANNELS = 1_000;

/** What Slack tells of channels. */
export interface ChannelFacts {
  /** Whatever hinders finding out is an answer, not a failure. */
  outsidersIn(channel: string): Promise<Outsiders>;
}

interface Looked {
  /** How many were in the channel. */
  readonly members: number | null;
  readonly outsiders: Outsiders;
}

/**
 * Asks Slack each time whether a channel is shared and how many are in it. Whether guests are among them is remembered
 * while they are as many: for half a minute that there are none, for five minutes that there are.
 */
export function createChannelFacts(
  web: WebClient,
  { now, log, shared }: { readonly now: () => Instant; readonly log: Logger; readonly shared?: Backing },
): ChannelFacts {
  const looks = createNamespace<Looked>({
    name: 'slack-channel-guests',
    ttlMs({ outsiders: { kind } }) {
      if (kind === 'some') return KEPT_MS;
      // What could not be found out may be put right at any moment.
      return kind === 'none' ? WITHOUT_GUESTS_MS : 0;
    },
    most: KEPT_CHANNELS,
    now,
    backing: shared,
  });

  return {
    async outsidersIn(channel) {
      const glance = await glanceAt(channel, { web, log });
      if (glance.kind !== 'look') return glance;
      const { members } = glance;
      const look = async () => ({ members, outsiders: await lookForGuests(channel, { web, log }) });
      const { outsiders } = await looks.getOrMake(channel, look, {
        isStill: (looked) => looked.members === members,
      });
      return outsiders;
    },
  };
}
