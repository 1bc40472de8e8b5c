import { redirectOrigin } from '../../http-client/redirect-origin.ts';
import {
  type HttpAnswer,
  type NoAnswer,
  TOO_LARGE,
  TOO_SLOW,
  unknownCoding,
} from '../../http-client/send-once.ts';
import { shown } from '../../http-client/shown.ts';
import { AppError, type ErrorCode } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { addressAdvice } from './address-advice.ts';
import { JiraOverload, JiraRefusal } from './jira-client.ts';
import { LARGEST_ANSWER } from './largest-answer.ts';
import type { Pass, Passes } from './pass.ts';
import { tlsFailure } from './tls-failure.ts';

/** What a failure is spoken of with. */
export interface About {
  /** Method and path, such as `GET /rest/api/2/serverInfo`. */
  readonly asked: string;
  readonly pass: Pass;
  readonly passes: Passes;
  /** How long a try may take. */
  readonly tryMs: number;
}

const codes: ReadonlyMap<number, ErrorCode> = new Map([
  [401, 'not-allowed'],
  [403, 'not-allowed'],
  [404, 'not-found'],
  [410, 'not-found'],
]);

/** `what` follows on the name of Jira, `advice` are sentences. */
export function unavailable(
  what: string,
  { site }: Pick<Pass, 'site'>,
  cause?: unknown,
  advice: readonly string[] = [],
): AppError {
  const options = cause === undefined ? {} : { cause };
  return new AppError('unavailable', `Jira at ${site} ${what}`, advice, options);
}

function overloaded(what: string, { site }: Pick<Pass, 'site'>, cause?: unknown): JiraOverload {
  return new JiraOverload(`Jira at ${site} ${what}`, cause === undefined ? {} : { cause });
}

/** Why there was no answer at all. */
export function whySilent(outcome: NoAnswer, { asked, pass, tryMs }: About): AppError {
  const { code, sent, cause } = outcome;
  if (code === TOO_SLOW) {
    const what = `did not answer ${asked} within ${tryMs / 1000} s.`;
    return new JiraOverload(`Jira at ${pass.site} ${what}`, { cause, slow: true });
  }
  if (code === TOO_LARGE) {
    return overloaded(`answered ${asked} with more than ${LARGEST_ANSWER / 1_000_000} MB.`, pass);
  }
  const coding = unknownCoding(outcome);
  if (coding !== null) {
    return unavailable(
      `answered ${asked} encoded as '${shown(coding, pass)}', which nobody asked for.`,
      pass,
    );
  }
  const tls = tlsFailure(code);
  if (tls !== null) return unavailable(tls, pass, cause, addressAdvice(asked));
  const what = sent
    ? `broke off its answer to ${asked} (${code}).`
    : `cannot be reached for ${asked} (${code}).`;
  return unavailable(what, pass, cause, addressAdvice(asked));
}

/** Jira's own no, in its own words. */
export function refusalOf(status: number, sentences: readonly string[], { asked, pass }: About): JiraRefusal {
  const messages = sentences.map((sentence) => shown(sentence, pass));
  const said = messages.length === 0 ? '.' : `: ${messages.join(' ')}`;
  return new JiraRefusal(
    codes.get(status) ?? 'bad-request',
    shown(`Jira at ${pass.site} refuses ${asked} (HTTP ${status})${said}`, pass),
    status,
    messages,
  );
}

/** Jira does not take us for who we say we are. */
export function notLetIn(status: number, why: string, { asked, pass, passes }: About): AppError {
  const what = `Jira at ${pass.site} does not accept ${passes.credentials} (${asked}, HTTP ${status}${why}).`;
  return new AppError('not-allowed', `${what} ${passes.remedy}`);
}

/** Somebody else is to be asked, maybe for a log-in. */
export function redirected(answer: HttpAnswer, { asked, pass }: About): AppError {
  const where = redirectOrigin(answer, pass.base);
  return unavailable(
    `answers ${asked} with a redirect to ${where} (HTTP ${answer.status}); is JIRA_BASE_URL right?`,
    pass,
  );
}

/** A page for people: a log-in, a proxy before Jira, a site that is gone. */
export function answeredWithPage({ status, text }: HttpAnswer, { asked, pass }: About): AppError {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1]?.trim() ?? '';
  const named = title === '' ? '' : ` titled '${shown(title, pass).slice(0, 60)}'`;
  const what = `answered ${asked} with a web page${named} in place of JSON (HTTP ${status})`;
  const advice = addressAdvice(asked);
  return advice.length === 0
    ? unavailable(`${what}; is JIRA_BASE_URL right, and does a log-in or a proxy stand before it?`, pass)
    : unavailable(`${what}; does a log-in or a proxy stand before it?`, pass, undefined, advice);
}

/** There is no Jira: whatever answers does not know what every Jira tells. */
export function notThere(status: number, { asked, pass }: About): AppError {
  const what = `does not know ${asked} (HTTP ${status}): no Jira is there.`;
  return unavailable(what, pass, undefined, addressAdvice(asked));
}

/** Something failed over there, or is said so that nobody understands it. */
export function failedThere(status: number, { asked, pass }: About): AppError {
  return unavailable(`answered ${asked} with HTTP ${status}.`, pass);
}

/** Something failed over there, in Jira's own words where it has any. */
export function brokeThere(
  status: number,
  sentences: readonly string[],
  { asked, pass }: About,
): JiraOverload {
  const said = sentences.map((sentence) => shown(sentence, pass)).join(' ');
  return overloaded(`answered ${asked} with HTTP ${status}${said === '' ? '.' : `: ${said}`}`, pass);
}

/** It asks us to wait for longer than anybody would. */
export function waitsUntil(until: Instant, asked: string, pass: Pick<Pass, 'site'>): AppError {
  return unavailable(`takes no more of ${asked} until ${new Date(until).toISOString()}.`, pass);
}

/** The answer ends before its JSON does. */
export function cutOff({ text }: HttpAnswer, { asked, pass }: About): AppError {
  return unavailable(`answered ${asked} with broken JSON of ${text.length} characters.`, pass);
}
