import type { NotifiedVisit } from '../../api/watches/watches-api.ts';
import { lineText } from '../../block-kit/code-text.ts';
import type { Message } from '../../block-kit/message.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { AppError } from '../../model/error.ts';
import { principalIn } from '../../model/principal.ts';
import type { Watch } from '../../model/watch.ts';
import { countWords } from '../../questions/view/figure-words.ts';
import { say } from '../../questions/view/wording.ts';
import type { SlashCommand, SlashInvocation } from '../app/handler-types.ts';
import { button, notice } from '../app/message-texts.ts';
import { openLateView } from '../app/open-view.ts';
import type { SlackParts, WatchParts } from '../app/parts.ts';
import { refusal, typedSentences } from '../app/show-failure.ts';
import { examplesFor } from '../ask/help.ts';
import { parserContextOf } from '../ask/read-question.ts';
import { beginWatch } from './begin-watch.ts';
import { deleteButton } from './nudge-message.ts';
import { emptyWatchForm } from './watch-form.ts';
import { exampleRule, exampleStatus, notifiesWords, ruleWords } from './watch-rule.ts';
import { readWatchWords, watchUsage } from './watch-words.ts';

const buttons = 'Each of your watches has its buttons in the list: `/tis watch`.';
/** What people type who look for something else. */
const otherWords: ReadonlyMap<string, string> = new Map([
  ...['pause', 'resume', 'stop', 'delete', 'remove', 'snooze'].map((word) => [word, buttons] as const),
  [
    'help',
    `\`/tis watch "In Review" longer than 3 working days in WEB\` begins a watch; \`in CALENDAR\` names the hours, \`tell me\` tells only you. \`/tis watch new\` opens a form. ${buttons} More: \`/tis help watch\`.`,
  ],
]);

/** `/tis watch`: tells somebody when an issue sits in a status for too long. */
export const tisWatch: SlashCommand<WatchParts> = {
  root: '/tis',
  word: 'watch',
  usage: `/tis watch [new|${watchUsage}]`,
  summary: 'tells who is in charge when something sits in a status for too long; alone: your watches',
  examples: [
    '/tis watch "In Review" longer than 3 working days in WEB',
    '/tis watch "In Review" longer than usual in WEB tell me',
    '/tis watch new',
  ],
  details:
    'Told is who is in charge or, while they are away, who stands in for them; whoever cannot be told gives way to you. Each stay is told once, in a direct message, at most one an hour, in the working hours of the calendar (without one from 8:00 to 18:00 on weekdays). Usual is what 85 % of the visits that ended there within 90 days did not exceed.',
  async answer(asked, parts) {
    const [first = '', from = ''] = asked.words.map((word) => word.toLowerCase());
    if (asked.words.length === 0 || (asked.words.length <= 2 && first === 'list')) {
      return [
        await listOwnWatches(asked.principal.account, parts, Math.max(0, Number.parseInt(from, 10) - 1 || 0)),
      ];
    }
    if (asked.words.length === 1 && first === 'new') return openForm(asked, parts);
    const advice = otherWords.get(first);
    if (advice !== undefined && !asked.words.some((word) => word.toLowerCase() === 'longer')) {
      return [notice(advice)];
    }
    return [await begin(asked, parts)];
  },
};

function openForm(
  { principal: { account: user }, place, open }: SlashInvocation,
  parts: WatchParts,
): Promise<readonly Message[]> {
  return openLateView(
    {
      title: 'New watch',
      meanwhile: 'Looking what can be watched…',
      advice: 'Please type `/tis watch new` again.',
      make: () => emptyWatchForm(user, place, parts),
    },
    open,
    parts,
  );
}

async function begin(asked: SlashInvocation, parts: WatchParts): Promise<Message> {
  const account = asked.principal.account;
  const asking = await parserContextOf(account, asked.place, parts);
  const statuses = await parts.reporting.statuses(asking.principal);
  try {
    const { wish, remarks } = await readWatchWords(asked.text, asking, statuses);
    return await beginWatch(wish, remarks, account, parts);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
    const shown = exampleStatus(statuses);
    return refusal(
      typedSentences(error),
      await examplesFor(
        asked,
        ({ project }) => [`/tis watch ${shown} longer than usual in ${project}`, '/tis watch new'],
        parts,
      ),
    );
  }
}

/** An account's own watches as a message, from one of them (0 is the first) on. */
export async function listOwnWatches(
  account: string,
  parts: Pick<SlackParts, 'watches' | 'reporting' | 'people' | 'accounts' | 'log'>,
  start = 0,
): Promise<Message> {
  const { watches } = parts;
  const principal = principalIn(parts.people.tenant, account);
  const own = await watches.list(principal);
  const listed = await Promise.all(
    own.map(async (watch) => ({ watch, last: await watches.lastNotified(principal, watch.id) })),
  );
  return watchListMessage(listed, await exampleRule(account, parts), start);
}

/** As many as a message holds whatever they are called. */
const SHOWN = 10;
const TROUBLE_LENGTH = 100;
const KEY_LENGTH = 40;

/** A watch, and what it told last; null: nothing yet. */
interface ListedWatch {
  readonly watch: Watch;
  readonly last: NotifiedVisit | null;
}

/** Somebody's watches, from one of them (0 is the first) on; `example` is what a new one could be typed as. */
export function watchListMessage(all: readonly ListedWatch[], example: string, start = 0): Message {
  const shown = all.slice(start, start + SHOWN);
  const lines = shown.map(({ watch, last }) =>
    say(({ strong, words, date }) => {
      const told =
        last === null
          ? 'has told of nothing yet'
          : `last told of ${words(shorten(last.key, KEY_LENGTH))} at ${date(last.at)}`;
      const trouble = watch.trouble === undefined ? '' : `: ${words(shorten(watch.trouble, TROUBLE_LENGTH))}`;
      const state = watch.paused ? `${strong('Paused')}${trouble}` : 'Watching';
      return `${strong(ruleWords(watch))}\n${state} · ${notifiesWords(watch)} · ${told}`;
    }),
  );
  const end = start + shown.length;
  const more = end < all.length ? ` \`/tis watch list ${end + 1}\` shows the others.` : '';
  const head =
    all.length === 0
      ? 'You have no watches.'
      : `You have ${all.length === 1 ? 'one watch' : `${countWords(all.length)} watches`}.${more}`;
  const typed = lineText(`/tis watch ${example}`);
  const foot = `A new one: ${typed}, or \`/tis watch new\` for a form.`;
  return {
    text: [head, ...lines.map(({ plain }) => escapeMrkdwn(plain)), foot].join('\n'),
    blocks: [
      section(head),
      ...shown.flatMap(({ watch: { id, paused } }, i) => [
        section(lines[i]?.marked ?? ''),
        {
          type: 'actions' as const,
          elements: [
            paused
              ? button('Resume', 'watch-resume', listedWatch(id))
              : button('Pause', 'watch-pause', listedWatch(id)),
            deleteButton('Delete', listedWatch(id)),
          ],
        },
      ]),
      { type: 'actions', elements: [button('New watch', 'watch-new', 'new')] },
      context(foot),
    ],
  };
}

const LISTED = 'listed';

/** What a button beside a watch in the list of somebody's watches carries. */
function listedWatch(id: string): string {
  return `${id} ${LISTED}`;
}

/** The same, read again; elsewhere such a button carries the id alone. */
export function readListed(value: string): { readonly id: string; readonly isListed: boolean } {
  const [id = '', where] = value.split(' ');
  return { id, isListed: where === LISTED };
}
