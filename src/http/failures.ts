import { z } from 'zod';
import { NotAuthenticated } from '../api/people/tokens.ts';
import { retryAfter } from '../concurrency/admission.ts';
import { AppError, type ErrorCode, type ErrorReason, errorReasons } from '../model/error.ts';
import { dateText } from '../time/date-text.ts';
import { serverTime } from './delegation-wire.ts';
import { type Dialect, type HttpParts, jsonType, type RouteFacts, type TypedReply } from './route.ts';

const kinds = {
  400: { message: 'Bad request', reason: 'malformed-request' },
  405: { message: 'Method not allowed', reason: 'method-not-allowed' },
  408: { message: 'Request timeout', reason: 'request-timeout' },
  413: { message: 'Content too large', reason: 'content-too-large' },
  415: { message: 'Unsupported media type', reason: 'unsupported-media-type' },
  431: { message: 'Request header fields too large', reason: 'header-fields-too-large' },
} as const;

type RefusalStatus = keyof typeof kinds;

/** The reasons of failed requests: those of every error, those of HTTP itself, and a bug of ours. */
type FailureReason = ErrorReason | (typeof kinds)[RefusalStatus]['reason'] | 'internal';

const failureReasons: readonly string[] = [
  ...new Set([...Object.keys(errorReasons), ...Object.values(kinds).map(({ reason }) => reason), 'internal']),
];

type Texts = Readonly<Record<string, string>>;

/**
 * A request refused by the rules of HTTP itself. `details` are whole sentences, as of an AppError; `fields` has them by
 * parameter, or under `body`.
 */
export class Refusal extends Error {
  readonly status: RefusalStatus;
  readonly reason: FailureReason;
  readonly details: readonly string[];
  readonly headers: Texts;
  readonly fields: Texts;

  constructor(
    status: RefusalStatus,
    detail: string,
    { headers = {}, fields = {} }: { readonly headers?: Texts; readonly fields?: Texts } = {},
  ) {
    const { message, reason } = kinds[status];
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.reason = reason;
    this.details = [detail];
    this.headers = headers;
    this.fields = fields;
  }
}

/** A body that is not of the type that its request declares. */
export function badBody(detail: string): Refusal {
  return new Refusal(400, detail, { fields: { body: detail } });
}

const statusOf: Readonly<Record<ErrorCode, number>> = {
  'bad-request': 400,
  'not-authenticated': 401,
  'not-allowed': 403,
  'not-found': 404,
  conflict: 409,
  'too-many': 429,
  unavailable: 503,
};

/** A failure in any dialect; `details` and `fields` are those of a Refusal. */
type Failure = Pick<Refusal, 'message' | 'reason' | 'details' | 'fields'> & { readonly status: number };

function failureOf(error: unknown, reference: string): Failure {
  if (isForeseen(error)) {
    const { message, reason, details, fields } = error;
    const status = error instanceof Refusal ? error.status : statusOf[error.code];
    return { status, message, reason, details, fields };
  }
  return {
    status: 500,
    message: 'Internal server error',
    reason: 'internal',
    details: [`Something went wrong on our side; the log has it under ${reference}.`],
    fields: {},
  };
}

/** The header with the reason of a failure whose body has no place for it. */
export const REASON_HEADER = 'X-Failure-Reason';

const failureReason = z.enum(failureReasons).meta({
  id: 'FailureReason',
  description: 'Stable error code for programs. Sentences can change, and new codes can be added.',
});

const reportingFailure = z
  .object({
    status: z.int(),
    message: z.string(),
    reason: failureReason,
    messages: z
      .array(z.string())
      .nullable()
      .describe('Sentences that name the parameter, its value and values that work.'),
    errors: z
      .record(z.string(), z.string())
      .optional()
      .describe('The same sentences by parameter or member; absent for other failures.'),
    pluginVersion: z.string(),
    time: z.string().describe('yyyy-MM-dd HH:mm:ss in the zone of the server.'),
    exportId: z.string().optional().describe('The issue or record of the path, if any.'),
  })
  .meta({ id: 'Failure', description: 'Error body of all endpoints except delegations.' });

const delegationMembers = {
  status: z.int(),
  message: z.string(),
  errors: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'Only with status 400: what is wrong, by parameter or member. Empty if it concerns none of them.',
    ),
};

const lookUpFailure = z
  .object({ ...delegationMembers, timestamp: z.int().describe('Epoch milliseconds.') })
  .meta({
    id: 'LookUpFailure',
    description: `Every failure of a look-up of delegates. Its reason is in the header ${REASON_HEADER}: strict clients of the contract refuse a member more.`,
  });

