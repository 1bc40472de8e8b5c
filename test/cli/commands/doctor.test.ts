import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import { afterEach, expect, test } from '#jest';
import { readConfig, secretSettings } from '../../../src/compose/config.ts';
import { readManifest } from '../../../src/compose/manifest.ts';
import { firstState } from '../../../src/mirror/sync/sync-state.ts';
import { startStandInRedis } from '../../cache/stand-in-redis.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { contentsOf, type Examined, examine, folderWithStore } from '../../support/run-doctor.ts';
import { jiraAccount, startStandInJira } from '../../support/stand-in-jira.ts';
import { createJiraWorld } from '../../support/stand-in-jira-world.ts';
import { keychainUser, startStandInKeychain } from '../../support/stand-in-keychain.ts';
import { linearKey, startStandInLinear } from '../../support/stand-in-linear.ts';
import { createLinearWorld } from '../../support/stand-in-linear-world.ts';
import { type StandInOptions, startStandInSlack } from '../../support/stand-in-slack.ts';
import { startDwell } from '../../support/start-dwell.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function startSlack(options: StandInOptions = {}) {
  const slack = await startStandInSlack({ scopes: readManifest().scopes, ...options });
  open.push(() => slack.stop());
  const environment = { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken };
  return { slack, environment, slackApiUrl: slack.apiUrl };
}

/** Nothing listens at this port, which no process gets by chance, and `fetch` refuses it not by itself as others. */
const away = '127.0.0.1:2';

async function startJira(manners = {}) {
  const world = createJiraWorld({ issues: 6, seed: 7, clock: Date.now, mode: 'cloud' });
  const jira = await startStandInJira(world, { manners });
  open.push(() => jira.close());
  const { email, token } = jiraAccount;
  const environment = { JIRA_BASE_URL: jira.baseUrl, JIRA_EMAIL: email, JIRA_API_TOKEN: token };
  return { jira, world, environment };
}

const output = z.strictObject({
  at: z.iso.datetime(),
  problems: z.int(),
  warnings: z.int(),
  findings: z.array(
    z.strictObject({
      check: z.string(),
      level: z.enum(['ok', 'note', 'warning', 'problem']),
      text: z.string().min(1),
      cure: z.string().nullable(),
    }),
  ),
});

const jsonOf = ({ text }: Examined) => output.parse(JSON.parse(text));

test('where nothing is configured all is right, nothing is made, and help says what the exit code means', async () => {
  const folder = temporaryFolder();
  const { text, code, of } = await examine(join(folder, 'data'));
  expect([code, text.split('\n').at(-1)]).toEqual([0, 'Everything is all right.']);
  expect(text).not.toMatch(/[✗!]/);
  expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100);
  expect(of('Store')).toEqual([`– none in ${folder}/data yet: the first start makes it`]);
  expect(of('Redis')).toEqual(['– not used (KEYV_URL is not set)']);
  expect(of('Sync')).toEqual(['– not used: no tracker is connected']);
  expect(of('Backups')).toEqual(['– no data yet']);
  expect(readdirSync(folder)).toEqual([]);
  expect((await examine(folder, {}, { args: ['--help'] })).text).toMatch(
    /exit code\s+is 1 if there is a problem, else 0/,
  );
});

