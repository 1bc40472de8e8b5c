import { once } from 'node:events';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from '#jest';
import { buildDwell } from '../../src/compose/build-dwell.ts';
import { buildTracker } from '../../src/compose/build-tracker.ts';
import { readConfig } from '../../src/compose/config.ts';
import { anIssue } from '../support/issue-story.ts';
import { openTestStore } from '../support/open-test-store.ts';
import { startStandInSlack } from '../support/stand-in-slack.ts';
import { startDwell } from '../support/start-dwell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What a request is answered whose last line arrives when Dwell is stopping already. */
async function answeredAtTheEnd(path: string): Promise<string> {
  const dwell = await startDwell();
  const { hostname, port } = new URL(dwell.url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += String(chunk);
  });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n`);
  // When a later request has been answered, the beginning of this one has arrived.
  await dwell.get('/healthz', {}, {});
  const stopped = dwell.stop();
  socket.write('\r\n');
  await once(socket, 'close');
  await stopped;
  return answer;
}

test('stopping lets a request that is under way get its answer', async () => {
  expect(await answeredAtTheEnd('/healthz')).toMatch(/^HTTP\/1.1 200 OK\r\n(.+\r\n)*Connection: close\r\n/);
});

test('readyz says when Dwell is stopping', async () => {
  const answer = await answeredAtTheEnd('/readyz');
  expect(answer).toMatch(/^HTTP\/1.1 503 /);
  expect(answer).toContain('{"status":"not ready","waitingFor":"a restart: Dwell is stopping"}');
});

test('stopping ends with its clients, though they keep their connections open', async () => {
  const dwell = await startDwell();
  const client = async () => {
    while (true) {
      const ok = await dwell.get('/healthz', {}, {}).then(
        () => true,
        () => false,
      );
      if (!ok) return;
    }
  };
  const clients = Array.from({ length: 4 }, client);
  await dwell.get('/healthz', {}, {});
  await dwell.stop();
  expect(await Promise.all(clients)).toHaveLength(4);
});

test('stopping twice is stopping once', async () => {
  const dwell = await startDwell({ dataDir: temporaryFolder() });
  await Promise.all([dwell.stop(), dwell.stop()]);
});

test('without Slack and without a playground REST is served alone', async () => {
  const dwell = await startDwell({ environment: { PLAYGROUND: 'off' } });
  expect((await dwell.get('/rest/statuses')).status).toBe(200);
  expect((await dwell.get('/readyz', {}, {})).status).toBe(200);
  expect((await dwell.get('/', {}, {})).status).toBe(404);
  expect((await dwell.get('/slack/events', {}, {})).status).toBe(404);
  await dwell.stop();
});

test.each([true, false])(
  'a start over imported issues waits for no columns (with issues: %s)',
  async (hasIssues) => {
    const dataDir = temporaryFolder();
    const store = await openTestStore(dataDir);
    const imported = store.issues('file');
    if (hasIssues)
      await imported.putIssues([anIssue('WEB-1', '2026-03-02T09:00:00Z').issue], (_, one) => one);
    await imported.putFilledAt(Date.parse('2026-03-18T12:00:00Z'));
    store.close();
    const asked: string[] = [];
    const dwell = await startDwell({
      dataDir,
      environment: { PLAYGROUND: 'off' },
      async trackerBuilder(...given) {
        const built = await buildTracker(...given);
        const table = async () => {
          asked.push('columns');
          throw new Error('No columns are needed here.');
        };
        return { ...built, mirror: async () => ({ ...(await built.mirror()), table }) };
      },
    });
    expect([dwell.tracker, dwell.empty, asked]).toEqual(['file', !hasIssues, []]);
    await dwell.stop();
  },
);

test('no token reaches the log, whatever goes wrong', async () => {
  let logged = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk);
      done();
    },
  });
  const config = readConfig({ PORT: '0', DATA_DIR: temporaryFolder(), TIME_ZONE: 'UTC' });
  const dwell = await buildDwell(config, {
    now: () => Date.parse('2026-03-18T12:00:00Z'),
    log: pino({ level: 'trace' }, sink),
  });
  const { url } = await dwell.start();
  const token = await dwell.commandLine.tokens.issue({ user: 'ada', admin: false, lifetimeMs: 60_000 });
  for (const path of ['/rest/issue', '/rest/statuses', '/rest/nothing', '/rest/issue/expanded']) {
    await fetch(`${url}${path}?tisjwt=${token}&issueKey=%E0%A4%A`);
    await fetch(`${url}${path}?issueKey=APP-350`, { headers: { Authorization: `TISJWT ${token}broken` } });
  }
  await dwell.stop();
  const signature = token.split('.')[2] ?? token;
  expect(logged).not.toContain(signature);
});

test('what an app in Slack lacks is said at the start: scopes, and an address that others reach', async () => {
  const granted = ['commands', 'chat:write', 'files:write', 'files:read', 'app_mentions:read', 'im:history'];
  const slack = await startStandInSlack({
    scopes: [...granted, 'assistant:write', 'users:read', 'channels:read'],
  });
  const logged: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      const { msg, tenant } = JSON.parse(String(chunk));
      logged.push(`${tenant}: ${msg}`);
      done();
    },
  });
  const tokens = { SLACK_BOT_TOKEN: slack.botToken, SLACK_SIGNING_SECRET: slack.signingSecret };
  const config = readConfig({ PORT: '0', DATA_DIR: temporaryFolder(), TIME_ZONE: 'UTC', ...tokens });
  const dwell = await buildDwell(config, {
    now: () => Date.parse('2026-03-18T12:00:00Z'),
    log: pino({ level: 'warn' }, sink),
    slackApiUrl: slack.apiUrl,
  });
  await dwell.start();
  await dwell.stop();
  await slack.stop();
  expect(logged).toEqual([
    expect.stringMatching(/^default: BASE_URL is not set/),
    'default: Slack has not granted users:read.email; without it only people who are linked are answered. Reinstall the app from the manifest (npx dwell manifest).',
  ]);
});
