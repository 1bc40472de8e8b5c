import { z } from 'zod';
import { createHttpClient, fixedCredentials } from '../../http-client/http-client.ts';
import { hideSecrets, readSchema } from '../../http-client/read-answer.ts';
import type { HttpAnswer } from '../../http-client/send-once.ts';
import { AppError } from '../../model/error.ts';
import { parseInstant } from '../jira-json/parse-instant.ts';
import type { Site } from '../live-tracker.ts';
import type { TrackerConsent } from '../tracker-kind.ts';
import type {
  JiraAccess,
  JiraClient,
  JiraCredentialProvider,
  JiraCredentials,
  JiraKind,
  JiraLogin,
  JiraRequest,
  JiraSurroundings,
} from './jira-client.ts';
import { failedInARow, jiraUnavailable } from './jira-failures.ts';
import { endpointOf, jiraProfile, judgeJira, PRIORITY_TIMEOUT_MS } from './jira-profile.ts';
import { createOauthConsent } from './oauth-consent.ts';
import { createOauthCredentials, createOauthStore } from './oauth-credentials.ts';
import { createOauthServer } from './oauth-server.ts';

const bases = { cloud: '/rest/api/3', dataCenter: '/rest/api/2', software: '/rest/agile/1.0' };

/** The only path that is the same in both products, so that it shows which of them it is. */
const SERVER_INFO = `${bases.dataCenter}/serverInfo`;

/** Follows a failure after many requests to slow down. */
const FEWER_REQUESTS = ' A smaller JIRA_REQUESTS_PER_MINUTE may help.';

const serverInfo = z.object({
  deploymentType: z.string(),
  baseUrl: z.string().optional(),
  serverTime: z.string().optional(),
});

/** A good answer: its JSON, the rest of it, and as whom it was asked for. */
interface Answered {
  readonly json: unknown;
  readonly answer: HttpAnswer;
  readonly credentials: JiraCredentials;
}

/** A client of Jira with connections of its own, and how people agree to it where it is an app. */
export function createJiraClient(
  access: JiraAccess,
  surroundings: JiraSurroundings,
): { readonly client: JiraClient; readonly consent: TrackerConsent | null } {
  const profile = jiraProfile(access.requestsPerMinute);
  const http = createHttpClient(profile, surroundings);
  const { provider, consent, close } = createCredentials(access, surroundings);

  async function ask(request: JiraRequest, path: string): Promise<Answered> {
    const { method, query, body, isPriority, tries } = request;
    const requestLine = `${method} ${path}`;
    const timeoutMs = isPriority === true ? PRIORITY_TIMEOUT_MS : profile.timeoutMs;
    const { maxMegabytes } = profile;
    const { judged, credentials, gaveUpAfter } = await http.request(
      { method, path, query, body, timeoutMs, isPriority, endpoint: endpointOf(request) },
      {
        credentials: provider,
        judge: (outcome, used) =>
          judgeJira(outcome, {
            asked: requestLine,
            credentials: used,
            provider,
            timeoutMs,
            maxMegabytes,
            isPriority,
            tries,
            now: surroundings.now(),
          }),
      },
    );
    if (judged.kind === 'answered') return { json: judged.json, answer: judged.answer, credentials };
    if (gaveUpAfter === null) throw judged.failure;
    throw failedInARow(judged.failure, gaveUpAfter, judged.next === 'slowDown' ? FEWER_REQUESTS : '');
  }

  async function askServerInfo() {
    const { json, answer, credentials } = await ask({ method: 'GET', path: '/serverInfo' }, SERVER_INFO);
    const info = readJira(json, serverInfo, { asked: `GET ${SERVER_INFO}`, credentials });
    return { info, answer, credentials };
  }

  let known: Promise<JiraKind> | null = null;

  const client: JiraClient = {
    kind() {
      // Apps that people agree to in a browser are there in Cloud only.
      if (access.credentials.kind === 'oauth') return Promise.resolve('cloud');
      known ??= askServerInfo().then(
        ({ info }) => kindOf(info),
        (error: unknown) => {
          known = null;
          throw error;
        },
      );
      return known;
    },

    async site(): Promise<Site> {
      const { info, answer, credentials } = await askServerInfo();
      known ??= Promise.resolve(kindOf(info));
      const there = parseInstant(info.serverTime) ?? Date.parse(answer.headers.get('date') ?? '');
      if (Number.isNaN(there)) {
        throw jiraUnavailable(
          `gives no time with GET ${SERVER_INFO}, so its clock cannot be checked.`,
          credentials,
        );
      }
      const url = info.baseUrl !== undefined && URL.canParse(info.baseUrl) ? info.baseUrl : credentials.site;
      return {
        url: url.replace(/\/+$/, ''),
        now: there,
        clockAheadMs: Math.round(there - (answer.askedAt + answer.answeredAt) / 2),
      };
    },

    async ask(request, schema) {
      const base = request.api === 'software' ? bases.software : bases[await client.kind()];
      const path = `${base}${request.path}`;
      const { json, credentials } = await ask(request, path);
      return readJira(json, schema, { asked: `${request.method} ${path}`, credentials });
    },

    requests: http.counts,

    async close() {
      await http.close();
      await close();
    },
  };
  return { client, consent };
}