test('with Slack and Jira all is right, as JSON too, and no file changes', async () => {
  const { slackApiUrl, ...slack } = await startSlack();
  const { world, ...jira } = await startJira();
  const folder = await folderWithStore();
  const store = await openTestStore(folder);
  const now = Date.now();
  const address = { address: jira.environment.JIRA_BASE_URL, wish: null };
  await store
    .sync('jira')
    .putState({ ...firstState(world.site, address, now), asOf: now - 90_000, filledAt: now });
  await store.sync('jira').putNudges(['10001'], now - 5 * millisecondsInMinute);
  const backup = {
    at: now - millisecondsInHour,
    file: '/backups/dwell.db',
    bytes: 3_100_000,
    verified: true,
  };
  await store.facts.change('backup', () => JSON.stringify(backup));
  await store.close();
  const before = contentsOf(folder);
  const environment = { ...slack.environment, ...jira.environment, JIRA_WEBHOOK_SECRET: 'a-webhook-secret' };
  const found = await examine(folder, environment, { slackApiUrl });
  expect(found.text).not.toMatch(/^[✗!]/m);
  expect(found.of('Slack')).toEqual(['✓ Stand-in (T0STANDIN) as dwell, over Socket Mode']);
  expect(found.of('Tracker')).toEqual([
    expect.stringMatching(
      new RegExp(`^✓ Jira Cloud at ${world.site}, as \\S.*, \\d+ projects, about 6 issues$`),
    ),
  ]);
  expect(found.of('Sync')).toEqual(['✓ issues are as they were 1 min ago']);
  expect(found.of('Webhooks')).toEqual(['✓ the last event about an issue came 5 min ago']);
  expect(found.of('Backups')).toEqual(['✓ /backups/dwell.db (3.1 MB), 1 h ago']);
  expect(found.of('Clock')).toEqual([expect.stringMatching(/^✓ within \d\.\d s of Slack, the tracker$/)]);
  expect(found.of('Store')).toEqual([expect.stringMatching(/^✓ SQLite 3\.\S+, schema \d+, \d+ kB$/)]);
  const json = await examine(folder, environment, { slackApiUrl, args: ['--json'] });
  expect(jsonOf(json)).toMatchObject({ problems: 0, warnings: 0 });
  expect(contentsOf(folder)).toEqual(before);
});

test('a store that is in use is read beside its Dwell, which is asked whether it is ready', async () => {
  const folder = temporaryFolder();
  const dwell = await startDwell({ dataDir: folder });
  open.push(() => dwell.stop());
  const { port } = new URL(dwell.url);
  const { of } = await examine(folder, { PORT: port });
  expect(of('Server')).toEqual([`✓ running and ready at http://127.0.0.1:${port}`]);
  expect(of('Store')).toEqual([expect.stringMatching(/^✓ SQLite/)]);
  const base = await examine(folder, { PORT: port, BASE_URL: dwell.url });
  expect(base.of('Address')).toEqual([`✓ ${dwell.url} answers`]);
});

test('another program at the port, and an address that does not answer', async () => {
  const server = createServer((_, response) => response.end('Hello'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => server.close());
  const address = server.address();
  const port = String(typeof address === 'object' ? address?.port : '');
  const { of, code } = await examine(temporaryFolder(), { PORT: port, BASE_URL: `http://${away}` });
  expect(of('Server')).toEqual([
    `✗ another program answers at http://127.0.0.1:${port}. Set another PORT, or stop that program.`,
  ]);
  expect(of('Address')).toEqual([
    `– http://${away} does not answer from here (ECONNREFUSED); it may from elsewhere`,
  ]);
  expect(code).toBe(1);
  const metrics = await examine(temporaryFolder(), { PORT: '0', METRICS_PORT: port });
  expect(metrics.of('Server')[1]).toBe(
    `✗ another program answers at http://127.0.0.1:${port}. Set another METRICS_PORT, or stop that program.`,
  );
  const both = await examine(temporaryFolder(), { PORT: port, METRICS_PORT: port });
  expect(both.of('Settings')).toEqual([
    `✗ METRICS_PORT and PORT are both ${port}. Set METRICS_PORT to another port, or unset it: the metrics are then on PORT.`,
  ]);
});

test('each wrong setting is named, the checks that need it wait, and names that are likely meant as one', async () => {
  const { slackApiUrl, environment } = await startSlack();
  const { of, code, text } = await examine(
    await folderWithStore(),
    {
      ...environment,
      ...{
        PORT: 'none',
        MAX_WAIT_SECONDS: '0',
        JIRA_BASE_URL: 'https://jira.example',
        TIS_TOKEN: 'a-lonely-token',
      },
      ...{ JIRA_TOKEN: 'x', SLACK_SIGNING_SECRT: 'x', LINEAR_WORKSPACE: 'x', DATABSE_URL: 'x', PATHS: 'x' },
    },
    { slackApiUrl },
  );
  expect(of('Settings')).toEqual([
    "✗ PORT 'none' is not known. Try: a whole number from 0 to 65535.",
    "✗ MAX_WAIT_SECONDS '0' is not known. Try: a whole number from 1 to 600.",
    expect.stringMatching(/^✗ The settings of the time-in-status service are incomplete/),
    expect.stringMatching(/^✗ The settings of Jira are incomplete\. Try: JIRA_BASE_URL with JIRA_EMAIL/),
    '! JIRA_TOKEN is not a setting. Did you mean JIRA_API_TOKEN?',
    '! SLACK_SIGNING_SECRT is not a setting. Did you mean SLACK_SIGNING_SECRET?',
    '– LINEAR_WORKSPACE is not a setting of Dwell; docs/settings.md lists all of them.',
    '! DATABSE_URL is not a setting. Did you mean DATABASE_URL?',
  ]);
  for (const check of ['Server', 'Tracker', 'Sync', 'Webhooks', 'Services'])
    expect([check, of(check)]).toEqual([check, ['– not checked until its settings are right']]);
  expect(of('Slack')).toEqual([expect.stringMatching(/^✓ Stand-in/)]);
  expect([code, text.split('\n').at(-1)]).toEqual([1, '4 problems, 3 warnings.']);
});

test('a value of .env that the environment overrides, and a .env that cannot be read', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, '.env'), 'PORT=4000\nLOG_LEVEL=warn\n');
  const read = await examine(folder, { LOG_LEVEL: 'warn' }, { dotEnv: { folder, failure: null } });
  expect(read.of('Settings')).toEqual([
    `✓ 4 set, none wrong; read from ${folder}/.env and the environment`,
    '– PORT has another value in .env than in the environment, which wins.',
  ]);
  const unread = await examine(folder, {}, { dotEnv: { folder, failure: 'EACCES' } });
  expect(unread.of('Settings')[0]).toMatch(/^✗ \S+\/\.env cannot be read \(EACCES\)\./);
  expect(unread.code).toBe(1);
});

