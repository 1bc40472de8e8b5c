import { badRequest } from '../../model/error.ts';
import { plainText } from '../exports/typed-words.ts';
import type { QuestionReader } from './asking.ts';
import { takeTails, unitOf } from './take-tails.ts';

/** Reads `[in CALENDAR]`. */
export const readMine: QuestionReader = async (words, asking) => {
  const { rest, tails } = await takeTails(words, ['calendar', 'unit'], asking);
  if (rest.length > 0) {
    throw badRequest(
      `I do not know what '${plainText(rest)}' means behind mine; allowed: nothing, or in CALENDAR.`,
    );
  }
  const { calendar, timeZone } = asking.hours;
  return {
    question: { kind: 'mine', calendar: tails.calendar ?? calendar, timeZone, ...unitOf(tails) },
    remark: null,
  };
};