/** An answer in the schema it should have; else its first difference is `unavailable`. */
function readJira<Schema extends z.ZodType>(
  json: unknown,
  schema: Schema,
  { asked: requestLine, credentials }: { readonly asked: string; readonly credentials: JiraCredentials },
): z.output<Schema> {
  const read = readSchema(json, schema, credentials.hide);
  if (read.kind === 'read') return read.value;
  throw jiraUnavailable(`answered ${requestLine} in an unknown format: ${read.difference}.`, credentials);
}

function kindOf({ deploymentType }: z.output<typeof serverInfo>): JiraKind {
  return deploymentType === 'Cloud' ? 'cloud' : 'dataCenter';
}

/** The site itself refuses such a token as if it were wrong. */
const SCOPED =
  'A token with scopes also needs JIRA_BASE_URL=https://api.atlassian.com/ex/jira/CLOUD_ID in place of the address of the site.';

/** The credentials of the configured log-in; `consent` is null where no consent is needed. */
function createCredentials(
  { baseUrl, credentials: login }: JiraAccess,
  { secrets, atlassian, ...surroundings }: JiraSurroundings,
): {
  readonly provider: JiraCredentialProvider;
  readonly consent: TrackerConsent | null;
  close(): Promise<void>;
} {
  if (login.kind !== 'oauth') {
    if (baseUrl === null) throw new AppError('not-configured', 'JIRA_BASE_URL is missing.');
    return { provider: accountCredentials(baseUrl, login), consent: null, close: async () => {} };
  }
  const store = createOauthStore(secrets);
  const server = createOauthServer({ app: login, atlassian, surroundings });
  const { now, wait } = surroundings;
  const parts = { app: login, baseUrl, server, store, now };
  return {
    provider: createOauthCredentials({ ...parts, api: atlassian.api, wait }),
    consent: createOauthConsent({ ...parts, auth: atlassian.auth }),
    close: server.close,
  };
}

/** Those of an account whose secrets are settings. `baseUrl` may have a path. */
function accountCredentials(
  baseUrl: string,
  login: Exclude<JiraLogin, { readonly kind: 'oauth' }>,
): JiraCredentialProvider {
  const site = baseUrl.replace(/\/+$/, '');
  const { authorization, secrets } = signOf(login);
  const settings = login.kind === 'pat' ? 'JIRA_PAT' : 'JIRA_EMAIL and JIRA_API_TOKEN';
  const valid = `Set ${settings} to a token that is still valid, of an account that can use Jira.`;
  return {
    ...fixedCredentials({ base: site, site, authorization, hide: (text) => hideSecrets(text, secrets) }),
    names: settings,
    remedy: login.kind === 'pat' ? valid : `${valid} ${SCOPED}`,
  };
}

function signOf(login: Exclude<JiraLogin, { readonly kind: 'oauth' }>) {
  const { token } = login;
  if (login.kind === 'pat') return { authorization: `Bearer ${token}`, secrets: [token] };
  const pair = Buffer.from(`${login.email}:${token}`).toString('base64');
  return { authorization: `Basic ${pair}`, secrets: [pair, token] };
}
