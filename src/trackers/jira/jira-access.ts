import type { CredentialProvider, HttpCredentials, HttpSurroundings } from '../../http-client/http-client.ts';

/** As whom Jira is asked: an account with its API token, a personal access token, or an app people have agreed to. */
export type JiraLogin =
  | { readonly kind: 'apiToken'; readonly email: string; readonly token: string }
  | { readonly kind: 'pat'; readonly token: string }
  | { readonly kind: 'oauth'; readonly clientId: string; readonly clientSecret: string };

/** Which Jira is asked, and how much. `baseUrl` null: the only site an app may reach. */
export interface JiraAccess {
  readonly baseUrl: string | null;
  readonly credentials: JiraLogin;
  readonly requestsPerMinute: number;
}

/** Where secrets are stored that change while we run: an app's tokens. */
export interface OauthSecrets {
  get(name: string): Promise<string | null>;
  /** Replaces a secret (null: none) by what `change` makes of it, while no other process writes, and returns that. */
  change(name: string, change: (kept: string | null) => string | null): Promise<string | null>;
}

/** What the outside world hands in. */
export interface JiraSurroundings extends HttpSurroundings {
  readonly secrets: OauthSecrets;
  /** Where Atlassian's own services are, without a slash at the end. */
  readonly atlassian: { readonly auth: string; readonly api: string };
}

/** Where a request goes, and as whom. */
export interface JiraCredentials extends HttpCredentials {
  readonly authorization: string;
  /** Address people know Jira by, without a slash at the end. */
  readonly site: string;
}

/** Where credentials come from, and how to speak of them. */
export interface JiraCredentialProvider extends CredentialProvider<JiraCredentials> {
  /** What Jira refuses when it refuses them, such as the names of settings. */
  readonly names: string;
  /** What an admin can do then: a whole sentence. */
  readonly remedy: string;
}

/** How an admin agrees to the app in a browser (OAuth 2.0, authorization code). */
export interface Consent {
  url(redirectUri: string): Promise<string>;
  accept(answer: {
    readonly code: string | null;
    readonly state: string | null;
    readonly error: string | null;
  }): Promise<{ readonly site: string }>;
}
