import type { Answer } from '../../model/answer.ts';
import type { Run } from '../../model/question.ts';
import type { AnswersApi } from '../../questions/answers.ts';
import { askedOnce } from '../../questions/index.ts';

/** Stores what an answer answered. */
export function keepAnswer(
  account: string,
  answer: Answer,
  { storeRun }: Pick<AnswersApi, 'storeRun'>,
): Promise<Run> {
  return storeRun(account, askedOnce(answer));
}
