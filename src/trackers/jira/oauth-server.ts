import { z } from 'zod';
import {
  createHttpClient,
  fixedCredentials,
  type HttpProfile,
  type HttpSurroundings,
  type ServiceRequest,
} from '../../http-client/http-client.ts';
import { hideSecrets, readJson } from '../../http-client/read-answer.ts';
import { judgeByPolicy, type RetryPolicy } from '../../http-client/retry-policy.ts';
import type { HttpAnswer } from '../../http-client/send-once.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';

const MAX_REASON = 200;

const profile: HttpProfile = {
  service: 'Atlassian',
  connectTimeoutMs: 10_000,
  // With the tries that were not sent, less than the time after which another process renews tokens.
  timeoutMs: 30_000,
  maxMegabytes: 10,
  requestsPerMinute: null,
};

/** A grant is good for once: it is never sent again unless it surely was not sent. Every answer is final. */
const retry: RetryPolicy = {
  tries: 3,
  statuses: [],
  safeStatuses: [],
  whenSlow: true,
  longestWaitMs: 0,
};

/** The app as Atlassian knows it. */
export interface OauthApp {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The grant for tokens: a code from the consent page, or an older refresh token. */
type Grant =
  | { readonly kind: 'code'; readonly code: string; readonly redirectUri: string }
  | { readonly kind: 'refresh'; readonly refreshToken: string };

/** New tokens; `expiresAt` is on our clock, `refreshToken` null where none was given. */
interface GivenTokens {
  readonly kind: 'given';
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresAt: Instant;
}

/** The grant is not taken; `why` is a few words of Atlassian's. */
interface RefusedGrant {
  readonly kind: 'refused';
  readonly why: string;
}

/** A site that the tokens open. */
export interface AccessibleSite {
  readonly id: string;
  readonly url: string;
}

/** Atlassian's own services, as far as an app needs them. Whatever is neither yes nor no is `unavailable`. */
export interface OauthServer {
  exchange(grant: Grant): Promise<GivenTokens | RefusedGrant>;
  /** Every site once, however many products it has. */
  sites(accessToken: string): Promise<readonly AccessibleSite[]>;
  close(): Promise<void>;
}

/** The parts of requests to the services. */
interface OauthServerParts {
  readonly app: OauthApp;
  /** Without a slash at the end. */
  readonly atlassian: { readonly auth: string; readonly api: string };
  readonly surroundings: HttpSurroundings;
}

const given = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().positive(),
});

const refused = z.object({ error: z.string(), error_description: z.string().optional() });

const sites = z.array(z.object({ id: z.string(), url: z.url(), scopes: z.array(z.string()).default([]) }));

/** Sends requests to Atlassian's token endpoint, and reads the sites of a token. */
export function createOauthServer({ app, atlassian, surroundings }: OauthServerParts): OauthServer {
  const client = createHttpClient(profile, surroundings);

  async function send(
    request: ServiceRequest,
    { base, authorization }: { readonly base: string; readonly authorization: string | null },
  ): Promise<HttpAnswer> {
    const isSafe = request.method === 'GET';
    const { outcome } = await client.request(request, {
      credentials: fixedCredentials({ base, authorization, hide: (text) => text }),
      judge: (one) => judgeByPolicy(one, retry, { isSafe, now: surroundings.now() }),
    });
    if (outcome.kind === 'answer') return outcome;
    const { code, cause } = outcome;
    const requestLine = `${request.method} ${base}${request.path}`;
    throw new AppError('tracker-unavailable', `Atlassian does not answer ${requestLine} (${code}).`, [], {
      cause,
    });
  }

  return {
    async exchange(grant) {
      const { grantBody, secret } = bodyOf(grant);
      const body = { ...grantBody, client_id: app.clientId, client_secret: app.clientSecret };
      const path = '/oauth/token';
      const answer = await send(
        { method: 'POST', path, body },
        { base: atlassian.auth, authorization: null },
      );
      const json = readJson(answer.text);
      const no = refused.safeParse(json);
      if ([400, 401, 403].includes(answer.status) && no.success) {
        const { error, error_description: description } = no.data;
        const words = description === undefined ? error : `${error}: ${description}`;
        return {
          kind: 'refused',
          why: hideSecrets(words, [secret, app.clientSecret]).slice(0, MAX_REASON),
        };
      }
      const yes = given.safeParse(json);
      if (answer.status !== 200 || !yes.success) throw unusable(`POST ${atlassian.auth}${path}`, answer);
      return {
        kind: 'given',
        accessToken: yes.data.access_token,
        refreshToken: yes.data.refresh_token ?? null,
        expiresAt: answer.askedAt + yes.data.expires_in * 1000,
      };
    },
    async sites(accessToken) {
      const path = '/oauth/token/accessible-resources';
      const answer = await send(
        { method: 'GET', path },
        { base: atlassian.api, authorization: `Bearer ${accessToken}` },
      );
      const parsed = sites.safeParse(readJson(answer.text));
      if (answer.status !== 200 || !parsed.success) throw unusable(`GET ${atlassian.api}${path}`, answer);
      const ofJira = parsed.data.filter(({ scopes }) => scopes.some((scope) => scope.includes('jira')));
      return [...new Map(ofJira.map(({ id, url }) => [id, { id, url: url.replace(/\/+$/, '') }])).values()];
    },
    close: client.close,
  };
}

function bodyOf(grant: Grant) {
  if (grant.kind === 'refresh') {
    return {
      grantBody: { grant_type: 'refresh_token', refresh_token: grant.refreshToken },
      secret: grant.refreshToken,
    };
  }
  return {
    grantBody: { grant_type: 'authorization_code', code: grant.code, redirect_uri: grant.redirectUri },
    secret: grant.code,
  };
}

function unusable(requestLine: string, { status }: HttpAnswer): AppError {
  const what = status === 200 ? 'in an unknown format' : `with HTTP ${status}`;
  return new AppError('tracker-unavailable', `Atlassian answers ${requestLine} ${what}.`);
}
