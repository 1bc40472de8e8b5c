import type { SlackAction } from '../action.ts';
import { digestAskerHere } from '../digests/digest-asker-here.ts';
import { previewDigest } from '../digests/preview-digest.ts';

/** *Preview* beside a digest; its value is the id. */
export const digestPreview: SlackAction = {
  id: 'digest-preview',
  async run({ value, asker: { user } }, parts) {
    const digest = await parts.digests.get(await digestAskerHere(user, parts), value);
    return previewDigest(digest, user, parts);
  },
};
