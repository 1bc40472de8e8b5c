import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { AppError } from '../../../src/model/error.ts';
import type { IssueSearch } from '../../../src/trackers/live-tracker.ts';
import { inDemo, startLiving } from './start-sync.ts';

test.each([
  ['twenty minutes', 20 * millisecondsInMinute, 'the hour', millisecondsInHour, 5 * millisecondsInMinute],
  ['two days', 2 * millisecondsInDay, 'three days', 3 * millisecondsInDay, 6 * millisecondsInHour],
])(
  'a change that a search finds %s late is stored within %4$s',
  async (_, lagMs, _within, withinMs, everyMs) => {
    const { time, tracker, ids, issues, filled } = await startLiving(inDemo(1));
    const [id = ''] = ids;
    const sync = await filled(tracker);
    tracker.lag(lagMs);
    tracker.change(id);
    for (let passed = 0; passed <= withinMs; passed += everyMs) {
      time.now += everyMs;
      await sync.turn();
    }
    expect(await issues.issue('DEMO-1')).toEqual(tracker.kept.get(id));
  },
);

test('a tracker whose clock leaps forward and back again loses nothing that happens meanwhile', async () => {
  const { time, tracker, ids, issues, filled } = await startLiving(inDemo(1));
  const [id = ''] = ids;
  await filled(tracker);
  time.now += millisecondsInMinute;
  tracker.runAhead(40 * millisecondsInMinute);
  await filled(tracker);
  tracker.runAhead(0);
  time.now += 5 * millisecondsInMinute;
  tracker.change(id);
  // No turn comes before its clock is where it had leapt to.
  time.now += 45 * millisecondsInMinute;
  await filled(tracker);
  expect(await issues.issue('DEMO-1')).toEqual(tracker.kept.get(id));
});

test('a tracker whose clock is behind for one turn leaves no lag', async () => {
  const { time, tracker, filled } = await startLiving(inDemo(1));
  const windows: number[] = [];
  const watched = {
    ...tracker,
    issues: async (wanted: IssueSearch) => {
      if ('window' in wanted && wanted.window.by === 'updated')
        windows.push(time.now - (wanted.window.from ?? 0));
      return tracker.issues(wanted);
    },
  };
  await filled(watched);
  tracker.runAhead(-6 * millisecondsInHour);
  time.now += millisecondsInMinute;
  await filled(watched);
  tracker.runAhead(0);
  time.now += millisecondsInMinute;
  await filled(watched);
  expect(windows.at(-1)).toBeLessThan(10 * millisecondsInMinute);
});

describe('a place in what was updated that is no longer good', () => {
  const losing = async (times: number) => {
    let lost = 0;
    const { tracker, ...rest } = await startLiving(inDemo(12), { pageSize: 2, byPosition: false });
    return {
      ...rest,
      tracker,
      failing: {
        ...tracker,
        issues: async (wanted: IssueSearch) => {
          const isUpdates = 'window' in wanted && wanted.window.by === 'updated';
          if (isUpdates && wanted.place !== null && lost < times) {
            lost += 1;
            throw new AppError('invalid-value', 'Bad request', ['The place is lost.']);
          }
          return tracker.issues(wanted);
        },
      },
    };
  };

  test('is searched for anew from the last minute that was seen', async () => {
    const { time, tracker, ids, failing, issues, process, filled } = await losing(5);
    await filled(tracker);
    for (const id of ids) {
      time.now += millisecondsInMinute;
      tracker.change(id);
    }
    await process(failing).turn();
    const stored = await issues.changedSince(0, 99);
    expect(new Set(stored.issues.map(({ issue }) => issue))).toEqual(new Set(tracker.kept.values()));
  });

  test('again and again in one minute is a problem, and no search without an end', async () => {
    const { time, tracker, ids, failing, process, filled } = await losing(Number.POSITIVE_INFINITY);
    await filled(tracker);
    time.now += millisecondsInMinute;
    for (const id of ids) tracker.change(id);
    await expect(process(failing).turn()).rejects.toMatchObject({ code: 'bad-request' });
    expect((await process(failing).status())?.problem?.message).toBe('The place is lost.');
  });
});

test('a tracker that was restored from a backup is trusted by a comparison', async () => {
  const { time, tracker, ids, issues, filled } = await startLiving(inDemo(1));
  const [id = ''] = ids;
  const sync = await filled(tracker);
  time.now += millisecondsInMinute;
  tracker.change(id);
  await sync.turn();
  expect((await issues.issue('DEMO-1'))?.changes).toHaveLength(1);
  tracker.restore(id);
  await sync.turn({ compare: true });
  expect(await issues.issue('DEMO-1')).toEqual(tracker.kept.get(id));
});
