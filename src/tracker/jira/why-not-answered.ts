import { AppError, type ErrorCode } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { JiraRefusal } from './jira-client.ts';
import type { Pass, Passes } from './pass.ts';
import { type HttpAnswer, LARGEST_ANSWER, type NoAnswer, TOO_LARGE, TOO_SLOW } from './send-once.ts';

/** Further than this nobody reads on. */
const LONGEST_SENTENCE = 500;

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

/** `what` follows on the name of Jira. */
export function unavailable(what: string, { site }: Pick<Pass, 'site'>, cause?: unknown): AppError {
  const options = cause === undefined ? {} : { cause };
  return new AppError('unavailable', `Jira at ${site} ${what}`, [], options);
}

/** Why there was no answer at all. */
export function whySilent({ code, sent, cause }: NoAnswer, { asked, pass, tryMs }: About): AppError {
  if (code === TOO_SLOW) {
    return unavailable(`did not answer ${asked} within ${tryMs / 1000} s.`, pass, cause);
  }
  if (code === TOO_LARGE) {
    return unavailable(`answered ${asked} with more than ${LARGEST_ANSWER / 1_000_000} MB.`, pass);
  }
  const what = sent
    ? `broke off its answer to ${asked} (${code}).`
    : `cannot be reached for ${asked} (${code}).`;
  return unavailable(what, pass, cause);
}

/** Jira's own no, in its own words. */
export function refusalOf(status: number, sentences: readonly string[], { asked, pass }: About): JiraRefusal {
  const messages = sentences.map((sentence) => shown(sentence, pass));
  const said = messages.length === 0 ? '' : `: ${messages.join(' ')}`;
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

/** Of the address only the origin is told: the rest may hold a session. */
export function redirected({ status, headers }: HttpAnswer, { asked, pass }: About): AppError {
  const location = headers.get('location');
  const target = location !== undefined && URL.canParse(location, pass.base) ? location : null;
  const where = target === null ? 'nowhere' : new URL(target, pass.base).origin;
  return unavailable(
    `answers ${asked} with a redirect to ${where} (HTTP ${status}); is JIRA_BASE_URL right?`,
    pass,
  );
}

/** A page for people: a log-in, a proxy before Jira, a site that is gone. */
export function answeredWithPage({ status, text }: HttpAnswer, { asked, pass }: About): AppError {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1]?.trim() ?? '';
  const named = title === '' ? '' : ` titled '${shown(title, pass).slice(0, 60)}'`;
  return unavailable(
    `answered ${asked} with a web page${named} in place of JSON (HTTP ${status}); is JIRA_BASE_URL right, and does a log-in or a proxy stand before it?`,
    pass,
  );
}

/** Something failed over there, or is said so that nobody understands it. */
export function failedThere(status: number, { asked, pass }: About): AppError {
  return unavailable(`answered ${asked} with HTTP ${status}.`, pass);
}

/** It asks us to wait for longer than anybody would. */
export function waitsUntil(until: Instant, asked: string, pass: Pick<Pass, 'site'>): AppError {
  return unavailable(`takes no more of ${asked} until ${new Date(until).toISOString()}.`, pass);
}

/** The answer ends before its JSON does. */
export function cutOff({ text }: HttpAnswer, { asked, pass }: About): AppError {
  return unavailable(`answered ${asked} with broken JSON of ${text.length} characters.`, pass);
}

function shown(text: string, { hide }: Pass): string {
  const clean = hide(text);
  return clean.length > LONGEST_SENTENCE ? `${clean.slice(0, LONGEST_SENTENCE)}…` : clean;
}
