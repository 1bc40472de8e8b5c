import { codeText } from '../../block-kit/code-text.ts';
import type { Message } from '../../block-kit/message.ts';
import { section, unescapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { someOf } from '../../block-kit/some-of.ts';
import { AppError } from '../../model/error.ts';
import { issueQuestion } from '../../questions/issue/issue-kind.ts';
import type { Hours } from '../../questions/parse/parser-context.ts';
import type { SlackAction, SlackShortcut } from '../app/handler-types.ts';
import { hoursHere } from '../app/hours-here.ts';
import { button, notice } from '../app/message-texts.ts';
import type { QuestionParts, SlackParts } from '../app/parts.ts';
import { showAnswer } from './show-answer.ts';

/** A response URL works five times; the last is for the way to the builder. */
const MOST_ISSUES = 4;

/** More keys a report of a message is not meant for. */
const MOST_KEYS = 50;

/** *Time in status* on a message: that of the issues it mentions, and the way to a report of them all. */
export const timeInStatus: SlackShortcut<
  QuestionParts & Pick<SlackParts, 'channels' | 'settings' | 'timeZone'>
> = {
  id: 'time-in-status',
  type: 'message',
  async run({ message, principal: { account } }, parts) {
    const keys = keysInMessage(message?.text ?? '').slice(0, MOST_KEYS);
    if (message === null || keys.length === 0) {
      return [
        notice('This message mentions no issue: I look for keys such as `WEB-350`, and for links to issues.'),
      ];
    }
    const hours = await hoursHere(message.place, account, parts);
    const told: (readonly Message[])[] = [];
    const unknown: string[] = [];
    const left = keys.values();
    for (const key of left) {
      const messages = await tell(key, account, hours, parts);
      if (messages === null) unknown.push(key);
      else told.push(messages);
      if (told.length === MOST_ISSUES) break;
    }
    const known = keys.filter((key) => !unknown.includes(key));
    return [...told.flat(), foot(known, told.length, unknown)];
  },
};

/** Null: the principal can see no such issue. */
async function tell(
  key: string,
  account: string,
  hours: Hours,
  parts: QuestionParts,
): Promise<readonly Message[] | null> {
  try {
    return await showAnswer(issueQuestion(key, hours), account, parts);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return null;
    throw error;
  }
}

function foot(known: readonly string[], told: number, unknown: readonly string[]): Message {
  const sentences = [
    ...(unknown.length > 0 ? [`I know no issue ${someOf(unknown.map(codeText))}.`] : []),
    ...(known.length > told
      ? [`The message mentions ${known.length} issues; these are the first ${told}.`]
      : []),
  ];
  if (known.length === 0) return notice(...sentences);
  const what = known.length === 1 ? 'it' : 'them';
  const text = [...sentences, `Put ${what} into a report, or into a file:`].join(' ');
  return {
    text,
    blocks: [
      section(text),
      {
        type: 'actions',
        elements: [button('Build a report', 'open-builder', `filter ${known.join(', ')}`)],
      },
    ],
  };
}

/** In prose only capitals make a key; in a link to an issue any case does. */
const linked = /\/browse\/([a-z][a-z0-9_]*-\d+)(?![\w-])/gi;
const bare = /(?<![\w-])[A-Z][A-Z0-9_]*-[1-9]\d*(?![\w-])/g;

/** Issue keys that a message (mrkdwn) mentions, in its text and in its links, each once, in upper case. */
export function keysInMessage(mrkdwn: string): readonly string[] {
  const text = unescapeMrkdwn(mrkdwn);
  // A link shows what it leads to, so that its label says no more.
  const prose = text.replaceAll(/https?:[^\s>|]*/g, ' ');
  const found = [
    ...text.matchAll(linked).map(([, key = '']) => key),
    ...prose.matchAll(bare).map(([key]) => key),
  ];
  return [...new Set(found.map((key) => key.toUpperCase()))];
}

/** The link to an issue: the browser follows it, Slack only wants to be heard. */
export const openIssue: SlackAction<object> = {
  id: 'open-issue',
  run: async () => [],
};
