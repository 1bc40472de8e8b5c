import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from '#jest';
import { buildTracker } from '../../src/compose/build-tracker.ts';
import { startDwellInSlack } from '../support/start-slack.ts';

/** Two reports over many issues wait in front of them until they are let go. */
const held = Promise.withResolvers<void>();
let looking = 0;
let isHeld = false;
const lines: { readonly msg: string; readonly status?: number; readonly reason?: string }[] = [];

let running: Awaited<ReturnType<typeof startDwellInSlack>>;
beforeAll(async () => {
  running = await startDwellInSlack({
    log: pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
    environment: { MAX_LONG_ANSWERS: '2', MAX_LONG_ANSWERS_PER_USER: '1', MAX_WAIT_SECONDS: '1' },
    trackerBuilder: async (config, parts) => {
      const built = await buildTracker(config, parts);
      return {
        ...built,
        mirror: async () => {
          const mirror = await built.mirror();
          return {
            ...mirror,
            async table() {
              looking += 1;
              if (isHeld && looking <= 2) await held.promise;
              return mirror.table();
            },
          };
        },
      };
    },
  });
});
afterAll(() => running.stop());

const list = { filterType: 'project', projectKey: 'WEB', columnsBy: 'statusDuration' };
const limitsOf = ({ headers }: { readonly headers: Headers }) =>
  ['ratelimit-policy', 'ratelimit', 'retry-after'].map((name) => headers.get(name));
const policy = '"long-answers";q=1;qu="concurrent-requests"';

async function callTool(user: string, name: string, args: object) {
  const { dwell } = running;
  const answer = await fetch(`${dwell.url}/mcp`, {
    method: 'POST',
    headers: {
      ...(await dwell.headerOf(user)),
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, arguments: args } }),
  });
  return { status: answer.status, headers: answer.headers, json: JSON.parse(await answer.text()) };
}

test('what waits too long for its turn is refused in every door, and what is small is answered', async () => {
  const { dwell, slack } = running;
  const before = await dwell.get('/rest/issues', list);
  expect([before.status, ...limitsOf(before)]).toEqual([200, policy, '"long-answers";r=0', null]);

  isHeld = true;
  looking = 0;
  const first = dwell.get('/rest/issues', list);
  first.catch(() => {});
  const other = dwell.as('bob').get('/rest/issues/weekly', { filterType: 'project', projectKey: 'WEB' });
  other.catch(() => {});
  while (looking < 2) await pause(5);

  const own = await dwell.get('/rest/issues/v2', list);
  expect([own.status, ...limitsOf(own)]).toEqual([503, policy, '"long-answers";r=0', '10']);
  expect(own.json).toMatchObject({
    reason: 'overloaded',
    message:
      'You have 1 report over many issues under way, and this one waited 1 second for its turn. Try again in a moment. An admin can change the limit: MAX_LONG_ANSWERS_PER_USER.',
  });
  const everyone = await dwell.as('carl').get('/rest/issues', list);
  expect([everyone.status, ...limitsOf(everyone)]).toEqual([503, policy, '"long-answers";r=1', '10']);
  expect(everyone.json.message).toMatch(/^Dwell is busy with other reports over many issues, and this one/);

  const tool = await callTool('ada', 'list_report', { project: 'WEB' });
  expect([tool.status, ...limitsOf(tool)]).toEqual([503, policy, '"long-answers";r=0', '10']);
  expect(tool.json).toMatchObject({ jsonrpc: '2.0', id: 7, error: { code: -32_000 } });
  expect(tool.json.error.message).toMatch(/ MAX_LONG_ANSWERS_PER_USER\.$/);

  const said = await slack.answerTo('/tis project WEB');
  expect(said.text).toMatch(
    /^Dwell is busy with other reports over many issues, .* Try again in a moment\.$/,
  );

  const refused = lines.filter(({ msg, status }) => msg === 'request' && status === 503);
  expect(refused.length).toBeGreaterThan(0);
  expect(new Set(refused.map(({ reason }) => reason))).toEqual(new Set(['overloaded']));

  const one = await dwell.get('/rest/issue', { issueKey: 'WEB-1', columnsBy: 'statusDuration' });
  expect([one.status, ...limitsOf(one)]).toEqual([200, null, null, null]);
  const small = await callTool('carl', 'time_in_status', { issueKeys: ['WEB-1'] });
  expect([small.status, small.json.result.isError]).toEqual([200, undefined]);
  expect((await slack.answerTo('/tis WEB-1')).text).toContain('WEB-1');

  // One that still waits has its turn as soon as there is one.
  const waiting = dwell.as('carl').get('/rest/issues', list);
  held.resolve();
  for (const answer of await Promise.all([first, other, waiting])) expect(answer.status).toBe(200);
  expect((await callTool('ada', 'list_report', { project: 'WEB' })).status).toBe(200);
});
