import { lineBlocks } from '../../block-kit/line-blocks.ts';
import type { Message } from '../../block-kit/message.ts';
import type { Delegation } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import { notesText, peopleText, periodText } from './delegation-line.ts';
import { categoriesText } from './names.ts';
import type { Words } from './words.ts';

const LINES_EACH = 12;

/** One's own delegations, neither over nor inactive; words are escaped. */
interface OwnDelegations {
  readonly handedOver: readonly Delegation[];
  readonly standingIn: readonly Delegation[];
  readonly at: Instant;
  readonly words: Words;
}

/** What somebody has handed over and whom they stand in for, now and later. */
export function ownDelegations({ handedOver, standingIn, at, words }: OwnDelegations): Message {
  const own = (one: Delegation) => `${peopleText(one.delegates, words)} for you`;
  const others = (one: Delegation) => `you for *${words.person(one.delegator)}*`;
  return lineBlocks([
    ...part('You have handed over', handedOver, own),
    ...(handedOver.length === 0
      ? ['Hand something over with `/delegates set`.']
      : ['End one with `/delegates end`.']),
    ...part('You stand in', standingIn, others),
  ]);

  function part(title: string, all: readonly Delegation[], who: (one: Delegation) => string): string[] {
    if (all.length === 0) return [`*${title}*: nothing.`];
    const line = (one: Delegation) =>
      `• ${who(one)}: ${categoriesText(one.categoryIds, words)}, ${periodText(one, at, words)}${notesText(one.notes)}`;
    return [
      `*${title} now*`,
      ...someLines(
        all.filter(({ start }) => start <= at),
        line,
      ),
      `*${title} later*`,
      ...someLines(
        all.filter(({ start }) => start > at),
        line,
      ),
    ];
  }
}

function someLines(all: readonly Delegation[], line: (one: Delegation) => string): readonly string[] {
  if (all.length === 0) return ['• nothing'];
  const more = all.length - LINES_EACH;
  return [...all.slice(0, LINES_EACH).map(line), ...(more > 0 ? [`… and ${more} more`] : [])];
}
