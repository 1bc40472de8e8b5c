import type { z } from 'zod';
import type { RequestCounts } from '../../model/sync.ts';
import type { Site } from '../live-tracker.ts';

/** The product: the two differ in paths, paging and the identity of people. */
export type JiraKind = 'cloud' | 'dataCenter';

/** A request to Jira. Every one of them only reads, POST included, and may be sent again. */
export interface JiraRequest {
  readonly method: 'GET' | 'POST';
  /** Below the base of the interface, with a slash before it, such as `/search/jql`. */
  readonly path: string;
  /** `platform` is `/rest/api/3` (Cloud) or `/rest/api/2` (Data Center), `software` is `/rest/agile/1.0`. */
  readonly api?: 'platform' | 'software';
  /** Undefined values are left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Becomes JSON. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** A user waits for it: it goes first, ends sooner, and has requests a minute of its own. */
  readonly isPriority?: boolean | undefined;
  /** `few`: where it fails, less can be asked for. */
  readonly tries?: 'few' | undefined;
}

/**
 * Sends requests to Jira's REST: within the limit a minute, with few under way, pausing as long as Jira asks, and
 * repeating failed ones.
 */
export interface JiraClient {
  kind(): Promise<JiraKind>;
  site(): Promise<Site>;
  /**
   * The answer of Jira, in the schema. A refusal is a JiraRefusal; any other failure, a changed shape included, is
   * `unavailable` with the path and a sample of the value there.
   */
  ask<Schema extends z.ZodType>(request: JiraRequest, schema: Schema): Promise<z.output<Schema>>;
  /** Since the start of the process. */
  requests(): RequestCounts;
  close(): Promise<void>;
}
