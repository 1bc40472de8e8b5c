import { z } from 'zod';
import { kindOf } from '../../api/answers/index.ts';
import { type Backing, createNamespace } from '../../cache/namespace.ts';
import type { Answer } from '../../model/answer.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { Run } from '../../model/question.ts';
import type { Principal } from '../../model/request.ts';
import { answerView, proposedComment, unreachableIn } from '../answers/answer-view.ts';
import { defineForm, field, placeSchema } from '../app/define-form.ts';
import { entered, input } from '../app/form-inputs.ts';
import type { Person, Place, SlackAction, SlackModal } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import { notice } from '../app/message-texts.ts';
import { openLateView } from '../app/open-view.ts';
import type { AudienceParts, MessageParts, RecentShares, SharingParts } from '../app/parts.ts';
import { postMessage } from '../app/post-message.ts';
import { slackText } from '../app/show-failure.ts';
import { explainRefusal, perhapsDone, refusalOf, tryAgain } from '../app/slack-refusal.ts';
import type { Message } from '../blocks/message.ts';
import { escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { answerForAll, audienceProblem } from '../channels/audience.ts';
import { askAgain, firstPart } from './read-question.ts';

const MAX_COMMENT = 500;

/** *Share* under an answer; its value is the run's id. Asks for a comment, if everyone in the place of the button can see the answer. */
export const shareAnswer: SlackAction<SharingParts> = {
  id: 'share-answer',
  async run({ value: run, principal: { account }, place: { channel, threadTs }, open }, parts) {
    const place = { channel, threadTs };
    const make = async () => {
      const found = await sharedAnswer(run, account, place, parts);
      if ('text' in found) return found;
      return shareForm.view({ run, place, comment: proposedComment(found.answer) }, null);
    };
    const advice = 'Please press the button again.';
    return openLateView(
      { title: 'Share', meanwhile: 'Checking who can see this…', advice, make },
      open,
      parts,
    );
  },
};

const sharedSchema = z.object({ run: z.string(), place: placeSchema });

/** Asks for what is posted with an answer. */
export const shareForm = defineForm({
  id: 'share-form',
  title: 'Share',
  submit: 'Share',
  refused: 'Not shared.',
  carried: sharedSchema,
  reads: { comment: entered.text },
  rows: ({ place }) => [
    section(`Everyone in <#${escapeMrkdwn(place.channel)}> will see this answer.`),
    field('comment', 'Comment', input.text({ maxLength: MAX_COMMENT, multiline: true }), { optional: true }),
  ],
});

/** The comment, submitted. */
export const submitShare: SlackModal<SharingParts> = shareForm.modal({
  meanwhile: 'Sharing…',
  placeOf: ({ place }) => place,
  async answer({ run, place, comment }, submission, parts) {
    const [problem] = await shareRun({ run, comment: comment.trim() }, submission, place, parts);
    return problem ?? notice('Shared.');
  },
});

/** The facts of an answer that leaves Dwell, for the audit log: its kind, and the issues in it. */
export function scopeFacts({ question: { kind }, contents }: Pick<Answer, 'question' | 'contents'>) {
  return { question: kind, issues: contents?.issues ?? null, projects: contents?.projects ?? null };
}

/** An answer as everyone in a place can see it, asked again with the rights of an account; or why it cannot be shared there. */
async function sharedAnswer(
  id: string,
  account: string,
  place: Place,
  parts: SharingParts,
): Promise<{ readonly run: Run; readonly answer: Answer } | Message> {
  if (isDirect(place.channel)) return notice('To share this, ask in the channel.');
  const { run, principal, answer: whole } = await askAgain(id, account, parts);
  // It is one person's, whatever the channel can see.
  if (kindOf(run.question).isPersonal)
    return notice('This is about issues assigned to you, so it stays private.');
  const { answer, reasons } = await sharedPart(whole, principal, place.channel, parts);
  return reasons.length > 0 ? notice('Not shared.', ...reasons) : { run, answer };
}

/**
 * Shares an answer in the place of the button: asked again, as of the same instant, with the rights of the person who
 * clicked, and posted only where all who read there may read it. Returns the messages that this person alone sees.
 */
export async function shareRun(
  { run: id, comment }: { readonly run: string; readonly comment: string },
  { principal: { account } }: Pick<Person, 'principal'>,
  place: Place,
  parts: SharingParts,
): Promise<readonly Message[]> {
  const found = await sharedAnswer(id, account, place, parts);
  if ('text' in found) return [found];
  const { run, answer } = found;
  if (!(await parts.shares.begin(id, place.channel))) {
    if (await parts.shares.isUnderWay(id, place.channel))
      return [notice('This is being shared here right now.')];
    return [notice('This was shared here less than a minute ago. To share it once more, wait a minute.')];
  }
  const { timeZone } = answer.question;
  const display = { place: 'shared', run, part: firstPart, sharedBy: account, comment, timeZone } as const;
  const unreachable = await unreachableIn(answer, display, parts);
  const { message, details } = answerView(answer, { ...display, unreachable });
  const share = async () => {
    const subject = { kind: 'answer', id } as const;
    const facts = { ...scopeFacts(answer), channel: place.channel };
    await parts.audit.leaving({ subject, verb: 'shared', facts });
    return postHere(message, place, parts);
  };
  const posted = await share().catch(async (error: unknown) => {
    await parts.shares.forget(id, place.channel);
    throw error;
  });
  switch (posted.kind) {
    case 'refused':
      await parts.shares.forget(id, place.channel);
      return [notice('Not shared.', posted.because)];
    case 'unknown':
      await parts.shares.end(id, place.channel);
      return [
        notice(
          "Slack didn't answer, so I don't know whether this was shared.",
          "If it isn't there, press the button again in a minute.",
        ),
      ];
    case 'posted':
      await parts.shares.end(id, place.channel);
      await postDetails(details, { channel: posted.channel, threadTs: place.threadTs ?? posted.ts }, parts);
      return [];
  }
}

/**
 * The answer that everyone in a channel can see, whole or else without links that they cannot see, or even without what is
 * usual, and the reasons if that is not for them either.
 */
export async function sharedPart(
  whole: Answer,
  principal: Principal,
  channel: Place['channel'],
  parts: AudienceParts & Pick<SharingParts, 'answers'>,
): Promise<{ readonly answer: Answer; readonly reasons: readonly string[] }> {
  const found = await answerForAll(whole, principal, channel, parts);
  const bare = kindOf(whole.question).withoutBaseline?.(found.answer.value);
  if (found.reasons.length === 0 || bare === undefined) return found;
  const answer = { ...found.answer, ...bare };
  const contents = await parts.answers.audienceScope(principal, answer);
  return { answer, reasons: await audienceProblem(contents, channel, parts) };
}

/**
 * Posts the messages below an answer. The first that cannot be posted ends it: the answer is as good without the rest.
 */
async function postDetails(details: readonly Message[], thread: Place, parts: MessageParts): Promise<void> {
  for (const detail of details) {
    const { kind } = await postHere(detail, thread, parts);
    if (kind !== 'posted') return;
  }
}

/** The outcome of a post: its place, why Slack did not take it (mrkdwn), or `unknown`. */
type Posted =
  | { readonly kind: 'posted'; readonly channel: string; readonly ts: string }
  | { readonly kind: 'refused'; readonly because: string }
  | { readonly kind: 'unknown' };

/**
 * Posts a message for all in a place: once more where Slack wants us to wait a little first, never where it may have
 * been posted already. An error that Slack did not cause is thrown.
 */
export async function postHere(
  message: Message,
  { channel, threadTs }: Place,
  parts: MessageParts,
): Promise<Posted> {
  const { web, log, pictures = null } = parts;
  const post = ({ text, blocks }: Message) =>
    web.chat.postMessage({
      channel,
      text,
      ...(blocks.length > 0 ? { blocks: [...blocks] } : {}),
      unfurl_links: false,
      unfurl_media: false,
      ...(threadTs === null ? {} : { thread_ts: threadTs }),
    });
  try {
    const posted = await postMessage(message, post, { pictures, log });
    if (posted.ts === undefined) return { kind: 'unknown' };
    return { kind: 'posted', channel: posted.channel ?? channel, ts: posted.ts };
  } catch (error) {
    log.warn({ err: error, channel }, 'a message for everybody could not be posted');
    if (perhapsDone(error)) return { kind: 'unknown' };
    return { kind: 'refused', because: shareProblem(error) };
  }
}

function shareProblem(error: unknown): string {
  const code = refusalOf(error);
  if (code !== null) return explainRefusal(code, error);
  const shown = tryAgain(error);
  // An error that Slack did not cause is a bug of ours, and reported as one.
  if (shown === error || !(shown instanceof AppError)) throw error;
  return slackText(shown);
}

/** A second click on the button within this time is taken for an accident. */
const APART_MS = 60_000;

/** The shares of the last minute, in the store. */
export function createRecentShares(now: () => Instant, stored: Backing): RecentShares {
  const shares = createNamespace<'begun' | 'over'>({
    name: 'share',
    ttlMs: APART_MS,
    maxEntries: null,
    now,
    backing: stored,
    // A minute that lasts longer is better than an answer that is posted twice.
    fromFuture: 'good',
  });
  const keyOf = (run: string, channel: string) => `${run} ${channel}`;
  return {
    begin: (run, channel) => shares.add(keyOf(run, channel), 'begun'),
    end: (run, channel) => shares.replace(keyOf(run, channel), 'over'),
    isUnderWay: async (run, channel) => (await shares.get(keyOf(run, channel))) === 'begun',
    forget: (run, channel) => shares.delete(keyOf(run, channel)),
  };
}
