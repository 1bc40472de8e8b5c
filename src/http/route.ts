import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { AnswersApi } from '../api/answers/answers-api.ts';
import type { AuditApi } from '../api/audit/audit-api.ts';
import type { DelegationApi } from '../api/delegations/delegation-api.ts';
import type { ExportFile, ExportsApi } from '../api/exports/exports-api.ts';
import type { FlowsApi } from '../api/flows/create-flows.ts';
import type { PeopleApi } from '../api/people/create-people.ts';
import type { Tokens } from '../api/people/tokens.ts';
import type { ReportingApi } from '../api/reporting/reporting-api.ts';
import type { RestoreApi } from '../api/restore/create-restore.ts';
import type { SettingsApi } from '../api/settings/settings-api.ts';
import type { StatusCategories } from '../api/settings/status-categories.ts';
import type { ConsentApi } from '../api/tracker/sync-api.ts';
import type { TrackerEvents } from '../api/tracker/tracker-events.ts';
import type { Admission } from '../concurrency/admission.ts';
import type { AnswerTurns } from '../concurrency/answer-turns.ts';
import type { RateLimits } from '../concurrency/rate-limits.ts';
import type { Outage } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';
import type { Principal } from '../model/request.ts';
import type { DeepReadonly } from '../output/encode.ts';

/** The parts of the routes; none of them reads a clock or the environment. */
export interface HttpParts {
  readonly reporting: ReportingApi;
  readonly settings: SettingsApi;
  readonly statusCategories: StatusCategories;
  readonly flows: FlowsApi;
  readonly exports: ExportsApi;
  readonly answers: AnswersApi;
  readonly audit: AuditApi;
  readonly delegations: DelegationApi;
  readonly people: PeopleApi;
  readonly tokens: Tokens;
  readonly events: TrackerEvents;
  /** Turns at answers that take long, which every door shares. */
  readonly turns: AnswerTurns;
  readonly limits: RateLimits;
  readonly admission: Admission;
  /** Null if Jira is not read by OAuth 2.0. */
  readonly consent: ConsentApi | null;
  readonly now: () => Instant;
  /** The zone of the tracker's server, in which the times of failures are written. */
  readonly timeZone: string;
  readonly version: string;
  /** The address of this service for clients, without a slash at the end: links in answers begin with it. */
  readonly baseUrl: string;
  /** Null when the service can take work, else what it is waiting for. */
  readonly waitingFor: () => Promise<string | null>;
  /** Outages of Slack and Redis; null: it works, or is not used. */
  readonly outages: () => { readonly slack: Outage | null; readonly redis: Outage | null };
  /** Progress of the initial sync, as people read it; null where none is under way. */
  readonly firstFill: () => Promise<string | null>;
  /** Its `isPaused` is true while nothing is posted on a schedule, because the database was restored. */
  readonly restore: Pick<RestoreApi, 'isPaused'>;
}

/** The parts of one request; the description is made of all routes. */
export interface RouteParts extends HttpParts {
  readonly routes: readonly AnyRoute[];
  /** Aborted when the client is gone. */
  readonly gone: AbortSignal;
  /** Waits for a turn at an answer that takes long, and ends it with the answer. */
  readonly turnOf: (principal: Principal) => Promise<void>;
}

/** Answers by media type, each with the schema it goes through. */
export type ContentSchemas = Readonly<Record<string, z.ZodType>>;

/**
 * The answer of a route. JSON goes through the schema of the route on its way out, so that nothing is sent that is not
 * described; lists of it (`streamed`) and texts may be iterables that make their items while these are sent.
 */
export type Reply<Json = unknown> =
  | { readonly headers?: Headers; readonly body: Json }
  | TypedReply
  | FileReply;

type Headers = Readonly<Record<string, string | readonly string[]>>;

/** An answer of another type, or with another status. Text is sent as it is, undefined not at all. */
export interface TypedReply {
  readonly status?: number;
  readonly type: string;
  readonly headers?: Headers;
  readonly body: unknown;
}

/** A file as an answer. `close` is called once, as soon as the file is open or cannot be opened. */
export interface FileReply {
  readonly headers?: Headers;
  readonly file: ExportFile;
  readonly close?: () => Promise<void>;
}

/** The media type of JSON. */
export const jsonType = 'application/json';
/** The media type of flat objects: JSON of another shape than the full answer. */
export const simplifiedType = 'application/json; profile=simplified';
/** The media types of JSON objects, each on a line: the one that is written down, and the one that is older. */
export const jsonLinesType = 'application/jsonl';
export const ndjsonType = 'application/x-ndjson';
/** The media type of CSV. */
export const csvMediaType = 'text/csv';

