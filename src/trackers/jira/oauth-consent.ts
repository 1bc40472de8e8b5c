import { randomBytes } from 'node:crypto';
import { AppError, badRequest } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import type { TrackerConsent } from '../tracker-kind.ts';
import { isSameSite, type OauthStore, type OpenQuestion } from './oauth-credentials.ts';
import type { AccessibleSite, OauthApp, OauthServer } from './oauth-server.ts';

const OPEN_MS = 600_000;
const MAX_OPEN = 5;
const STATE_BYTES = 32;

/** Boards and sprints have no broader scopes: those of `GET /board` and of `GET /board/{id}/sprint`, and no more. */
const scopes = [
  'read:jira-work',
  'read:jira-user',
  'manage:jira-configuration',
  'read:board-scope:jira-software',
  'read:project:jira',
  'read:sprint:jira-software',
  'offline_access',
];

/** The parts of a consent. `baseUrl` null: the only site. */
interface OauthConsentParts {
  readonly app: OauthApp;
  readonly baseUrl: string | null;
  /** The address of Atlassian's log-in, without a slash at the end. */
  readonly auth: string;
  readonly server: OauthServer;
  readonly store: OauthStore;
  readonly now: () => Instant;
}

/** Sends an admin to Atlassian's consent page, and takes what comes back (OAuth 2.0, authorization code). */
export function createOauthConsent({
  app,
  baseUrl,
  auth,
  server,
  store,
  now,
}: OauthConsentParts): TrackerConsent {
  const isOpen = ({ until }: OpenQuestion) => until > now();

  /** Takes the question with a state away, so that one process answers it, once; null where there is none. */
  async function takeQuestion(state: string | null): Promise<OpenQuestion | null> {
    let taken: readonly OpenQuestion[] = [];
    await store.changeQuestions((all) => {
      taken = all.filter((one) => one.state === state && isOpen(one));
      return all.filter((one) => one.state !== state && isOpen(one));
    });
    return taken[0] ?? null;
  }

  return {
    async url(redirectUri) {
      const state = randomBytes(STATE_BYTES).toString('base64url');
      const question = { state, until: now() + OPEN_MS, redirectUri };
      await store.changeQuestions((all) => [...all.filter(isOpen), question].slice(-MAX_OPEN));
      const parameters = new URLSearchParams({
        audience: 'api.atlassian.com',
        client_id: app.clientId,
        scope: scopes.join(' '),
        redirect_uri: redirectUri,
        state,
        response_type: 'code',
        prompt: 'consent',
      });
      return `${auth}/authorize?${parameters}`;
    },

    async accept({ code, state, error }) {
      // Before anything else: an answer counts once, whatever becomes of it.
      const question = await takeQuestion(state);
      if (question === null) {
        throw new AppError(
          'unexpected-answer',
          'This link is not one that Dwell made, is older than 10 minutes, or was used before. Run `npx dwell connect` again.',
        );
      }
      if (error !== null || code === null) {
        throw badRequest(
          `Access was not granted: Atlassian says ${reasonOf(error)}. Run \`npx dwell connect\` again.`,
        );
      }
      const { redirectUri } = question;
      const given = await server.exchange({ kind: 'code', code, redirectUri });
      if (given.kind === 'refused') {
        throw badRequest(
          `Atlassian did not accept the code (${given.why}). JIRA_CLIENT_ID and JIRA_CLIENT_SECRET must be those of the app, and its callback address '${redirectUri}'.`,
        );
      }
      const { accessToken, refreshToken, expiresAt } = given;
      if (refreshToken === null) {
        throw badRequest(
          'Atlassian gave no refresh token: the app must be allowed the scope offline_access.',
        );
      }
      const { id, url } = chooseSite(await server.sites(accessToken), baseUrl);
      const site = { cloudId: id, url, redirectUri };
      await store.changeTokens(() => ({ refreshToken, accessToken, expiresAt, ...site, renewal: null }));
      return { site: url };
    },
  };
}

function chooseSite(sites: readonly AccessibleSite[], baseUrl: string | null): AccessibleSite {
  const fitting = baseUrl === null ? sites : sites.filter(({ url }) => isSameSite(url, baseUrl));
  const [site, ...more] = fitting;
  if (site !== undefined && more.length === 0) return site;
  const urls = sites.map(({ url }) => url).join(', ');
  if (sites.length === 0) throw badRequest('The account you authorized has no Jira site.');
  throw badRequest(
    baseUrl === null
      ? `You authorized several sites; set JIRA_BASE_URL to one of: ${urls}.`
      : `JIRA_BASE_URL '${baseUrl}' is not among the sites you authorized. Try: ${urls}.`,
  );
}

/** An error's name is a word of the protocol (RFC 6749, 4.1.2.1); whatever else stands there is not repeated. */
function reasonOf(error: string | null): string {
  return error !== null && /^[\w-]{1,40}$/.test(error) ? error : 'no reason';
}