/** A value that no output may have, for each secret setting. */
const secretValues = Object.fromEntries(
  [...secretSettings].map((name) => [name, `${name.toLowerCase()}-distinctive-value`]),
);
const key = 'c0ffee00'.repeat(8);

test('no secret is in any output, whether settings are right or wrong, services refuse or are away', async () => {
  const { slackApiUrl } = await startSlack();
  const { jira } = await startJira();
  const right = {
    ...secretValues,
    ...{ SECRET_KEY: key, SECRET_KEY_OLD: key.replaceAll('c', 'd'), BLOBS: 's3://bucket' },
    DATABASE_URL: 'postgres://someone:database-distinctive-value@127.0.0.1:2/dwell',
    KEYV_URL: 'redis://:redis-distinctive-value@127.0.0.1:2/0',
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=otel-distinctive-value',
    ...{ SLACK_BOT_TOKEN: 'xoxb-distinctive-value', SLACK_APP_TOKEN: 'xapp-distinctive-value' },
    ...{
      JIRA_BASE_URL: jira.baseUrl,
      TIS_BASE_URL: 'http://127.0.0.1:2',
      DELEGATION_BASE_URL: 'http://127.0.0.1:2',
    },
    ...{ TRACKER: 'jira', JIRA_PAT: '', JIRA_CLIENT_ID: '', JIRA_CLIENT_SECRET: '', DELEGATION_TOKEN: '' },
  };
  expect(() => readConfig(right)).not.toThrow();
  const wrong = {
    ...secretValues,
    JIRA_BASE_URL: 'https://someone:address-distinctive-value@jira.example',
    TIS_BASE_URL: 'https://service.example/?token=address-distinctive-value',
  };
  for (const environment of [right, wrong]) {
    for (const args of [[], ['--json']]) {
      const { text, code } = await examine(temporaryFolder(), environment, { slackApiUrl, args });
      expect(code).toBe(1);
      expect(text).not.toMatch(/distinctive|c0ffee|d0ffee/);
    }
  }
});

