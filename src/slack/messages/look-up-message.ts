import { lineBlocks } from '../../block-kit/line-blocks.ts';
import type { Message } from '../../block-kit/message.ts';
import { leadText, type StandInStory } from './stand-in-message.ts';

/** What a look-up tells of one person in one category at one instant; words and the category are escaped. */
interface LookUpStory extends Pick<StandInStory, 'direction' | 'person' | 'category' | 'when' | 'words'> {
  /** User ids of the other side. */
  readonly others: readonly string[];
  /** No category was named. */
  readonly isGeneral: boolean;
}

const nameOne = 'Only what is handed over as a whole is told; name a category to ask about it.';

const remark =
  '_This delegation service tells names only: not from when until when, no notes, no other categories, and not who is away too._';

/** Who stands in for somebody, or for whom they do, where nothing else can be known. */
export function lookUpMessage(story: LookUpStory): Message {
  const { others, words } = story;
  const lines = others.map((id) => `• *${words.person(id)}*`);
  const ways = story.isGeneral ? [nameOne] : [];
  return lineBlocks([leadText(story, others.length === 0), ...lines, ...ways, remark]);
}
