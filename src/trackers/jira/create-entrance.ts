import type { HttpAnswer, HttpRequest, NoAnswer } from '../../http-client/send-once.ts';
import { AppError } from '../../model/error.ts';
import type { Consent } from './consent.ts';
import type { JiraAccess, JiraSurroundings } from './jira-access.ts';
import { createOauthConsent } from './oauth-consent.ts';
import { createOauthKeep } from './oauth-keep.ts';
import { createOauthPasses } from './oauth-passes.ts';
import { createOauthServer } from './oauth-server.ts';
import { createFixedPasses, type Passes } from './pass.ts';

/** What the outside world hands in, and how a request is sent there. */
export interface EntranceParts extends JiraSurroundings {
  readonly send: (request: HttpRequest) => Promise<HttpAnswer | NoAnswer>;
}

/** As whom Jira is asked, by the credentials there are. */
export function createEntrance(
  { baseUrl, credentials }: JiraAccess,
  { secrets, atlassian, send, now, wait, random }: EntranceParts,
): { readonly passes: Passes; readonly consent: Consent | null } {
  if (credentials.kind !== 'oauth') {
    if (baseUrl === null) throw new AppError('bad-request', 'JIRA_BASE_URL is missing.');
    return { passes: createFixedPasses(baseUrl, credentials), consent: null };
  }
  const keep = createOauthKeep(secrets);
  const server = createOauthServer({ app: credentials, atlassian, send, wait, random });
  const parts = { app: credentials, baseUrl, server, keep, now };
  return {
    passes: createOauthPasses({ ...parts, api: atlassian.api, wait }),
    consent: createOauthConsent({ ...parts, auth: atlassian.auth }),
  };
}
