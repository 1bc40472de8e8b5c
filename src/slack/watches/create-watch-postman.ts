import type { Nudge, NudgeOutcome, WatchPostman } from '../../api/watches.ts';
import type { DoorParts } from '../command.ts';
import { digestAsker } from '../digests/digest-asker.ts';
import { mayBeDone, refusalOf } from '../exports/refusal.ts';
import type { Message } from '../message.ts';
import { accountsOf } from '../people/accounts-of.ts';
import { postMessage } from '../post-message.ts';
import { tellDirectly } from '../tell-directly.ts';
import { findNudge, nudgeMark } from './nudge-mark.ts';
import { MOST_TOLD, nudgeMessage } from './nudge-message.ts';
import { troubleMessage } from './trouble-message.ts';

/** What telling people of watches draws on. */
export type WatchDoor = Pick<
  DoorParts,
  'people' | 'accounts' | 'answers' | 'web' | 'wait' | 'pictures' | 'log'
>;

/** Tells people of what sits too long, each in their conversation with the app. */
export function createWatchPostman(parts: WatchDoor): WatchPostman {
  const { people, web } = parts;
  return {
    askerOf: (account) => digestAsker(account, parts),
    async accountOf(user) {
      const known = (await people.users()).get(user);
      if (known === undefined) return null;
      for await (const account of accountsOf(known, parts)) {
        if ((await digestAsker(account, parts)) !== null) return account;
      }
      return null;
    },
    async nudge(nudge, account) {
      const { name } = await parts.accounts.profileOf(nudge.watch.owner);
      const runs = await keepRuns(nudge, account, parts);
      const message = nudgeMessage(nudge, { account, ownerName: name }, runs);
      return post(message, nudge, account, parts);
    },
    hasTold: (watchId, visit, account) => findNudge(watchId, visit, account, web),
    async tellOwner(watch) {
      await tellDirectly(watch.owner, troubleMessage(watch), parts);
    },
  };
}

/** What *Why?* asks again, with the rights of whoever presses it. */
async function keepRuns(
  { watch, visits, asOf }: Nudge,
  account: string,
  { answers }: WatchDoor,
): Promise<ReadonlyMap<string, string>> {
  const { calendar, timeZone } = watch;
  const runs = new Map<string, string>();
  for (const { issue } of visits.slice(0, MOST_TOLD)) {
    const question = { kind: 'issue', key: issue.key, calendar, timeZone } as const;
    runs.set(issue.key, (await answers.keep(account, question, asOf)).id);
  }
  return runs;
}

/** Slack is not asked again here: who looks a minute later does. */
async function post(
  message: Message,
  { watch, visits }: Nudge,
  account: string,
  { web, pictures, log }: WatchDoor,
): Promise<NudgeOutcome> {
  const marks = visits.map(({ issue: { key }, untoldSince }) => ({ key, untoldSince }));
  try {
    await postMessage(
      message,
      ({ text, blocks }) =>
        web.chat.postMessage({
          channel: account,
          text,
          ...(blocks.length > 0 ? { blocks: [...blocks] } : {}),
          metadata: nudgeMark(watch.id, marks),
          unfurl_links: false,
          unfurl_media: false,
        }),
      { pictures, log },
    );
    return 'told';
  } catch (error) {
    const outcome = mayBeDone(error) ? 'unknown' : refusalOf(error) === null ? 'later' : 'refused';
    log.warn({ err: error, account, watchId: watch.id, outcome }, 'somebody could not be told of a watch');
    return outcome;
  }
}
