import type { Message } from '../../block-kit/message.ts';
import { AppError } from '../../model/error.ts';
import type { Asked, SlashCommand } from '../command.ts';
import { notice } from '../messages/notice.ts';
import { refusal } from '../messages/refusal.ts';
import { openLateView } from '../open-late-view.ts';
import type { WatchParts } from '../parts.ts';
import { askingOf } from '../questions/read-question.ts';
import { tryThese } from '../questions/try-these.ts';
import { typedSentences } from '../questions/typed-sentences.ts';
import { beginWatch } from '../watches/begin-watch.ts';
import { emptyWatchForm } from '../watches/empty-watch-form.ts';
import { exampleStatus } from '../watches/example-status.ts';
import { listOwnWatches } from '../watches/list-own.ts';
import { readWatchWords, watchUsage } from '../watches/read-watch-words.ts';

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
  { principal: { account: user }, place, open }: Asked,
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

async function begin(asked: Asked, parts: WatchParts): Promise<Message> {
  const account = asked.principal.account;
  const asking = await askingOf(account, asked.place, parts);
  const statuses = await parts.reporting.statuses(asking.principal);
  try {
    const { wish, remarks } = await readWatchWords(asked.text, asking, statuses);
    return await beginWatch(wish, remarks, account, parts);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
    const shown = exampleStatus(statuses);
    return refusal(
      typedSentences(error),
      await tryThese(
        asked,
        ({ project }) => [`/tis watch ${shown} longer than usual in ${project}`, '/tis watch new'],
        parts,
      ),
    );
  }
}
