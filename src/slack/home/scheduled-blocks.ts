import type { MessageBlock } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Digest } from '../../model/digest.ts';
import type { Watch } from '../../model/watch.ts';
import { countWords } from '../../questions/view/figure-words.ts';
import { scheduleWords } from '../../time/cron-words.ts';
import { button } from '../app/message-texts.ts';
import { stateWords } from '../digests/describe-digest.ts';
import { notifiesWords, ruleWords } from '../watches/describe-watch.ts';
import { asking } from './home-blocks.ts';
import type { Scheduled } from './home-content.ts';

const SHOWN = 5;
const TITLE_LENGTH = 80;

/** The title of the part. */
export const scheduledTitle = 'Your digests and watches';

/** Somebody's digests, failed ones first with what to do, and their watches. */
export function scheduledBlocks({ digests, watches }: Scheduled): readonly MessageBlock[] {
  const failed = digests.filter(hasFailed);
  const inOrder = [...failed, ...digests.filter((one) => !hasFailed(one))];
  return [
    ...(digests.length === 0
      ? asking(
          ['*Your digests*', 'None yet: a digest is an answer that comes by itself.'],
          'New digest',
          '/tis digest new',
        )
      : [
          ...asking(
            [
              '*Your digests*',
              ...(failed.length === 0 ? [] : [failedText(failed.length)]),
              ...some(inOrder, digestLine),
            ],
            'All digests',
            '/tis digest',
          ),
          another('New digest', '/tis digest new'),
        ]),
    ...(watches.length === 0
      ? asking(
          ['*Your watches*', 'None yet: a watch tells you when an issue sits somewhere for too long.'],
          'New watch',
          '/tis watch new',
        )
      : [
          ...asking(['*Your watches*', ...some(watches, watchLine)], 'All watches', '/tis watch'),
          another('New watch', '/tis watch new'),
        ]),
  ];
}

function another(text: string, command: string): MessageBlock {
  return { type: 'actions', elements: [button(text, 'home-ask', command)] };
}

function hasFailed({ lastRun }: Digest): boolean {
  return lastRun?.state === 'failed';
}

function failedText(count: number): string {
  const which = count === 1 ? 'One of them' : `${count} of them`;
  return `:warning: ${which} failed the last time. The reason stands beside it; *All digests* changes or pauses it.`;
}

function digestLine(digest: Digest): string {
  const { title, schedule } = digest;
  const failed = hasFailed(digest) ? ':warning: ' : '';
  return `• ${failed}*${nameText(title)}*, ${escapeMrkdwn(shorten(scheduleWords(schedule.cron), TITLE_LENGTH))} · ${stateWords(digest)}`;
}

function watchLine(watch: Watch): string {
  return `• ${escapeMrkdwn(ruleWords(watch))}, ${notifiesWords(watch)}${watch.paused ? ' · paused' : ''}`;
}

function some<One>(all: readonly One[], line: (one: One) => string): readonly string[] {
  const more = all.length - SHOWN;
  return [...all.slice(0, SHOWN).map(line), ...(more > 0 ? [`… and ${countWords(more)} more.`] : [])];
}

function nameText(name: string): string {
  return escapeMrkdwn(shorten(name, TITLE_LENGTH));
}
