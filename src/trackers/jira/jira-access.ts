import type { Instant } from '../../model/issue.ts';

/** As whom Jira is asked: an account with its API token, a personal access token, or an app people have agreed to. */
export type JiraCredentials =
  | { readonly kind: 'apiToken'; readonly email: string; readonly token: string }
  | { readonly kind: 'pat'; readonly token: string }
  | { readonly kind: 'oauth'; readonly clientId: string; readonly clientSecret: string };

/** Which Jira is asked, and how much. `baseUrl` null: the only site an app may reach. */
export interface JiraAccess {
  readonly baseUrl: string | null;
  readonly credentials: JiraCredentials;
  readonly requestsPerMinute: number;
}

/** Where secrets are kept that change while we run: an app's tokens. */
export interface SecretKeep {
  get(name: string): Promise<string | null>;
  put(name: string, value: string): Promise<void>;
}

/** What the outside world hands in. */
export interface JiraSurroundings {
  readonly now: () => Instant;
  /** Resolves after so many ms, or when aborted; keeps no process alive. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly secrets: SecretKeep;
  /** Aborts after so many ms. */
  readonly deadline: (ms: number) => AbortSignal;
  /** Where Atlassian's own services are, without a slash at the end. */
  readonly atlassian: { readonly auth: string; readonly api: string };
}
