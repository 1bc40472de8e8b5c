import { z } from 'zod';
import { backOff } from '../../http-client/back-off.ts';
import { readJson } from '../../http-client/read-json.ts';
import type { HttpAnswer, HttpRequest, NoAnswer } from '../../http-client/send-once.ts';
import { withoutSecrets } from '../../http-client/without-secrets.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';

const TRIES = 3;
const LONGEST_WORD = 200;

/** The app as Atlassian knows it. */
export interface OauthApp {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What tokens are given for: a code from the consent page, or an older refresh token. */
export type Grant =
  | { readonly kind: 'code'; readonly code: string; readonly redirectUri: string }
  | { readonly kind: 'refresh'; readonly refreshToken: string };

/** New tokens; `expiresAt` is on our clock, `refreshToken` null where none was given. */
export interface GivenTokens {
  readonly kind: 'given';
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresAt: Instant;
}

/** The grant is not taken; `why` is a few words of Atlassian's. */
export interface RefusedGrant {
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
}

/** What the services are asked with. */
export interface OauthServerParts {
  readonly app: OauthApp;
  /** Without a slash at the end. */
  readonly atlassian: { readonly auth: string; readonly api: string };
  readonly send: (request: HttpRequest) => Promise<HttpAnswer | NoAnswer>;
  readonly wait: (ms: number) => Promise<void>;
  readonly random: () => number;
}

const given = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().positive(),
});

const refused = z.object({ error: z.string(), error_description: z.string().optional() });

const sites = z.array(z.object({ id: z.string(), url: z.url(), scopes: z.array(z.string()).default([]) }));

/** Speaks to Atlassian's token endpoint, and asks which sites a token is for. */
export function createOauthServer({ app, atlassian, send, wait, random }: OauthServerParts): OauthServer {
  /** A grant is good for once: it is never sent again unless it surely was not sent. */
  async function sendCarefully(request: HttpRequest): Promise<HttpAnswer> {
    for (let tried = 1; ; tried++) {
      const outcome = await send(request);
      if (outcome.kind === 'answer') return outcome;
      const mayRepeat = !outcome.sent || request.method === 'GET';
      if (!mayRepeat || tried === TRIES) throw silent(request, outcome);
      await wait(backOff(tried, random));
    }
  }

  return {
    async exchange(grant) {
      const { grantBody, secret } = bodyOf(grant);
      const body = JSON.stringify({
        ...grantBody,
        client_id: app.clientId,
        client_secret: app.clientSecret,
      });
      const url = `${atlassian.auth}/oauth/token`;
      const answer = await sendCarefully({ method: 'POST', url, authorization: null, body });
      const json = readJson(answer.text);
      const no = refused.safeParse(json);
      if ([400, 401, 403].includes(answer.status) && no.success) {
        const { error, error_description: description } = no.data;
        const words = description === undefined ? error : `${error}: ${description}`;
        return {
          kind: 'refused',
          why: withoutSecrets(words, [secret, app.clientSecret]).slice(0, LONGEST_WORD),
        };
      }
      const yes = given.safeParse(json);
      if (answer.status !== 200 || !yes.success) throw unusable('POST', url, answer);
      return {
        kind: 'given',
        accessToken: yes.data.access_token,
        refreshToken: yes.data.refresh_token ?? null,
        expiresAt: answer.askedAt + yes.data.expires_in * 1000,
      };
    },
    async sites(accessToken) {
      const url = `${atlassian.api}/oauth/token/accessible-resources`;
      const answer = await sendCarefully({
        method: 'GET',
        url,
        authorization: `Bearer ${accessToken}`,
        body: null,
      });
      const parsed = sites.safeParse(readJson(answer.text));
      if (answer.status !== 200 || !parsed.success) throw unusable('GET', url, answer);
      const ofJira = parsed.data.filter(({ scopes }) => scopes.some((scope) => scope.includes('jira')));
      return [...new Map(ofJira.map(({ id, url }) => [id, { id, url: url.replace(/\/+$/, '') }])).values()];
    },
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

function silent({ method, url }: HttpRequest, { code, cause }: NoAnswer): AppError {
  return new AppError('unavailable', `Atlassian does not answer ${method} ${url} (${code}).`, [], { cause });
}

function unusable(method: string, url: string, { status }: HttpAnswer): AppError {
  const what = status === 200 ? 'in an unknown shape' : `with HTTP ${status}`;
  return new AppError('unavailable', `Atlassian answers ${method} ${url} ${what}.`);
}
