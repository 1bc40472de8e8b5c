import { beforeAll, beforeEach, expect, test } from '#jest';
import { until } from '../support/local-exports.ts';
import { jiraAccount, startStandInJira } from '../support/stand-in-jira.ts';
import { createJiraWorld } from '../support/stand-in-jira-world.ts';
import { standInSync, webhookSecret } from '../support/stand-in-sync.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';
import { suiteDwell } from '../support/suite-dwell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { signatureOf } from './signature-of.ts';

const { world, trackerBuilder } = standInSync();
const dwell = suiteDwell({ trackerBuilder });
beforeAll(async () => {});
beforeEach(() => {
  world.nudged.length = 0;
});

const tells = (body: string, headers: Record<string, string>) =>
  dwell.send('POST', '/rest/webhooks/jira', { 'Content-Type': 'application/json', ...headers }, body);
const event = JSON.stringify({ webhookEvent: 'jira:issue_updated', issue: '10001' });

test('a signed event nudges its issues, and is answered with nothing', async () => {
  const { status, text } = await tells(event, { 'X-Hub-Signature': signatureOf(event, 'well') });
  expect([status, text]).toEqual([204, '']);
  expect(world.nudged).toEqual(['10001']);
});

test('the signature is over the bytes as they came, blanks and accents included', async () => {
  const body = ' { "webhookEvent" : "jira:issue_updated", "issue":"1", "ü":"\\u00fc€" }\n';
  expect((await tells(body, { 'X-Hub-Signature': signatureOf(body, 'well') })).status).toBe(204);
  expect((await tells(body, { 'X-Hub-Signature': signatureOf(body.trim(), 'well') })).status).toBe(403);
  expect(world.nudged).toEqual(['1']);
});

test('an event of five million bytes is read, and one of a byte more is not', async () => {
  const frame = JSON.stringify({ webhookEvent: 'jira:issue_updated', issue: '2', text: '' });
  const large = frame.replace('"text":""', `"text":"${'a'.repeat(5_000_000 - frame.length)}"`);
  expect((await tells(large, { 'X-Hub-Signature': signatureOf(large, 'well') })).status).toBe(204);
  const tooLarge = `${large} `;
  const { status, text } = await tells(tooLarge, { 'X-Hub-Signature': signatureOf(tooLarge, 'well') });
  expect(status).toBe(413);
  expect(text).toContain('Try: 5000000 bytes');
  expect(world.nudged).toEqual(['2']);
});

test('neither a token nor a false signature opens the door, and nothing of the body comes back', async () => {
  const { status, text } = await tells(event, {
    ...(await dwell.headerOf('ada', { admin: true })),
    'X-Hub-Signature': signatureOf(event, 'falsely'),
  });
  expect(status).toBe(403);
  expect(text).not.toContain('10001');
  expect(world.nudged).toEqual([]);
});

test('an event that was answered is not lost with its process: the next one reads its issue', async () => {
  const at = '2026-03-18T12:00:00Z';
  const world = createJiraWorld({ issues: 8, seed: 7, clock: () => Date.parse(at), mode: 'cloud' });
  const jira = await startStandInJira(world);
  const dataDir = temporaryFolder();
  const starts = () =>
    startDwell({
      ...{ at, dataDir },
      environment: {
        ...{ JIRA_BASE_URL: jira.baseUrl, JIRA_EMAIL: jiraAccount.email, JIRA_API_TOKEN: jiraAccount.token },
        ...{ JIRA_REQUESTS_PER_MINUTE: '3000', JIRA_RIGHTS: 'rules', JIRA_WEBHOOK_SECRET: webhookSecret },
      },
    });
  const [key = ''] = world.keys();
  const { id } = world.issue(world.numberOf(key) ?? 0);
  /** Waits until an issue is there, or is not. */
  const shows = async ({ get }: TestDwell, status: number) => {
    const parameters = { issueKey: key, columnsBy: 'statusDuration' };
    await until(async () => (await get('/rest/issue', parameters)).status === status);
  };
  const first = await starts();
  await shows(first, 200);
  await until(async () => (await first.get('/readyz')).json.firstFill === undefined);
  world.remove(key);
  const body = JSON.stringify({ webhookEvent: 'jira:issue_deleted', issue: { id, key } });
  const headers = { 'Content-Type': 'application/json', 'X-Hub-Signature': signatureOf(body, 'well') };
  expect((await first.send('POST', '/rest/webhooks/jira', headers, body)).status).toBe(204);
  await first.stop();
  const second = await starts();
  await shows(second, 404);
  await second.stop();
  await jira.close();
});
