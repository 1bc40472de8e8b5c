import { withoutSecrets } from '../../http-client/without-secrets.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { OauthKeep, OauthTokens } from './oauth-keep.ts';
import type { OauthApp, OauthServer } from './oauth-server.ts';
import type { Pass, Passes } from './pass.ts';
import { isSameSite } from './same-site.ts';

/** So long before its end a token is no longer used. */
const EARLY_MS = 60_000;

/** Another process may have our tokens renewed and not kept yet: so often it is looked again, and with such pauses. */
const LOOKS = 3;
const LOOK_MS = 1_000;

const REMEDY = 'Run `dwell connect` again, and agree as somebody who may use Jira.';

/** What passes of an app are made of. `baseUrl` is the site that is wished for; null: whichever was agreed to. */
export interface OauthPassesParts {
  readonly app: OauthApp;
  readonly baseUrl: string | null;
  /** Of Atlassian's interfaces, without a slash at the end. */
  readonly api: string;
  readonly server: OauthServer;
  readonly keep: OauthKeep;
  readonly now: () => Instant;
  readonly wait: (ms: number) => Promise<void>;
}

/**
 * Passes of an app that somebody has agreed to, renewed before they end. With every renewal the refresh token changes
 * and the old one is worth nothing any more, so the new one is kept before it is used.
 */
export function createOauthPasses(parts: OauthPassesParts): Passes {
  const { app, baseUrl, api, server, keep, now, wait } = parts;
  let held: OauthTokens | null = null;
  let renewing: Promise<OauthTokens> | null = null;

  /** Tokens that are good for a while and are not those refused. */
  function isGood(tokens: OauthTokens, refused: string | null): boolean {
    return tokens.expiresAt - now() > EARLY_MS && tokens.accessToken !== refused;
  }

  async function renewed(refused: string | null): Promise<OauthTokens> {
    let kept = await keptTokens();
    for (let looks = 0; ; looks++) {
      if (isGood(kept, refused)) return kept;
      const given = await server.exchange({ kind: 'refresh', refreshToken: kept.refreshToken });
      if (given.kind === 'given') {
        const { accessToken, expiresAt } = given;
        const refreshToken = given.refreshToken ?? kept.refreshToken;
        const next = { ...kept, refreshToken, accessToken, expiresAt };
        await keep.putTokens(next);
        return next;
      }
      const newer = looks < LOOKS ? await newerThan(kept) : null;
      if (newer === null) {
        throw new AppError(
          'unavailable',
          `Atlassian no longer takes what was agreed to for ${kept.url} (${given.why}). ${REMEDY} JIRA_CLIENT_ID and JIRA_CLIENT_SECRET must be those of the app.`,
        );
      }
      kept = newer;
    }
  }

  async function newerThan({ refreshToken }: OauthTokens): Promise<OauthTokens | null> {
    for (let look = 0; look < LOOKS; look++) {
      const kept = await keptTokens();
      if (kept.refreshToken !== refreshToken) return kept;
      await wait(LOOK_MS);
    }
    return null;
  }

  async function keptTokens(): Promise<OauthTokens> {
    const kept = await keep.tokens();
    if (kept === null) {
      throw new AppError('unavailable', 'Nobody has agreed yet that Jira is asked: run `dwell connect`.');
    }
    if (baseUrl !== null && !isSameSite(kept.url, baseUrl)) {
      throw new AppError(
        'unavailable',
        `What was agreed to is for ${kept.url}, and JIRA_BASE_URL is '${baseUrl}'. Run \`dwell connect\` again.`,
      );
    }
    return kept;
  }

  /** One renewal at a time: whoever comes meanwhile gets its outcome. */
  async function tokens(refused: string | null): Promise<OauthTokens> {
    if (held !== null && isGood(held, refused)) return held;
    renewing ??= renewed(refused).finally(() => {
      renewing = null;
    });
    held = await renewing;
    return held;
  }

  function passOf({ accessToken, refreshToken, cloudId, url }: OauthTokens): Pass {
    const secrets = [accessToken, refreshToken, app.clientSecret];
    return {
      base: `${api}/ex/jira/${encodeURIComponent(cloudId)}`,
      authorization: `Bearer ${accessToken}`,
      site: url,
      hide: (text) => withoutSecrets(text, secrets),
    };
  }

  return {
    current: async () => passOf(await tokens(null)),
    instead: async ({ authorization }) => passOf(await tokens(authorization.replace(/^Bearer /, ''))),
    credentials: 'what was agreed to',
    remedy: REMEDY,
  };
}
