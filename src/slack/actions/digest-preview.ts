import type { SlackAction } from '../action.ts';
import { digestAskerHere } from '../digests/digest-principal-here.ts';
import { previewDigest } from '../digests/preview-digest.ts';
import type { DigestParts } from '../parts.ts';

/** *Preview* beside a digest; its value is the id. */
export const digestPreview: SlackAction<DigestParts> = {
  id: 'digest-preview',
  async run({ value, principal: { account: user } }, parts) {
    const digest = await parts.digests.get(await digestAskerHere(user, parts), value);
    return previewDigest(digest, user, parts);
  },
};
