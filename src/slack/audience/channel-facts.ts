import type { WebClient } from '@slack/web-api';
import { millisecondsInMinute } from 'date-fns/constants';
import type { Logger } from 'pino';
import type { Instant } from '../../model/issue.ts';
import { remembered } from '../../output/remembered.ts';
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

interface Kept {
  /** How many were in the channel. */
  readonly members: number | null;
  readonly outsiders: Promise<Outsiders>;
  until: Instant;
}

/**
 * Asks Slack each time whether a channel is shared and how many are in it. Whether guests are among them is remembered
 * while they are as many: for half a minute that there are none, for five minutes that there are.
 */
export function createChannelFacts(
  web: WebClient,
  { now, log }: { readonly now: () => Instant; readonly log: Logger },
): ChannelFacts {
  const kept = new Map<string, Kept>();

  function look(channel: string, members: number | null): Kept {
    const at = now();
    const outsiders = lookForGuests(channel, { web, log });
    const looked: Kept = { members, outsiders, until: at + WITHOUT_GUESTS_MS };
    outsiders.then(({ kind }) => {
      if (kind === 'some') looked.until = at + KEPT_MS;
      // What could not be found out may be put right at any moment.
      if (kind === 'unknown' && kept.get(channel) === looked) kept.delete(channel);
    });
    return looked;
  }

  return {
    async outsidersIn(channel) {
      const glance = await glanceAt(channel, { web, log });
      if (glance.kind !== 'look') return glance;
      const known = kept.get(channel);
      if (known !== undefined && (known.until <= now() || known.members !== glance.members)) {
        kept.delete(channel);
      }
      return remembered(kept, KEPT_CHANNELS, channel, () => look(channel, glance.members)).outsiders;
    },
  };
}
