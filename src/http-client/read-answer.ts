import type { z } from 'zod';
import { type HttpAnswer, type NoAnswer, TOO_LARGE, TOO_SLOW, unknownCoding } from './send-once.ts';

/** More of a value does not help to recognize it. */
const MAX_SAMPLE = 60;

/** The length beyond which a quote is cut. */
const MAX_QUOTE = 500;

/** Returns true for a status of success. */
export function isSuccess({ status }: Pick<HttpAnswer, 'status'>): boolean {
  return status >= 200 && status < 300;
}

/** The JSON of a text; undefined for a text that is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value in its schema, or a few words on the first difference. */
type SchemaRead<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  | { readonly kind: 'different'; readonly difference: string };

/** Reads JSON in the schema it should have; a difference is described by its path and a sample of the value there. */
export function readSchema<Schema extends z.ZodType>(
  json: unknown,
  schema: Schema,
  /** Takes the secrets out of a text that came from outside. */
  hide: (text: string) => string,
): SchemaRead<z.output<Schema>> {
  const parsed = schema.safeParse(json);
  if (parsed.success) return { kind: 'read', value: parsed.data };
  const path = parsed.error.issues[0]?.path ?? [];
  const value = path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    json,
  );
  const text = hide(JSON.stringify(value) ?? 'nothing');
  const sample = text.length > MAX_SAMPLE ? `${text.slice(0, MAX_SAMPLE)}…` : text;
  return { kind: 'different', difference: `${pathText(path)} is '${sample}'` };
}

function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return text === '' ? 'the answer' : text.replace(/^\./, '');
}

/** Takes the secrets out of a text that came from outside. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  // In JSON and in an address some characters of a secret are written differently.
  const forms = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  return forms.reduce((left, form) => left.replaceAll(form, '…'), text);
}

/** Words that came from outside, for a message: without secrets and not too long. */
export function quote(text: string, { hide }: { hide(text: string): string }): string {
  const clean = hide(text);
  return clean.length > MAX_QUOTE ? `${clean.slice(0, MAX_QUOTE)}…` : clean;
}

/** The words of a failure, which follow the name of the service. */
interface FailedRequest {
  /** Method and path; null: not named. */
  readonly asked: string | null;
  readonly timeoutMs: number;
  readonly maxMegabytes: number;
  /** Takes the secrets out of a text that came from outside. */
  hide(text: string): string;
}

/** The reason why there was no answer at all. */
export function noAnswerWords(outcome: NoAnswer, failed: FailedRequest): string {
  const { code, sent } = outcome;
  const { asked: requestLine, timeoutMs, maxMegabytes } = failed;
  const it = requestLine === null ? '' : ` ${requestLine}`;
  if (code === TOO_SLOW) return `did not answer${it} within ${timeoutMs / 1000} s.`;
  if (code === TOO_LARGE) return `answered${it} with more than ${maxMegabytes} MB.`;
  const coding = unknownCoding(outcome);
  if (coding !== null) return `answered${it} encoded as '${quote(coding, failed)}', which was not requested.`;
  if (sent) return `broke off its answer${requestLine === null ? '' : ` to ${requestLine}`} (${code}).`;
  return `cannot be reached${requestLine === null ? '' : ` for ${requestLine}`} (${code}).`;
}

/** A redirect in place of an answer, maybe to a log-in; `setting` holds the address of the service. */
export function redirectWords(
  answer: HttpAnswer,
  {
    asked: requestLine,
    base,
    setting,
  }: { readonly asked: string | null; readonly base: string; readonly setting: string },
): string {
  const it = requestLine === null ? '' : ` ${requestLine}`;
  const location = answer.headers.get('location');
  // Only the origin of the address, because the rest may hold a session.
  const origin =
    location !== undefined && URL.canParse(location, base) ? new URL(location, base).origin : 'nowhere';
  return `answers${it} with a redirect to ${origin} (HTTP ${answer.status}); is ${setting} right?`;
}
