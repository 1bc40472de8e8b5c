import { AppError } from '../../model/error.ts';
import type { SlashCommand } from '../app/handler-types.ts';
import type { WatchParts } from '../app/parts.ts';
import { lineRefusal, typedSentences } from '../app/show-failure.ts';
import { examplesFor, helpTopic } from '../ask/help.ts';
import { parserContextOf } from '../ask/read-question.ts';
import { beginWatch } from './describe-watch.ts';
import { openWatchForm } from './watch-form.ts';
import { exampleRule, listWatches } from './watch-list.ts';
import { readWatchWords, watchUsage } from './watch-words.ts';

/** What people type first who look for the list, or for what its menus do. */
const listWords = /^(list|pause|resume|stop|delete|remove|snooze)?$/;

/** `/tis watch`: alerts people when an issue stays in a status too long. */
export const tisWatch: SlashCommand<WatchParts> = {
  root: '/tis',
  word: 'watch',
  usage: `/tis watch [new|${watchUsage}]`,
  summary: 'alert the assignee when an issue stays in a status too long; alone: your watches',
  examples: [
    '/tis watch "In Review" longer than 3 working days in WEB',
    '/tis watch "In Review" longer than usual in WEB alert me',
    '/tis watch new',
  ],
  details:
    'While the assignee is away, the person who covers for them gets the alert; if neither can be reached, you do. Alerts come once per stay, by direct message, at most one an hour, in the working hours of the calendar (8 AM to 6 PM on weekdays without one). Usual is the 85th percentile of the stays that ended within 90 days.',
  async answer(asked, parts) {
    const { account } = asked.principal;
    const first = asked.words[0]?.toLowerCase() ?? '';
    const isRule = asked.words.some((word) => word.toLowerCase() === 'longer');
    if (!isRule && listWords.test(first)) return [await listWatches(account, parts)];
    if (!isRule && first === 'help') {
      const ours = parts.commands.filter(({ root }) => root === '/tis');
      return [helpTopic(ours, 'watch')];
    }
    if (asked.words.length === 1 && first === 'new') return openWatchForm(asked, parts);
    const context = await parserContextOf(account, asked.place, parts);
    try {
      const statuses = await parts.reporting.statuses(context.principal);
      const { input, remarks } = await readWatchWords(asked.text, context, statuses);
      return [await beginWatch(input, remarks, account, parts)];
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
      const lines = [`/tis watch ${await exampleRule(account, parts, asked.place)}`, '/tis watch new'];
      const advice = await examplesFor(asked, () => lines, parts);
      return [lineRefusal(error, `/tis watch ${asked.text}`, typedSentences(error), advice)];
    }
  },
};
