import { quote, redirectOrigin } from './read-answer.ts';
import { type HttpAnswer, type NoAnswer, TOO_LARGE, TOO_SLOW, unknownCoding } from './send-once.ts';

/** The words of a failure, which follow the name of the service. */
interface FailedRequest {
  /** Method and path; null: not named. */
  readonly asked: string | null;
  readonly timeoutMs: number;
  readonly maxMegabytes: number;
  /** Takes the secrets out of a text that came from outside. */
  hide(text: string): string;
}

/** The reason why there was no answer at all. */
export function noAnswerWords(outcome: NoAnswer, failed: FailedRequest): string {
  const { code, sent } = outcome;
  const { asked: requestLine, timeoutMs, maxMegabytes } = failed;
  const it = requestLine === null ? '' : ` ${requestLine}`;
  if (code === TOO_SLOW) return `did not answer${it} within ${timeoutMs / 1000} s.`;
  if (code === TOO_LARGE) return `answered${it} with more than ${maxMegabytes} MB.`;
  const coding = unknownCoding(outcome);
  if (coding !== null) return `answered${it} encoded as '${quote(coding, failed)}', which was not requested.`;
  if (sent) return `broke off its answer${requestLine === null ? '' : ` to ${requestLine}`} (${code}).`;
  return `cannot be reached${requestLine === null ? '' : ` for ${requestLine}`} (${code}).`;
}

/** A redirect in place of an answer, maybe to a log-in; `setting` holds the address of the service. */
export function redirectWords(
  answer: HttpAnswer,
  {
    asked: requestLine,
    base,
    setting,
  }: { readonly asked: string | null; readonly base: string; readonly setting: string },
): string {
  const it = requestLine === null ? '' : ` ${requestLine}`;
  return `answers${it} with a redirect to ${redirectOrigin(answer, base)} (HTTP ${answer.status}); is ${setting} right?`;
}
