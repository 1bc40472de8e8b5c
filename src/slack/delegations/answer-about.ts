import { lineText } from '../../block-kit/code-text.ts';
import type { Message } from '../../block-kit/message.ts';
import type { Asked, CommandLine } from '../command.ts';
import { notice } from '../messages/notice.ts';
import type { Direction } from '../messages/stand-in-message.ts';
import { nearWord } from '../near-word.ts';
import type { DelegationParts, SlackParts } from '../parts.ts';
import { personTyped } from '../people/account-typed.ts';
import { askWhich } from '../people/ask-which.ts';
import { admit } from './admit.ts';
import { refuseOthers, seesAll } from './rights-words.ts';
import type { Split } from './split-person.ts';
import { withRemaining } from './tell-stand-ins.ts';

/** Longer lines would not fit behind the buttons that ask who is meant. */
const MOST_CHARACTERS = 500;

/** Answers `PERSON [CATEGORY] [on DAY]` in one of the two directions. */
export async function answerAbout(
  direction: Direction,
  asked: Asked,
  parts: DelegationParts & Pick<SlackParts, 'commands'>,
): Promise<readonly Message[]> {
  if (asked.text.length > MOST_CHARACTERS) {
    return [notice(`That is too long. Try: ${MOST_CHARACTERS} characters.`)];
  }
  const admitted = await admit(asked, parts);
  if ('refusal' in admitted) return [admitted.refusal];
  const { member, right } = admitted;
  const split = await personTyped(asked.text, member, parts);
  if (split === null)
    return [notice('Whom do you mean? Mention somebody or type a user name behind the command.')];
  const { person, rest, found } = split;
  const hints = direction === 'delegates' ? hintsFor(split, parts.commands) : [];
  // Who may not ask about others does not learn either who there is.
  if (!seesAll(right) && (found.kind !== 'known' || found.user.id !== member.user.id)) {
    return [refuseOthers(member, hints)];
  }
  return found.kind === 'known'
    ? [await withRemaining(admitted, { direction, person: found.user, rest }, parts)]
    : [askWhich(person, found, { about: direction, rest }, { hasAdmins: member.hasAdmins, hints })];
}

/** A word of the command that is misspelt is taken for a person. */
function hintsFor({ person, rest }: Split, commands: readonly CommandLine[]): readonly string[] {
  const word = 'name' in person ? nearWord(person.name, '/delegates', commands) : null;
  return word === null ? [] : [`Did you mean ${lineText(`/delegates ${word} ${rest}`)}?`];
}
