import { type CategoryWish, GENERAL } from '../../../model/delegation.ts';
import { badFields } from '../../../model/error.ts';
import { foldedName } from '../../../model/folded-name.ts';
import { quoted } from '../settings/quoted.ts';

const LONGEST_NAME = 100;
const LONGEST_DESCRIPTION = 1_000;

/** The wish without blanks around the name; what is wrong is `bad-request`. Whether the name is taken is not asked. */
export function checkCategory({ name: given, description }: CategoryWish): CategoryWish {
  const name = given.trim().normalize('NFC');
  const wrong: Record<string, string> = {};
  if (name.length < 1 || name.length > LONGEST_NAME) {
    wrong.name = `name ${quoted(name)} has ${name.length} characters; allowed: 1 to ${LONGEST_NAME} characters.`;
  } else if (foldedName(name) === GENERAL) {
    wrong.name = `name ${quoted(name)} is that of what covers every category; allowed: any other name.`;
  }
  if (description.length > LONGEST_DESCRIPTION) {
    wrong.description = `description ${quoted(description)} has ${description.length} characters; allowed: at most ${LONGEST_DESCRIPTION} characters.`;
  }
  if (Object.keys(wrong).length > 0) throw badFields(wrong);
  return { name, description };
}
