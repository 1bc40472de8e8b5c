import { z } from 'zod';
import { createHttpClient, fixedCredentials, type HttpSurroundings } from '../../http-client/http-client.ts';
import {
  hideSecrets,
  noAnswerWords,
  quote,
  readJson,
  readSchema,
  redirectWords,
} from '../../http-client/read-answer.ts';
import { type Judgement, retryAfterMs } from '../../http-client/retry-policy.ts';
import { type HttpAnswer, isFinal, type NoAnswer } from '../../http-client/send-once.ts';
import { AppError, type ErrorReason, withoutPoint } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { RequestCounts } from '../../model/sync.ts';

/** The number of times a request is sent: one that fails, one that a user waits for, and one that is slowed down. */
const TRIES = 6;
const PRIORITY_TRIES = 2;
const MAX_SLOW_DOWNS = 20;
const PRIORITY_TIMEOUT_MS = 15_000;

/** The address of Linear and its credentials. `webhookSecret` null: no webhooks are accepted. */
export interface LinearAccess {
  readonly url: string;
  readonly apiKey: string;
  readonly requestsPerMinute: number;
  readonly webhookSecret: string | null;
}

/** A question in GraphQL. All of them only read, and so can be sent again. */
export interface LinearQuestion {
  /** Begins with the word `query` and a name, which failures are described with. */
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** A user waits for it: it goes first and is given up sooner. */
  readonly isPriority?: boolean;
}

/** An answer in its schema, with Linear's clock as far as the answer has it. */
interface LinearAnswer<Data> {
  readonly data: Data;
  readonly http: HttpAnswer;
}

/** Speaks Linear's GraphQL, within its limits. */
export interface LinearClient {
  /**
   * The data of an answer. Fails with `credentials-refused`, `refused-by-tracker`, `request-refused` (a cursor that is no
   * longer good, too) or `tracker-unavailable`. An answer with errors is none, whatever data it has.
   */
  ask<Schema extends z.ZodType>(
    question: LinearQuestion,
    schema: Schema,
  ): Promise<LinearAnswer<z.output<Schema>>>;
  requests(): RequestCounts;
  close(): Promise<void>;
}

type LinearJudgement = Judgement &
  (
    | { readonly kind: 'answered'; readonly data: unknown; readonly http: HttpAnswer }
    | { readonly kind: 'failed'; readonly failure: AppError }
  );

const answerSchema = z.object({
  data: z.unknown().optional(),
  errors: z
    .array(
      z.object({
        message: z.string(),
        extensions: z
          .object({
            code: z.string().optional(),
            type: z.string().optional(),
            userPresentableMessage: z.string().optional(),
          })
          .optional(),
      }),
    )
    .optional(),
});