test('services that refuse, or are not there, are problems, each by itself, and the others are checked', async () => {
  const { of, code } = await examine(
    await folderWithStore(),
    {
      ...{ SLACK_BOT_TOKEN: 'xoxb-a', SLACK_SIGNING_SECRET: 'b', KEYV_URL: `redis://${away}` },
      ...{ JIRA_BASE_URL: `http://${away}`, JIRA_PAT: 'c' },
      ...{ DELEGATION_BASE_URL: `http://${away}`, DELEGATION_TOKEN: 'd' },
    },
    { slackApiUrl: `http://${away}/` },
  );
  expect(of('Slack')).toEqual([expect.stringMatching(/^✗ Slack cannot be reached \(ECONNREFUSED\)\./)]);
  expect(of('Tracker')).toEqual([expect.stringMatching(/^✗ Jira at \S+ cannot be reached .*ECONNREFUSED/)]);
  expect(of('Redis')).toEqual([
    expect.stringMatching(/^✗ The Redis of KEYV_URL at \S+ cannot be used: ECONNREFUSED\./),
  ]);
  expect(of('Services')).toEqual([
    expect.stringMatching(/^✗ The delegation service at .* cannot be reached/),
  ]);
  expect(of('Clock')).toEqual([expect.stringMatching(/^– not compared/)]);
  expect(of('Store')).toEqual([expect.stringMatching(/^✓ SQLite/)]);
  expect(code).toBe(1);
});

test('tokens that Slack refuses, and scopes that are missing or left over, have their cure', async () => {
  const folder = temporaryFolder();
  const { slackApiUrl, environment } = await startSlack();
  const refused = await examine(folder, { ...environment, SLACK_BOT_TOKEN: 'xoxb-other' }, { slackApiUrl });
  expect(refused.of('Slack')).toEqual([
    '✗ Slack refuses SLACK_BOT_TOKEN (invalid_auth). Set the bot token of the app: https://api.slack.com/apps, OAuth & Permissions.',
  ]);
  const closed = await examine(folder, { ...environment, SLACK_APP_TOKEN: 'xapp-other' }, { slackApiUrl });
  expect(closed.of('Slack')[1]).toMatch(
    /^✗ Slack opens no Socket Mode with SLACK_APP_TOKEN \(\w+\)\. .*connections:write/,
  );

  const kept = readManifest().scopes.filter((scope) => !['files:write', 'im:write'].includes(scope));
  const other = await startSlack({ scopes: [...kept, 'links:read'] });
  const { of, code } = await examine(folder, other.environment, { slackApiUrl: other.slackApiUrl });
  expect(of('Slack')).toEqual([
    expect.stringMatching(/^✓/),
    '✗ the bot token lacks files:write: no files and no pictures of charts. Paste the manifest of `npx dwell manifest` at https://api.slack.com/apps, and reinstall the app.',
    expect.stringMatching(/^– the bot token lacks im:write: if it is unclear/),
    '– the bot token also has links:read, which manifest.yml leaves out',
  ]);
  expect(code).toBe(1);
});

test('a Slack that never answers has its time and no more, and no other check waits for it', async () => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => server.close());
  const address = server.address();
  const slackApiUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
  const tokens = { SLACK_BOT_TOKEN: 'xoxb-a', SLACK_SIGNING_SECRET: 'b' };
  const { of, code } = await examine(temporaryFolder(), tokens, { slackApiUrl, maxCheckMs: 200 });
  expect(of('Slack')).toEqual(['✗ no answer within 0.2 s.']);
  expect(of('Clock')).toEqual([expect.stringMatching(/^– not compared/)]);
  expect(code).toBe(1);
});

test('a clock that is off is a problem', async () => {
  const { slackApiUrl, environment } = await startSlack();
  const now = () => Date.now() - millisecondsInMinute;
  const { of, code } = await examine(temporaryFolder(), environment, { slackApiUrl, now });
  expect(of('Clock')).toEqual([
    expect.stringMatching(
      /^✗ this machine is (?:59|60)\.\d s behind Slack\. Set its clock with a time service such as chrony\.$/,
    ),
  ]);
  expect(code).toBe(1);
});

