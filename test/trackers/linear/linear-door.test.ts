import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { millisecondsInHour } from 'date-fns/constants';
import { pino } from 'pino';
import { afterEach, expect, test } from '#jest';
import { buildTracker } from '../../../src/compose/build-tracker.ts';
import { linearKey, startStandInLinear } from '../../support/stand-in-linear.ts';
import {
  createLinearWorld,
  type LinearWorld,
  type LinearWorldIssue,
} from '../../support/stand-in-linear-world.ts';
import { standInPeople } from '../../support/stand-in-slack.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';

const at = '2026-03-16T08:00:00Z';
const webhookSecret = 'between-Linear-and-Dwell';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

interface Wish {
  readonly environment?: Readonly<Record<string, string>>;
  /** What is done with Linear before Dwell starts. */
  readonly before?: (world: LinearWorld, linear: Awaited<ReturnType<typeof startStandInLinear>>) => void;
}

/** A workspace with a past of some days, and a Dwell in Slack, in which bob types, that reads it. */
async function start({ environment = {}, before = () => {} }: Wish = {}) {
  let now = Date.parse(at) - 100 * millisecondsInHour;
  const world = createLinearWorld(() => now);
  const pass = (hours: number) => {
    now += hours * millisecondsInHour;
  };
  const keys = [world.create('ENG'), world.create('ENG'), world.create('ENG'), world.create('SEC')];
  for (const [i, key] of keys.entries()) {
    pass(2);
    world.change(key, { assignee: world.person('bob') });
    world.move(key, 'In Progress', 'bob');
    pass(5 + 3 * i);
    world.move(key, 'In Review', 'bob');
    pass(1);
    world.move(key, 'Done', 'bob');
  }
  now = Date.parse(at);
  const linear = await startStandInLinear(world);
  open.push(() => linear.close());
  before(world, linear);
  const [first] = standInPeople;
  if (first === undefined) throw new Error('There is nobody in Slack.');
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  const office = await startDwellInSlack({
    // Later than whatever happens in Linear meanwhile.
    at: '2026-03-18T08:00:00Z',
    people: [{ ...first, email: 'bob@example.com', admin: false }],
    environment: {
      ...{ TRACKER: 'linear', LINEAR_API_KEY: linearKey, LINEAR_URL: linear.url, TIME_ZONE: 'UTC' },
      ...{ LINEAR_REQUESTS_PER_MINUTE: '1000', LINEAR_WEBHOOK_SECRET: webhookSecret },
      ...environment,
    },
    // Time passes between two requests, so that none has to wait for its turn.
    trackerBuilder: (config, parts) => buildTracker(config, { ...parts, log, now: () => (now += 100) }),
  });
  open.push(() => office.stop());
  const { dwell } = office;
  const as = (name: string) => dwell.as(world.person(name));
  return {
    ...{ world, linear, dwell, pass, logged },
    says: async (line: string) => JSON.stringify(await office.slack.answerTo(line)),
    /** A report on ENG, or on an issue of it. */
    report: async (name: string, path: string, parameters: Record<string, string>) =>
      await as(name).get(path, { columnsBy: 'statusDuration', viewFormat: 'hours', ...parameters }),
  };
}

/** The key in a row of a report. */
function keyOf({ headerColumns: [key] }: { readonly headerColumns: readonly { readonly value: string }[] }) {
  return key?.value;
}

/** How long (hours) an issue was in a state, by its history in the world. */
function hoursIn(issue: LinearWorldIssue, state: string): number {
  const moves = issue.history.filter(({ to }) => to.state !== undefined);
  return moves.reduce((sum, { at: since, to }, i) => {
    const until = moves[i + 1]?.at;
    return to.state === state && until !== undefined ? sum + (until - since) / millisecondsInHour : sum;
  }, 0);
}

test('issues of Linear are answered over REST and in Slack as their histories say', async () => {
  const { world, dwell, report, says } = await start();
  const { lines, code } = await dwell.types('sync');
  expect(lines.slice(0, 5)).toEqual([
    'Linear at https://linear.app/acme',
    'As ada <ada@example.com>',
    'Can browse 3 projects',
    'About 4 issues',
    'Can read permissions of others: yes',
  ]);
  expect([code, lines.find((line) => line.startsWith('Cut histories'))]).toEqual([0, 'Cut histories    0']);
  const eng = world.issues.filter(({ identifier }) => identifier.startsWith('ENG-'));
  const started = world.state('ENG', 'In Progress');
  const hours = eng.map((issue) => hoursIn(issue, started));
  expect(hours).toEqual([5, 8, 11]);
  const { json } = await report('bob', '/rest/issues/aggregation', {
    ...{ filterType: 'project', projectKey: 'ENG', aggregationType: 'average' },
  });
  const figures = Object.fromEntries(
    json.table.body.rows[0].valueColumns.map(({ id, value }: { id: string; value: string }) => [
      id,
      Number(value),
    ]),
  );
  expect(figures[started]).toBe(8);
  expect(figures[world.state('ENG', 'In Review')]).toBe(1);
  expect(json.complete).toBe(true);
  const answer = await says('/tis ENG-2');
  expect(answer).toMatch(/In Progress.*8h/);
  expect(answer).toContain('https://linear.app/acme/issue/ENG-2/a-title');
});

