import type { HttpProfile } from '../../http-client/http-client.ts';
import { noAnswerWords, quote, readJson, redirectWords } from '../../http-client/read-answer.ts';
import { type Judgement, retryAfterMs } from '../../http-client/retry-policy.ts';
import { type HttpAnswer, isFinal, type NoAnswer, TOO_LARGE, TOO_SLOW } from '../../http-client/send-once.ts';
import { AppError, type ErrorReason } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { JiraCredentialProvider, JiraCredentials, JiraRequest } from './jira-client.ts';
import { JiraOverload, JiraRefusal, jiraUnavailable, readRefusal, tlsFailure } from './jira-failures.ts';

/** The timeout (ms) of requests that a user waits for; they are repeated once. */
export const PRIORITY_TIMEOUT_MS = 15_000;
const PRIORITY_TRIES = 2;

const TRIES = 6;

/** The tries of a request that may be too large, where a smaller one is possible. */
const FEW_TRIES = 2;

/** The most slow-downs of one request. */
const SLOW_DOWNS = 20;

/** The profile of requests to Jira: a page of issues with their histories takes its time, and up to 200 MB. */
export function jiraProfile(requestsPerMinute: number): HttpProfile {
  return {
    service: 'Jira',
    connectTimeoutMs: 10_000,
    timeoutMs: 120_000,
    maxMegabytes: 200,
    requestsPerMinute,
  };
}

/**
 * The rate limit that a request counts for: Jira limits by method and path, whatever issue or project is in the path.
 */
export function endpointOf({ method, path, api = 'platform' }: JiraRequest): string {
  const pattern = path
    .replace(/^\/project\/[^/]+(?=\/)/, '/project/*')
    .replaceAll(/\/(\d+|[A-Za-z]\w*-\d+)(?=\/|$)/g, '/*');
  return `${method} ${api} ${pattern}`;
}

/** The outcome of a request: its JSON, or the failure to report once it is not tried again. */
type JiraJudgement = Judgement &
  (
    | { readonly kind: 'answered'; readonly json: unknown; readonly answer: HttpAnswer }
    | { readonly kind: 'failed'; readonly failure: AppError }
  );

/** The judged request, and the words for its failures. */
interface JudgedRequest extends Pick<JiraRequest, 'isPriority' | 'tries'> {
  /** Method and path, such as `GET /rest/api/2/serverInfo`. */
  readonly asked: string;
  readonly credentials: JiraCredentials;
  readonly provider: JiraCredentialProvider;
  readonly timeoutMs: number;
  readonly maxMegabytes: number;
  readonly now: Instant;
}

const refusalReasons: ReadonlyMap<number, ErrorReason> = new Map([
  [401, 'refused-by-tracker'],
  [403, 'refused-by-tracker'],
  [404, 'not-in-tracker'],
  [410, 'not-in-tracker'],
]);

/** The advice for a failure of the very first request: the address is the likely cause. */
const ADDRESS_ADVICE =
  'Is JIRA_BASE_URL right? It is where the pages of Jira begin, with http or https as there, and with its context path if it has one, but without /browse, /jira/software and the like.';