/** Creates a client with connections of its own. The key is in no message of a failure. */
export function createLinearClient(access: LinearAccess, surroundings: HttpSurroundings): LinearClient {
  const { url, apiKey, requestsPerMinute } = access;
  const timeoutMs = 60_000;
  const maxMegabytes = 50;
  const http = createHttpClient(
    { service: 'Linear', connectTimeoutMs: 10_000, timeoutMs, maxMegabytes, requestsPerMinute },
    surroundings,
  );
  const hide = (text: string) => hideSecrets(text, [apiKey]);
  const credentials = fixedCredentials({ base: url, authorization: apiKey, hide });
  const unavailable = (what: string, cause?: unknown) =>
    new AppError('tracker-unavailable', `Linear at ${url} ${what}`, [], { cause });

  function judge(
    outcome: HttpAnswer | NoAnswer,
    { query, isPriority = false }: LinearQuestion,
  ): LinearJudgement {
    const operation = nameOf(query);
    const tries = isPriority ? PRIORITY_TRIES : TRIES;
    const final = (failure: AppError): LinearJudgement => ({ kind: 'failed', next: 'final', failure });
    const again = (failure: AppError): LinearJudgement => ({ kind: 'failed', next: 'retry', tries, failure });
    if (outcome.kind === 'none') {
      const { pausedUntil, cause } = outcome;
      if (pausedUntil !== undefined)
        return final(unavailable(`takes no more requests until ${new Date(pausedUntil).toISOString()}.`));
      const failure = unavailable(
        noAnswerWords(outcome, {
          asked: operation,
          maxMegabytes,
          hide,
          timeoutMs: isPriority ? PRIORITY_TIMEOUT_MS : timeoutMs,
        }),
        cause,
      );
      return isFinal(outcome) ? final(failure) : again(failure);
    }
    const { status, text } = outcome;
    if (status >= 300 && status < 400)
      return final(
        unavailable(redirectWords(outcome, { asked: operation, base: url, setting: 'LINEAR_URL' })),
      );
    const answer = answerSchema.safeParse(readJson(text)).data;
    const [error] = answer?.errors ?? [];
    const { code = '', type = '', userPresentableMessage } = error?.extensions ?? {};
    const explanation = userPresentableMessage ?? error?.message ?? '';
    const words = `answered ${operation} with HTTP ${status}${explanation === '' ? '.' : `: ${quote(withoutPoint(explanation), { hide })}.`}`;
    if (status === 401 || type === 'authentication error' || code === 'AUTHENTICATION_ERROR') {
      return final(
        new AppError(
          'credentials-refused',
          `Linear at ${url} does not accept LINEAR_API_KEY (${operation}, HTTP ${status}). Set it to an API key that is still valid.`,
        ),
      );
    }
    if (status === 429 || code === 'RATELIMITED' || type === 'ratelimited') {
      return {
        kind: 'failed',
        next: 'slowDown',
        everywhere: true,
        failure: unavailable(words),
        tries: isPriority ? PRIORITY_TRIES : MAX_SLOW_DOWNS,
        waitMs: resetMs(outcome, surroundings.now()),
      };
    }
    if (status === 408 || status >= 500 || /^(internal error|lock timeout|network error)$/.test(type))
      return again(unavailable(words));
    if (answer === undefined) {
      return final(
        unavailable(`${withoutPoint(words)} and without an answer of its API; is LINEAR_URL right?`),
      );
    }
    if (error !== undefined) {
      const reason: ErrorReason =
        status === 403 || type === 'forbidden' || type === 'feature not accessible'
          ? 'refused-by-tracker'
          : 'request-refused';
      return final(new AppError(reason, `Linear at ${url} ${words}`));
    }
    return { kind: 'answered', next: 'final', data: answer.data, http: outcome };
  }

  return {
    async ask(question, schema) {
      const { query, variables, isPriority = false } = question;
      const { judged, gaveUpAfter } = await http.request(
        {
          method: 'POST',
          path: '',
          body: { query, variables },
          isPriority,
          ...(isPriority ? { timeoutMs: PRIORITY_TIMEOUT_MS } : {}),
        },
        { credentials, judge: (outcome) => judge(outcome, question) },
      );
      if (judged.kind === 'failed') {
        if (gaveUpAfter === null || gaveUpAfter === 1) throw judged.failure;
        const { reason, message, cause } = judged.failure;
        throw new AppError(reason, `${withoutPoint(message)}, ${gaveUpAfter} times in a row.`, [], { cause });
      }
      const read = readSchema(judged.data, schema, hide);
      if (read.kind === 'read') return { data: read.value, http: judged.http };
      throw unavailable(`answered ${nameOf(query)} in an unknown format: ${read.difference}.`);
    },
    requests: http.counts,
    close: http.close,
  };
}

/** The kind and the name of a question, such as `query Issues`. */
function nameOf(query: string): string {
  return /^query \w+/.exec(query)?.[0] ?? 'a query';
}

/**
 * The time (ms) until Linear's limits are reset: by `Retry-After`, or by the reset of the used-up limit, which is an
 * epoch time in milliseconds.
 */
function resetMs({ headers }: HttpAnswer, now: Instant): number {
  const date = Date.parse(headers.get('date') ?? '');
  const there = Number.isNaN(date) ? now : date;
  const waits = ['requests', 'complexity'].flatMap((limit) => {
    const remaining = Number(headers.get(`x-ratelimit-${limit}-remaining`) ?? 'unknown');
    const reset = Number(headers.get(`x-ratelimit-${limit}-reset`) ?? 'unknown');
    return remaining <= 0 && reset > there ? [reset - there] : [];
  });
  return retryAfterMs(headers, now) ?? Math.max(0, ...waits);
}
