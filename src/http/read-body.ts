import express, { type Request, type Response } from 'express';
import { z } from 'zod';
import { type WrongField, wrongFields } from '../api/parameters/check-parameters.ts';
import { isTooDeep, MAX_JSON_DEPTH, tryParseJson } from '../api/parameters/json-depth.ts';
import { shown } from '../api/parameters/parameter.ts';
import { badBody, Refusal } from './failures.ts';
import type { RouteFacts } from './route.ts';

/** Largest body that is read, in bytes. */
const MAX_BYTES = 1_000_000;

/** A body as text; null where there is none. Its type must be one of those named. */
export async function readBody(
  request: Request,
  response: Response,
  ...types: readonly string[]
): Promise<string | null> {
  const bytes = await readBytes(request, response, MAX_BYTES);
  if (bytes === null) return null;
  assertContentType(request, types);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badBody('The body is not UTF-8.');
  }
}

/** The bytes of a body, at most `maxBytes`. */
export async function readRawBody(
  request: Request,
  response: Response,
  type: string,
  maxBytes: number,
): Promise<Buffer> {
  const bytes = await readBytes(request, response, maxBytes);
  assertContentType(request, [type]);
  return bytes ?? Buffer.alloc(0);
}

function assertContentType(request: Request, types: readonly string[]): void {
  const { essence, charset } = contentType(request);
  if (!types.includes(essence) || (charset !== null && charset !== 'utf-8' && charset !== 'utf8')) {
    const given = request.get('content-type');
    throw new Refusal(
      415,
      `Content-Type ${given === undefined ? 'is missing' : `'${given}' is not understood`}. Try: ${types.join(' or ')} in UTF-8.`,
    );
  }
}

/** True if the body of a request is declared to be of a type. */
export function isOfType(request: Request, type: string): boolean {
  return contentType(request).essence === type;
}

/** The media type of a form. */
export const formType = 'application/x-www-form-urlencoded';

async function readBytes(request: Request, response: Response, maxBytes: number): Promise<Buffer | null> {
  const readRaw = express.raw({ type: () => true, limit: maxBytes });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  readRaw(request, response, (error?: unknown) =>
    error === undefined ? resolve() : reject(refuse(error, maxBytes)),
  );
  await promise;
  const body: unknown = request.body;
  return Buffer.isBuffer(body) && body.length > 0 ? body : null;
}

/** The failures of the reader that come from the request; anything else is passed on. */
function refuse(error: unknown, maxBytes: number): unknown {
  const status = error !== null && typeof error === 'object' && 'status' in error ? error.status : null;
  switch (status) {
    case 413:
      return new Refusal(413, `The body is too large. Try: ${maxBytes} bytes.`);
    case 415:
      return new Refusal(415, 'Content-Encoding is not understood. Try: identity, gzip, deflate, br.');
    case 400:
      return badBody('The body could not be read to its end, or not be decompressed.');
    default:
      return error;
  }
}

function contentType(request: Request): { essence: string; charset: string | null } {
  const [essence = '', ...parameters] = (request.get('content-type') ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return { essence, charset: charset?.slice('charset='.length).replaceAll('"', '') ?? null };
}

/** A JSON body; text that is not JSON, or is nested too deep, is refused. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw badBody(`The body is nested too deep. Try: ${MAX_JSON_DEPTH} levels.`);
  const value = tryParseJson(text);
  if (value === undefined) throw badBody('The body is not JSON.');
  return value;
}

/** Checks a JSON body with the sentences of parameters; `unknown` are members that are refused. */
export function checkBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  unknown: readonly string[] = [],
): z.output<Schema> {
  const parsed = schema.safeParse(body, { reportInput: true });
  if (parsed.success && unknown.length === 0) return parsed.data;
  const allowed = knownMembers(schema)?.join(', ') ?? '';
  const issues = parsed.error?.issues ?? [];
  throw wrongFields(
    [
      ...unknown.map((member): WrongField => {
        const name = member === '' ? "''" : shown(member);
        return { name, sentence: `${name} is not known. Try: ${allowed}.`, reason: 'unknown-parameter' };
      }),
      ...issues.map((issue): WrongField => {
        const name = nameOf(issue);
        const isMissing = ['invalid_type', 'invalid_value'].includes(issue.code) && issue.input === undefined;
        const reason = isMissing ? 'missing-value' : 'invalid-value';
        return { name, sentence: sentenceOf(issue, name), reason };
      }),
    ].slice(0, MAX_SENTENCES),
  );
}

const MAX_SENTENCES = 20;

function nameOf(issue: z.core.$ZodIssue): string {
  return issue.path.reduce<string>(
    (path, step) =>
      typeof step === 'number' ? `${path}[${step}]` : `${path}${path === '' ? '' : '.'}${String(step)}`,
    '',
  );
}

function sentenceOf(issue: z.core.$ZodIssue, name: string): string {
  const subject = name === '' ? 'The body' : name;
  if (issue.code === 'invalid_type') {
    const what = nouns[issue.expected] ?? issue.expected;
    if (issue.input === undefined) return `${subject} is required. Try: ${what}.`;
    return `${subject} ${quoted(issue.input)} is of the wrong kind. Try: ${what}.`;
  }
  if (issue.code === 'invalid_value') {
    const wrong = issue.input === undefined ? 'is required' : `${quoted(issue.input)} is not known`;
    return `${subject} ${wrong}. Try: ${issue.values.map(String).join(', ')}.`;
  }
  return `${subject} ${quoted(issue.input)} ${issue.message}.`;
}

const nouns: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

function quoted(value: unknown): string {
  // JSON itself has no word for the number that 1e999 becomes.
  return `'${shown(typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value))}'`;
}

/** Members of a JSON body that a route reads; null where it takes any, as for the parameters of a set. */
function knownMembers(schema: z.ZodType | undefined): readonly string[] | null {
  if (schema instanceof z.ZodPipe) return knownMembers(schema.out as z.ZodType);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : null;
}

/** Members that the route does not read, as they were spelled; those of its answer can be sent back. */
export function unknownMembers(
  body: unknown,
  { body: taken, answers }: Pick<RouteFacts, 'body' | 'answers'>,
): readonly string[] {
  const read = knownMembers(taken);
  if (read === null || typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  const known = new Set([...read, ...(knownMembers(answers.content['application/json']) ?? [])]);
  return Object.keys(body)
    .filter((name) => !known.has(name))
    .slice(0, MAX_NAMES);
}

const MAX_NAMES = 20;
