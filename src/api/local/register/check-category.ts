import { foldedCategoryName } from '../../../issues/ids-and-names.ts';
import { type CategoryInput, GENERAL } from '../../../model/delegation.ts';
import { badFields } from '../../../model/error.ts';
import { quoted } from '../settings/quoted.ts';

const LONGEST_NAME = 100;
const LONGEST_DESCRIPTION = 1_000;

/** Control and format characters, separators of lines, and halves of characters. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The wish without blanks around the name; what is wrong is `bad-request`. Whether the name is taken is not asked. */
export function checkCategory({ name: given, description }: CategoryInput): CategoryInput {
  const name = given.trim().normalize('NFC');
  const legible = name.replaceAll(unseen, '\u{FFFD}');
  const wrong: Record<string, string> = {};
  if (name.length < 1 || name.length > LONGEST_NAME) {
    wrong.name = `name ${quoted(legible)} has ${name.length} characters; allowed: 1 to ${LONGEST_NAME} characters.`;
  } else if (legible !== name || foldedCategoryName(name) === '') {
    wrong.name = `name ${quoted(legible)} has characters that nobody sees; allowed: letters, digits, signs and blanks, in one line.`;
  } else if (foldedCategoryName(name) === GENERAL) {
    wrong.name = `name ${quoted(name)} is that of what covers every category; allowed: any other name.`;
  }
  if (description.length > LONGEST_DESCRIPTION) {
    wrong.description = `description ${quoted(description)} has ${description.length} characters; allowed: at most ${LONGEST_DESCRIPTION} characters.`;
  }
  if (Object.keys(wrong).length > 0) throw badFields(wrong);
  return { name, description };
}
