import type { HttpProfile } from '../../http-client/http-client.ts';
import { readJson } from '../../http-client/read-answer.ts';
import { type Judgement, retryAfterMs } from '../../http-client/retry-policy.ts';
import { type HttpAnswer, isFinal, type NoAnswer } from '../../http-client/send-once.ts';
import type { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { JiraRequest } from './jira-client.ts';
import {
  addressAdvice,
  answeredWithPage,
  answeredWithStatus,
  brokenThere,
  credentialsRefused,
  cutOff,
  type FailedJiraRequest,
  JiraOverload,
  jiraRefusal,
  noJiraAnswer,
  noJiraThere,
  readRefusal,
  redirectedElsewhere,
  tlsFailure,
} from './jira-failures.ts';

/** A user waits for these: no longer than so many ms, and for one repetition. */
export const PRIORITY_TIMEOUT_MS = 15_000;
const PRIORITY_TRIES = 2;

const TRIES = 6;

/** So often something is tried that may be too much, where less of it can be asked for. */
const FEW_TRIES = 2;

/** So often in a row one request may be asked to slow down. */
const SLOW_DOWNS = 20;

/** How Jira is asked: a page of issues with their histories takes its time, and up to 200 MB. */
export function jiraProfile(requestsPerMinute: number): HttpProfile {
  return {
    service: 'Jira',
    connectTimeoutMs: 10_000,
    timeoutMs: 120_000,
    maxMegabytes: 200,
    requestsPerMinute,
  };
}

/** Which limit a request counts for: Jira limits by method and path, whatever issue or project the path is about. */
export function endpointOf({ method, path, api = 'platform' }: JiraRequest): string {
  const pattern = path
    .replace(/^\/project\/[^/]+(?=\/)/, '/project/*')
    .replaceAll(/\/(\d+|[A-Za-z]\w*-\d+)(?=\/|$)/g, '/*');
  return `${method} ${api} ${pattern}`;
}

/** What became of a request: its JSON, or the failure there is to report once it is not tried again. */
type JiraJudgement = Judgement &
  (
    | { readonly kind: 'answered'; readonly json: unknown; readonly answer: HttpAnswer }
    | { readonly kind: 'failed'; readonly failure: AppError }
  );

/** What is judged beside the failure's own description. */
interface JudgedRequest extends FailedJiraRequest, Pick<JiraRequest, 'isPriority' | 'tries'> {
  readonly now: Instant;
}

/** What a single try has led to; everything asked only reads, and so may be asked again. */
export function judgeJira(outcome: HttpAnswer | NoAnswer, request: JudgedRequest): JiraJudgement {
  const refused = (failure: AppError): JiraJudgement => ({ kind: 'failed', next: 'final', failure });
  const again = (failure: AppError): JiraJudgement => ({
    kind: 'failed',
    next: 'retry',
    tries: triesOf(request, failure),
    failure,
  });
  if (outcome.kind === 'none') {
    const failure = noJiraAnswer(outcome, request);
    return isFinal(outcome) || tlsFailure(outcome.code) !== null ? refused(failure) : again(failure);
  }
  const { status, headers, text } = outcome;
  const who = loginProblem(outcome);
  if (who !== null) {
    return { kind: 'failed', next: 'renew', failure: credentialsRefused(status, who, request) };
  }
  if (status === 429 || (status === 503 && headers.has('retry-after'))) {
    return {
      kind: 'failed',
      next: 'slowDown',
      tries: SLOW_DOWNS,
      waitMs: retryAfterMs(headers, request.now) ?? 0,
      everywhere: headers.get('ratelimit-reason')?.startsWith('jira-quota') ?? false,
      failure: answeredWithStatus(status, request),
    };
  }
  if (status === 408 || status >= 500) return again(brokenThere(outcome, request));
  if (status >= 300 && status < 400) return refused(redirectedElsewhere(outcome, request));
  if (isPage(outcome)) return refused(answeredWithPage(outcome, request));
  if (status === 404 && addressAdvice(request.asked).length > 0) return refused(noJiraThere(status, request));
  if (status >= 400) {
    const sentences = readRefusal(text);
    return refused(
      sentences === null ? answeredWithStatus(status, request) : jiraRefusal(status, sentences, request),
    );
  }
  const json = readJson(text);
  if (json === undefined) return again(cutOff(outcome, request));
  return { kind: 'answered', next: 'final', json, answer: outcome };
}

function triesOf({ isPriority = false, tries }: JudgedRequest, failure: AppError): number {
  if (isPriority) return PRIORITY_TRIES;
  if (tries !== 'few' || !(failure instanceof JiraOverload)) return TRIES;
  // Minutes have passed already.
  return failure.slow ? 1 : FEW_TRIES;
}

/**
 * Jira answers many a request of an account it does not know as if nobody had asked, and then there are no issues: only
 * these headers show it. Null where we are logged in.
 */
function loginProblem({ status, headers, text }: HttpAnswer): string | null {
  const login = headers.get('x-seraph-loginreason') ?? '';
  const denied = `${login} ${headers.get('x-authentication-denied-reason') ?? ''}`;
  if (/AUTHENTICATION_DENIED|CAPTCHA/.test(denied)) {
    return '; after too many failed log-ins it wants a captcha solved: log in with a browser once';
  }
  if (login.includes('AUTHENTICATED_FAILED')) return '; AUTHENTICATED_FAILED';
  if (headers.get('x-ausername') === 'anonymous') return '; it takes us for nobody';
  // A scope that is missing is a no to this request, not to us.
  return status === 401 && !isScopeMissing(text) ? '' : null;
}

function isScopeMissing(text: string): boolean {
  return readRefusal(text)?.some((sentence) => /scope does not match/i.test(sentence)) ?? false;
}

function isPage({ headers, text }: HttpAnswer): boolean {
  return (headers.get('content-type') ?? '').includes('text/html') || /^\s*</.test(text.slice(0, 200));
}
