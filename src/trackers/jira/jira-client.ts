import type { z } from 'zod';
import { AppError, type ErrorCode } from '../../model/error.ts';
import type { RequestCounts } from '../../model/sync.ts';
import type { Site } from '../live-tracker.ts';

/** Which of Jira's two products it is: they differ in paths, paging and what people are called by. */
export type JiraKind = 'cloud' | 'dataCenter';

/** One question to Jira. Whatever is asked here only reads, POST included, and may be asked again. */
export interface JiraQuestion {
  readonly method: 'GET' | 'POST';
  /** Below the base of the interface, with a slash before it, such as `/search/jql`. */
  readonly path: string;
  /** `platform` is `/rest/api/3` (Cloud) or `/rest/api/2` (Data Center), `software` is `/rest/agile/1.0`. */
  readonly api?: 'platform' | 'software';
  /** What is undefined is left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Becomes JSON. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** `rights`: somebody waits to be told what they may see, so it is not counted in the budget of requests a minute. */
  readonly lane?: 'rights' | undefined;
  /** `short`: whoever asks would rather ask for less than ask again and again for so much. */
  readonly patience?: 'short' | undefined;
}

/**
 * Speaks Jira's REST: paces itself by the budget of requests a minute, never has more than a few requests under way,
 * waits as long as it is told to, and asks again what failed on the way.
 */
export interface JiraClient {
  kind(): Promise<JiraKind>;
  site(): Promise<Site>;
  /**
   * What Jira answers, once it has the shape. A refusal is a JiraRefusal; everything else that is no answer, a changed
   * shape included, is `unavailable` with the path and a sample of what stood there.
   */
  ask<Shape extends z.ZodType>(question: JiraQuestion, shape: Shape): Promise<z.output<Shape>>;
  /** Since the start of the process. */
  requests(): RequestCounts;
  close(): Promise<void>;
}

/** Jira failed in a way that might not befall a smaller question: on its own side (5xx), by time, or by size. */
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

/** Jira understood the question and answers no. `status` is that of HTTP, `messages` Jira's own sentences. */
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
