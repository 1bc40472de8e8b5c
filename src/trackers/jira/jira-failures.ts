import { z } from 'zod';
import { noAnswerWords, redirectWords } from '../../http-client/failure-words.ts';
import { quote, readJson } from '../../http-client/read-answer.ts';
import { type HttpAnswer, isFinal, type NoAnswer, TOO_LARGE, TOO_SLOW } from '../../http-client/send-once.ts';
import { AppError, type ErrorCode } from '../../model/error.ts';
import type { JiraCredentialProvider, JiraCredentials } from './jira-access.ts';

/** Jira failed in a way that might not befall a smaller request: on its own side (5xx), by time, or by size. */
export class JiraOverload extends AppError {
  /** It took longer than a try may. */
  readonly slow: boolean;

  constructor(
    message: string,
    { slow = false, ...options }: ErrorOptions & { readonly slow?: boolean } = {},
  ) {
    super('unavailable', message, [], options);
    this.name = 'JiraOverload';
    this.slow = slow;
  }
}

/** Jira understood the request and answers no. `status` is that of HTTP, `messages` Jira's own sentences. */
export class JiraRefusal extends AppError {
  readonly status: number;
  readonly messages: readonly string[];

  constructor(code: ErrorCode, message: string, status: number, messages: readonly string[]) {
    super(code, message);
    this.name = 'JiraRefusal';
    this.status = status;
    this.messages = messages;
  }
}

/** Whether Jira does not accept our credentials; a JiraRefusal is its no to one request. */
export function areCredentialsRefused(error: unknown): boolean {
  return error instanceof AppError && error.code === 'not-allowed' && !(error instanceof JiraRefusal);
}

/** What a failure is described with. */
export interface FailedJiraRequest {
  /** Method and path, such as `GET /rest/api/2/serverInfo`. */
  readonly asked: string;
  readonly credentials: JiraCredentials;
  readonly provider: JiraCredentialProvider;
  readonly timeoutMs: number;
  readonly maxMegabytes: number;
}

const codes: ReadonlyMap<number, ErrorCode> = new Map([
  [401, 'not-allowed'],
  [403, 'not-allowed'],
  [404, 'not-found'],
  [410, 'not-found'],
]);

const ADDRESS_ADVICE =
  'Is JIRA_BASE_URL right? It is where the pages of Jira begin, with http or https as there, and with its context path if it has one, but without /browse, /jira/software and the like.';

/** What to look at when the very first request goes wrong, in sentences: the address is the likely cause. */
export function addressAdvice(asked: string): readonly string[] {
  return /\/serverInfo$/.test(asked) ? [ADDRESS_ADVICE] : [];
}

/** `what` follows the name of Jira, `advice` are sentences. */
export function jiraUnavailable(
  what: string,
  { site }: Pick<JiraCredentials, 'site'>,
  { cause, advice = [] }: { readonly cause?: unknown; readonly advice?: readonly string[] } = {},
): AppError {
  const options = cause === undefined ? {} : { cause };
  return new AppError('unavailable', `Jira at ${site} ${what}`, advice, options);
}

/** Why there was no answer at all. */
export function noJiraAnswer(outcome: NoAnswer, failed: FailedJiraRequest): AppError {
  const { code, cause, pausedUntil } = outcome;
  const { asked, credentials } = failed;
  const { site, hide } = credentials;
  if (pausedUntil !== undefined) {
    const until = new Date(pausedUntil).toISOString();
    return jiraUnavailable(`takes no more of ${asked} until ${until}.`, credentials);
  }
  const words = noAnswerWords(outcome, { ...failed, hide });
  if (code === TOO_SLOW) return new JiraOverload(`Jira at ${site} ${words}`, { cause, slow: true });
  if (code === TOO_LARGE) return new JiraOverload(`Jira at ${site} ${words}`);
  if (isFinal(outcome)) return jiraUnavailable(words, credentials);
  return jiraUnavailable(tlsFailure(code) ?? words, credentials, { cause, advice: addressAdvice(asked) });
}

/** How TLS ends that was never begun over there. */
const noTlsCodes: ReadonlySet<string> = new Set(['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER']);

