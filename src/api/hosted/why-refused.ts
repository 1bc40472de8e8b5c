import { redirectOrigin } from '../../http-client/redirect-origin.ts';
import {
  type HttpAnswer,
  type NoAnswer,
  TOO_LARGE,
  TOO_SLOW,
  unknownCoding,
} from '../../http-client/send-once.ts';
import { shown } from '../../http-client/shown.ts';
import { AppError } from '../../model/error.ts';
import type { Access } from './access.ts';
import { readRefusal } from './read-refusal.ts';

/** Beside the failure: how long a try may take, and whether the request may have changed something all the same. */
export interface Circumstances {
  readonly tryMs: number;
  readonly maybeSaved: boolean;
}

/** What an answer that is no success means, and what may be done about it. */
export function whyRefused(answer: HttpAnswer, access: Access, beside: Circumstances): AppError {
  const { status } = answer;
  const told = readRefusal(answer.text);
  const message = told === null ? null : shown(told.message, access);
  if (status >= 300 && status < 400) return unavailable(redirected(answer, access), access);
  if (status === 401) return unavailable(`refuses ${access.settings}: ${whyNotIn(answer.text)}.`, access);
  if (told !== null && message !== null) {
    if (status === 400) {
      const fields = Object.fromEntries(
        Object.entries(told.errors).map(([name, text]) => [name, shown(text, access)]),
      );
      const sentences = Object.values(fields);
      const details = sentences.includes(message) ? sentences : [message, ...sentences];
      return new AppError('bad-request', 'Bad request', details, { fields });
    }
    if (status === 403) {
      const who = `The user of ${access.userSetting} lacks this right in the ${access.service}.`;
      return new AppError('not-allowed', `${message} ${who}`);
    }
    if (status === 404) return new AppError('not-found', message);
  }
  return unavailable(busyWith(status, message) + afterwards(beside, access), access);
}

/** Why there was no answer at all. */
export function whySilent(outcome: NoAnswer, access: Access, beside: Circumstances): AppError {
  const { code, sent, cause } = outcome;
  const after = sent ? afterwards(beside, access) : '';
  if (code === TOO_SLOW) {
    return unavailable(`did not answer within ${beside.tryMs / 1000} s.${after}`, access, cause);
  }
  if (code === TOO_LARGE)
    return unavailable(`answered with more than ${access.mostMegabytes} MB.${after}`, access, cause);
  const coding = unknownCoding(outcome);
  if (coding !== null) {
    const what = `answered encoded as '${shown(coding, access)}', which nobody asked for.`;
    return unavailable(what + after, access, cause);
  }
  return unavailable(
    sent ? `broke off its answer (${code}).${after}` : `cannot be reached (${code}).`,
    access,
    cause,
  );
}

/** `what` follows on the name of the service. */
export function unavailable(what: string, { origin, service }: Access, cause?: unknown): AppError {
  const options = cause === undefined ? {} : { cause };
  return new AppError('unavailable', `The ${service} at ${origin} ${what}`, [], options);
}

/** For a change that did not come to a good end. */
export function afterwards({ maybeSaved }: Pick<Circumstances, 'maybeSaved'>, { unsure }: Access): string {
  return maybeSaved ? ` ${unsure}` : '';
}

/** What a status without further words means; `message` is what the service says to it. */
export function busyWith(status: number, message: string | null): string {
  const said = message === null ? '' : `: ${message.replace(/\.$/, '')}`;
  switch (status) {
    case 429:
      return `takes no more requests for now (HTTP 429${said}).`;
    case 503:
      return `is not available (HTTP 503${said}); its REST interface may be switched off.`;
    case 502:
    case 504:
      return `does not answer the proxy before it (HTTP ${status}${said}).`;
    default:
      return `answered with HTTP ${status}${said}.`;
  }
}

/**
 * Both reasons come as pages of the tracker or in JSON. The page for a wrong user names its reason in capitals; one
 * about the licence of the app says "Unauthorized access" and nothing else.
 */
function whyNotIn(text: string): 'Invalid Licence' | 'Invalid User' {
  if (/AUTHENTICAT(ED|ION)_(FAILED|DENIED)|invalid user/i.test(text)) return 'Invalid User';
  return /licen[cs]e|unauthorized access/i.test(text) ? 'Invalid Licence' : 'Invalid User';
}

/** Somebody else is to be asked, maybe for a log-in. */
export function redirected(answer: HttpAnswer, { origin, addressSetting }: Access): string {
  const where = redirectOrigin(answer, origin);
  return `answers with a redirect to ${where} (HTTP ${answer.status}); is ${addressSetting} right?`;
}
