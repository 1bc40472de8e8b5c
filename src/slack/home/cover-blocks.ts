import { lineBlocks } from '../../block-kit/line-blocks.ts';
import type { Message, MessageBlock } from '../../block-kit/message.ts';
import { section } from '../../block-kit/mrkdwn.ts';
import type { Coverage, Delegation } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import { peopleText, periodText } from '../messages/delegation-line.ts';
import { categoriesText } from '../messages/names.ts';
import { someLines } from '../messages/some-lines.ts';
import { awayTooText, uncoveredText } from '../messages/stand-in-message.ts';
import { type Words, wordsAnywhere } from '../messages/words.ts';
import { asking } from './asking.ts';
import type { Cover } from './home-content.ts';

const MOST_CHARACTERS = 5_000;

/** The title of the part. */
export const coverTitle = 'Whom you cover, and who covers you';

/** Whom somebody covers and who covers them, today and in the next two weeks. */
export function coverBlocks(cover: Cover | Message | null, at: Instant): readonly MessageBlock[] {
  if (cover === null) return [];
  if ('text' in cover) return [section(`*${coverTitle}*`), ...cover.blocks.slice(0, 3)];
  const { person, coverage, names } = cover;
  const words = wordsAnywhere(names);
  const { delegations } = coverage;
  const covering = delegations.filter(({ delegates }) => delegates.includes(person));
  const covered = delegations.filter(({ delegator }) => delegator === person);
  return [
    ...asking(
      [
        `*${coverTitle}*`,
        'Today and in the next two weeks.',
        ...(covering.length === 0
          ? ['You cover nobody.']
          : ['*You cover*', ...someLines(covering, (one) => `• ${coveringText(one, at, words)}`)]),
      ],
      'This week',
      '/delegates week',
      MOST_CHARACTERS,
    ),
    ...asking(
      covered.length === 0
        ? ['Nobody covers you.']
        : ['*You are covered by*', ...someLines(covered, (one) => `• ${coveredText(one, at, words)}`)],
      'Hand work over',
      '/delegates set',
      MOST_CHARACTERS,
    ),
    ...lineBlocks(warnings(coverage, words), MOST_CHARACTERS).blocks,
  ];
}

function coveringText(one: Delegation, at: Instant, words: Words): string {
  return `*${words.person(one.delegator)}*: ${categoriesText(one.categoryIds, words)}, ${periodText(one, at, words)}`;
}

function coveredText(one: Delegation, at: Instant, words: Words): string {
  return `${peopleText(one.delegates, words)}: ${categoriesText(one.categoryIds, words)}, ${periodText(one, at, words)}`;
}

function warnings({ span, uncovered, awayToo }: Coverage, words: Words): readonly string[] {
  const looked = { span, whole: 'all the time' };
  return [
    ...someLines(uncovered, (one) => `:warning: ${uncoveredText(one, words, looked)}`),
    ...someLines(awayToo, (one) => `:warning: ${awayTooText(one, words, looked)}`),
  ];
}
