import { z } from 'zod';
import { describe, expect, test } from '#jest';
import type { JiraSurroundings } from '../../../src/trackers/jira/jira-client.ts';
import type { TrackerSecrets } from '../../../src/trackers/tracker-kind.ts';
import { hangUp, json } from '../../support/stand-in-keychain-faults.ts';
import { type Call, startClient, startServer } from './start-client.ts';

const clientSecret = 'app-s3cret';
const redirectUri = 'https://dwell.example.com/jira/consent';
const myself = { method: 'GET', path: '/myself' } as const;
const acme = { id: 'cloud-1', url: 'https://acme.atlassian.net', scopes: ['read:jira-work'] };
const other = { id: 'cloud-2', url: 'https://other.atlassian.net', scopes: ['read:jira-work'] };
const wiki = { id: 'cloud-3', url: 'https://wiki.atlassian.net', scopes: ['read:confluence-content'] };

/**
 * Atlassian with its log-in and its gateway: only the newest refresh token counts, each for once, or the one before as well
 * (`takesAgain`), as for ten minutes.
 */
async function startAtlassian(
  sites: readonly (typeof acme)[] = [acme, { ...acme, scopes: ['jira'] }, wiki],
  { takesAgain = false } = {},
) {
  let generation = 0;
  let refusals = 0;
  const server = await startServer((call) => {
    if (call.path === '/oauth/token') return exchange(call);
    if (call.path === '/oauth/token/accessible-resources') return json(sites);
    if (call.authorization !== `Bearer access-${generation}`)
      return json({ code: 401, message: 'Unauthorized' }, 401);
    return json({ displayName: 'Ada' });
  });
  function exchange({ body }: Call) {
    const asked = z.record(z.string(), z.string()).parse(JSON.parse(body));
    const isAgain = takesAgain && asked.refresh_token === `refresh-${generation - 1}`;
    const good = asked.code === 'good' || asked.refresh_token === `refresh-${generation}` || isAgain;
    if (asked.client_secret !== clientSecret || !good) {
      refusals++;
      return json({ error: 'invalid_grant', error_description: `Unknown ${asked.refresh_token}` }, 403);
    }
    generation++;
    return json({
      access_token: `access-${generation}`,
      refresh_token: `refresh-${generation}`,
      expires_in: 3600,
    });
  }
  const exchanges = () => server.calls.filter(({ path }) => path === '/oauth/token');
  /** Another process on the same secrets has its own `secrets`. */
  const join = (given: Partial<JiraSurroundings> & { readonly baseUrl?: string } = {}) => {
    const { baseUrl = null, ...surroundings } = given;
    const credentials = { kind: 'oauth', clientId: 'app', clientSecret } as const;
    const started = startClient(
      { baseUrl, credentials, requestsPerMinute: 6000 },
      { atlassian: { auth: server.origin, api: server.origin }, ...surroundings },
    );
    const { consent } = started;
    if (consent === null) throw new Error('There is nobody to agree.');
    const agree = async (code: string | null = 'good', error: string | null = null) => {
      const state = new URL(await consent.url(redirectUri)).searchParams.get('state');
      return consent.accept({ code, state, error });
    };
    const secrets: TrackerSecrets = {
      get: async (name) => started.kept.get(name) ?? null,
      async change(name, change) {
        const value = change(started.kept.get(name) ?? null);
        if (value !== null) started.kept.set(name, value);
        return value;
      },
    };
    return { ...started, consent, agree, secrets, ask: () => started.client.ask(myself, z.unknown()) };
  };
  return { server, join, exchanges, refusals: () => refusals };
}

