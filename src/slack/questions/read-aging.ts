import type { AgingQuestion } from '../../model/question.ts';
import type { QuestionReader } from './asking.ts';
import { filterOrUsual } from './filter-or-usual.ts';
import { takeTails, unitOf } from './take-tails.ts';

/** Reads `[FILTER] [in CALENDAR]`. */
export const readAging: QuestionReader = async (words, asking) => {
  const { rest, tails } = await takeTails(words, ['calendar', 'unit'], asking);
  const { selection, remark } = await filterOrUsual(rest, asking);
  const { calendar, timeZone } = asking.hours;
  const question: AgingQuestion = {
    kind: 'aging',
    selection,
    calendar: tails.calendar ?? calendar,
    timeZone,
    ...unitOf(tails),
  };
  await asking.check(question);
  return { question, remark };
};
