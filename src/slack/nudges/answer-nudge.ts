import { z } from 'zod';
import { issueKind, issueQuestion } from '../../api/answers/issue/issue-kind.ts';
import { MAX_REASON, type NudgeNotifier } from '../../api/nudges/nudges-api.ts';
import { badRequestAs } from '../../model/error.ts';
import type { GivenAnswer, Nudge, NudgeAnswer } from '../../model/nudge.ts';
import type { AudienceScope } from '../../model/request.ts';
import { normalHours } from '../../time/calendar.ts';
import { marked } from '../answers/view/marked-wording.ts';
import { givenText } from '../answers/view/reason-text.ts';
import { defineForm, field } from '../app/define-form.ts';
import { entered, input } from '../app/form-inputs.ts';
import type { Click, Place, SlackAction, SlackModal } from '../app/handler-types.ts';
import { notice } from '../app/message-texts.ts';
import { openView } from '../app/open-view.ts';
import type { NudgeParts, SlackParts } from '../app/parts.ts';
import { changeMessage } from '../app/post-message.ts';
import { orElse, slackText } from '../app/show-failure.ts';
import type { Message } from '../blocks/message.ts';
import { context, dateMark, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { lastingAudienceProblem } from '../channels/audience.ts';
import { createDeliveryLog, postOnce } from '../digests/post-once.ts';
import { digestPrincipal } from '../people/accounts.ts';
import { DEFAULT_SNOOZE_MS, snoozeEndProblem } from '../watches/snooze-issue.ts';

/** The parts that an answer takes. */
type NudgedParts = Pick<NudgeParts, 'nudges' | 'returnAnswers' | 'web' | 'log'>;

/** The nudge that an answer is to, and the message that had its buttons. */
const targetSchema = z.object({
  id: z.string(),
  channel: z.string(),
  ts: z.string(),
  /** The issue, and the readers of the answer, in words (mrkdwn). */
  key: z.string(),
  readers: z.string(),
});
type AnswerTarget = z.output<typeof targetSchema>;

/** The answers below a nudge; the value is its id. */
export const nudgeActions: readonly SlackAction<NudgedParts & Pick<NudgeParts, 'now'>>[] = [
  /** *On it* below a nudge; its value is the id of the nudge. */
  {
    id: 'nudge-on-it',
    async run({ value, principal: { account }, place: { channel }, messageTs }, parts) {
      const target = { id: value, channel, ts: messageTs };
      const { isNew, isShown, message } = await give(target, account, { kind: 'onIt' }, parts);
      return isNew && isShown ? [] : [message];
    },
  },
  /** *Blocked because …* below a nudge, likewise: asks for the reason. */
  {
    id: 'nudge-blocked',
    run: (click, parts) =>
      openForm(click, parts, (target) => reasonForm.view({ ...target, reason: '' }, null)),
  },
  /** *Snooze until …* below a nudge, likewise: asks for the end. */
  {
    id: 'nudge-snooze',
    run: (click, parts) =>
      openForm(click, parts, (target) =>
        snoozeForm.view({ ...target, until: parts.now() + DEFAULT_SNOOZE_MS }, null),
      ),
  },
];

/** Asks why an issue is blocked. */
export const reasonForm = defineForm({
  id: 'nudge-reason',
  title: 'Blocked',
  submit: 'Send',
  refused: 'Nothing was sent.',
  carried: targetSchema,
  reads: { reason: entered.text },
  rows: ({ key, readers }) => [
    section(`What is *${escapeMrkdwn(key)}* waiting for?`),
    field('reason', 'Blocked because', input.text({ maxLength: MAX_REASON }), { about: ['reason'] }),
    context(`It goes ${readers}, and shows as the reason while the issue is in this status.`),
  ],
});

/** The reason, submitted. */
export const giveReason: SlackModal<NudgedParts> = reasonForm.modal({
  meanwhile: 'Sending…',
  placeOf: ({ channel }) => ({ channel, threadTs: null }),
  wrongAtOnce: ({ reason }) => (reason.trim() === '' ? { reason: 'Enter a reason.' } : {}),
  answer: async ({ reason, ...target }, { principal: { account } }, parts) =>
    (await give(target, account, { kind: 'blocked', reason }, parts)).message,
});

/** Asks until when a person does not want to be asked. */
export const snoozeForm = defineForm({
  id: 'nudge-snooze-until',
  title: 'Snooze',
  submit: 'Snooze',
  refused: 'Nothing was snoozed.',
  carried: targetSchema,
  reads: { until: entered.instant },
  rows: ({ key, readers }) => [
    section(`No nudges and no alerts about *${escapeMrkdwn(key)}* until:`),
    field('until', 'Until', input.instant, { about: ['until'] }),
    context(`At most 30 days. The snooze ends when the issue moves on. Your answer goes ${readers}.`),
  ],
});

/** The end of the snooze, submitted. */
export const snoozeNudge: SlackModal<NudgedParts> = snoozeForm.modal({
  meanwhile: 'Saving…',
  placeOf: ({ channel }) => ({ channel, threadTs: null }),
  wrongAtOnce({ until }, now): Readonly<Record<string, string>> {
    const problem = until === null ? 'Choose a time.' : snoozeEndProblem(until, now);
    return problem === null ? {} : { until: problem };
  },
  async answer({ until, ...target }, { principal: { account } }, parts) {
    if (until === null)
      throw badRequestAs('missing-value', 'The end is missing. Try: a time within the next 30 days.');
    return (await give(target, account, { kind: 'snoozed', until }, parts)).message;
  },
});

/** Opens a form for an answer, unless there is one already. Only the person who was asked gets it. */
async function openForm(
  { value: id, principal: { account }, place: { channel }, messageTs: ts, open }: Click,
  parts: NudgedParts,
  formOf: (target: AnswerTarget) => Parameters<Click['open']>[0],
): Promise<readonly Message[]> {
  const nudge = await parts.nudges.received(id, account);
  if (nudge.answer !== null) return [(await showAnswered(nudge, { channel, ts }, false, parts)).message];
  const readers =
    nudge.thread === null
      ? `to <@${escapeMrkdwn(nudge.by)}>`
      : `to the thread in <#${escapeMrkdwn(nudge.thread.channel)}> that you were nudged from`;
  const form = formOf({ id, channel, ts, key: nudge.key, readers });
  return openView(() => open(form), 'Please press the button again.');
}

/** Stores an answer and has it delivered; one that was given before stays. */
async function give(
  { id, ...at }: Pick<AnswerTarget, 'id' | 'channel' | 'ts'>,
  account: string,
  given: GivenAnswer,
  parts: NudgedParts,
): Promise<ShownAnswer & { readonly isNew: boolean }> {
  const { nudge, isNew } = await parts.nudges.answer(id, account, given);
  await parts.returnAnswers();
  return { isNew, ...(await showAnswered(nudge, at, isNew, parts)) };
}

/** The answer in a sentence, and whether the message that had the buttons shows it. */
interface ShownAnswer {
  readonly message: Message;
  readonly isShown: boolean;
}

/** Makes the message with the buttons the answer, and says the answer. */
async function showAnswered(
  nudge: Nudge,
  at: Pick<AnswerTarget, 'channel' | 'ts'>,
  isNew: boolean,
  { web, log }: NudgedParts,
): Promise<ShownAnswer> {
  const isShown = await changeMessage(web, at, answeredMessage(nudge), log).then(
    () => true,
    (error: unknown) => {
      log.warn({ err: error, nudge: nudge.id }, 'a nudge does not show its answer');
      return false;
    },
  );
  const mark = nudge.answer === null ? '' : answerMark(nudge.answer);
  const lead = isNew ? 'Thanks, your answer is on its way:' : 'You answered this already:';
  return { message: notice(`${lead} ${mark}`), isShown };
}

/** An answer (mrkdwn): `*On it*`, `*Blocked: waiting for the bank*`. */
export function answerMark(answer: NudgeAnswer): string {
  return `*${givenText(answer, { words: escapeMrkdwn, date: dateMark })}*`;
}

/** The message that takes the place of the nudge once it was answered. */
function answeredMessage({ key, link, by, answer }: Nudge): Message {
  const lead = `<@${escapeMrkdwn(by)}> asked about ${marked.key(key, link)}.`;
  return notice(lead, ...(answer === null ? [] : [`You answered: ${answerMark(answer)}`]));
}

/** The answer as it returns to the person who asked, with the reason if it is not in the thread (sentences, mrkdwn). */
function directReply(nudge: AnsweredNudge, why: readonly string[]): Message {
  const { text, blocks } = notice(returnText(nudge, ''));
  return { text: [text, ...why].join('\n'), blocks: [...blocks, ...why.map((one) => context(one))] };
}

type AnsweredNudge = Nudge & { readonly answer: NudgeAnswer };

function returnText({ key, link, account, answer }: AnsweredNudge, to: string): string {
  return `<@${escapeMrkdwn(account)}> answered${to} about ${marked.key(key, link)}: ${answerMark(answer)}`;
}

/** The parts that returning answers takes. */
type NudgeDoor = NudgeParts & Pick<SlackParts, 'pictures' | 'timeZone'>;

/**
 * Posts answers to nudges in their threads, as long as everyone there can see the issue; else, and where Slack refuses that,
 * to the person who asked, as long as they can see it.
 */
export function createNudgeNotifier(parts: NudgeDoor): NudgeNotifier {
  return {
    async returnAnswer(nudge, storeNote) {
      const { id: run, key, by, account, thread } = nudge;
      const scope = await scopeOf(nudge, parts);
      if (scope === 'unseen') {
        parts.log.warn({ nudge: run }, 'the person who nudged cannot see the issue any more');
        return;
      }
      const deliveries = createDeliveryLog(nudge.note, storeNote);
      const reply = (part: string, place: Place, message: () => Message) => {
        const make = async () => {
          const facts = { people: { by, account, to: place.channel } };
          await parts.audit.leaving({ subject: { kind: 'nudge', id: key }, verb: 'posted', facts });
          return message();
        };
        return postOnce({ run, part, ...place, make }, deliveries, parts);
      };
      let why: readonly string[] = [];
      if (thread !== null) {
        why = await lastingAudienceProblem(scope, thread.channel, parts);
        if (why.length === 0) {
          const mention = ` <@${escapeMrkdwn(by)}>`;
          // A reply that may be there already is not posted again.
          const posted = reply('thread', thread, () => notice(returnText(nudge, mention)));
          why = await orElse(
            posted.then(() => []),
            (error) => [slackText(error)],
            'refused-by-slack',
          );
          if (why.length === 0) return;
        }
        why = [`Not posted in <#${escapeMrkdwn(thread.channel)}>. ${why.join(' ')}`];
      }
      await reply('direct', { channel: by, threadTs: null }, () => directReply(nudge, why));
    },
  };
}

/** The scope of the issue for the person who asked, which shows who else can read of it; `unseen` where they cannot see it. */
async function scopeOf(
  { key, by }: Nudge,
  { answers, timeZone, ...parts }: NudgeDoor,
): Promise<AudienceScope | null | 'unseen'> {
  const principal = await digestPrincipal(by, parts);
  if (principal === null) return 'unseen';
  const question = issueQuestion(key, { calendar: normalHours.name, timeZone });
  const seen = await orElse(answers.ask(issueKind, principal, question), () => null, 'not-found');
  if (seen === null) return 'unseen';
  return answers.audienceScope(principal, { ...seen, ...issueKind.withoutBaseline?.(seen.value) });
}