test('JQL finds issues of Linear by cycles, estimates, labels, priorities, resolutions and the past', async () => {
  const { dwell, report } = await start({
    before(world) {
      const content = { priority: 2, estimate: 3, labels: [world.label('needs design')] };
      world.create('ENG', { ...content, cycle: world.cycle(2) });
      world.change('ENG-4', { estimate: 5, cycle: world.cycle(1) });
    },
  });
  await dwell.types('sync');
  const found = async (customjql: string) => {
    const { json, text } = await report('bob', '/rest/issues', { filterType: 'customjql', customjql });
    if (json.table === undefined) throw new Error(text);
    return json.table.body.rows.map(keyOf);
  };
  for (const jql of [
    'sprint = "ENG Cycle 1"',
    'Estimate > 4',
    'labels = "needs design"',
    'priority = High',
    'resolution is EMPTY',
    'status = Todo AND project = ENG',
  ])
    expect([jql, await found(jql)]).toEqual([jql, ['ENG-4']]);
  expect(await found('status was "In Review" by bob ORDER BY key')).toEqual(['ENG-1', 'ENG-2', 'ENG-3']);
  expect(await found('resolution changed to Done AND assignee = bob')).toHaveLength(3);
});

test('a private team is open to its members alone', async () => {
  const { dwell, report, says } = await start();
  await dwell.types('sync');
  const all = { filterType: 'customjql', customjql: 'created is not EMPTY' };
  const keysFor = async (name: string) =>
    (await report(name, '/rest/issues', all)).json.table.body.rows.map(keyOf);
  expect(await keysFor('bob')).toEqual(['ENG-3', 'ENG-2', 'ENG-1']);
  expect(await keysFor('ada')).toContain('SEC-1');
  expect(await keysFor('gus')).toEqual([]);
  expect((await report('bob', '/rest/issue', { issueKey: 'SEC-1' })).status).toBe(404);
  expect((await report('ada', '/rest/issue', { issueKey: 'SEC-1' })).status).toBe(200);
  expect(await says('/tis SEC-1')).toContain("can't find SEC-1");
  expect(
    (await dwell.as('nobody').get('/rest/issues', { ...all, columnsBy: 'statusDuration' })).json.total,
  ).toBe(0);
});

test('a signed webhook wakes the sync, which reads the issue again', async () => {
  const { world, linear, dwell, report, pass } = await start({ environment: { SYNC_SECONDS: '86400' } });
  await dwell.types('sync');
  pass(24);
  world.move('ENG-1', 'In Progress', 'bob');
  const counts = async () =>
    (await report('bob', '/rest/issue', { issueKey: 'ENG-1', columnsBy: 'statusCount' })).text;
  const before = await counts();
  const callsBefore = linear.callsOf('Issues').length;
  const body = JSON.stringify({ type: 'Issue', action: 'update', data: { id: world.issue('ENG-1').id } });
  const send = (signature: string) =>
    dwell.send(
      'POST',
      '/rest/webhooks/linear',
      { 'Content-Type': 'application/json', 'Linear-Signature': signature },
      body,
    );
  expect((await send('0'.repeat(64))).status).toBe(403);
  expect((await send(createHmac('sha256', webhookSecret).update(body).digest('hex'))).status).toBe(204);
  while ((await counts()) === before) await setTimeout(20);
  expect(linear.callsOf('Issues')).toHaveLength(callsBefore + 1);
});

test('an issue in the trash goes with the next sync, an archived one stays', async () => {
  const { world, dwell, report, pass } = await start();
  await dwell.types('sync');
  pass(24);
  world.trash('ENG-1');
  world.archive('ENG-2');
  const { lines } = await dwell.types('sync');
  expect(lines).toContain('This run         0 new, 1 updated, 1 removed');
  expect((await report('bob', '/rest/issue', { issueKey: 'ENG-1' })).status).toBe(404);
  expect((await report('bob', '/rest/issue', { issueKey: 'ENG-2' })).status).toBe(200);
});

test('a history that cannot be read whole is marked in every answer', async () => {
  const { dwell, report, says } = await start({
    before(world, linear) {
      for (let i = 0; i < 30; i += 1) world.move('ENG-3', i % 2 === 0 ? 'In Progress' : 'Done');
      linear.manners.failing = { operation: 'History', type: 'invalid input', status: 400, times: 1000 };
    },
  });
  await dwell.types('sync');
  const { json } = await report('bob', '/rest/issues', { filterType: 'project', projectKey: 'ENG' });
  expect([json.complete, json.cutHistories]).toEqual([false, 1]);
  expect(await says('/tis ENG-3')).toMatch(/not complete|history cut/i);
});

test('a wrong key is named by its setting, in the log without the key', async () => {
  const { dwell, logged } = await start({ environment: { LINEAR_API_KEY: 'lin_api_wrong' } });
  await expect(dwell.types('sync')).rejects.toMatchObject({
    reason: 'credentials-refused',
    message: expect.stringContaining('does not accept LINEAR_API_KEY'),
  });
  while (!logged.some((line) => line.includes('sync failed'))) await setTimeout(20);
  expect(logged.join('\n')).not.toContain('lin_api_wrong');
});

test('rules of Dwell decide where LINEAR_RIGHTS says so', async () => {
  const { dwell, report } = await start({ environment: { LINEAR_RIGHTS: 'rules' } });
  await dwell.types('sync');
  expect((await report('gus', '/rest/issue', { issueKey: 'SEC-1' })).status).toBe(200);
  await dwell.types('access', 'SEC', '--to', 'ada');
  expect((await report('gus', '/rest/issue', { issueKey: 'SEC-1' })).status).toBe(404);
});
