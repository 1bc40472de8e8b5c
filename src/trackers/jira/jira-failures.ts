import { z } from 'zod';
import { readJson } from '../../http-client/read-answer.ts';
import { AppError, type ErrorReason, withoutPoint } from '../../model/error.ts';
import type { JiraCredentials } from './jira-client.ts';

/** Jira failed in a way that might not befall a smaller request: on its own side (5xx), by time, or by size. */
export class JiraOverload extends AppError {
  /** It took longer than a try may. */
  readonly slow: boolean;

  constructor(
    message: string,
    { slow = false, ...options }: ErrorOptions & { readonly slow?: boolean } = {},
  ) {
    super('tracker-unavailable', message, [], options);
    this.name = 'JiraOverload';
    this.slow = slow;
  }
}

/** Jira understood the request and answers no. `status` is that of HTTP, `messages` Jira's own sentences. */
export class JiraRefusal extends AppError {
  readonly status: number;
  readonly messages: readonly string[];

  constructor(reason: ErrorReason, message: string, status: number, messages: readonly string[]) {
    super(reason, message);
    this.name = 'JiraRefusal';
    this.status = status;
    this.messages = messages;
  }
}

/** Returns true where Jira does not accept our credentials. */
export function areCredentialsRefused(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'credentials-refused';
}

/** `what` follows the name of Jira, `advice` are sentences. */
export function jiraUnavailable(
  what: string,
  { site }: Pick<JiraCredentials, 'site'>,
  { cause, advice = [] }: { readonly cause?: unknown; readonly advice?: readonly string[] } = {},
): AppError {
  const options = cause === undefined ? {} : { cause };
  return new AppError('tracker-unavailable', `Jira at ${site} ${what}`, advice, options);
}

/** The codes of TLS towards a server that does not speak it. */
const noTlsCodes: ReadonlySet<string> = new Set(['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER']);

/** The codes of Node for certificates that it does not trust (tls, "X509 certificate error codes"). */
const untrustedCodes =
  /^(?:CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/;

/** The problem with TLS, as words after the server's name; null where the code has another cause. */
export function tlsFailure(code: string): string | null {
  if (noTlsCodes.has(code))
    return `does not speak TLS there (${code}): it may be http:// in place of https://.`;
  if (untrustedCodes.test(code)) {
    return `shows a certificate that is not trusted here (${code}): if an authority of your own has signed it, name its file in NODE_EXTRA_CA_CERTS.`;
  }
  if (code.startsWith('ERR_SSL_')) return `does not agree with us about TLS (${code}).`;
  return null;
}

/** The last failure of several; `advice` is a sentence with a space before it. */
export function failedInARow(failure: AppError, tries: number, advice: string): AppError {
  if (tries === 1) return failure;
  const { reason, details, cause } = failure;
  const message = `${withoutPoint(failure.message)}, ${tries} times in a row.${advice}`;
  if (failure instanceof JiraOverload) return new JiraOverload(message, { cause });
  return new AppError(reason, message, details, { cause });
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

/** The messages of Jira about a failure, possibly none; null where the answer is not from Jira. */
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

/** The remedy where Jira does not show the permissions of others, for an admin of Jira or the operator of Dwell. */
export const permissionCure =
  "Give Dwell's Jira account the global permission 'Administer Jira' (Data Center: also 'Browse Users'), or set JIRA_RIGHTS=rules and use `npx dwell access`.";

/** Dwell's account is not allowed to read who can see what, so nothing can be shown; `message` is for the log. */
export function missingPermission(message: string, options: ErrorOptions = {}): AppError {
  return new AppError('tracker-permission-missing', message, [permissionCure], options);
}