/** How Node calls certificates that it does not trust (tls, "X509 certificate error codes"). */
const untrustedCodes =
  /^(?:CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/;

/** Why there is no TLS with the server, as what follows its name; null: that is not what went wrong. */
export function tlsFailure(code: string): string | null {
  if (noTlsCodes.has(code))
    return `does not speak TLS there (${code}): it may be http:// in place of https://.`;
  if (untrustedCodes.test(code)) {
    return `shows a certificate that is not trusted here (${code}): if an authority of your own has signed it, name its file in NODE_EXTRA_CA_CERTS.`;
  }
  if (code.startsWith('ERR_SSL_')) return `does not agree with us about TLS (${code}).`;
  return null;
}

/** Jira's own no, in its own words. */
export function jiraRefusal(
  status: number,
  sentences: readonly string[],
  { asked, credentials }: FailedJiraRequest,
): JiraRefusal {
  const messages = sentences.map((sentence) => quote(sentence, credentials));
  const words = messages.length === 0 ? '.' : `: ${messages.join(' ')}`;
  return new JiraRefusal(
    codes.get(status) ?? 'bad-request',
    quote(`Jira at ${credentials.site} refuses ${asked} (HTTP ${status})${words}`, credentials),
    status,
    messages,
  );
}

/** Jira does not take us for who we say we are. */
export function credentialsRefused(
  status: number,
  why: string,
  { asked, credentials, provider }: FailedJiraRequest,
): AppError {
  const what = `Jira at ${credentials.site} does not accept ${provider.names} (${asked}, HTTP ${status}${why}).`;
  return new AppError('not-allowed', `${what} ${provider.remedy}`);
}

/** A redirect in place of an answer, maybe to a log-in. */
export function redirectedElsewhere(answer: HttpAnswer, { asked, credentials }: FailedJiraRequest): AppError {
  const words = redirectWords(answer, { asked, base: credentials.base, setting: 'JIRA_BASE_URL' });
  return jiraUnavailable(words, credentials);
}

/** A page for people: a log-in, a proxy before Jira, a site that is gone. */
export function answeredWithPage(
  { status, text }: HttpAnswer,
  { asked, credentials }: FailedJiraRequest,
): AppError {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1]?.trim() ?? '';
  const named = title === '' ? '' : ` titled '${quote(title, credentials).slice(0, 60)}'`;
  const what = `answered ${asked} with a web page${named} in place of JSON (HTTP ${status})`;
  const advice = addressAdvice(asked);
  const doubt = advice.length === 0 ? 'is JIRA_BASE_URL right, and ' : '';
  const login = 'does a log-in or a proxy stand before it?';
  return jiraUnavailable(`${what}; ${doubt}${login}`, credentials, { advice });
}

/** There is no Jira: the server does not know what every Jira has. */
export function noJiraThere(status: number, { asked, credentials }: FailedJiraRequest): AppError {
  const what = `does not know ${asked} (HTTP ${status}): no Jira is there.`;
  return jiraUnavailable(what, credentials, { advice: addressAdvice(asked) });
}

/** Something failed over there, and nothing in the answer says what. */
export function answeredWithStatus(status: number, { asked, credentials }: FailedJiraRequest): AppError {
  return jiraUnavailable(`answered ${asked} with HTTP ${status}.`, credentials);
}

/** Something failed over there, in Jira's own words where it has any. */
export function brokenThere({ status, text }: HttpAnswer, failed: FailedJiraRequest): JiraOverload {
  const { asked, credentials } = failed;
  const words = (readRefusal(text) ?? []).map((sentence) => quote(sentence, credentials)).join(' ');
  const what = `answered ${asked} with HTTP ${status}${words === '' ? '.' : `: ${words}`}`;
  return new JiraOverload(`Jira at ${credentials.site} ${what}`);
}

/** The answer ends before its JSON does. */
export function cutOff({ text }: HttpAnswer, { asked, credentials }: FailedJiraRequest): AppError {
  return jiraUnavailable(`answered ${asked} with broken JSON of ${text.length} characters.`, credentials);
}

/** The last failure of several; `advice` is a sentence with a space before it. */
export function failedInARow(failure: AppError, tries: number, advice: string): AppError {
  if (tries === 1) return failure;
  const { code, details, cause } = failure;
  const message = `${failure.message.replace(/\.$/, '')}, ${tries} times in a row.${advice}`;
  if (failure instanceof JiraOverload) return new JiraOverload(message, { cause });
  return new AppError(code, message, details, { cause });
}

const refusalSchema = z.object({
  errorMessages: z.array(z.string()).optional(),
  // Sentences by field; a list of objects in some of the newer interfaces.
  errors: z.union([z.record(z.string(), z.string()), z.array(z.object({ message: z.string() }))]).optional(),
  // The frame around Jira's interface sends failures so, and so does the gateway before Cloud.
  message: z.string().optional(),
  'status-code': z.number().optional(),
  code: z.number().optional(),
});

/** What Jira itself says about a failure, maybe nothing at all; null where it is not Jira that answers. */
export function readRefusal(text: string): readonly string[] | null {
  const parsed = refusalSchema.safeParse(readJson(text));
  if (!parsed.success) return null;
  const { errorMessages, errors, message, code, 'status-code': status } = parsed.data;
  if (errorMessages !== undefined || errors !== undefined) {
    const byField = Array.isArray(errors)
      ? errors.map((error) => error.message)
      : Object.entries(errors ?? {}).map(([field, sentence]) => `${field}: ${sentence}`);
    return [...(errorMessages ?? []), ...byField];
  }
  return message !== undefined && (code ?? status) !== undefined ? [message] : null;
}
