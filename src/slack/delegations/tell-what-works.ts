import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { AppError } from '../../model/error.ts';
import { notice } from '../messages/notice.ts';

/** Whether a hosted register is too old to tell more than its two look-ups; it says so itself. */
export function isWithoutLists(error: unknown): error is AppError {
  return (
    error instanceof AppError && error.code === 'unavailable' && /\btells no lists\b/.test(error.message)
  );
}

/** What can be asked of such a register. */
const whatWorks =
  'What it does tell: `/delegates @PERSON [CATEGORY] [on DAY TIME]` and `/delegates for @PERSON [CATEGORY] [on DAY TIME]`.';

/** The answer or, from a register that is too old for it, why there is none and what can be asked. */
export async function tellWhatWorks<Answer>(answer: () => Promise<Answer>): Promise<Answer | Message> {
  try {
    return await answer();
  } catch (error) {
    if (!isWithoutLists(error)) throw error;
    return notice(escapeMrkdwn(error.message), whatWorks);
  }
}
