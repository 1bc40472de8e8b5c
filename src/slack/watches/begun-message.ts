import type { BegunWatch } from '../../api/watches.ts';
import { countWords } from '../answers/count-words.ts';
import type { Message } from '../message.ts';
import { context, escapeMrkdwn, section } from '../messages/mrkdwn.ts';
import { someOf } from '../messages/some-of.ts';
import { deleteButton } from './nudge-message.ts';
import { ruleWords, tellsWords } from './rule-words.ts';

/** What the owner reads when a watch begins. Expects the remarks to be escaped. */
export function begunMessage({ watch, overdue, told }: BegunWatch, remarks: readonly string[]): Message {
  const rule = escapeMrkdwn(ruleWords(watch));
  const foot = `It ${tellsWords(watch)}, once for each stay, in a direct message and in working hours only. \`/tis watch\` shows, pauses and deletes your watches.`;
  const now = escapeMrkdwn(nowText(overdue, told));
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

function nowText(overdue: BegunWatch['overdue'], told: number): string {
  const [first] = overdue;
  if (first === undefined) return 'Nothing sits there that long now.';
  const keys = overdue.map(({ issue }) => issue.key);
  if (keys.length <= told) {
    return `${countWords(keys.length)} ${keys.length === 1 ? 'does' : 'do'} now: ${keys.join(', ')}. That is told within five minutes of working time.`;
  }
  return `${countWords(keys.length)} do now. The ${told} furthest beyond are told within five minutes of working time: ${keys.slice(0, told).join(', ')}. The others are left alone as long as they stay where they are: ${someOf(keys.slice(told))}.`;
}
