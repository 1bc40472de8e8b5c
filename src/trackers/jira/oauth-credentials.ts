import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { hideSecrets, readJson } from '../../http-client/read-answer.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { TrackerSecrets } from '../tracker-kind.ts';
import type { JiraCredentialProvider, JiraCredentials } from './jira-client.ts';
import type { OauthApp, OauthServer } from './oauth-server.ts';

/** The time before its end from which on a token is not used. */
const EARLY_MS = 60_000;

/**
 * The time (ms) that a process has to renew tokens before another one does: longer than its timeout with Atlassian, and
 * far below the ten minutes within which Atlassian accepts a refresh token again.
 */
const RENEWAL_MS = 60_000;

/**
 * The number of checks for tokens that another process has renewed and not stored yet, and the pause (ms) between them.
 */
const LOOKS = 3;
const LOOK_MS = 1_000;

const REMEDY = 'Run `npx dwell connect` again, and authorize as a person who can use Jira.';

/** The parts of an app's credentials. `baseUrl` is the configured site; null: the site of the consent. */
interface OauthCredentialsParts {
  readonly app: OauthApp;
  readonly baseUrl: string | null;
  /** The address of Atlassian's interfaces, without a slash at the end. */
  readonly api: string;
  readonly server: OauthServer;
  readonly store: OauthStore;
  readonly now: () => Instant;
  readonly wait: (ms: number) => Promise<void>;
}

/**
 * HttpCredentials of an app that an admin has agreed to, renewed before they end. With every renewal the refresh token
 * changes and the old one is worth nothing any more, so one process at a time renews, and the new one is stored before it is
 * used. Where a process was killed in between, the next one renews with the old token, which Atlassian takes for ten minutes.
 */
export function createOauthCredentials(parts: OauthCredentialsParts): JiraCredentialProvider {
  const { app, baseUrl, api, server, store, now, wait } = parts;
  let current: OauthTokens | null = null;
  let renewing: Promise<OauthTokens> | null = null;

  /** Tokens that are good for a while and are not those refused. */
  function isGood(tokens: OauthTokens, refused: string | null): boolean {
    return tokens.expiresAt - now() > EARLY_MS && tokens.accessToken !== refused;
  }

  async function renewed(refused: string | null): Promise<OauthTokens> {
    const by = randomUUID();
    for (;;) {
      const stored = await storedTokens();
      if (isGood(stored, refused)) return stored;
      const claimed = await store.changeTokens((kept) =>
        kept === null || isGood(kept, refused) || isBeingRenewed(kept)
          ? kept
          : { ...kept, renewal: { by, until: now() + RENEWAL_MS } },
      );
      if (claimed?.renewal?.by !== by) {
        // It is another process's turn, or was just now.
        if (claimed !== null && isBeingRenewed(claimed)) await wait(LOOK_MS);
        continue;
      }
      try {
        return await spend(claimed);
      } finally {
        await store.changeTokens((kept) => (kept?.renewal?.by === by ? { ...kept, renewal: null } : kept));
      }
    }
  }

  function isBeingRenewed({ renewal }: OauthTokens): boolean {
    // One that reaches further was begun by a clock that has been set back since.
    return renewal !== null && renewal.until > now() && renewal.until <= now() + RENEWAL_MS;
  }

  async function spend(claimed: OauthTokens): Promise<OauthTokens> {
    const { refreshToken } = claimed;
    const given = await server.exchange({ kind: 'refresh', refreshToken });
    if (given.kind === 'refused') {
      // A process that was delayed for longer than its turn may store its tokens only now.
      const newer = await newerThan(claimed);
      if (newer !== null) return newer;
      throw new AppError(
        'tracker-unavailable',
        `The authorization for ${claimed.url} is no longer valid (${given.why}). ${REMEDY} JIRA_CLIENT_ID and JIRA_CLIENT_SECRET must be those of the app.`,
      );
    }
    const { accessToken, expiresAt } = given;
    const next = { ...claimed, refreshToken: given.refreshToken ?? refreshToken, accessToken, expiresAt };
    // Tokens of another renewal, or of a new consent, are newer.
    const stored = await store.changeTokens((kept) =>
      kept === null || kept.refreshToken === refreshToken ? { ...next, renewal: null } : kept,
    );
    return stored ?? next;
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
    if (current !== null && isGood(current, refused)) return current;
    renewing ??= renewed(refused).finally(() => {
      renewing = null;
    });
    current = await renewing;
    return current;
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
  /** The attempt that renews them, which others leave alone until then. */
  renewal: z.object({ by: z.string(), until: z.number() }).nullable().default(null),
});

const questions = z.array(z.object({ state: z.string(), until: z.number(), redirectUri: z.string() }));

/** The tokens of a consent. */
type OauthTokens = Readonly<z.output<typeof tokens>>;

/** A consent page that an admin was sent to: the answer names its `state`, until that instant. */
export interface OpenQuestion {
  readonly state: string;
  readonly until: Instant;
  readonly redirectUri: string;
}

/** Tokens and open questions, stored for every process on these data; a change is made while no other process writes. */
export interface OauthStore {
  tokens(): Promise<OauthTokens | null>;
  changeTokens(change: (kept: OauthTokens | null) => OauthTokens | null): Promise<OauthTokens | null>;
  changeQuestions(change: (open: readonly OpenQuestion[]) => readonly OpenQuestion[]): Promise<void>;
}

/** Stores them as JSON; anything else that is there counts as nothing. */
export function createOauthStore(secrets: TrackerSecrets): OauthStore {
  const readTokens = (text: string | null) => tokens.safeParse(readJson(text ?? '')).data ?? null;
  return {
    tokens: async () => readTokens(await secrets.get(TOKENS)),
    async changeTokens(change) {
      const text = await secrets.change(TOKENS, (kept) => {
        const before = readTokens(kept);
        const after = change(before);
        return after === before ? kept : JSON.stringify(after);
      });
      return readTokens(text);
    },
    async changeQuestions(change) {
      await secrets.change(QUESTIONS, (kept) =>
        JSON.stringify(change(questions.safeParse(readJson(kept ?? '')).data ?? [])),
      );
    },
  };
}

/** Returns true where two addresses, however they are spelled, are of one site. */
export function isSameSite(one: string, other: string): boolean {
  return spelled(one) === spelled(other);
}

function spelled(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/+$/, '');
}
