import { lineBlocks } from '../../block-kit/line-blocks.ts';
import type { Message } from '../../block-kit/message.ts';
import type { Delegation } from '../../model/delegation.ts';
import { notesLine, peopleText, spanText } from './delegation-line.ts';
import { categoriesText } from './names.ts';
import type { Words } from './words.ts';

/** What happened to a delegation: it was set, it ended before its time, or it will never begin. */
export type DelegationEvent = 'set' | 'ended' | 'called off';

/** What one of the people of a delegation reads about it; `by` is who did it. Expects escaped words. */
export function delegationNews(
  {
    delegation,
    event,
    by,
  }: { readonly delegation: Delegation; readonly event: DelegationEvent; readonly by: string },
  reader: string,
  words: Words,
): Message {
  const { delegator, delegates, categoryIds, start, end, notes } = delegation;
  const owner = delegator === reader ? 'you' : `*${words.person(delegator)}*`;
  const others = delegates.filter((id) => id !== reader);
  const mine = delegator !== reader;
  const along = mine && others.length > 0 ? ` with ${peopleText(others, words)}` : '';
  const subject = mine ? 'You' : peopleText(delegates, words);
  const several = mine || delegates.length > 1;
  const what = categoriesText(categoryIds, words);
  const who = by === reader ? 'by you' : `by *${words.person(by)}*`;
  switch (event) {
    case 'set':
      return lineBlocks([
        `${subject} ${several ? 'stand' : 'stands'} in for ${owner}${along}: ${what}, ${spanText({ from: start, until: end }, words)}. Set ${who}.`,
        ...[notesLine(notes)].filter((line) => line !== ''),
      ]);
    case 'ended':
      return lineBlocks([
        `${subject} ${several ? 'do' : 'does'} not stand in for ${owner} any more${along}: ${what}, ended ${words.time(end)} ${who}.`,
      ]);
    case 'called off':
      return lineBlocks([
        `${subject} will not stand in for ${owner}${along}: ${what}, ${spanText({ from: start, until: end }, words)}, called off ${who}.`,
      ]);
  }
}
