import { WebAPIRateLimitedError } from '@slack/web-api';
import { millisecondsInHour } from 'date-fns/constants';
import type { DigestNotifier } from '../../api/digests/digests-api.ts';
import type { DigestRun, StoredDigest } from '../../model/digest.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { shorten } from '../../output/readable-text.ts';
import { utcText } from '../../output/wording.ts';
import type { Click, SlackAction } from '../app/handler-types.ts';
import { notice, offer } from '../app/message-texts.ts';
import type { DigestPostParts, SlackParts } from '../app/parts.ts';
import { changeMessage, postMarked } from '../app/post-message.ts';
import { failureMessage } from '../app/show-failure.ts';
import { tryAgain } from '../app/slack-refusal.ts';
import type { Message } from '../blocks/message.ts';
import { actions, button, context, dateMark, escapeMrkdwn, section } from '../blocks/mrkdwn.ts';
import { digestPrincipal, digestPrincipalHere } from '../people/accounts.ts';
import {
  canPostAgain,
  channelQueueOf,
  createDeliveryLog,
  findPosted,
  metadataOf,
  readDigestNote,
  writePeriod,
} from './post-once.ts';
import { ownerOf, postPeriod, titleWords } from './post-period.ts';

/** Slack does not mean to be left alone for longer; a clock may have been set back. */
const MAX_WAIT_MS = millisecondsInHour;

/** Posts digests into channels and conversations. */
export function createDigestNotifier(parts: DigestPostParts): DigestNotifier {
  const { now } = parts;
  return {
    principalOf: (account) => digestPrincipal(account, parts),
    posted({ note }) {
      const { ts, trying } = readDigestNote(note);
      return ts !== '' ? 'yes' : trying !== '' ? 'perhaps' : 'no';
    },
    async deliver(due, storeNote) {
      const deliveries = createDeliveryLog(due.run.note, storeNote);
      try {
        return (await postPeriod(due, deliveries, parts)) ? null : 'nothing';
      } catch (error) {
        const cause = error instanceof AppError && error.code === 'unavailable' ? error.cause : null;
        if (!(cause instanceof WebAPIRateLimitedError)) throw error;
        return now() + Math.min(1000 * cause.retryAfter, MAX_WAIT_MS);
      }
    },
    notifyOwner: (digest, run, triedAt) => notifyOwner(digest, run, triedAt, parts),
  };
}

/**
 * Notifies the owner of a digest that a period was given up, or its channel where the owner left; false where the message
 * may not be there. `triedAt` is when that was tried first: twice is better than never, but once is best.
 */
async function notifyOwner(
  digest: StoredDigest,
  run: DigestRun,
  triedAt: Instant | null,
  parts: DigestPostParts,
): Promise<boolean> {
  const { web, wait, log } = parts;
  const { owner, place } = digest;
  const mark = { run: writePeriod(digest.id, run.due), part: 'trouble' };
  try {
    const isGone = (await digestPrincipal(owner, parts)) === null;
    if (isGone && place.kind === 'owner') return true;
    const channel = isGone && place.kind === 'channel' ? place.channel : owner;
    const message = isGone ? ownerLeftMessage(digest) : troubleMessage(digest, run);
    const target = { channel, threadTs: null };
    if (triedAt !== null) {
      const found = await findPosted(mark, { ...target, since: triedAt }, web);
      if (typeof found === 'string') return true;
    }
    await channelQueueOf(web, wait)(channel, () => postMarked(message, target, metadataOf(mark), parts));
    return true;
  } catch (error) {
    log.warn({ err: error, digestId: digest.id }, 'an owner is not notified of a digest yet');
    return false;
  }
}

const REASON_LENGTH = 1_500;

/** The message to the owner of a digest when a period of it was given up. */
function troubleMessage(digest: StoredDigest, run: DigestRun): Message {
  const { id, nextDue } = digest;
  const title = titleWords(digest);
  const why = escapeMrkdwn(shorten(run.message ?? 'The reason is unknown.', REASON_LENGTH));
  const next = (date: (at: Instant) => string) => (nextDue === null ? '' : `Next run: ${date(nextDue)}.`);
  const sentence = (date: (at: Instant) => string) =>
    `I couldn't post ${title}, due ${date(run.due)}.\n${why}`;
  return {
    text: `${sentence(utcText)} ${next(utcText)}`,
    blocks: [
      section(sentence(dateMark)),
      ...(nextDue === null ? [] : [context(next(dateMark))]),
      actions(
        ...(canPostAgain(run) ? [button('Post again', 'digest-post-again', writePeriod(id, run.due))] : []),
        button('Edit', 'digest-edit', id),
        button('Pause', 'digest-pause', id),
      ),
    ],
  };
}

/** The message to a channel, posted once, when the owner of a digest of it left. */
function ownerLeftMessage(digest: StoredDigest): Message {
  const text = `I stopped posting ${titleWords(digest)}, because its owner is no longer active here. To resume it, become its owner; it then runs with your permissions.`;
  return offer(text, button('Become the owner', 'digest-take-over', digest.id));
}

/** *Post again* beside a run that failed; its value names the period. */
export const digestPostAgain: SlackAction<PostAgainParts> = { id: 'digest-post-again', run: postAgain };

type PostAgainParts = DigestPostParts & Pick<SlackParts, 'digests' | 'shares'>;

const LOOKED_BACK = 150;

/**
 * Posts a period that failed. Below the message to its owner the button is taken away first: Slack keeps that even where
 * this process ends meanwhile. It comes back only where nothing was posted.
 */
async function postAgain(click: Click, parts: PostAgainParts): Promise<readonly Message[]> {
  const { digests, answers, web, log } = parts;
  const { value, place } = click;
  const [id = ''] = value.split(' ');
  const by = await digestPrincipalHere(click.principal.account, parts);
  const digest = await digests.get(by, id);
  const run = (await digests.runs(by, id, LOOKED_BACK)).find((one) => writePeriod(id, one.due) === value);
  if (run === undefined || !canPostAgain(run)) {
    throw new AppError('unknown-answer', 'There is nothing to post again.');
  }
  const answer = await answers.answer(await ownerOf(digest, parts), digest.question, run.due);
  // Two clicks in a hurry are one.
  if (!(await parts.shares.begin(value, place.channel))) return [];
  // A list, which its reader alone sees, stays as it is.
  const change = async (message: Message) =>
    click.replace === null
      ? changeMessage(web, { channel: place.channel, ts: click.messageTs }, message, log)
      : undefined;
  try {
    await change(notice('Posting it again…'));
  } catch (error) {
    throw tryAgain(error);
  }
  const period = { digest, run, answer, lateMs: null, missed: [] };
  const deliveries = createDeliveryLog({}, async (note, before) => {
    // From here on it is not posted again, whatever button is still shown.
    if (note.ts !== '' && before.ts === '') await digests.markPosted(by, id, run.due, note);
  });
  let outcome = notice('It is posted.');
  try {
    const isPosted = await postPeriod(period, deliveries, parts);
    if (!isPosted) outcome = notice('There is nothing to report that everyone there can see.');
  } catch (error) {
    if (deliveries.note().ts === '') {
      await parts.shares.forget(value, place.channel);
      await change(troubleMessage(digest, run)).catch(() => {});
      throw error;
    }
    const failure = failureMessage(error, { digestId: id }, log);
    outcome = { text: `${outcome.text} ${failure.text}`, blocks: [...outcome.blocks, ...failure.blocks] };
  }
  await change(outcome).catch(() => {});
  return [outcome];
}
