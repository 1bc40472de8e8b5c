import type { Message } from '../../block-kit/message.ts';
import { kindOf } from '../../questions/index.ts';
import { answerView } from '../answers/answer-view.ts';
import { firstPart } from '../answers/tell-answer.ts';
import { isOurConversation } from '../audience/is-our-conversation.ts';
import { whyNotHere } from '../audience/why-not-here.ts';
import type { Person, Place } from '../command.ts';
import { isDirect } from '../hours-here.ts';
import { notice } from '../messages/notice.ts';
import type { MessageParts, SharingParts } from '../parts.ts';
import { askAgain } from './ask-again.ts';
import { postHere } from './post-here.ts';

/**
 * Shares an answer in the place where somebody pressed the button: asked again, as of the same instant, with the rights
 * of who pressed, and posted only where everybody who reads there may read it. Answers what they alone are told.
 */
export async function shareRun(
  id: string,
  { principal: { account }, userName }: Person,
  place: Place,
  parts: SharingParts,
): Promise<readonly Message[]> {
  if (isDirect(place.channel)) {
    const ours = await isOurConversation(place.channel, parts.channelFacts);
    const lead = ours ? 'Only you and I read here.' : 'I have no part in this conversation.';
    return [notice(lead, 'Ask in the channel where you want to share it.')];
  }
  const { run, principal, answer } = await askAgain(id, account, parts);
  // It is one person's, whatever the channel can see.
  if (kindOf(run.question).isPersonal) return [notice('What waits on you is for you alone.')];
  const reasons = await whyNotHere(
    await parts.answers.audienceScope(principal, answer),
    place.channel,
    parts,
  );
  if (reasons.length > 0) return [notice('This stays between us.', ...reasons)];
  if (!(await parts.shares.begin(id, place.channel))) {
    if (await parts.shares.isUnderWay(id, place.channel))
      return [notice('This is being shared here right now.')];
    return [notice('This was shared here less than a minute ago. To share it once more, wait a minute.')];
  }
  const { timeZone } = answer.question;
  const look = { place: 'shared', run, part: firstPart, sharedBy: userName, timeZone } as const;
  const { message, details } = answerView(answer, look);
  const posted = await postHere(message, place, parts).catch(async (error: unknown) => {
    await parts.shares.forget(id, place.channel);
    throw error;
  });
  switch (posted.kind) {
    case 'refused':
      await parts.shares.forget(id, place.channel);
      return [notice('This is not shared.', posted.because)];
    case 'unknown':
      await parts.shares.end(id, place.channel);
      return [
        notice(
          'Slack gave no answer, so I do not know whether this is shared.',
          'Please look; if it is not there, press the button again in a minute.',
        ),
      ];
    case 'posted':
      await parts.shares.end(id, place.channel);
      await postDetails(details, { channel: posted.channel, threadTs: place.threadTs ?? posted.ts }, parts);
      return [];
  }
}

/** What belongs below the answer; it is as good without the rest, whatever keeps one from being posted. */
async function postDetails(details: readonly Message[], thread: Place, parts: MessageParts): Promise<void> {
  for (const detail of details) {
    const { kind } = await postHere(detail, thread, parts);
    if (kind !== 'posted') return;
  }
}
