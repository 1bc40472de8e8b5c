import type { SlackAction } from '../action.ts';
import { postAgain } from '../digests/post-again.ts';
import type { DigestPostParts, SlackParts } from '../parts.ts';

/** *Post it again* under the word that nobody can tell whether a digest stands there; its value names the period. */
export const digestPostAgain: SlackAction<DigestPostParts & Pick<SlackParts, 'digests' | 'shares'>> = {
  id: 'digest-post-again',
  run: postAgain,
};