describe('agreeing', () => {
  test('leads to the consent page and back, and from then on Jira is asked', async () => {
    const { server, join, exchanges } = await startAtlassian();
    const { consent, agree, ask, client } = join();
    await expect(ask()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('npx dwell connect'),
    });

    const url = new URL(await consent.url(redirectUri));
    expect(await agree()).toEqual({ site: acme.url });

    expect(url.origin + url.pathname).toBe(`${server.origin}/authorize`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      audience: 'api.atlassian.com',
      client_id: 'app',
      redirect_uri: redirectUri,
      response_type: 'code',
      prompt: 'consent',
      scope: expect.stringMatching(/^read:jira-work .* offline_access$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(JSON.parse(exchanges()[0]?.body ?? '')).toEqual({
      grant_type: 'authorization_code',
      client_id: 'app',
      client_secret: clientSecret,
      code: 'good',
      redirect_uri: redirectUri,
    });
    expect(await ask()).toEqual({ displayName: 'Ada' });
    expect(await client.kind()).toBe('cloud');
    expect(server.calls.at(-1)).toMatchObject({
      path: '/ex/jira/cloud-1/rest/api/3/myself',
      authorization: 'Bearer access-1',
    });
  });

  test('counts once, for ten minutes, and only for a question of ours', async () => {
    const { join, exchanges } = await startAtlassian();
    const { consent, pass } = join();
    const stateOf = async () => new URL(await consent.url(redirectUri)).searchParams.get('state');
    const [first, second] = [await stateOf(), await stateOf()];
    const accept = (state: string | null) => consent.accept({ code: 'good', state, error: null });
    await accept(first);
    await expect(accept(first)).rejects.toMatchObject({ code: 'not-allowed' });
    await expect(accept('guessed')).rejects.toMatchObject({ code: 'not-allowed' });
    await expect(accept(null)).rejects.toMatchObject({ code: 'not-allowed' });
    pass(600_000);
    await expect(accept(second)).rejects.toMatchObject({ code: 'not-allowed' });
    expect(exchanges()).toHaveLength(1);
  });

  test('may be refused, by people and by Atlassian', async () => {
    const { join } = await startAtlassian();
    const { agree } = join();
    await expect(agree(null, 'access_denied')).rejects.toMatchObject({
      code: 'bad-request',
      details: [expect.stringContaining('access_denied')],
    });
    await expect(agree('stale')).rejects.toMatchObject({
      code: 'bad-request',
      details: [expect.stringContaining('invalid_grant')],
    });
  });

  test.each([
    [undefined, [acme, other], `one of: ${acme.url}, ${other.url}.`],
    ['https://third.atlassian.net', [acme], `Try: ${acme.url}.`],
    [undefined, [wiki], 'no Jira site'],
  ])('needs to know which site (%#)', async (baseUrl, sites, expected) => {
    const { join } = await startAtlassian(sites);
    const { agree } = join(baseUrl === undefined ? {} : { baseUrl });
    await expect(agree()).rejects.toMatchObject({
      code: 'bad-request',
      details: [expect.stringContaining(expected)],
    });
  });

  test('chooses the site of JIRA_BASE_URL, and notices when that changes', async () => {
    const { server, join } = await startAtlassian([acme, other]);
    const one = join({ baseUrl: `${other.url}/` });
    expect(await one.agree()).toEqual({ site: other.url });
    await one.ask();
    expect(server.calls.at(-1)?.path).toBe('/ex/jira/cloud-2/rest/api/3/myself');
    const moved = join({ baseUrl: acme.url, secrets: one.secrets });
    await expect(moved.ask()).rejects.toThrow(`is for ${other.url}, but JIRA_BASE_URL is '${acme.url}'`);
  });
});

describe('tokens', () => {
  test('are renewed a minute before their end, once however many ask, and kept before they are used', async () => {
    const { join, exchanges, server } = await startAtlassian();
    const { agree, ask, pass, kept } = join();
    await agree();
    pass(3_540_000);
    await Promise.all([ask(), ask(), ask()]);
    expect(exchanges()).toHaveLength(2);
    expect(JSON.parse(kept.get('jira-oauth') ?? '')).toMatchObject({
      refreshToken: 'refresh-2',
      accessToken: 'access-2',
    });
    expect(server.calls.at(-1)?.authorization).toBe('Bearer access-2');
  });

  test('are renewed when Jira does not take them before their end', async () => {
    const { join, server } = await startAtlassian();
    const { agree, ask } = join();
    await agree();
    await ask();
    server.next(json({}, 401));
    expect(await ask()).toEqual({ displayName: 'Ada' });
    server.next(json({}, 401), json({ access_token: 'x', expires_in: 3600 }), json({}, 401));
    await expect(ask()).rejects.toMatchObject({
      code: 'not-allowed',
      message: expect.stringContaining('npx dwell connect'),
    });
  });

  test('that another process has renewed are used', async () => {
    const { join, exchanges } = await startAtlassian();
    const one = join();
    await one.agree();
    const two = join({ secrets: one.secrets });
    await two.ask();
    one.pass(3_600_000);
    two.pass(3_600_000);
    await one.ask();
    await two.ask();
    expect(exchanges()).toHaveLength(2);
  });

  test('that another process is just renewing are waited for', async () => {
    const { join, server, exchanges } = await startAtlassian();
    const one = join();
    await one.agree();
    let looks = 0;
    const two = join({
      secrets: one.secrets,
      // The other process keeps its tokens only while this one looks for them.
      async wait() {
        looks++;
        await one.ask();
      },
    });
    await one.ask();
    one.pass(3_600_000);
    two.pass(3_600_000);
    server.next(json({ error: 'invalid_grant' }, 403));
    expect(await two.ask()).toEqual({ displayName: 'Ada' });
    expect(looks).toBe(1);
    expect(exchanges()).toHaveLength(3);
  });

  test('that are no longer taken are told, without telling them', async () => {
    const { join, server } = await startAtlassian();
    const { agree, ask, pass } = join();
    await agree();
    pass(3_600_000);
    server.next(
      json({ error: 'invalid_grant', error_description: `Unknown refresh-1 of ${clientSecret}` }, 403),
    );
    const failure = await ask().catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('(invalid_grant: Unknown … of …). Run `npx dwell connect` again'),
    });
  });

  test('are never asked for twice where the first time may have counted', async () => {
    const { join, server, exchanges } = await startAtlassian();
    const { agree, ask, pass, waits } = join();
    await agree();
    pass(3_600_000);
    server.next(hangUp);
    await expect(ask()).rejects.toMatchObject({ code: 'unavailable' });
    expect(exchanges()).toHaveLength(2);
    expect(waits).toEqual([]);
    expect(await ask()).toEqual({ displayName: 'Ada' });
  });

  test('are asked for again where nothing was sent', async () => {
    const { join } = await startAtlassian();
    const one = join();
    await one.agree();
    const nobody = 'http://127.0.0.1:9';
    const two = join({ secrets: one.secrets, atlassian: { auth: nobody, api: nobody } });
    two.pass(3_600_000);
    await expect(two.ask()).rejects.toThrow(
      `Atlassian does not answer POST ${nobody}/oauth/token (ECONNREFUSED).`,
    );
    expect(two.waits).toEqual([500, 1000]);
  });
});

