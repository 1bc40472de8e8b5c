import type { Message } from '../../block-kit/message.ts';
import type { Answer, Part } from '../../model/answer.ts';
import type { Question, Run } from '../../model/question.ts';
import type { QuestionParts } from '../parts.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';
import { answerView } from './answer-view.ts';
import { keepAnswer } from './keep-answer.ts';

/** How many issues of a list are told at once. */
export const firstPart: Part = { start: 0, size: 10 };

/** Answers a question to an account alone, and keeps it, so that its buttons can come back to it. */
export async function tellAnswer(
  question: Question,
  account: string,
  parts: QuestionParts,
): Promise<readonly Message[]> {
  const principal = await resolvePrincipal(account, parts);
  const answer = await parts.answers.answer(principal, question, null, firstPart);
  const run = await keepAnswer(account, answer, parts.answers);
  return [viewPrivately(answer, run, firstPart)];
}

/** An answer as its principal alone reads it. */
export function viewPrivately(answer: Answer, run: Run, part: Part): Message {
  const { timeZone } = answer.question;
  return answerView(answer, { place: 'private', run, part, sharedBy: null, timeZone }).message;
}
