import type { Asked, DoorParts } from '../command.ts';
import type { Message } from '../message.ts';
import { notice } from '../messages/notice.ts';
import type { Direction } from '../messages/stand-in-message.ts';
import { askWhich } from '../people/ask-which.ts';
import { findPerson } from '../people/find-person.ts';
import { admit } from './admit.ts';
import { refuseOthers, seesAll } from './rights-words.ts';
import { splitPerson } from './split-person.ts';
import { tellStandIns } from './tell-stand-ins.ts';

/** Longer lines would not fit behind the buttons that ask who is meant. */
const MOST_CHARACTERS = 500;

/** Answers `PERSON [CATEGORY] [on DAY]` in one of the two directions. */
export async function answerAbout(
  direction: Direction,
  asked: Asked,
  parts: DoorParts,
): Promise<readonly Message[]> {
  if (asked.text.length > MOST_CHARACTERS) {
    return [notice(`That is too long; allowed: ${MOST_CHARACTERS} characters.`)];
  }
  const admitted = await admit(asked, parts);
  if ('refusal' in admitted) return [admitted.refusal];
  const split = splitPerson(asked.text, await parts.people.users());
  if (split === null)
    return [notice('Whom do you mean? Mention somebody or type a user name behind the command.')];
  const { person, rest } = split;
  const found = await findPerson(person, parts);
  if (found.kind === 'known')
    return [await tellStandIns(admitted, { direction, person: found.user, rest }, parts)];
  // Who may not ask about others does not learn either who there is.
  if (!seesAll(admitted.right)) return [refuseOthers(admitted.member)];
  return [askWhich(person, found, { about: direction, rest })];
}
