import type { DueDigest } from '../../api/digests/digests-api.ts';
import type { Message } from '../../block-kit/message.ts';
import { AppError } from '../../model/error.ts';
import type { Click } from '../action.ts';
import { changeMessage } from '../exports/change-message.ts';
import { tryAgain } from '../exports/refusal.ts';
import { notice } from '../messages/notice.ts';
import type { DigestPostParts, SlackParts } from '../parts.ts';
import { tellFailure } from '../tell-failure.ts';
import { bringPeriod } from './bring-period.ts';
import { type DigestNote, readDigestNote } from './digest-note.ts';
import { digestPrincipal } from './digest-principal.ts';
import { digestAskerHere } from './digest-principal-here.ts';
import { readPeriod } from './period-value.ts';
import { troubleMessage } from './trouble-message.ts';

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
  const by = await digestAskerHere(click.principal.account, parts);
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
    told = postedIn(tellFailure(error, { digestId: id }, log));
  }
  await changeMessage(web, here, told, log).catch(() => {});
  return [told];
}

/** That the message stands there, and what is lacking below it. */
function postedIn(failure: Message): Message {
  const posted = notice('It is posted, but not all that belongs below it:');
  return { text: `${posted.text} ${failure.text}`, blocks: [...posted.blocks, ...failure.blocks] };
}
