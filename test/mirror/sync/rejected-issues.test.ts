import { millisecondsInHour } from 'date-fns/constants';
import { expect, test } from '#jest';
import { livingTracker } from '../../support/living-tracker.ts';
import { startSync, usual } from './start-sync.ts';

const silent = () => {};

async function start(count: number) {
  const time = { now: Date.parse('2026-03-02T09:00:00Z') };
  const asked: string[] = [];
  const tracker = livingTracker({
    ourNow: () => time.now,
    pageSize: 200,
    before: (method) => void asked.push(method),
  });
  const ids = Array.from({ length: count }, () => tracker.create('DEMO'));
  return { time, asked, tracker, ids, ...(await startSync({ now: () => time.now })) };
}

test('newer versions that cannot be read: all are counted, the older ones say so, and they heal by themselves', async () => {
  const { time, tracker, ids, issues, process } = await start(60);
  const sync = process(tracker);
  await sync.run(usual, silent);
  const before = await issues.issue('DEMO-1');
  time.now += 10 * 60_000;
  for (const id of ids.slice(0, 30)) {
    tracker.change(id);
    tracker.spoil(id, true);
  }
  const status = await sync.run(usual, silent);
  expect(status).toMatchObject({ cutHistories: 30, problem: null });
  expect(status.withheld).toHaveLength(21);
  expect(status.withheld).toContain('DEMO-1: it is spoilt');
  expect(status.withheld.at(-1)).toBe('10 more issues that cannot be used; they are tried again as well');
  expect(await issues.issue('DEMO-1')).toEqual({
    ...before,
    history: {
      complete: false,
      unknownFrom: before?.updated,
      unknownUntil: null,
      reason: "Jira's newer version of this issue cannot be read: it is spoilt",
    },
  });

  // Nobody touches them any more: no search would find them.
  time.now += 30 * 60_000;
  await sync.run(usual, silent);
  for (const id of ids) tracker.spoil(id, false);
  time.now += millisecondsInHour;
  expect(await sync.run(usual, silent)).toMatchObject({ cutHistories: 0, withheld: [] });
  for (const id of ids) {
    const issue = tracker.kept.get(id);
    expect(await issues.issue(issue?.key ?? '')).toEqual(issue);
  }
});

test('what stays wrong is asked for more and more rarely, and at once by who compares', async () => {
  const { time, asked, tracker, ids, process } = await start(3);
  tracker.spoil(ids[0] ?? '', true);
  const sync = process(tracker);
  await sync.run(usual, silent);
  const triesPerHour = async () => {
    asked.length = 0;
    for (let i = 0; i < 30; i += 1) {
      time.now += 120_000;
      await sync.run(usual, silent);
    }
    return asked.filter((method) => method === 'loadIds').length;
  };
  const [first, second, third] = [await triesPerHour(), await triesPerHour(), await triesPerHour()];
  expect(first).toBeGreaterThan(2);
  expect(first).toBeLessThan(8);
  expect(second).toBeLessThanOrEqual(2);
  expect(third).toBe(1);
  asked.length = 0;
  await sync.run({ compare: true, acceptRemovals: false }, silent);
  expect(asked).toContain('loadIds');
});

test('an issue that the tracker fails to tell neither goes nor is forgotten', async () => {
  const { time, tracker, ids, issues, process } = await start(2);
  const [one = '', two = ''] = ids;
  const sync = process(tracker);
  await sync.run(usual, silent);
  time.now += 60_000;
  tracker.change(one);
  tracker.fail(one, true);
  tracker.archive(two);
  tracker.fail(two, true);
  time.now += 2 * millisecondsInHour;
  expect(await sync.run(usual, silent)).toMatchObject({
    issues: 2,
    withheld: ['DEMO-1: it is not told', 'DEMO-2: it is not told'],
  });
  expect((await issues.issue('DEMO-1'))?.history.complete).toBe(false);
  tracker.fail(one, false);
  time.now += millisecondsInHour;
  await sync.run(usual, silent);
  expect(await issues.issue('DEMO-1')).toEqual(tracker.kept.get(one));
});

test('one that is gone for good is not told of any more', async () => {
  const { time, tracker, ids, process } = await start(3);
  tracker.spoil(ids[0] ?? '', true);
  const sync = process(tracker);
  await sync.run(usual, silent);
  tracker.remove(ids[0] ?? '');
  time.now += millisecondsInHour;
  expect(await sync.run(usual, silent)).toMatchObject({ withheld: [], issues: 2 });
});

test.each([
  ['all', 3, 3],
  ['more than a hundred and than a fifth', 120, 101],
])('a fill of which %s cannot be used is not done, and is once they can', async (_, count, spoilt) => {
  const { tracker, ids, process } = await start(count);
  for (const id of ids.slice(0, spoilt)) tracker.spoil(id, true);
  const sync = process(tracker);
  await expect(sync.run(usual, silent)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(`${spoilt} of the issues of https://demo.example cannot be used`),
  });
  expect(await sync.status()).toMatchObject({ filled: false, asOf: null });
  expect((await sync.status())?.problem?.message).toContain('DEMO-1: it is spoilt');
  for (const id of ids) tracker.spoil(id, false);
  expect(await sync.run(usual, silent)).toMatchObject({ filled: true, issues: count, problem: null });
});

test('a fill of which a few cannot be used is done', async () => {
  const { tracker, ids, process } = await start(120);
  for (const id of ids.slice(0, 100)) tracker.spoil(id, true);
  expect(await process(tracker).run(usual, silent)).toMatchObject({ filled: true, issues: 20 });
});