describe('several processes', () => {
  const hour = 3_600_000;

  /** Where a process ends: with which change of its secrets, and whether that is written. */
  interface End {
    readonly with: number;
    readonly isWritten: boolean;
  }

  /** Five processes with one clock whose tokens have just ended; time passes only where a test says so. */
  async function startProcesses(end: End | null = null, takesAgain = false) {
    const atlassian = await startAtlassian([acme], { takesAgain });
    const clock = { now: 0 };
    const shared = {
      now: () => clock.now,
      wait: () => new Promise<void>((resolve) => setTimeout(resolve, 1)),
    };
    const one = atlassian.join(shared);
    await one.agree();
    const ended = Promise.withResolvers<void>();
    let changes = 0;
    const ending: TrackerSecrets = {
      ...one.secrets,
      async change(name, change) {
        changes += 1;
        if (changes !== end?.with) return one.secrets.change(name, change);
        if (end.isWritten) await one.secrets.change(name, change);
        ended.resolve();
        return new Promise<never>(() => {});
      },
    };
    const first = atlassian.join({ ...shared, secrets: ending });
    const others = [1, 2, 3, 4].map(() => atlassian.join({ ...shared, secrets: one.secrets }));
    clock.now = hour;
    const stored = () => JSON.parse(one.kept.get('jira-oauth') ?? '');
    return { ...atlassian, clock, first, others, ended: ended.promise, stored };
  }

  test('renew tokens once, however often they end, and none is refused', async () => {
    const { clock, first, others, exchanges, refusals } = await startProcesses();
    for (let renewals = 1; renewals <= 5; renewals += 1) {
      const answers = await Promise.all([first, ...others].map(({ ask }) => ask()));
      expect(answers).toEqual(Array(5).fill({ displayName: 'Ada' }));
      expect([exchanges().length, refusals()]).toEqual([1 + renewals, 0]);
      clock.now += hour;
    }
  });

  test.each([
    ['before it has asked Atlassian', { with: 1, isWritten: true }, false, 0],
    [
      'before it has stored what it was given, which Atlassian takes for ten minutes',
      { with: 2, isWritten: false },
      true,
      1,
    ],
  ])('replace one that ends %s, a minute later', async (_, end, takesAgain, asked) => {
    const processes = await startProcesses(end, takesAgain);
    const { clock, first, others, ended, exchanges, refusals, stored } = processes;
    void first.ask();
    await ended;
    const answers = Promise.all(others.map(({ ask }) => ask()));
    clock.now += 59_999;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(exchanges()).toHaveLength(1 + asked);
    clock.now += 1;
    expect(await answers).toEqual(Array(4).fill({ displayName: 'Ada' }));
    expect([exchanges().length, refusals()]).toEqual([2 + asked, 0]);
    expect(stored()).toMatchObject({ refreshToken: `refresh-${2 + asked}`, renewal: null });
  });

  test('use at once what one has stored that ends after that', async () => {
    const { first, others, ended, exchanges } = await startProcesses({ with: 2, isWritten: true });
    void first.ask();
    await ended;
    expect(await Promise.all(others.map(({ ask }) => ask()))).toEqual(Array(4).fill({ displayName: 'Ada' }));
    expect(exchanges()).toHaveLength(2);
  });

  test('leave what was agreed to meanwhile as it is', async () => {
    const { first, others, server, stored } = await startProcesses();
    const [other] = others;
    server.next(
      (response, goOn) =>
        void other?.agree().then(
          () => goOn(),
          () => response.destroy(),
        ),
    );
    await first.ask();
    expect(stored()).toMatchObject({ refreshToken: 'refresh-2', renewal: null });
  });
});
