import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import type { Digest } from '../../model/digest.ts';
import { AppError, badRequest, sentencesOf } from '../../model/error.ts';
import type { Principal } from '../../model/principal.ts';
import { countOf, countWords } from '../../questions/view/figure-words.ts';
import type { DigestParts } from '../parts.ts';
import { digestPrincipal } from './digest-principal.ts';
import { whyNotNow } from './preview-digest.ts';

/**
 * Asks what a digest asks with the rights of who is to own it, before they do: a `bad-request` where that fails; else
 * what becomes different, in sentences (mrkdwn).
 */
export async function tryForNewOwner(
  digest: Digest,
  principal: Principal,
  name: string,
  parts: DigestParts,
): Promise<readonly string[]> {
  const issuesFor = async (who: Principal) =>
    (await parts.answers.answer(who, digest.question, parts.now())).contents?.issues ?? null;
  try {
    const reasons = await whyNotNow(digest, principal, parts);
    const theirs = await issuesFor(principal);
    const owner = await digestPrincipal(digest.owner, parts);
    const before = owner === null ? null : await issuesFor(owner).catch(() => null);
    return [
      ...(theirs === null || before === null || theirs === before
        ? []
        : [
            `With the rights of ${escapeMrkdwn(name)} it tells of ${countOf(theirs, 'issue')}, not of ${countWords(before)}.`,
          ]),
      ...(reasons.length === 0 ? [] : ['As things are it would *not* be posted:', ...reasons]),
    ];
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
    throw badRequest(
      `With the rights of ${name} it cannot be asked: ${sentencesOf(error).join(' ')}`,
      'Nothing is changed. Try: somebody who may see what it asks about.',
    );
  }
}
