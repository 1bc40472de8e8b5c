import type { CredentialProvider, HttpCredentials } from '../../http-client/http-client.ts';
import type { TrackerSurroundings } from '../tracker-kind.ts';

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

/** The same with the issues to read (`jql` null: all that the account can see) and the secret of webhooks (null: none). */
export interface JiraSettings extends JiraAccess {
  readonly jql: string | null;
  readonly webhookSecret: string | null;
}

/** What the outside world hands in. */
export interface JiraSurroundings extends TrackerSurroundings {
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
