import { afterAll, beforeAll, expect, test } from '#jest';
import { buildTracker } from '../../src/compose/build-tracker.ts';
import { detached, yieldToOthers } from '../../src/concurrency/cooperative-yield.ts';
import type { Mirror } from '../../src/mirror/mirror.ts';
import { startDwellInSlack } from '../support/start-slack.ts';
import { basic } from './delegation/credentials.ts';

/** What of the mirror is looked out for, and what was found when it was first asked. */
let wanted: { readonly of: string; readonly found: (isUrgent: boolean) => void } | null = null;

/** Whether a task that goes on as soon as it can has to wait. */
async function isUrgent(): Promise<boolean> {
  let isOn = false;
  const task = detached(yieldToOthers).then(() => {
    isOn = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  const rests = !isOn;
  await task;
  return rests;
}

function watched(mirror: Mirror): Mirror {
  const watch =
    <Given extends readonly unknown[], Result>(of: string, ask: (...given: Given) => Promise<Result>) =>
    async (...given: Given) => {
      if (wanted?.of === of) {
        const { found } = wanted;
        wanted = null;
        found(await isUrgent());
      }
      return ask(...given);
    };
  return {
    ...mirror,
    issue: watch('issue', mirror.issue),
    table: watch('table', mirror.table),
    users: watch('users', mirror.users),
  };
}

/** Whether it is urgent when a request first asks something of the mirror. */
async function urgentAt(of: string, request: () => Promise<unknown>): Promise<boolean> {
  // Those who rested have had their turn.
  await new Promise((resolve) => setTimeout(resolve, 10));
  const { promise, resolve } = Promise.withResolvers<boolean>();
  wanted = { of, found: resolve };
  const [found] = await Promise.all([promise, request()]);
  return found;
}

let running: Awaited<ReturnType<typeof startDwellInSlack>>;
beforeAll(async () => {
  running = await startDwellInSlack({
    trackerBuilder: async (config, parts) => {
      const built = await buildTracker(config, parts);
      return { ...built, mirror: async () => watched(await built.mirror()) };
    },
  });
});
afterAll(() => running.stop());

const durations = { columnsBy: 'statusDuration', calendar: 'normalHours' };

/** Whether that is ever so: nothing is urgent for long, and other tasks may wait for something else. */
async function isEver(wanted: boolean, of: string, request: () => Promise<unknown>): Promise<boolean> {
  for (let tries = 0; tries < 10; tries += 1) if ((await urgentAt(of, request)) === wanted) return true;
  return false;
}

test('a request for one issue is urgent, a report of many is not', async () => {
  const { dwell } = running;
  await dwell.headerOf('ada');
  const one = () => dwell.get('/rest/issue', { ...durations, issueKey: 'WEB-1' });
  expect(await isEver(true, 'issue', one)).toBe(true);
  const many = { ...durations, filterType: 'customjql', customjql: 'project = WEB' };
  const average = () => dwell.get('/rest/issues/aggregation', { ...many, aggregationType: 'average' });
  expect(await isEver(false, 'table', average)).toBe(true);
});

test('a request is not urgent before its user is known', async () => {
  const { dwell } = running;
  const { Authorization } = await dwell.headerOf('ada');
  const headers = basic('bob', Authorization.split(' ')[1] ?? '');
  const ask = async () => {
    expect((await dwell.get('/rest/delegation/api/1.0/category', {}, headers)).status).toBe(401);
  };
  expect(await isEver(false, 'users', ask)).toBe(true);
});

test('a command for one issue is urgent, for a project it is not', async () => {
  expect(await isEver(true, 'issue', () => running.slack.answerTo('/tis WEB-1'))).toBe(true);
  expect(await isEver(false, 'table', () => running.slack.answerTo('/tis project WEB'))).toBe(true);
});