test('an account without the right to read permissions is a problem, and issues of another site a warning', async () => {
  const { environment } = await startJira({ administers: false });
  const folder = await folderWithStore();
  const store = await openTestStore(folder);
  const now = Date.now();
  const state = firstState(
    'https://elsewhere.example',
    { address: 'https://elsewhere.example', wish: null },
    now,
  );
  const asOf = now - 3 * millisecondsInHour;
  const problem = { at: asOf, message: 'Jira does not answer.' };
  await store
    .sync('jira')
    .putState({ ...state, asOf, filledAt: asOf, problem, refused: [{ source: 'groups', reason: 'no' }] });
  await store.close();
  const { of, code } = await examine(folder, { ...environment, JIRA_WEBHOOK_SECRET: 'a-webhook-secret' });
  expect(of('Tracker')).toEqual([
    expect.stringMatching(/^✓ Jira Cloud/),
    expect.stringMatching(/^✗ people see no issues, or not all\. .*the global permission 'Administer Jira'/),
    expect.stringMatching(
      /^! the stored issues are those of https:\/\/elsewhere\.example\. Run `npx dwell sync`/,
    ),
  ]);
  expect(of('Sync')).toEqual([
    '! issues are as they were 3 h ago. Start Dwell, or run `npx dwell sync`.',
    '! the last turn failed 3 h ago: Jira does not answer.',
    '– lists and issues that cannot be read: 1. `npx dwell sync` names them.',
  ]);
  expect(of('Webhooks')).toEqual(['– none came yet. Make one in Jira that leads to /rest/webhooks/jira.']);
  expect(code).toBe(1);
});

test('an authorization that has to be renewed is not: what comes of it could not be stored', async () => {
  const folder = await folderWithStore();
  const store = await openTestStore(folder);
  const tokens = {
    refreshToken: 'r',
    accessToken: 'a',
    expiresAt: 0,
    cloudId: 'c',
    redirectUri: 'http://localhost',
  };
  await store.secrets.change('jira-oauth', () => JSON.stringify({ ...tokens, url: 'https://jira.example' }));
  await store.close();
  const before = contentsOf(folder);
  const app = { JIRA_CLIENT_ID: 'a-client', JIRA_CLIENT_SECRET: 'its-secret' };
  const { of, code } = await examine(folder, app);
  expect(of('Tracker')).toEqual([
    expect.stringMatching(/^– not checked: the authorization has to be renewed/),
  ]);
  expect(of('Sync')).toEqual(['– nothing was read yet; start Dwell, or run `npx dwell sync`']);
  expect([code, contentsOf(folder)]).toEqual([0, before]);
});

test('Redis says its version and its memory, and a wrong password is a problem', async () => {
  const redis = await startStandInRedis(0, 'a-password-of-redis');
  open.push(() => redis.stop());
  const at = async (password: string) =>
    (await examine(temporaryFolder(), { KEYV_URL: `redis://:${password}@127.0.0.1:${redis.port}/0` })).of(
      'Redis',
    );
  expect(await at('a-password-of-redis')).toEqual([
    '! 8.2.1 answers, and its memory has no limit. Set maxmemory, and maxmemory-policy to allkeys-lru.',
  ]);
  expect(await at('another-password')).toEqual([
    expect.stringMatching(/^✗ The Redis of KEYV_URL at 127\.0\.0\.1:\d+ cannot be used: WRONGPASS/),
  ]);
});

test('a service that answers in place of Dwell, and Linear', async () => {
  const users = { users: ['ada'], categories: [], records: [], now: Date.now(), timeZone: 'UTC' };
  const keychain = await startStandInKeychain(users);
  open.push(() => keychain.close());
  const linear = await startStandInLinear(createLinearWorld(Date.now));
  open.push(() => linear.close());
  const { of } = await examine(temporaryFolder(), {
    ...{
      DELEGATION_BASE_URL: keychain.baseUrl,
      DELEGATION_USER: keychainUser.user,
      DELEGATION_PASSWORD: keychainUser.password,
    },
    ...{ LINEAR_URL: linear.url, LINEAR_API_KEY: linearKey },
  });
  expect(of('Services')).toEqual(['✓ the service in DELEGATION_BASE_URL answers']);
  expect(of('Tracker')[0]).toMatch(/^✓ Linear at https:\/\/linear\.app\/\S+, as /);
});
