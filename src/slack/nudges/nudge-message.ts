import type { KnownBlock } from '@slack/types';
import type { IssueAnswer } from '../../api/answers/issue/issue-summary.ts';
import type { NudgeObstacle } from '../../api/nudges/nudges-api.ts';
import type { NamedPerson } from '../../model/answer.ts';
import type { Nudge, NudgeAnswer } from '../../model/nudge.ts';
import { durationWords, shorten } from '../../output/readable-text.ts';
import { dayMsOf, dayNote } from '../../output/wording.ts';
import { issueTitle } from '../answers/issue/issue-state.ts';
import { marked, type Text, wordedText } from '../answers/view/marked-wording.ts';
import { givenText } from '../answers/view/reason-text.ts';
import { notice } from '../app/message-texts.ts';
import type { Message } from '../blocks/message.ts';
import { actions, button, context, dateMark, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';

const NAME_LENGTH = 80;

/** The content of a nudge: the issue as the person who gets it sees it, and who they are asked in place of (null: no one). */
export interface NudgeContent {
  readonly issue: IssueAnswer;
  readonly by: string;
  readonly comment: string;
  readonly covers: NamedPerson | null;
}

/** The direct message to the person who is nudged, with the three answers. `id` is that of the nudge. */
export function nudgeMessage(content: NudgeContent, id: string): Message {
  const { text, blocks } = nudgePreview(content);
  const answers = actions(
    button('On it', 'nudge-on-it', id, 'primary'),
    button('Blocked because …', 'nudge-blocked', id),
    button('Snooze until …', 'nudge-snooze', id),
  );
  return { text, blocks: [...blocks, answers] };
}

/** The same without its buttons, as the person who sends it sees it before. */
export function nudgePreview({ issue, by, comment, covers }: NudgeContent): {
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
} {
  const line = issueLine(issue);
  const lead = `<@${escapeMrkdwn(by)}> asks how this is going.`;
  const quoted = comment === '' ? [] : [quote(comment)];
  const why =
    covers === null
      ? []
      : [`You get this because you cover for ${escapeMrkdwn(shorten(covers.name, NAME_LENGTH))}.`];
  return {
    text: [`${lead} ${escapeMrkdwn(line.plain)}`, ...quoted, ...why].join('\n'),
    blocks: [
      section([`${lead}\n${line.marked}`, ...quoted].join('\n')),
      ...why.map((sentence) => context(sentence)),
    ],
  };
}

/** `*WEB-370* · Basket loses its items`, and below it `In Progress for 4d`. */
function issueLine(issue: IssueAnswer): Text {
  const { current, provenance } = issue;
  const dayMs = dayMsOf(provenance.calendar);
  const note = dayNote(provenance.calendar);
  return wordedText((wording) => {
    const forHow =
      current === null || current.forMs === null
        ? ', since when is unknown'
        : ` for ${durationWords(current.forMs, dayMs)}${note === null ? '' : ` (${wording.words(note)})`}`;
    return `${issueTitle(issue, wording)}\n${wording.words(shorten(current?.name ?? '', NAME_LENGTH))}${forHow}`;
  });
}

/** A comment as a quotation (mrkdwn); what is in it notifies no one. */
function quote(comment: string): string {
  return escapeMrkdwn(comment)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

/** An answer (mrkdwn): `*On it*`, `*Blocked: waiting for the bank*`. */
export function answerMark(answer: NudgeAnswer): string {
  return `*${givenText(answer, { words: escapeMrkdwn, date: dateMark })}*`;
}

/** The message that takes the place of the nudge once it was answered. */
export function answeredMessage({ key, link, by, answer }: Nudge): Message {
  const lead = `<@${escapeMrkdwn(by)}> asked about ${marked.key(key, link)}.`;
  return notice(lead, ...(answer === null ? [] : [`You answered: ${answerMark(answer)}`]));
}

/** The answer as it returns to the thread of the nudge, which mentions the person who asked. */
export function threadReply(nudge: AnsweredNudge): Message {
  return notice(returnText(nudge, ` <@${escapeMrkdwn(nudge.by)}>`));
}

/** The answer as it returns to the person who asked, with the reason if it is not in the thread (sentences, mrkdwn). */
export function directReply(nudge: AnsweredNudge, why: readonly string[]): Message {
  const { text, blocks } = notice(returnText(nudge, ''));
  return { text: [text, ...why].join('\n'), blocks: [...blocks, ...why.map((one) => context(one))] };
}

type AnsweredNudge = Nudge & { readonly answer: NudgeAnswer };

function returnText({ key, link, account, answer }: AnsweredNudge, to: string): string {
  return `<@${escapeMrkdwn(account)}> answered${to} about ${marked.key(key, link)}: ${answerMark(answer)}`;
}

/** Why nothing was sent: the person was asked already, or wants no reminder for now. `account` reads it. */
export function obstacleMessage(
  obstacle: NudgeObstacle,
  { key, person, account }: { readonly key: string; readonly person: string; readonly account: string },
): Message {
  const name = `<@${escapeMrkdwn(person)}>`;
  if (obstacle.kind === 'snoozed')
    return notice(
      `Nothing was sent: ${name} has snoozed ${escapeMrkdwn(key)} until ${dateMark(obstacle.until)}.`,
    );
  const { by, at, answer } = obstacle.nudge;
  const who = by === account ? 'you' : `<@${escapeMrkdwn(by)}>`;
  return notice(
    `Nothing was sent: ${who} already nudged ${name} about ${escapeMrkdwn(key)} ${dateMark(at)}. People are asked once a day.`,
    answer === null ? 'There is no answer yet.' : `The answer: ${answerMark(answer)}`,
  );
}
