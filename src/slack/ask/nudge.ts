import { issueQuestion } from '../../api/answers/issue/issue-kind.ts';
import { normalHoursDefinition } from '../../api/settings/local-settings.ts';
import { answerSheet, nudgesIn } from '../answers/answer-view.ts';
import type { AnswerNudge } from '../answers/view/answer-sheet.ts';
import type { Place, SlackAction } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import { notice } from '../app/message-texts.ts';
import type { QuestionParts, SharingParts } from '../app/parts.ts';
import { sendDirectMessage } from '../app/post-message.ts';
import { orElse } from '../app/show-failure.ts';
import type { Message } from '../blocks/message.ts';
import { escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { accountOf, resolvePrincipal } from '../people/accounts.ts';
import { askAgain, firstPart } from './read-question.ts';
import { postHere, sharedPart } from './share-answer.ts';

/**
 * *Nudge* beside an issue that waits; its value is the run's id and the issue's key. Mentions the assignee: below a message
 * in a channel where everyone can see it, else in their conversation with the app.
 */
export const nudgeAssignee: SlackAction<SharingParts> = {
  id: 'nudge-assignee',
  async run({ value, principal, place, messageTs, replace, view }, parts) {
    const [id = '', key = ''] = value.split(' ');
    const { answer: whole, principal: reader } = await askAgain(id, principal.account, parts);
    const isPublic = replace === null && view === null && !isDirect(place.channel);
    const { answer, reasons } = isPublic
      ? await sharedPart(whole, reader, place.channel, parts)
      : { answer: whole, reasons: [] };
    const nudge = nudgesIn(answerSheet(answer, { place: 'private', part: firstPart })).find(
      (one) => one.key === key,
    );
    if (nudge === undefined) return [notice(`${escapeMrkdwn(key)} is no longer part of this answer.`)];
    const { assignee } = nudge;
    const account = await accountOf(assignee.id, parts);
    const name = escapeMrkdwn(assignee.name);
    if (account === null)
      return [
        notice(
          `${name} is not in Slack, or no Slack account is linked to this Jira user.`,
          'An admin can link one: `/delegates link @PERSON USERNAME`.',
        ),
      ];
    const inThread: Place | null =
      isPublic && reasons.length === 0
        ? { channel: place.channel, threadTs: place.threadTs ?? messageTs }
        : null;
    if (inThread === null && !(await canSee(key, account, answer.question.timeZone, parts)))
      return [notice(`${name} can't see ${escapeMrkdwn(key)} in the tracker.`)];
    const target = inThread?.channel ?? account;
    if (!(await parts.shares.begin(`nudge ${key}`, target)))
      return [notice(`${name} was nudged about ${escapeMrkdwn(key)} less than a minute ago.`)];
    const message = nudgeMessage(nudge, account, principal.account);
    const outcome =
      inThread === null
        ? await sendDirectMessage(account, message, parts)
        : (await postHere(message, inThread, parts)).kind;
    if (outcome === 'posted') {
      await parts.shares.end(`nudge ${key}`, target);
      return inThread === null ? [notice(`I sent <@${account}> a message about ${escapeMrkdwn(key)}.`)] : [];
    }
    if (outcome === 'refused') await parts.shares.forget(`nudge ${key}`, target);
    return [
      notice(
        outcome === 'refused'
          ? `Slack didn't take the message to <@${account}>. Please try again.`
          : `Slack didn't answer, so I don't know whether ${name} was notified.`,
      ),
    ];
  },
};

/** An assignee who lost access to a project does not read of it here. */
async function canSee(
  key: string,
  account: string,
  timeZone: string,
  { answers, ...parts }: QuestionParts,
): Promise<boolean> {
  const question = issueQuestion(key, { calendar: normalHoursDefinition.name, timeZone });
  const principal = await resolvePrincipal(account, parts);
  const answer = answers.answer(principal, question, null);
  return orElse(
    answer.then(() => true),
    () => false,
    'not-found',
  );
}

function nudgeMessage({ line }: AnswerNudge, account: string, by: string): Message {
  return {
    text: `<@${account}> ${escapeMrkdwn(line.plain)} <@${by}> asks for an update.`,
    blocks: [section(`<@${account}> ${line.marked}\n<@${by}> asks for an update.`)],
  };
}
