import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { AppError, failureText } from '../../model/error.ts';
import { notice } from './notice.ts';

/** A failure as the principal reads it; `reference` is how a bug is found again in the log. */
export function errorMessage(error: unknown, reference: string): Message {
  if (!(error instanceof AppError)) {
    return notice(
      `Something went wrong on our side; the log has it under \`${reference}\`. Please try again.`,
    );
  }
  const said = escapeMrkdwn(failureText(error));
  return notice(said, ...(error.reason === 'service-too-old' ? [whatWorks] : []));
}

/** What can be asked of a register that tells no lists. */
const whatWorks =
  'What it does tell: `/delegates @PERSON [CATEGORY] [on DAY TIME]` and `/delegates for @PERSON [CATEGORY] [on DAY TIME]`.';
