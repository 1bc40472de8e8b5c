import type { Request } from 'express';
import type { z } from 'zod';
import type { ReportingApi } from '../api/reporting.ts';
import type { Tokens } from '../api/tokens.ts';
import type { DateFormats } from '../formats/date-text.ts';
import type { Instant } from '../model/issue.ts';
import type { Asker } from '../model/request.ts';

/** What the routes are given; none of them reads a clock or the environment. */
export interface HttpParts {
  readonly reporting: ReportingApi;
  readonly tokens: Tokens;
  readonly now: () => Instant;
  /** The tracker server's zone: dates without an offset are read and written in it. */
  readonly timeZone: string;
  readonly formats: DateFormats;
  readonly version: string;
  /** Null when the service can take work, else what it is waiting for. */
  readonly waitingFor: () => Promise<string | null>;
}

/** An answer: `body` is sent as it stands when it is text, as JSON otherwise. */
export interface Reply {
  readonly status?: number;
  readonly type?: string;
  readonly body: unknown;
}

/** One method and path. `parameters` are what it takes, `answer` gets them checked, in their canonical spelling. */
export interface Route<Parameters extends z.ZodObject = z.ZodObject> {
  readonly method: 'get';
  readonly path: string;
  /** Whether a token is needed. */
  readonly guarded: boolean;
  readonly parameters: Parameters;
  answer(parameters: z.output<Parameters>, asker: Asker, parts: HttpParts): Promise<Reply>;
}

/** A route as the list holds it: its parameters are known to itself only. */
export interface AnyRoute extends Pick<Route, 'method' | 'path' | 'guarded'> {
  serve(request: Request, asker: Asker, parts: HttpParts): Promise<Reply>;
}
