import type { User } from '../../model/issue.ts';
import type { ParameterSet } from '../../model/parameter-set.ts';
import type { Message } from '../message.ts';
import { type Line, lineBlocks } from './line-blocks.ts';
import { lineOfSet } from './line-of-set.ts';
import { escapeMrkdwn } from './mrkdwn.ts';
import { notice } from './notice.ts';
import { shorten } from './shorten.ts';

const OWNER_LENGTH = 60;
const NAME_LENGTH = 200;

/** The saved parameter sets somebody (`user`) may use, each with the line that asks it. */
export function savedSets(
  sets: readonly ParameterSet[],
  user: string,
  users: ReadonlyMap<string, Pick<User, 'name'>>,
): Message {
  if (sets.length === 0) {
    return notice(
      'Nothing is saved yet that you may use. Put a report together with `/tis`, and save it there for another day.',
    );
  }
  const lines = sets.map((set): Line => {
    const { name, ownerId } = set;
    return () => {
      const owner = shorten((users.get(ownerId)?.name ?? ownerId).replaceAll(/\s+/g, ' '), OWNER_LENGTH);
      const whose = ownerId === user ? (set.public ? 'yours, public' : 'yours') : `of ${escapeMrkdwn(owner)}`;
      const title = escapeMrkdwn(shorten(name.replaceAll(/\s+/g, ' '), NAME_LENGTH));
      return `*${title}* (${whose})  ${lineOfSet(set, sets, user)}`;
    };
  });
  return lineBlocks([`*Saved reports* (${sets.length})`, ...lines]);
}
