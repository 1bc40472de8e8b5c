import { withoutSecrets } from '../../http-client/without-secrets.ts';
import type { JiraCredentials } from './jira-access.ts';

/** Where a question goes, and as whom. */
export interface Pass {
  /** Address that Jira's paths follow on, without a slash at the end. */
  readonly base: string;
  /** Value of the header. */
  readonly authorization: string;
  /** Address people know Jira by, without a slash at the end. */
  readonly site: string;
  /** Takes the secrets out of a text that came from outside. */
  hide(text: string): string;
}

/** Where passes come from. */
export interface Passes {
  /** Fails with `unavailable` while there is none. */
  current(): Promise<Pass>;
  /** Another one than Jira has just refused; null where there is no other. */
  instead(refused: Pass): Promise<Pass | null>;
  /** What Jira refuses when it refuses a pass, such as the names of settings. */
  readonly credentials: string;
  /** What an admin can do then: a whole sentence. */
  readonly remedy: string;
}

/** The site itself refuses such a token as if it were wrong. */
const SCOPED =
  'A token with scopes also needs JIRA_BASE_URL=https://api.atlassian.com/ex/jira/CLOUD_ID in place of the address of the site.';

/** The pass of an account whose credentials are settings. `baseUrl` may have a path. */
export function createFixedPasses(
  baseUrl: string,
  credentials: Exclude<JiraCredentials, { readonly kind: 'oauth' }>,
): Passes {
  const site = baseUrl.replace(/\/+$/, '');
  const { authorization, secrets } = signOf(credentials);
  const pass = { base: site, site, authorization, hide: (text: string) => withoutSecrets(text, secrets) };
  const settings = credentials.kind === 'pat' ? 'JIRA_PAT' : 'JIRA_EMAIL and JIRA_API_TOKEN';
  const valid = `Set ${settings} to a token that is still valid, of an account that may use Jira.`;
  return {
    current: async () => pass,
    instead: async () => null,
    credentials: settings,
    remedy: credentials.kind === 'pat' ? valid : `${valid} ${SCOPED}`,
  };
}

function signOf(credentials: Exclude<JiraCredentials, { readonly kind: 'oauth' }>) {
  const { token } = credentials;
  if (credentials.kind === 'pat') return { authorization: `Bearer ${token}`, secrets: [token] };
  const pair = Buffer.from(`${credentials.email}:${token}`).toString('base64');
  return { authorization: `Basic ${pair}`, secrets: [pair, token] };
}