/** A method of HTTP that some route answers; HEAD follows from get. */
export type Method = 'get' | 'post' | 'put' | 'delete';

/** True for a method whose requests have their body read. */
export function takesBody(method: Method): boolean {
  return method === 'post' || method === 'put';
}

/** The answers of a route in the description of the interface. */
export interface Answers<Good extends ContentSchemas = ContentSchemas> {
  readonly description: string;
  /** Good answers by media type; none: the answer is empty (204). */
  readonly content: Good;
  /** Statuses of failures beside those that every route of its kind can give; 429: also of few requests. */
  readonly failures?: readonly (403 | 404 | 409 | 429)[];
  /** Answers that report a failure in a shape of their own, in JSON unless `type` says otherwise. */
  readonly others?: Readonly<
    Record<number, { readonly description: string; readonly schema: z.ZodType; readonly type?: string }>
  >;
}

/** The status of a good answer: also of what was created, since clients of the delegation contract know 200 only. */
export function goodStatus({ content }: Pick<Answers, 'content'>): 200 | 204 {
  return Object.keys(content).length === 0 ? 204 : 200;
}

/**
 * The way a route takes credentials and words failures: that of the contract of reports, or that of the contract of
 * delegations, in its look-ups or around its records.
 */
export type Dialect = 'reporting' | 'look-up' | 'record';

/** The headlines of the description, with what each is about. */
export const sections = {
  Reports: 'Time in status of an issue, of many, of a week, of a sprint.',
  Exports: 'Reports as files: XLSX, XLS, CSV and JSON, at once or queued.',
  Statuses: 'The statuses of workflows, whose ids reports take.',
  Flows: 'What a team calls started, waiting, blocked and finished, project by project.',
  Calendars: 'Working calendars, by which time is counted.',
  'Parameter sets': 'Saved reports, which requests name by paramSetId.',
  'Format settings': 'How dates are written.',
  Audit: 'Who changed what, and what left Dwell.',
  Delegations: 'Cover for people who are away: who covers when, and where cover is missing.',
  Service: 'The service itself: health, description, pages of sign-in, events of Jira.',
} as const;

/** The part of a route that its description is made of. */
export interface RouteFacts<Good extends ContentSchemas = ContentSchemas> {
  /** Its operationId, such as `listIssues`. */
  readonly id: string;
  readonly methods: readonly [Method, ...Method[]];
  /** The contract's path, then the aliases. */
  readonly paths: readonly [string, ...string[]];
  /** A token is needed. */
  readonly guarded: boolean;
  /** `reporting` unless it says otherwise. */
  readonly dialect?: Dialect;
  readonly section: keyof typeof sections;
  /** One line, a sentence without a full stop. */
  readonly summary: string;
  /** The parameters in its path, its query string or a form. */
  readonly parameters: z.ZodObject;
  /** Parameters that only a form may hold: addresses are written into logs. */
  readonly formOnly?: readonly string[];
  /** The JSON it takes as its body; without it POST takes a form. */
  readonly body?: z.ZodType;
  /** It looks through many issues: of one principal only a few are answered at a time. */
  readonly takesLong?: true;
  /** Largest body in bytes; a million unless it says otherwise. */
  readonly maxBytes?: number;
  readonly answers: Answers<Good>;
}

type ReplyOf<Good extends ContentSchemas> = Promise<Reply<DeepReadonly<z.input<Good[typeof jsonType]>>>>;

/** Some methods on some paths. `answer` gets the parameters checked, names and words in their canonical spelling. */
export interface Route<Parameters extends z.ZodObject, Body extends z.ZodType, Good extends ContentSchemas>
  extends RouteFacts<Good> {
  readonly parameters: Parameters;
  readonly body?: Body;
  /** Fails for a principal without the right, before the body is read. */
  permit?(parameters: z.output<Parameters>, principal: Principal, parts: RouteParts): Promise<void>;
  answer(
    parameters: z.output<Parameters>,
    principal: Principal,
    parts: RouteParts,
    body: z.output<Body>,
  ): ReplyOf<Good>;
}

/** A route as the list has it, whatever its parameters. */
export interface AnyRoute extends RouteFacts {
  serve(request: Request, response: Response, parts: RouteParts): Promise<Reply>;
}
