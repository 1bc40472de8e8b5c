import { z } from 'zod';
import { hideSecrets, readJson } from '../../http-client/read-answer.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { JiraCredentialProvider, JiraCredentials, OauthSecrets } from './jira-access.ts';
import type { OauthApp, OauthServer } from './oauth-server.ts';

/** So long before its end a token is no longer used. */
const EARLY_MS = 60_000;

/** Another process may have renewed our tokens and not stored them yet: so often we look again, and with such pauses. */
const LOOKS = 3;
const LOOK_MS = 1_000;

const REMEDY = 'Run `npx dwell connect` again, and authorize as a person who can use Jira.';

/** What credentials of an app are made of. `baseUrl` is the site that is configured; null: whichever was agreed to. */
interface OauthCredentialsParts {
  readonly app: OauthApp;
  readonly baseUrl: string | null;
  /** Of Atlassian's interfaces, without a slash at the end. */
  readonly api: string;
  readonly server: OauthServer;
  readonly store: OauthStore;
  readonly now: () => Instant;
  readonly wait: (ms: number) => Promise<void>;
}

/**
 * HttpCredentials of an app that an admin has agreed to, renewed before they end. With every renewal the refresh token
 * changes and the old one is worth nothing any more, so the new one is stored before it is used.
 */
export function createOauthCredentials(parts: OauthCredentialsParts): JiraCredentialProvider {
  const { app, baseUrl, api, server, store, now, wait } = parts;
  let held: OauthTokens | null = null;
  let renewing: Promise<OauthTokens> | null = null;

  /** Tokens that are good for a while and are not those refused. */
  function isGood(tokens: OauthTokens, refused: string | null): boolean {
    return tokens.expiresAt - now() > EARLY_MS && tokens.accessToken !== refused;
  }

  async function renewed(refused: string | null): Promise<OauthTokens> {
    let stored = await storedTokens();
    for (let looks = 0; ; looks++) {
      if (isGood(stored, refused)) return stored;
      const given = await server.exchange({ kind: 'refresh', refreshToken: stored.refreshToken });
      if (given.kind === 'given') {
        const { accessToken, expiresAt } = given;
        const refreshToken = given.refreshToken ?? stored.refreshToken;
        const next = { ...stored, refreshToken, accessToken, expiresAt };
        await store.putTokens(next);
        return next;
      }
      const newer = looks < LOOKS ? await newerThan(stored) : null;
      if (newer === null) {
        throw new AppError(
          'tracker-unavailable',
          `The authorization for ${stored.url} is no longer valid (${given.why}). ${REMEDY} JIRA_CLIENT_ID and JIRA_CLIENT_SECRET must be those of the app.`,
        );
      }
      stored = newer;
    }
  }

  async function newerThan({ refreshToken }: OauthTokens): Promise<OauthTokens | null> {
    for (let look = 0; look < LOOKS; look++) {
      const stored = await storedTokens();
      if (stored.refreshToken !== refreshToken) return stored;
      await wait(LOOK_MS);
    }
    return null;
  }

  async function storedTokens(): Promise<OauthTokens> {
    const stored = await store.tokens();
    if (stored === null) {
      throw new AppError(
        'tracker-unavailable',
        'Access to Jira is not authorized yet: run `npx dwell connect`.',
      );
    }
    if (baseUrl !== null && !isSameSite(stored.url, baseUrl)) {
      throw new AppError(
        'tracker-unavailable',
        `The authorization is for ${stored.url}, but JIRA_BASE_URL is '${baseUrl}'. Run \`npx dwell connect\` again.`,
      );
    }
    return stored;
  }

  /** One renewal at a time: all who come meanwhile get its outcome. */
  async function tokens(refused: string | null): Promise<OauthTokens> {
    if (held !== null && isGood(held, refused)) return held;
    renewing ??= renewed(refused).finally(() => {
      renewing = null;
    });
    held = await renewing;
    return held;
  }

  function credentialsOf({ accessToken, refreshToken, cloudId, url }: OauthTokens): JiraCredentials {
    const secrets = [accessToken, refreshToken, app.clientSecret];
    return {
      base: `${api}/ex/jira/${encodeURIComponent(cloudId)}`,
      authorization: `Bearer ${accessToken}`,
      site: url,
      hide: (text) => hideSecrets(text, secrets),
    };
  }

  return {
    current: async () => credentialsOf(await tokens(null)),
    renew: async ({ authorization }) => credentialsOf(await tokens(authorization.replace(/^Bearer /, ''))),
    names: 'the authorization',
    remedy: REMEDY,
  };
}

const TOKENS = 'jira-oauth';
const QUESTIONS = 'jira-oauth-questions';

const tokens = z.object({
  refreshToken: z.string(),
  accessToken: z.string(),
  /** An instant. */
  expiresAt: z.number(),
  cloudId: z.string(),
  /** Address people know the site by. */
  url: z.string(),
  redirectUri: z.string(),
});

const questions = z.array(z.object({ state: z.string(), until: z.number(), redirectUri: z.string() }));

/** What an admin's yes has given us. */
type OauthTokens = Readonly<z.output<typeof tokens>>;

/** A consent page that an admin was sent to: the answer names its `state`, until that instant. */
export interface OpenQuestion {
  readonly state: string;
  readonly until: Instant;
  readonly redirectUri: string;
}

/** Tokens and open questions, stored for every process on these data. */
export interface OauthStore {
  tokens(): Promise<OauthTokens | null>;
  putTokens(tokens: OauthTokens): Promise<void>;
  questions(): Promise<readonly OpenQuestion[]>;
  putQuestions(questions: readonly OpenQuestion[]): Promise<void>;
}

/** Stores them as JSON; anything else that is there counts as nothing. */
export function createOauthStore(secrets: OauthSecrets): OauthStore {
  const read = async (name: string) => readJson((await secrets.get(name)) ?? '');
  return {
    async tokens() {
      return tokens.safeParse(await read(TOKENS)).data ?? null;
    },
    async putTokens(given) {
      await secrets.put(TOKENS, JSON.stringify(given));
    },
    async questions() {
      return questions.safeParse(await read(QUESTIONS)).data ?? [];
    },
    async putQuestions(open) {
      await secrets.put(QUESTIONS, JSON.stringify(open));
    },
  };
}

/** Whether two addresses of sites lead to the same one, however they are spelled. */
export function isSameSite(one: string, other: string): boolean {
  return spelled(one) === spelled(other);
}

function spelled(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/+$/, '');
}
