import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { issueKind, issueQuestion } from '../../api/answers/issue/issue-kind.ts';
import type { IssueAnswer } from '../../api/answers/issue/issue-summary.ts';
import { type NudgeInput, type NudgeObstacle, nudgeId } from '../../api/nudges/nudges-api.ts';
import type { NamedPerson } from '../../model/answer.ts';
import { durationWords, shorten } from '../../output/readable-text.ts';
import { dayMsOf, dayNote } from '../../output/wording.ts';
import { normalHours } from '../../time/calendar.ts';
import { dateText } from '../../time/date-text.ts';
import { issueTitle } from '../answers/issue/issue-state.ts';
import { type Text, wordedText } from '../answers/view/marked-wording.ts';
import { defineForm, field, placeSchema } from '../app/define-form.ts';
import { entered, input } from '../app/form-inputs.ts';
import type { SlackAction, SlackModal } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import { notice } from '../app/message-texts.ts';
import { openLateView } from '../app/open-view.ts';
import type { NudgeParts } from '../app/parts.ts';
import { sendDirectMessage } from '../app/post-message.ts';
import { orElse } from '../app/show-failure.ts';
import { sharedPart } from '../ask/share-answer.ts';
import type { Message } from '../blocks/message.ts';
import { actions, button, context, dateMark, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { digestPrincipal, resolvePrincipal, slackAccountOf } from '../people/accounts.ts';
import { answerMark } from './answer-nudge.ts';

const NAME_LENGTH = 80;
const MAX_COMMENT = 300;

/** The nudge that a button asks for: the run of its answer, the issue, and the place of the button. */
const sourceSchema = z.object({
  run: z.string(),
  key: z.string(),
  place: placeSchema,
  /** The thread of the message with the button; null where only one person sees that. */
  thread: z.object({ channel: z.string(), threadTs: z.string() }).nullable(),
  /** The account that the preview is for. */
  to: z.string(),
});
type NudgeSource = Omit<z.output<typeof sourceSchema>, 'to' | 'place'>;

/** A nudge that can be sent. */
interface ReadyNudge extends Pick<NudgeContent, 'issue' | 'covers'> {
  readonly input: NudgeInput;
}

/**
 * *Nudge* beside an issue that waits; its value is the run's id and the issue's key. Shows the message to the assignee, or the
 * person who covers for them, before it is sent.
 */
export const nudgeAssignee: SlackAction<NudgeParts> = {
  id: 'nudge-assignee',
  run({ value, principal: { account }, place, messageTs, replace, view, open }, parts) {
    const [run = '', key = ''] = value.split(' ');
    const isPublic = replace === null && view === null && !isDirect(place.channel);
    const thread = isPublic ? { channel: place.channel, threadTs: place.threadTs ?? messageTs } : null;
    const make = async () => {
      const ready = await prepareNudge({ run, key, thread }, account, parts);
      if ('text' in ready) return ready;
      const { channel, threadTs } = place;
      const form = { run, key, place: { channel, threadTs }, thread, to: ready.input.account, comment: '' };
      return nudgeForm.view(form, ready);
    };
    const advice = 'Please press the button again.';
    return openLateView({ title: 'Nudge', meanwhile: 'Looking at the issue…', advice, make }, open, parts);
  },
};

/** The message to the person who is nudged, before it is sent. */
export const nudgeForm = defineForm({
  id: 'nudge-form',
  title: 'Nudge',
  submit: 'Send',
  refused: 'Nothing was sent.',
  carried: sourceSchema,
  reads: { comment: entered.text },
  rows: (_, { issue, covers, input: { account, by, thread } }: ReadyNudge) => [
    section(
      `*To:* <@${escapeMrkdwn(account)}>${covers === null ? '' : `, who covers for ${escapeMrkdwn(shorten(covers.name, NAME_LENGTH))}`}`,
    ),
    ...nudgePreview({ issue, by, covers, comment: '' }).blocks,
    field('comment', 'Comment', input.text({ maxLength: MAX_COMMENT, multiline: true }), { optional: true }),
    context(`They can answer with one click. The answer comes ${returnText({ thread })}.`),
  ],
});

/** The place that the answer comes to, after "comes". */
function returnText({ thread }: Pick<NudgeInput, 'thread'>): string {
  return thread === null ? 'to you as a direct message' : `as a reply in <#${escapeMrkdwn(thread.channel)}>`;
}

/** Sends a nudge that was looked at. */
export const sendNudge: SlackModal<NudgeParts> = nudgeForm.modal({
  meanwhile: 'Sending…',
  placeOf: ({ place }) => place,
  async answer(form, { principal: { account } }, parts) {
    const ready = await prepareNudge(form, account, parts);
    if ('text' in ready) return ready;
    const { issue, covers, input: nudge } = ready;
    if (nudge.account !== form.to) {
      const changed = 'Someone else is asked about this issue now. Look at the message and send it again.';
      return {
        ...notice('Nothing was sent.', changed),
        again: nudgeForm.view({ ...form, to: nudge.account }, ready, changed),
      };
    }
    const obstacle = await parts.nudges.begin(nudge);
    if (obstacle !== null)
      return obstacleMessage(obstacle, { key: nudge.key, person: nudge.account, account });
    const comment = form.comment.trim();
    const message = nudgeMessage({ issue, covers, comment, by: account }, nudgeId(nudge));
    const to = `<@${escapeMrkdwn(nudge.account)}>`;
    switch (await sendDirectMessage(nudge.account, message, parts)) {
      case 'posted':
        return notice(`Sent to ${to}. The answer comes ${returnText(nudge)}.`);
      case 'unknown':
        return notice(`Slack didn't answer, so I don't know whether ${to} was notified.`);
      case 'refused':
        await parts.nudges.withdraw(nudge);
        return notice(`Slack didn't take the message to ${to}. Please try again.`);
    }
  },
});

/**
 * The nudge of an issue as it is now, with the rights of the account that asks: the person it goes to, and the message as
 * they may see it; or why nothing can be sent.
 */
async function prepareNudge(
  { run, key, thread }: NudgeSource,
  account: string,
  parts: NudgeParts,
): Promise<ReadyNudge | Message> {
  const { answers, nudges, now } = parts;
  const { question } = await answers.run(run);
  const { calendar = normalHours.name, timeZone: zone } = question;
  const about = issueQuestion(key, { calendar, timeZone: zone });
  const principal = await resolvePrincipal(account, parts);
  const seen = await orElse(answers.ask(issueKind, principal, about), () => null, 'not-found');
  if (seen === null) return notice("You can't see this issue, or it no longer exists.");
  const { assignee, current } = seen.value;
  if (current === null) return notice(`The status of ${escapeMrkdwn(key)} is unknown.`);
  if (current.category === 'Done')
    return notice(`${escapeMrkdwn(key)} is done, so there is no one to nudge.`);
  if (assignee === null) return notice(`${escapeMrkdwn(key)} has no assignee.`);
  const found = await findRecipient(assignee, account, parts);
  if ('text' in found) return found;
  const { person, covers } = found;
  const name = escapeMrkdwn(shorten(person.name, NAME_LENGTH));
  const recipient = await digestPrincipal(found.account, parts);
  if (recipient?.account !== person.id) return notInSlack(name);
  const theirs = await orElse(answers.ask(issueKind, recipient, about), () => null, 'not-found');
  if (theirs === null) return notice(`${name} can't see ${escapeMrkdwn(key)} in the tracker.`);
  const { timeZone } = await parts.accounts.profileOf(found.account);
  const { value: issue } = theirs;
  const input = {
    key: issue.key,
    link: issue.link,
    visit: { statusId: current.id, since: current.since },
    person,
    account: found.account,
    by: account,
    day: dateText(now(), 'yyyy-MM-dd', timeZone ?? zone),
  };
  const obstacle = await nudges.obstacleTo(input);
  if (obstacle !== null) return obstacleMessage(obstacle, { key, person: found.account, account });
  const isForAll =
    thread !== null && (await sharedPart(seen, principal, thread.channel, parts)).reasons.length === 0;
  return { issue, covers, input: { ...input, thread: isForAll ? thread : null } };
}

/** The person who is asked about an issue of an assignee: they themselves, or who covers for them while they are away. */
async function findRecipient(
  assignee: NamedPerson,
  sender: string,
  parts: NudgeParts,
): Promise<(Pick<NudgeInput, 'person' | 'account'> & Pick<ReadyNudge, 'covers'>) | Message> {
  const name = escapeMrkdwn(shorten(assignee.name, NAME_LENGTH));
  if (assignee.id === null) return notInSlack(name);
  const availability = await parts.nudges.availabilityOf(assignee.id);
  if (availability.kind === 'uncovered') return notice(`${name} is away, and no one covers for them.`);
  const id = availability.kind === 'covered' ? availability.by : assignee.id;
  const person = { id, name: (await parts.people.users()).get(id)?.name ?? assignee.name };
  const account = await slackAccountOf(id, parts);
  if (account === null) return notInSlack(escapeMrkdwn(shorten(person.name, NAME_LENGTH)));
  const covers = availability.kind === 'covered' ? assignee : null;
  if (account !== sender) return { person, account, covers };
  return notice(
    covers === null
      ? 'This is assigned to you, so there is no one to nudge.'
      : `You cover for ${name}, so there is no one to nudge.`,
  );
}

function notInSlack(name: string): Message {
  return notice(
    `${name} is not in Slack, or no Slack account is linked to this Jira user.`,
    'An admin can link one: `/delegates link @PERSON USERNAME`.',
  );
}

/** The content of a nudge: the issue as the person who gets it sees it, and who they are asked in place of (null: no one). */
interface NudgeContent {
  readonly issue: IssueAnswer;
  readonly by: string;
  readonly comment: string;
  readonly covers: NamedPerson | null;
}

/** The direct message to the person who is nudged, with the three answers. `id` is that of the nudge. */
function nudgeMessage(content: NudgeContent, id: string): Message {
  const { text, blocks } = nudgePreview(content);
  const answers = actions(
    button('On it', 'nudge-on-it', id, 'primary'),
    button('Blocked because …', 'nudge-blocked', id),
    button('Snooze until …', 'nudge-snooze', id),
  );
  return { text, blocks: [...blocks, answers] };
}

/** The same without its buttons, as the person who sends it sees it before. */
function nudgePreview({ issue, by, comment, covers }: NudgeContent): {
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

/** Why nothing was sent: the person was asked already, or wants no reminder for now. `account` reads it. */
function obstacleMessage(
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
