import type { Digest, DigestRun } from '../../model/digest.ts';
import type { Instant } from '../../model/issue.ts';
import type { DigestPostParts } from '../parts.ts';
import { postMessage } from '../post-message.ts';
import { channelQueueOf } from './channel-queue.ts';
import { digestPrincipal } from './digest-principal.ts';
import { findPosted, metadataOf } from './find-posted.ts';
import { writePeriod } from './period-value.ts';
import { stoppedMessage } from './stopped-message.ts';
import { troubleMessage } from './trouble-message.ts';

const PART = 'trouble';

/**
 * Tells the owner of a digest that a period was given up, or its channel where the owner is gone; false where they may
 * not have heard. `triedAt` is when that was tried first: a word twice is better than none, but once is best.
 */
export async function tellTrouble(
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
