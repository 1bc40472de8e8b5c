import type { DueDigest } from '../../api/digests/digests-api.ts';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { AppError } from '../../model/error.ts';
import type { Click, SlackAction } from '../app/handler-types.ts';
import { notice } from '../app/message-texts.ts';
import type { DigestParts, DigestPostParts, SlackParts } from '../app/parts.ts';
import { changeMessage } from '../app/post-message.ts';
import { failureMessage } from '../app/show-failure.ts';
import { tryAgain } from '../app/slack-refusal.ts';
import { digestPrincipal, digestPrincipalHere } from '../people/principals.ts';
import { nextPostText, readPeriod, stateWords } from './describe-digest.ts';
import { troubleMessage } from './digest-notifier.ts';
import { previewDigest } from './digest-preview.ts';
import { type DigestNote, readDigestNote } from './post-once.ts';
import { bringPeriod } from './post-period.ts';

/** *Pause* beside a digest; its value is the id. */
export const digestPause: SlackAction<DigestParts> = {
  id: 'digest-pause',
  async run({ value, principal: { account: user } }, parts) {
    const { title } = await parts.digests.pause(await digestPrincipalHere(user, parts), value);
    return [notice(`*${escapeMrkdwn(title)}* rests until somebody resumes it.`)];
  },
};

/** *Resume* beside a digest; its value is the id. */
export const digestResume: SlackAction<DigestParts> = {
  id: 'digest-resume',
  async run({ value, principal: { account: user } }, parts) {
    const digest = await parts.digests.resume(await digestPrincipalHere(user, parts), value);
    return [
      notice(
        `*${escapeMrkdwn(digest.title)}* goes on: ${stateWords(digest, { next: await nextPostText(digest, parts.digests) })}.`,
      ),
    ];
  },
};

/** *Delete* beside a digest; its value is the id. */
export const digestDelete: SlackAction<DigestParts> = {
  id: 'digest-delete',
  async run({ value, principal: { account: user } }, parts) {
    const by = await digestPrincipalHere(user, parts);
    const { title } = await parts.digests.get(by, value);
    await parts.digests.remove(by, value);
    return [notice(`*${escapeMrkdwn(title)}* is deleted. What it has told stays where it stands.`)];
  },
};

/** *Preview* beside a digest; its value is the id. */
export const digestPreview: SlackAction<DigestParts> = {
  id: 'digest-preview',
  async run({ value, principal: { account: user } }, parts) {
    const digest = await parts.digests.get(await digestPrincipalHere(user, parts), value);
    return previewDigest(digest, user, parts);
  },
};

/** *Post it again* under the word that nobody can tell whether a digest stands there; its value names the period. */
export const digestPostAgain: SlackAction<DigestPostParts & Pick<SlackParts, 'digests' | 'shares'>> = {
  id: 'digest-post-again',
  run: postAgain,
};

const LOOKED_BACK = 150;

/**
 * Posts a period once more of which nobody could tell whether it stands there, because its owner has looked. The button
 * is taken away first: Slack keeps that even where we are killed meanwhile. It comes back only where nothing stands.
 */
export async function postAgain(
  click: Pick<Click, 'value' | 'principal' | 'place' | 'messageTs'>,
  parts: DigestPostParts & Pick<SlackParts, 'digests' | 'shares'>,
): Promise<readonly Message[]> {
  const { digests, answers, web, log } = parts;
  const { id, due } = readPeriod(click.value);
  const by = await digestPrincipalHere(click.principal.account, parts);
  const digest = await digests.get(by, id);
  const run = (await digests.runs(by, id, LOOKED_BACK)).find((one) => one.due === due);
  if (run?.state !== 'failed' || readDigestNote(run.note).unsure !== 'yes') {
    throw new AppError('unknown-answer', 'There is nothing to post again.');
  }
  const principal = await digestPrincipal(digest.owner, parts);
  if (principal === null) throw new AppError('unknown-person', 'The owner of this digest is gone.');
  const answer = await answers.answer(principal, digest.question, due);
  // Two presses in a hurry are one.
  if (!(await parts.shares.begin(click.value, click.place.channel))) return [];
  const here = { channel: click.place.channel, ts: click.messageTs };
  try {
    await changeMessage(web, here, notice('The digest is being posted again.'), log);
  } catch (error) {
    throw tryAgain(error);
  }
  let note: DigestNote = readDigestNote({});
  const period: DueDigest = { digest, run, answer, lateMs: null, missed: [] };
  const ledger = {
    note: () => note,
    async keep(changes: Partial<DigestNote>) {
      const stood = note.ts !== '';
      note = { ...note, ...changes };
      // From here on nobody posts it again, whatever button they still see.
      if (note.ts !== '' && !stood) await digests.markPosted(by, id, due, note);
    },
  };
  let told = notice('It is posted.');
  try {
    await bringPeriod(period, ledger, parts);
  } catch (error) {
    if (note.ts === '') {
      await parts.shares.forget(click.value, click.place.channel);
      await changeMessage(web, here, troubleMessage(digest, run), log).catch(() => {});
      throw error;
    }
    told = postedIn(failureMessage(error, { digestId: id }, log));
  }
  await changeMessage(web, here, told, log).catch(() => {});
  return [told];
}

/** That the message stands there, and what is lacking below it. */
function postedIn(failure: Message): Message {
  const posted = notice('It is posted, but not all that belongs below it:');
  return { text: `${posted.text} ${failure.text}`, blocks: [...posted.blocks, ...failure.blocks] };
}
