import type { NotifiedVisit } from '../../api/watches/watches-api.ts';
import { lineText } from '../../block-kit/code-text.ts';
import type { Message } from '../../block-kit/message.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Watch } from '../../model/watch.ts';
import { countWords } from '../../questions/view/figure-words.ts';
import { say } from '../../questions/view/wording.ts';
import { button } from '../messages/button.ts';
import { listedWatch } from './listed-watch.ts';
import { deleteButton } from './nudge-message.ts';
import { ruleWords, tellsWords } from './rule-words.ts';

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
      return `${strong(ruleWords(watch))}\n${state} · ${tellsWords(watch)} · ${told}`;
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
