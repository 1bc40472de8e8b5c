import type { CreatedWatch, WatchesApi } from '../../api/watches/watches-api.ts';
import type { Message } from '../../block-kit/message.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { someOf } from '../../block-kit/some-of.ts';
import { principalIn } from '../../model/principal.ts';
import type { WatchInput } from '../../model/watch.ts';
import { isolated } from '../../output/text-direction.ts';
import { countOf, countWords } from '../../questions/view/figure-words.ts';
import type { SlackParts } from '../app/parts.ts';
import { knownPrincipal, resolvePrincipal } from '../people/principals.ts';
import { deleteButton } from './nudge-message.ts';
import { NAME_LENGTH, notifiesWords, ruleWords } from './watch-rule.ts';

/**
 * Creates a watch of an account, and says what sits too long already. Of whom the tracker does not know nobody else is
 * told: others could not tell who sends them words.
 */
export async function beginWatch(
  wish: WatchInput,
  remarks: readonly string[],
  account: string,
  parts: Pick<SlackParts, 'people' | 'accounts' | 'log'> & { readonly watches: Pick<WatchesApi, 'create'> },
): Promise<Message> {
  const principal = await resolvePrincipal(account, parts);
  const isAsAsked = wish.tells === 'owner' || (await knownPrincipal(account, parts)) !== null;
  const begun = await parts.watches.create(
    { owner: principalIn(parts.people.tenant, account), principal },
    isAsAsked ? wish : { ...wish, tells: 'owner' },
  );
  return begunMessage(begun, isAsAsked ? remarks : [...remarks, unknownRemark]);
}

/** What the owner reads when a watch begins. Expects the remarks to be escaped. */
export function begunMessage(begun: CreatedWatch, remarks: readonly string[]): Message {
  const { watch } = begun;
  const rule = escapeMrkdwn(ruleWords(watch));
  const foot = `It ${notifiesWords(watch)}, once for each stay, in a direct message and in working hours only. \`/tis watch\` shows, pauses and deletes your watches.`;
  const now = escapeMrkdwn(nowText(begun));
  return {
    text: [`Watching: ${rule}.`, now, ...remarks, foot].join('\n'),
    blocks: [
      section(`Watching: *${rule}*.\n${now}`),
      ...remarks.map(context),
      context(foot),
      { type: 'actions', elements: [deleteButton('Stop this watch', watch.id)] },
    ],
  };
}

const unknownRemark =
  'I do not know who you are in the tracker, so I tell nobody but you. `/tis link` says who you are; after it a new watch can tell who is in charge.';

function nowText(begun: CreatedWatch): string {
  const { overdue, notified, sinceUnknown } = begun;
  const unknown =
    sinceUnknown === 0
      ? ''
      : ` Of ${countOf(sinceUnknown, 'open issue')} a cut history does not tell since when, so I cannot watch ${sinceUnknown === 1 ? 'it' : 'them'}.`;
  const keys = overdue.map(({ issue }) => issue.key);
  const when =
    'to whoever has not heard of it yet, in working time: within five minutes, or an hour after I last told them of watches';
  if (keys.length === 0) return `${nothingText(begun)}${unknown}`;
  if (keys.length <= notified) {
    return `${countWords(keys.length)} ${keys.length === 1 ? 'does' : 'do'} now: ${keys.join(', ')}. That is told ${when}.${unclearText(begun)}${unknown}`;
  }
  return `${countWords(keys.length)} do now. The ${notified} furthest beyond are told ${when}: ${keys.slice(0, notified).join(', ')}. The others are left alone as long as they stay where they are: ${someOf(keys.slice(notified))}.${unclearText(begun)}${unknown}`;
}

/** Nothing is claimed that nobody knows. */
function nothingText(begun: CreatedWatch): string {
  const { watch, here, withoutBaseline, everObserved } = begun;
  const status = isolated(shorten(watch.status.name, NAME_LENGTH));
  const title = isolated(shorten(watch.title, NAME_LENGTH));
  if (!everObserved) {
    return `No issue of ${title} that you can see was ever in ${status}, so there may never be anything to tell. Is that the status you meant?`;
  }
  if (here === 0) return `Nothing is in ${status} now.`;
  if (withoutBaseline === 0) return `Nothing sits there that long now, of ${countWords(here)} in ${status}.`;
  if (withoutBaseline < here) {
    return `Nothing sits there longer than usual now, as far as I can tell.${unclearText(begun)}`;
  }
  return unclearText(begun).trimStart();
}

function unclearText({ here, withoutBaseline }: CreatedWatch): string {
  if (withoutBaseline === 0) return '';
  const few = 'fewer than 5 visits ended there within 90 days';
  return withoutBaseline === here
    ? ` ${countWords(here)} ${here === 1 ? 'sits' : 'sit'} there, but ${few}, so I cannot tell what is usual; name a time, such as \`longer than 3 days\`.`
    : ` Of ${countWords(withoutBaseline)} of the ${countWords(here)} there I cannot tell what is usual, for ${few}.`;
}
