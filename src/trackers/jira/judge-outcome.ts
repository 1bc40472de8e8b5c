import { readJson } from '../../http-client/read-json.ts';
import { type HttpAnswer, isFinal, type NoAnswer } from '../../http-client/send-once.ts';
import type { AppError } from '../../model/error.ts';
import { addressAdvice } from './address-advice.ts';
import { readRefusal } from './read-refusal.ts';
import { tlsFailure } from './tls-failure.ts';
import {
  type About,
  answeredWithPage,
  brokeThere,
  cutOff,
  failedThere,
  notLetIn,
  notThere,
  redirected,
  refusalOf,
  whySilent,
} from './why-not-answered.ts';

/** What became of a question, and whether another try may become something better. */
export type Verdict =
  | { readonly kind: 'answered'; readonly json: unknown; readonly answer: HttpAnswer }
  /** `failure` is what there is to say once nobody tries again. */
  | { readonly kind: 'again'; readonly failure: AppError }
  /** We are asked to slow down; `everywhere`: not only with questions like this one. */
  | {
      readonly kind: 'slower';
      readonly failure: AppError;
      readonly headers: ReadonlyMap<string, string>;
      readonly everywhere: boolean;
    }
  /** Jira does not know us, or no longer. */
  | { readonly kind: 'notLetIn'; readonly failure: AppError }
  | { readonly kind: 'refused'; readonly failure: AppError };

/** What a single try has led to. */
export function judgeOutcome(outcome: HttpAnswer | NoAnswer, about: About): Verdict {
  if (outcome.kind === 'none') {
    const failure = whySilent(outcome, about);
    const isOver = isFinal(outcome) || tlsFailure(outcome.code) !== null;
    return { kind: isOver ? 'refused' : 'again', failure };
  }
  const { status, headers, text } = outcome;
  const who = whyNotLetIn(outcome);
  if (who !== null) return { kind: 'notLetIn', failure: notLetIn(status, who, about) };
  if (status === 429 || (status === 503 && headers.has('retry-after'))) {
    const everywhere = headers.get('ratelimit-reason')?.startsWith('jira-quota') ?? false;
    return { kind: 'slower', failure: failedThere(status, about), headers, everywhere };
  }
  if (status === 408 || status >= 500) {
    return { kind: 'again', failure: brokeThere(status, readRefusal(text) ?? [], about) };
  }
  if (status >= 300 && status < 400) return { kind: 'refused', failure: redirected(outcome, about) };
  if (isPage(outcome)) return { kind: 'refused', failure: answeredWithPage(outcome, about) };
  if (status === 404 && addressAdvice(about.asked).length > 0) {
    return { kind: 'refused', failure: notThere(status, about) };
  }
  if (status >= 400) {
    const told = readRefusal(text);
    const failure = told === null ? failedThere(status, about) : refusalOf(status, told, about);
    return { kind: 'refused', failure };
  }
  const json = readJson(text);
  if (json === undefined) return { kind: 'again', failure: cutOff(outcome, about) };
  return { kind: 'answered', json, answer: outcome };
}

/**
 * Jira answers many a question of somebody it does not know as if nobody had asked, and then there are no issues: only
 * these headers tell. Null where we are let in.
 */
function whyNotLetIn({ status, headers, text }: HttpAnswer): string | null {
  const login = headers.get('x-seraph-loginreason') ?? '';
  const denied = `${login} ${headers.get('x-authentication-denied-reason') ?? ''}`;
  if (/AUTHENTICATION_DENIED|CAPTCHA/.test(denied)) {
    return '; after too many failed log-ins it wants a captcha solved: log in with a browser once';
  }
  if (login.includes('AUTHENTICATED_FAILED')) return '; AUTHENTICATED_FAILED';
  if (headers.get('x-ausername') === 'anonymous') return '; it takes us for nobody';
  // A scope that is missing is a no to this question, not to us.
  return status === 401 && !isScopeMissing(text) ? '' : null;
}

function isScopeMissing(text: string): boolean {
  return readRefusal(text)?.some((sentence) => /scope does not match/i.test(sentence)) ?? false;
}

function isPage({ headers, text }: HttpAnswer): boolean {
  return (headers.get('content-type') ?? '').includes('text/html') || /^\s*</.test(text.slice(0, 200));
}
