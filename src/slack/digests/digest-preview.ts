import type { DueDigest } from '../../api/digests/digests-api.ts';
import type { Message } from '../../block-kit/message.ts';
import type { Digest } from '../../model/digest.ts';
import { AppError } from '../../model/error.ts';
import type { Principal } from '../../model/principal.ts';
import { notice } from '../app/message-texts.ts';
import type { AudienceParts, DigestParts, PeopleParts } from '../app/parts.ts';
import { storeAnswer } from '../ask/show-answer.ts';
import { audienceProblem } from '../channels/why-not-here.ts';
import { digestPrincipal } from '../people/principals.ts';
import { viewOf } from './post-period.ts';

/** Slack takes five private messages for one click, and one of them is ours. */
const MOST_DETAILS = 3;

/** Exactly what would be posted now, for who asked alone, and whether it would be. */
export async function previewDigest(
  digest: Digest,
  account: string,
  parts: DigestParts,
): Promise<readonly Message[]> {
  const { answers, now } = parts;
  const principal = await ownerOf(digest, parts);
  const answer = await answers.answer(principal, digest.question, now());
  const run = await storeAnswer(account, answer, answers);
  const due: DueDigest = {
    digest,
    answer,
    lateMs: null,
    missed: [],
    run: {
      digestId: digest.id,
      due: answer.asOf,
      state: 'claimed',
      note: {},
      attempts: 0,
      message: null,
      skipReason: null,
      finishedAt: null,
    },
  };
  const { message, details } = viewOf(due, run);
  const contents = await answers.audienceScope(principal, answer);
  const lead = await leadText(digest, { ...answer, contents }, parts);
  return [notice(lead), message, ...details.slice(0, MOST_DETAILS)];
}

/**
 * Why a digest could not be told where it is to be told, in sentences (mrkdwn) as of now; none: it could. Fails as
 * answering it would.
 */
export async function previewProblem(
  digest: Pick<Digest, 'question' | 'place'>,
  principal: Principal,
  parts: DigestParts,
): Promise<readonly string[]> {
  const { answers, now } = parts;
  const answer = await answers.answer(principal, digest.question, now());
  if (digest.place.kind === 'owner') return [];
  return audienceProblem(await answers.audienceScope(principal, answer), digest.place.channel, parts);
}

async function ownerOf(digest: Digest, parts: PeopleParts): Promise<Principal> {
  const principal = await digestPrincipal(digest.owner, parts);
  if (principal !== null) return principal;
  throw new AppError('unknown-person', 'The owner of this digest is gone; hand it over to somebody else.');
}

async function leadText(
  { place }: Digest,
  { contents, isEmpty }: DueDigest['answer'],
  parts: AudienceParts,
): Promise<string> {
  const reasons = place.kind === 'owner' ? [] : await audienceProblem(contents, place.channel, parts);
  const where = place.kind === 'owner' ? 'its owner would read' : 'everybody in the channel would read';
  if (reasons.length > 0) return `This would *not* be posted now. ${reasons.join(' ')} For you alone:`;
  if (isEmpty) return `There is nothing to say now, so nothing would be posted; else ${where} this:`;
  return `This is what ${where} now:`;
}
