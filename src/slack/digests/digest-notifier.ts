import type { ActionsBlock } from '@slack/types';
import { WebAPIRateLimitedError } from '@slack/web-api';
import { millisecondsInHour } from 'date-fns/constants';
import type { DigestNotifier, DueDigest } from '../../api/digests/digests-api.ts';
import type { Message } from '../../block-kit/message.ts';
import { context, dateMark, escapeMrkdwn, section, utcText } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { Digest, DigestRun } from '../../model/digest.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { button } from '../app/message-texts.ts';
import type { DigestPostParts } from '../app/parts.ts';
import { postMessage } from '../app/post-message.ts';
import { digestPrincipal } from '../people/principals.ts';
import { writePeriod } from './describe-digest.ts';
import {
  channelQueueOf,
  type DeliveryLog,
  type DigestNote,
  findPosted,
  metadataOf,
  readDigestNote,
} from './post-once.ts';
import { bringPeriod } from './post-period.ts';

/** Slack does not mean to be left alone for longer; a clock may have been set back. */
const LONGEST_WAIT_MS = millisecondsInHour;

/** Posts digests into channels and conversations. */
export function createDigestNotifier(parts: DigestPostParts): DigestNotifier {
  const { now } = parts;
  return {
    principalOf: (account) => digestPrincipal(account, parts),
    posted({ note }) {
      const { ts, trying, unsure } = readDigestNote(note);
      if (ts !== '') return 'yes';
      return trying !== '' || unsure === 'yes' ? 'perhaps' : 'no';
    },
    async deliver(due, keep) {
      const ledger = ledgerOf(due, keep);
      const until = Number(ledger.note().waitUntil);
      if (until > now() && until <= now() + LONGEST_WAIT_MS) return until;
      try {
        await bringPeriod(due, ledger, parts);
        return null;
      } catch (error) {
        const pauseMs = pauseOf(error);
        if (pauseMs === null) throw error;
        return now() + Math.min(pauseMs, LONGEST_WAIT_MS);
      }
    },
    notifyOwner: (digest, run, triedAt) => postTrouble(digest, run, triedAt, parts),
  };
}

/** How long (ms) Slack wants to be left alone; null where that is not what went wrong. */
function pauseOf(error: unknown): number | null {
  if (!(error instanceof AppError) || error.code !== 'unavailable') return null;
  return error.cause instanceof WebAPIRateLimitedError ? 1000 * error.cause.retryAfter : null;
}

function ledgerOf({ run }: DueDigest, keep: Parameters<DigestNotifier['deliver']>[1]): DeliveryLog {
  let note: DigestNote = readDigestNote(run.note);
  return {
    note: () => note,
    async keep(changes) {
      const changed = { ...note, ...changes };
      await keep(changed);
      note = changed;
    },
  };
}

const PART = 'trouble';

/**
 * Tells the owner of a digest that a period was given up, or its channel where the owner is gone; false where they may
 * not have heard. `triedAt` is when that was tried first: a word twice is better than none, but once is best.
 */
async function postTrouble(
  digest: Digest,
  run: DigestRun,
  triedAt: Instant | null,
  parts: DigestPostParts,
): Promise<boolean> {
  const { web, wait, pictures, log } = parts;
  const { owner, place } = digest;
  const mark = { run: writePeriod({ id: digest.id, due: run.due }), part: PART };
  try {
    const isGone = (await digestPrincipal(owner, parts)) === null;
    // Nobody else reads it.
    if (isGone && place.kind === 'owner') return true;
    const channel = isGone && place.kind === 'channel' ? place.channel : owner;
    const message = isGone ? stoppedMessage(digest) : troubleMessage(digest, run);
    if (triedAt !== null) {
      const found = await findPosted(mark, { channel, threadTs: '', since: triedAt }, web);
      if (found !== null && found !== 'unknown') return true;
    }
    await channelQueueOf(web, wait)(channel, () =>
      postMessage(
        message,
        ({ text, blocks }) =>
          web.chat.postMessage({
            channel,
            text,
            blocks: [...blocks],
            metadata: metadataOf(mark),
            unfurl_links: false,
            unfurl_media: false,
          }),
        { pictures, log },
      ),
    );
    return true;
  } catch (error) {
    log.warn({ err: error, digestId: digest.id }, 'the word about a digest did not reach anybody yet');
    return false;
  }
}

const TITLE_LENGTH = 100;
const REASON_LENGTH = 1_500;

/** What the owner of a digest is told when a period of it was given up. */
export function troubleMessage({ id, title }: Pick<Digest, 'id' | 'title'>, run: DigestRun): Message {
  const name = escapeMrkdwn(shorten(title, TITLE_LENGTH));
  const why = escapeMrkdwn(shorten(run.message ?? 'Nobody knows why.', REASON_LENGTH));
  const cure = 'The next one is tried at its time. `/tis digest` shows, changes and pauses your digests.';
  const isUnsure = readDigestNote(run.note).unsure === 'yes';
  const again: ActionsBlock = {
    type: 'actions',
    elements: [button('Post it again', 'digest-post-again', writePeriod({ id, due: run.due }))],
  };
  return {
    text: `Your digest ${name}, due ${utcText(run.due)}, needs you. ${why} ${cure}`,
    blocks: [
      section(`Your digest *${name}*, due ${dateMark(run.due)}, needs you.\n${why}`),
      ...(isUnsure ? [again] : []),
      context(cure),
    ],
  };
}

/** What a channel is told, once, when nobody owns a digest of it any more. */
function stoppedMessage({ id, title }: Pick<Digest, 'id' | 'title'>): Message {
  const name = escapeMrkdwn(shorten(title, TITLE_LENGTH));
  const why = 'its owner does not work here any more. It stops until somebody takes it over';
  const then = 'From then on it is asked with the rights of who did.';
  const row: ActionsBlock = {
    type: 'actions',
    elements: [button('Take it over', 'digest-take-over', id)],
  };
  return {
    text: `The digest ${name} is not posted: ${why}. ${then}`,
    blocks: [section(`The digest *${name}* is not posted: ${why}. ${then}`), row],
  };
}
