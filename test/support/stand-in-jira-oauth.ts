import { asked, type JiraAnswer } from './stand-in-jira-answer.ts';

/** An app and the sites that agree to it. */
export interface JiraApp {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly sites?: readonly { readonly id: string; readonly url: string; readonly name: string }[];
  readonly accessTokenMs?: number;
}

/** The part of Atlassian that hands out tokens (OAuth 2.0, authorization code, rotating refresh tokens). */
export function createAtlassian(app: JiraApp, site: string, now: () => number) {
  const { clientId, clientSecret, accessTokenMs = 3_600_000 } = app;
  const sites = app.sites ?? [{ id: '1324a887-45db-4bf4-8e99-ef0ff456d421', url: site, name: 'tallow' }];
  const codes = new Map<string, string>();
  const refreshTokens = new Set<string>();
  const accessTokens = new Map<string, number>();
  let number = 0;

  function handOut(): JiraAnswer {
    number += 1;
    const [access_token, refresh_token] = [`access-${number}`, `refresh-${number}`];
    accessTokens.set(access_token, now() + accessTokenMs);
    refreshTokens.add(refresh_token);
    const expires_in = Math.floor(accessTokenMs / 1000);
    const scope = 'read:jira-work read:jira-user offline_access';
    return { status: 200, body: { access_token, refresh_token, expires_in, token_type: 'Bearer', scope } };
  }

  const denied = (error: string, status = 403): JiraAnswer => ({
    status,
    body: { error, error_description: `Refused: ${error}.` },
  });

  return {
    sites,
    /** Where a browser is sent once somebody has agreed; null for a question that makes no sense. */
    agree(query: URLSearchParams): string | null {
      const back = URL.parse(query.get('redirect_uri') ?? '');
      if (back === null || query.get('client_id') !== clientId || query.get('response_type') !== 'code')
        return null;
      number += 1;
      const code = `code-${number}`;
      codes.set(code, back.href);
      back.searchParams.set('code', code);
      back.searchParams.set('state', query.get('state') ?? '');
      return back.href;
    },
    token(body: unknown): JiraAnswer {
      if (asked(body, 'client_id') !== clientId || asked(body, 'client_secret') !== clientSecret) {
        return denied('access_denied', 401);
      }
      if (asked(body, 'grant_type') === 'authorization_code') {
        const code = String(asked(body, 'code'));
        const right = codes.get(code) === URL.parse(String(asked(body, 'redirect_uri')))?.href;
        return codes.delete(code) && right ? handOut() : denied('invalid_grant');
      }
      return refreshTokens.delete(String(asked(body, 'refresh_token'))) ? handOut() : denied('invalid_grant');
    },
    /** Whether a header carries a token that is still good. */
    knows(authorization: string | undefined): boolean {
      const until = accessTokens.get(authorization?.replace(/^Bearer /, '') ?? '');
      return until !== undefined && until > now();
    },
    /** Makes every token worthless, as when somebody takes the agreement back. */
    revoke(): void {
      refreshTokens.clear();
      accessTokens.clear();
    },
  };
}
