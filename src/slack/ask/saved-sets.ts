import type { User } from '../../model/issue.ts';
import type { ParameterSet } from '../../model/parameter-set.ts';
import { shorten } from '../../output/readable-text.ts';
import { setsCalled } from '../answers/report/read-saved.ts';
import { notice } from '../app/message-texts.ts';
import { type Line, lineBlocks } from '../blocks/line-blocks.ts';
import type { Message } from '../blocks/message.ts';
import { escapeMrkdwn, lineText } from '../blocks/mrkdwn.ts';

const OWNER_LENGTH = 60;
const NAME_LENGTH = 200;

/** The saved parameter sets somebody (`user`) may use, each with the line that asks it. */
export function savedSets(
  sets: readonly ParameterSet[],
  user: string,
  users: ReadonlyMap<string, Pick<User, 'name'>>,
): Message {
  if (sets.length === 0) {
    return notice('There are no saved reports yet. Open the report builder with `/tis`, and save one there.');
  }
  const lines = sets.map((set): Line => {
    const { name, ownerId } = set;
    return () => {
      const owner = shorten((users.get(ownerId)?.name ?? ownerId).replaceAll(/\s+/g, ' '), OWNER_LENGTH);
      const whose = ownerId === user ? (set.public ? 'yours, public' : 'yours') : `by ${escapeMrkdwn(owner)}`;
      const title = escapeMrkdwn(shorten(name.replaceAll(/\s+/g, ' '), NAME_LENGTH));
      return `*${title}* (${whose})  ${lineOfSet(set, sets, user)}`;
    };
  });
  return lineBlocks([`*Saved reports* (${sets.length})`, ...lines]);
}

/** The line (mrkdwn) with which somebody asks for a set among all they may use: by its name where that is enough, else by its id. */
export function lineOfSet(set: ParameterSet, sets: readonly ParameterSet[], user: string): string {
  const [first, ...others] = setsCalled(set.name, sets, user);
  const isEnough = others.length === 0 && first?.id === set.id && setNameProblem(set.name) === null;
  return savedLine(isEnough ? set.name : set.id);
}

/** Longer names nobody types, and a line that holds them would be cut. */
export const MAX_SET_NAME = 150;

/** Why a parameter set is not to be called so; null: nothing is wrong with the name. */
export function setNameProblem(name: string): string | null {
  const wrong =
    name.length > MAX_SET_NAME
      ? `This name has ${name.length} characters`
      : /[`\r\n\u2028\u2029]/.test(name)
        ? 'This name has a backtick or a line break'
        : null;
  return wrong === null
    ? null
    : `${wrong}. Try: at most ${MAX_SET_NAME} characters without backticks and line breaks, so that it can be typed.`;
}

/** `/tis saved NAME` as code (mrkdwn), as it is to be typed: a name from right to left is kept apart, not the line. */
export function savedLine(name: string): string {
  return `\`/tis saved ${lineText(name).slice(1, -1)}\``;
}
