import type { HttpAnswer } from '../../../http-client/send-once.ts';
import { shown } from '../../../http-client/shown.ts';
import { AppError } from '../../../model/error.ts';
import type { Access } from '../access.ts';
import { afterwards, busyWith, redirected, unavailable } from '../why-refused.ts';
import { readTisRefusal } from './read-tis-refusal.ts';
import { TookTooLong } from './tis-failures.ts';

/** What an answer that is no success means. `maybeDone`: the request may have changed something all the same. */
export function whyTisRefused(
  answer: HttpAnswer,
  access: Access,
  { maybeDone }: { readonly maybeDone: boolean },
): AppError {
  const { status } = answer;
  if (status >= 300 && status < 400) return unavailable(redirected(answer, access), access);
  const told = readTisRefusal(answer);
  const message = told === null ? null : shown(told.message, access);
  const sentences = (told?.messages ?? []).map((text) => shown(text, access));
  if (status === 401) {
    const reasons = sentences.length > 0 ? sentences.join(' ') : (message ?? 'it is not told why');
    return unavailable(`refuses ${access.settings}: ${reasons.replace(/\.$/, '')}.`, access);
  }
  if (message !== null) {
    if (status === 400) {
      const details = sentences.length > 0 ? sentences : [message];
      return new AppError('bad-request', 'Bad request', details);
    }
    if (status === 403) {
      const words = [message, ...sentences].map((text) => `${text.replace(/\.$/, '')}.`).join(' ');
      return new AppError(
        'not-allowed',
        `${words} The user of ${access.userSetting} lacks this right in the ${access.service}.`,
      );
    }
    if (status === 404) return new AppError('not-found', message, sentences);
  }
  if (status === 408 || status === 504) {
    return new TookTooLong(unavailable(`gave up after its time (HTTP ${status}).`, access));
  }
  const words = message === null ? null : [message.replace(/\.$/, ''), ...sentences].join(': ');
  return unavailable(busyWith(status, words) + afterwards({ maybeSaved: maybeDone }, access), access);
}
