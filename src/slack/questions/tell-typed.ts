import { checkBlocks } from '../../block-kit/check-blocks.ts';
import type { Message } from '../../block-kit/message.ts';
import { context } from '../../block-kit/mrkdwn.ts';
import { AppError } from '../../model/error.ts';
import { tellAnswer } from '../answers/tell-answer.ts';
import type { Asked } from '../command.ts';
import { notice } from '../messages/notice.ts';
import { refusal } from '../messages/refusal.ts';
import type { AskingParts } from '../parts.ts';
import { readQuestion } from './read-question.ts';
import { type Example, tryThese } from './try-these.ts';
import { typedSentences } from './typed-sentences.ts';

/** Answers a question as it was typed behind `/tis`; what is wrong with it is told with lines that work here. */
export async function tellTyped(
  typed: string,
  asked: Asked,
  parts: AskingParts,
  lines: (example: Example) => readonly string[],
): Promise<readonly Message[]> {
  const account = asked.principal.account;
  try {
    const { question, remark } = await readQuestion(typed, account, asked.place, parts);
    const messages = await tellAnswer(question, account, parts);
    return remark === null ? messages : remarked(messages, remark);
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'bad-request' && error.code !== 'not-found'))
      throw error;
    return [refusal(typedSentences(error), await tryThese(asked, lines, parts))];
  }
}

/** Below the last message; on its own where that has no room left. */
function remarked(messages: readonly Message[], remark: string): readonly Message[] {
  const last = messages.at(-1);
  const blocks = [...(last?.blocks ?? []), context(remark)];
  return last === undefined || checkBlocks(blocks, 'message').length > 0
    ? [...messages, notice(remark)]
    : [...messages.slice(0, -1), { text: `${last.text}\n${remark}`, blocks }];
}
