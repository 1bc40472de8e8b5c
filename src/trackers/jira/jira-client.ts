import type { z } from 'zod';
import type { CredentialProvider, HttpCredentials } from '../../http-client/http-client.ts';
import type { RequestCounts } from '../../model/sync.ts';
import type { Site } from '../live-tracker.ts';
import type { TrackerSurroundings } from '../tracker-kind.ts';

/** The log-in to Jira: an account with its API token, a personal access token, or an app with consent. */
export type JiraLogin =
  | { readonly kind: 'apiToken'; readonly email: string; readonly token: string }
  | { readonly kind: 'pat'; readonly token: string }
  | { readonly kind: 'oauth'; readonly clientId: string; readonly clientSecret: string };

/** The address of Jira and the rate of requests. `baseUrl` null: the only site an app may reach. */
export interface JiraAccess {
  readonly baseUrl: string | null;
  readonly credentials: JiraLogin;
  readonly requestsPerMinute: number;
}

/** The same with the issues to read (`jql` null: all that the account can see) and the secret of webhooks (null: none). */
export interface JiraSettings extends JiraAccess {
  readonly jql: string | null;
  readonly webhookSecret: string | null;
}

/** The dependencies on the outside world. */
export interface JiraSurroundings extends TrackerSurroundings {
  /** The addresses of Atlassian's own services, without a slash at the end. */
  readonly atlassian: { readonly auth: string; readonly api: string };
}

/** The address of requests, and their credentials. */
export interface JiraCredentials extends HttpCredentials {
  readonly authorization: string;
  /** Address people know Jira by, without a slash at the end. */
  readonly site: string;
}

/** The source of credentials, and the words for them. */
export interface JiraCredentialProvider extends CredentialProvider<JiraCredentials> {
  /** The names of the refused credentials, such as those of settings. */
  readonly names: string;
  /** The remedy for an admin: a whole sentence. */
  readonly remedy: string;
}

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
