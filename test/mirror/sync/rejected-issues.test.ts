import { millisecondsInHour } from 'date-fns/constants';
import { expect, test } from '#jest';
import { inDemo, startLiving } from './start-sync.ts';

test('newer versions that cannot be read: all are counted, the older ones say so, and they heal by themselves', async () => {
  const { time, tracker, ids, issues, filled } = await startLiving(inDemo(60), { pageSize: 200 });
  const sync = await filled(tracker);
  const before = await issues.issue('DEMO-1');
  time.now += 10 * 60_000;
  for (const id of ids.slice(0, 30)) {
    tracker.change(id);
    tracker.spoil(id, true);
  }
  const status = await sync.turn();
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
  await sync.turn();
  for (const id of ids) tracker.spoil(id, false);
  time.now += millisecondsInHour;
  expect(await sync.turn()).toMatchObject({ cutHistories: 0, withheld: [] });
  for (const id of ids) {
    const issue = tracker.kept.get(id);
    expect(await issues.issue(issue?.key ?? '')).toEqual(issue);
  }
});

test('an issue that stays wrong is requested more and more rarely, and at once by a comparison', async () => {
  const { time, requests, tracker, ids, filled } = await startLiving(inDemo(3), { pageSize: 200 });
  tracker.spoil(ids[0] ?? '', true);
  const sync = await filled(tracker);
  const triesPerHour = async () => {
    requests.length = 0;
    for (let i = 0; i < 30; i += 1) {
      time.now += 120_000;
      await sync.turn();
    }
    return requests.filter((method) => method === 'loadIds').length;
  };
  const [first, second, third] = [await triesPerHour(), await triesPerHour(), await triesPerHour()];
  expect(first).toBeGreaterThan(2);
  expect(first).toBeLessThan(8);
  expect(second).toBeLessThanOrEqual(2);
  expect(third).toBe(1);
  requests.length = 0;
  await sync.turn({ compare: true });
  expect(requests).toContain('loadIds');
});

test('an issue that the tracker fails to send neither goes nor is forgotten', async () => {
  const { time, tracker, ids, issues, filled } = await startLiving(inDemo(2), { pageSize: 200 });
  const [one = '', two = ''] = ids;
  const sync = await filled(tracker);
  time.now += 60_000;
  tracker.change(one);
  tracker.fail(one, true);
  tracker.archive(two);
  tracker.fail(two, true);
  time.now += 2 * millisecondsInHour;
  expect(await sync.turn()).toMatchObject({
    issues: 2,
    withheld: ['DEMO-1: it is not told', 'DEMO-2: it is not told'],
  });
  expect((await issues.issue('DEMO-1'))?.history.complete).toBe(false);
  tracker.fail(one, false);
  time.now += millisecondsInHour;
  await sync.turn();
  expect(await issues.issue('DEMO-1')).toEqual(tracker.kept.get(one));
});

test('one that is gone for good is not withheld any more', async () => {
  const { time, tracker, ids, filled } = await startLiving(inDemo(3), { pageSize: 200 });
  tracker.spoil(ids[0] ?? '', true);
  const sync = await filled(tracker);
  tracker.remove(ids[0] ?? '');
  time.now += millisecondsInHour;
  expect(await sync.turn()).toMatchObject({ withheld: [], issues: 2 });
});

test.each([
  ['all', 3, 3],
  ['more than a hundred and than a fifth', 120, 101],
])('a fill of which %s cannot be used is not done, and is once they can', async (_, count, spoilt) => {
  const { tracker, ids, process } = await startLiving(inDemo(count), { pageSize: 200 });
  for (const id of ids.slice(0, spoilt)) tracker.spoil(id, true);
  const sync = process(tracker);
  await expect(sync.turn()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(`${spoilt} of the issues of https://demo.example cannot be used`),
  });
  expect(await sync.status()).toMatchObject({ filled: false, asOf: null });
  expect((await sync.status())?.problem?.message).toContain('DEMO-1: it is spoilt');
  for (const id of ids) tracker.spoil(id, false);
  expect(await sync.turn()).toMatchObject({ filled: true, issues: count, problem: null });
});

test('a fill of which a few cannot be used is done', async () => {
  const { tracker, ids, process } = await startLiving(inDemo(120), { pageSize: 200 });
  for (const id of ids.slice(0, 100)) tracker.spoil(id, true);
  expect(await process(tracker).turn()).toMatchObject({ filled: true, issues: 20 });
});
