import type { Reminder, ReminderOutcome, WatchNotifier } from '../../api/watches/watches-api.ts';
import type { Message } from '../../block-kit/message.ts';
import { digestPrincipal } from '../digests/digest-principal.ts';
import { mayBeDone, refusalOf } from '../exports/refusal.ts';
import type { SlackParts } from '../parts.ts';
import { accountsOf } from '../people/accounts-of.ts';
import { postMessage } from '../post-message.ts';
import { tellDirectly } from '../tell-directly.ts';
import { findNudge, nudgeMark } from './nudge-mark.ts';
import { MOST_TOLD, nudgeMessage } from './nudge-message.ts';
import { troubleMessage } from './trouble-message.ts';

/** What telling people of watches draws on. */
export type WatchDoor = Pick<
  SlackParts,
  'people' | 'accounts' | 'answers' | 'web' | 'wait' | 'pictures' | 'log'
>;

/** Tells people of what sits too long, each in their conversation with the app. */
export function createWatchNotifier(parts: WatchDoor): WatchNotifier {
  const { people, web } = parts;
  return {
    principalOf: (account) => digestPrincipal(account, parts),
    async accountOf(user) {
      const known = (await people.users()).get(user);
      if (known === undefined) return null;
      for await (const account of accountsOf(known, parts)) {
        if ((await digestPrincipal(account, parts)) !== null) return account;
      }
      return null;
    },
    async remind(nudge, account) {
      const owners = new Set(nudge.map(({ watch }) => watch.owner));
      const ownerNames = new Map<string, string>();
      for (const owner of owners) ownerNames.set(owner, (await parts.accounts.profileOf(owner)).name);
      const runs = await keepRuns(nudge, account, parts);
      return post(nudgeMessage(nudge, { account, ownerNames }, runs), nudge, account, parts);
    },
    wasReminded: (visit, account) => findNudge(visit, account, web),
    async notifyOwner(watch) {
      const told = await tellDirectly(watch.owner, troubleMessage(watch), parts);
      return told !== 'refused';
    },
  };
}

/** What *Why?* asks again, with the rights of whoever presses it. */
async function keepRuns(
  nudge: Reminder,
  account: string,
  { answers }: WatchDoor,
): Promise<ReadonlyMap<string, string>> {
  const runs = new Map<string, string>();
  const shown = nudge.flatMap((group) => group.visits.map((visit) => ({ ...group, visit })));
  for (const { watch, visit, asOf } of shown.slice(0, MOST_TOLD)) {
    const { calendar, timeZone } = watch;
    const question = { kind: 'issue', key: visit.issue.key, calendar, timeZone } as const;
    runs.set(visit.issue.key, (await answers.storeRun(account, { question, asOf })).id);
  }
  return runs;
}

/** Slack is not asked again here: who looks a minute later does. */
async function post(
  message: Message,
  nudge: Reminder,
  account: string,
  { web, pictures, log }: WatchDoor,
): Promise<ReminderOutcome> {
  const visits = nudge.flatMap((group) => group.visits);
  const marks = visits.map(({ issue: { key }, dueSince }) => ({ key, dueSince }));
  try {
    await postMessage(
      message,
      ({ text, blocks }) =>
        web.chat.postMessage({
          channel: account,
          text,
          ...(blocks.length > 0 ? { blocks: [...blocks] } : {}),
          metadata: nudgeMark(marks),
          unfurl_links: false,
          unfurl_media: false,
        }),
      { pictures, log },
    );
    return 'sent';
  } catch (error) {
    const outcome = mayBeDone(error) ? 'unknown' : refusalOf(error) === null ? 'later' : 'refused';
    log.warn({ err: error, account, outcome }, 'somebody could not be told of a watch');
    return outcome;
  }
}