/** Judges a single try; every request only reads, and can be repeated. */
export function judgeJira(outcome: HttpAnswer | NoAnswer, request: JudgedRequest): JiraJudgement {
  const { asked: requestLine, credentials, provider, now } = request;
  const { site, base } = credentials;
  const advice = /\/serverInfo$/.test(requestLine) ? [ADDRESS_ADVICE] : [];
  if (outcome.kind === 'none') {
    const failure = noAnswer(outcome, request, advice);
    return isFinal(outcome) || tlsFailure(outcome.code) !== null ? final(failure) : again(failure, request);
  }
  const { status, headers, text } = outcome;
  const problem = loginProblem(outcome);
  if (problem !== null) {
    const what = `does not accept ${provider.names} (${requestLine}, HTTP ${status}${problem}).`;
    const failure = new AppError('credentials-refused', `Jira at ${site} ${what} ${provider.remedy}`);
    return { kind: 'failed', next: 'renew', failure };
  }
  const bareFailure = jiraUnavailable(`answered ${requestLine} with HTTP ${status}.`, credentials);
  if (status === 429 || (status === 503 && headers.has('retry-after'))) {
    return {
      kind: 'failed',
      next: 'slowDown',
      tries: SLOW_DOWNS,
      waitMs: retryAfterMs(headers, now) ?? 0,
      everywhere: headers.get('ratelimit-reason')?.startsWith('jira-quota') ?? false,
      failure: bareFailure,
    };
  }
  const sentences = status >= 400 ? readRefusal(text)?.map((one) => quote(one, credentials)) : undefined;
  const detail = sentences?.join(' ') ?? '';
  const words = detail === '' ? '.' : `: ${detail}`;
  if (status === 408 || status >= 500) {
    return again(
      new JiraOverload(`Jira at ${site} answered ${requestLine} with HTTP ${status}${words}`),
      request,
    );
  }
  if (status >= 300 && status < 400) {
    const what = redirectWords(outcome, { asked: requestLine, base, setting: 'JIRA_BASE_URL' });
    return final(jiraUnavailable(what, credentials));
  }
  if (isPage(outcome)) {
    const doubt = advice.length === 0 ? 'is JIRA_BASE_URL right, and ' : '';
    const what = `answered ${requestLine} with a web page${titleOf(text, credentials)} in place of JSON (HTTP ${status})`;
    const login = 'is a login page or a proxy in front of it?';
    return final(jiraUnavailable(`${what}; ${doubt}${login}`, credentials, { advice }));
  }
  if (status === 404 && advice.length > 0) {
    const what = `does not know ${requestLine} (HTTP ${status}): no Jira is there.`;
    return final(jiraUnavailable(what, credentials, { advice }));
  }
  if (status >= 400) {
    if (sentences === undefined) return final(bareFailure);
    const message = quote(`Jira at ${site} refuses ${requestLine} (HTTP ${status})${words}`, credentials);
    return final(
      new JiraRefusal(refusalReasons.get(status) ?? 'request-refused', message, status, sentences),
    );
  }
  const json = readJson(text);
  if (json !== undefined) return { kind: 'answered', next: 'final', json, answer: outcome };
  const what = `answered ${requestLine} with broken JSON of ${text.length} characters.`;
  return again(jiraUnavailable(what, credentials), request);
}

function final(failure: AppError): JiraJudgement {
  return { kind: 'failed', next: 'final', failure };
}

function again(failure: AppError, request: JudgedRequest): JiraJudgement {
  return { kind: 'failed', next: 'retry', tries: triesOf(request, failure), failure };
}

function triesOf({ isPriority = false, tries }: JudgedRequest, failure: AppError): number {
  if (isPriority) return PRIORITY_TRIES;
  if (tries !== 'few' || !(failure instanceof JiraOverload)) return TRIES;
  // Minutes have passed already.
  return failure.slow ? 1 : FEW_TRIES;
}

function noAnswer(outcome: NoAnswer, request: JudgedRequest, advice: readonly string[]): AppError {
  const { code, cause, pausedUntil } = outcome;
  const { asked: requestLine, credentials } = request;
  const { site, hide } = credentials;
  if (pausedUntil !== undefined) {
    const until = new Date(pausedUntil).toISOString();
    return jiraUnavailable(`takes no more of ${requestLine} until ${until}.`, credentials);
  }
  const words = noAnswerWords(outcome, { ...request, hide });
  if (code === TOO_SLOW) return new JiraOverload(`Jira at ${site} ${words}`, { cause, slow: true });
  if (code === TOO_LARGE) return new JiraOverload(`Jira at ${site} ${words}`);
  if (isFinal(outcome)) return jiraUnavailable(words, credentials);
  return jiraUnavailable(tlsFailure(code) ?? words, credentials, { cause, advice });
}

/**
 * Jira answers many requests of an unknown account as anonymous ones, and then there are no issues: only these headers
 * show it. Null where we are logged in.
 */
function loginProblem({ status, headers, text }: HttpAnswer): string | null {
  const login = headers.get('x-seraph-loginreason') ?? '';
  const denied = `${login} ${headers.get('x-authentication-denied-reason') ?? ''}`;
  if (/AUTHENTICATION_DENIED|CAPTCHA/.test(denied)) {
    return '; after too many failed logins it wants a captcha solved: log in with a browser once';
  }
  if (login.includes('AUTHENTICATED_FAILED')) return '; AUTHENTICATED_FAILED';
  if (headers.get('x-ausername') === 'anonymous') return '; the token is not accepted (anonymous)';
  // A scope that is missing is a no to this request, not to us.
  return status === 401 && !isScopeMissing(text) ? '' : null;
}

function isScopeMissing(text: string): boolean {
  return readRefusal(text)?.some((sentence) => /scope does not match/i.test(sentence)) ?? false;
}

/** A page for people: a log-in, a proxy before Jira, a site that is gone. */
function isPage({ headers, text }: HttpAnswer): boolean {
  return (headers.get('content-type') ?? '').includes('text/html') || /^\s*</.test(text.slice(0, 200));
}

function titleOf(text: string, credentials: JiraCredentials): string {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1]?.trim() ?? '';
  return title === '' ? '' : ` titled '${quote(title, credentials).slice(0, 60)}'`;
}
