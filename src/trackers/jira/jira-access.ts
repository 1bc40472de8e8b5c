import type { CredentialProvider, HttpCredentials } from '../../http-client/http-client.ts';
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