const recordFailure = z
  .object({
    status: delegationMembers.status,
    message: delegationMembers.message,
    reason: failureReason,
    errors: delegationMembers.errors,
    timestamp: z.string().describe('yyyy-MM-dd HH:mm:ss Z in the zone of the server.'),
  })
  .meta({ id: 'RecordFailure', description: 'Error body of delegations and their categories.' });

/** The shape of a failure in each dialect. */
export const failureSchemas = {
  reporting: reportingFailure,
  'look-up': lookUpFailure,
  record: recordFailure,
} satisfies Record<Dialect, z.ZodType>;

/** Authentication schemes (RFC 7617, RFC 6750). */
const schemes = ['Basic realm="Dwell", charset="UTF-8"', 'Bearer realm="Dwell"'];
/** The scheme of the contract of reports. */
const ownScheme = 'TISJWT realm="Dwell"';

/** A failure in the wire format of its dialect; the log has the cause of a bug under `reference`. */
export function errorReply(
  error: unknown,
  reference: string,
  { version, now, timeZone }: Pick<HttpParts, 'version' | 'now' | 'timeZone'>,
  { dialect, exportId }: { readonly dialect: Dialect; readonly exportId?: string },
): TypedReply {
  const { status, reason, message, details, fields } = failureOf(error, reference);
  const isReporting = dialect === 'reporting';
  const ways = status === 401 ? { 'WWW-Authenticate': isReporting ? [ownScheme, ...schemes] : schemes } : {};
  const reply = { status, type: jsonType, headers: { ...headersOf(error), ...ways } };
  if (isReporting) {
    const body: z.output<typeof reportingFailure> = {
      status,
      message,
      reason,
      messages: details.length === 0 ? null : [...details],
      ...(Object.keys(fields).length === 0 ? {} : { errors: { ...fields } }),
      pluginVersion: version,
      time: dateText(now(), 'yyyy-MM-dd HH:mm:ss', timeZone),
      ...(exportId === undefined ? {} : { exportId }),
    };
    return { ...reply, body: reportingFailure.parse(body) };
  }
  const sentences = details.length === 0 ? message : details.join(' ');
  // The contract names both labels and no conditions: Invalid Licence means that a new token is needed. Strangers do not
  // learn more about the reason.
  const isLapsed = error instanceof NotAuthenticated && error.lapsedOf !== null;
  const unknownUser = isLapsed ? 'Invalid Licence' : 'Invalid User';
  const body = {
    status,
    message: status === 401 ? unknownUser : sentences,
    ...(status === 400 ? { errors: fields } : {}),
  };
  if (dialect === 'record') {
    return {
      ...reply,
      body: recordFailure.parse({ ...body, reason, timestamp: serverTime(now(), timeZone) }),
    };
  }
  const headers = { ...reply.headers, [REASON_HEADER]: reason };
  return { ...reply, headers, body: lookUpFailure.parse({ ...body, timestamp: now() }) };
}

function headersOf(error: unknown): Readonly<Record<string, string>> {
  if (error instanceof Refusal) return error.headers;
  const isForNow =
    error instanceof AppError &&
    (error.code === 'too-many' || (error.code === 'unavailable' && !lasting.has(error.reason)));
  return isForNow ? retryAfter(error) : {};
}

/** Reasons of `unavailable` for which a retry does not help. */
const lasting: ReadonlySet<ErrorReason> = new Set(['service-too-old', 'unsupported-by-service']);

/** True for a failure that the client or an admin can act upon; everything else is a bug. */
export function isForeseen(error: unknown): error is AppError | Refusal {
  return error instanceof AppError || error instanceof Refusal;
}

/** The dialect of a path, whether or not a route answers there. Paths are matched as the router does. */
export function dialectAt(path: string, routes: readonly Pick<RouteFacts, 'paths' | 'dialect'>[]): Dialect {
  const wanted = path.toLowerCase().replace(/\/+$/, '');
  const own = routes.find(({ paths }) => paths.some((one) => one.toLowerCase() === wanted));
  if (own !== undefined) return own.dialect ?? 'reporting';
  // A path with an id, or an unknown one, has the dialect of the records beside it.
  return `${wanted}/`.startsWith('/rest/delegation/') ? 'record' : 'reporting';
}

/** The path of a request's target, which may be a whole address. */
export function pathOf(target: string): string {
  const base = 'http://localhost';
  return URL.canParse(target, base) ? new URL(target, base).pathname : '';
}
