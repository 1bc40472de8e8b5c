import { z } from 'zod';
import { AppError } from '../../model/error.ts';
import { address, oneOf, secret, unquotable, wholeNumber } from '../setting-shapes.ts';
import type { LiveTrackerKind } from '../tracker-kind.ts';
import type { JiraLogin, JiraSettings } from './jira-client.ts';

const settings = {
  JIRA_BASE_URL: address
    .optional()
    .describe(
      'the address of Jira, with its path if it has one. With an OAuth app it can be left out if the app reaches one site only',
    ),
  JIRA_EMAIL: z
    .string()
    .regex(/^[^:\p{Cc}]+$/u, { error: 'Try: the address of an account, without a colon' })
    .optional()
    .meta(unquotable)
    .describe('Jira Cloud: the email address of an account'),
  JIRA_API_TOKEN: secret.describe('Jira Cloud: an API token of that account'),
  JIRA_PAT: secret.describe('Jira Data Center: a personal access token'),
  JIRA_CLIENT_ID: secret.describe(
    'Jira Cloud: the id of your own OAuth 2.0 app, authorized with `npx dwell connect`',
  ),
  JIRA_CLIENT_SECRET: secret.describe('the secret of that app'),
  JIRA_JQL: z
    .string()
    .refine((jql) => !/\border\s+by\b/i.test(jql), { error: 'Try: JQL without ORDER BY' })
    .optional()
    .describe('which issues to read, without `ORDER BY`; unset: all that the account can see'),
  JIRA_RIGHTS: oneOf('jira', 'rules')
    .default('jira')
    .describe('`jira`: Jira decides who can see what; `rules`: `npx dwell access` decides'),
  JIRA_REQUESTS_PER_MINUTE: wholeNumber(1, 3000)
    .default(600)
    .describe('the request limit; permission checks have a limit of their own of the same size'),
  JIRA_WEBHOOK_SECRET: secret.describe(
    'the secret of webhooks to `/rest/webhooks/jira`; unset: none are accepted',
  ),
};

type JiraValues = z.output<z.ZodObject<typeof settings>>;

const ways =
  'JIRA_BASE_URL with JIRA_EMAIL and JIRA_API_TOKEN (Cloud), JIRA_BASE_URL with JIRA_PAT (Data Center), or JIRA_CLIENT_ID with JIRA_CLIENT_SECRET (Cloud, OAuth 2.0)';

/** Jira Cloud and Jira Data Center. */
export const jira = {
  name: 'jira',
  title: 'Jira',
  settings,
  needs: `the address of Jira and an account. Try: ${ways}`,
  read(values: JiraValues) {
    const access = readJiraSettings(values);
    if (access === null) return null;
    return {
      address: addressOf(access),
      query: access.jql,
      decidedBy: values.JIRA_RIGHTS === 'jira' ? 'JIRA_RIGHTS' : null,
      open: async (surroundings) => (await import('./create-jira-tracker.ts')).openJira(access, surroundings),
    };
  },
} as const satisfies LiveTrackerKind<JiraValues>;

/** Reads how Jira is reached; null where nothing says so. */
export function readJiraSettings(values: JiraValues): JiraSettings | null {
  const credentials = readCredentials(values);
  if (credentials === null) return null;
  return {
    baseUrl: values.JIRA_BASE_URL ?? null,
    credentials,
    jql: values.JIRA_JQL ?? null,
    requestsPerMinute: values.JIRA_REQUESTS_PER_MINUTE,
    webhookSecret: values.JIRA_WEBHOOK_SECRET ?? null,
  };
}

/** Exactly one way to be known to Jira. */
function readCredentials(values: JiraValues): JiraLogin | null {
  const {
    JIRA_BASE_URL: baseUrl,
    JIRA_EMAIL: email,
    JIRA_API_TOKEN: apiToken,
    JIRA_PAT: pat,
    JIRA_CLIENT_ID: clientId,
    JIRA_CLIENT_SECRET: clientSecret,
  } = values;
  const given = [
    { settings: 'JIRA_EMAIL with JIRA_API_TOKEN', set: [email, apiToken] },
    { settings: 'JIRA_PAT', set: [pat] },
    { settings: 'JIRA_CLIENT_ID with JIRA_CLIENT_SECRET', set: [clientId, clientSecret] },
  ].filter(({ set }) => set.some((one) => one !== undefined));
  if (baseUrl === undefined && given.length === 0) return null;
  if (given.length === 1) {
    if (clientId !== undefined && clientSecret !== undefined)
      return { kind: 'oauth', clientId, clientSecret };
    if (baseUrl !== undefined && pat !== undefined) return { kind: 'pat', token: pat };
    if (baseUrl !== undefined && email !== undefined && apiToken !== undefined) {
      return { kind: 'apiToken', email, token: apiToken };
    }
  }
  if (given.length > 1) {
    const named = given.map((way) => way.settings).join(' and ');
    throw new AppError(
      'not-configured',
      `The settings of Jira have ${given.length} sets of credentials: ${named}. Try: only one of ${ways}.`,
    );
  }
  throw new AppError('not-configured', `The settings of Jira are incomplete. Try: ${ways}.`);
}

/** An app without an address reads the only site that it reaches. */
function addressOf({ baseUrl, credentials }: JiraSettings): string {
  if (baseUrl !== null) return baseUrl;
  return credentials.kind === 'oauth' ? `the site of the app ${credentials.clientId}` : credentials.kind;
}
