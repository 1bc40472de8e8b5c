import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { AppError } from '../../../src/model/error.ts';
import type { IssueSearch } from '../../../src/trackers/live-tracker.ts';
import { type LivingOptions, livingTracker } from '../../support/living-tracker.ts';
import { startSync, usual } from './start-sync.ts';

const silent = () => {};

async function start(options: Partial<LivingOptions> = {}) {
  const time = { now: Date.parse('2026-03-02T09:00:00Z') };
  const tracker = livingTracker({ ourNow: () => time.now, pageSize: 50, ...options });
  return { time, tracker, ...(await startSync({ now: () => time.now })) };
}

describe('what a search tells late', () => {
  test('by twenty minutes is here within the hour', async () => {
    const { time, tracker, issues, process } = await start();
    const id = tracker.create('DEMO');
    const sync = process(tracker);
    await sync.run(usual, silent);
    tracker.lag(20 * millisecondsInMinute);
    tracker.change(id);
    for (let passed = 0; passed <= millisecondsInHour; passed += 5 * millisecondsInMinute) {
      time.now += 5 * millisecondsInMinute;
      await sync.run(usual, silent);
    }
    expect(await issues.issue('DEMO-1')).toEqual(tracker.kept.get(id));
  });

  test('by two days is here a day after that', async () => {
    const { time, tracker, issues, process } = await start();
    const id = tracker.create('DEMO');
    const sync = process(tracker);
    await sync.run(usual, silent);
    tracker.lag(2 * millisecondsInDay);
    tracker.change(id);
    for (let passed = 0; passed < 3 * millisecondsInDay; passed += 6 * millisecondsInHour) {
      time.now += 6 * millisecondsInHour;
      await sync.run(usual, silent);
    }
    expect(await issues.issue('DEMO-1')).toEqual(tracker.kept.get(id));
  });
});

test('a tracker whose clock leaps forward and back again loses nothing that happens meanwhile', async () => {
  const { time, tracker, issues, process } = await start();
  const id = tracker.create('DEMO');
  await process(tracker).run(usual, silent);
  time.now += millisecondsInMinute;
  tracker.runAhead(40 * millisecondsInMinute);
  await process(tracker).run(usual, silent);
  tracker.runAhead(0);
  time.now += 5 * millisecondsInMinute;
  tracker.change(id);
  // Nobody looks before its clock has come to where it had leapt.
  time.now += 45 * millisecondsInMinute;
  await process(tracker).run(usual, silent);
  expect(await issues.issue('DEMO-1')).toEqual(tracker.kept.get(id));
});

test('a tracker whose clock is behind for one turn leaves no lag', async () => {
  const { time, tracker, process } = await start();
  tracker.create('DEMO');
  const windows: number[] = [];
  const asked = {
    ...tracker,
    issues: async (wanted: IssueSearch) => {
      if ('window' in wanted && wanted.window.by === 'updated')
        windows.push(time.now - (wanted.window.from ?? 0));
      return tracker.issues(wanted);
    },
  };
  await process(asked).run(usual, silent);
  tracker.runAhead(-6 * millisecondsInHour);
  time.now += millisecondsInMinute;
  await process(asked).run(usual, silent);
  tracker.runAhead(0);
  time.now += millisecondsInMinute;
  await process(asked).run(usual, silent);
  expect(windows.at(-1)).toBeLessThan(10 * millisecondsInMinute);
});

describe('a place in what was updated that is no longer good', () => {
  const losing = async (times: number) => {
    let lost = 0;
    const { tracker, ...rest } = await start({ pageSize: 2, byPosition: false });
    return {
      ...rest,
      tracker,
      asked: {
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
    const { time, tracker, asked, issues, process } = await losing(5);
    const ids = Array.from({ length: 12 }, () => tracker.create('DEMO'));
    const sync = process(asked);
    await process(tracker).run(usual, silent);
    for (const id of ids) {
      time.now += millisecondsInMinute;
      tracker.change(id);
    }
    await sync.run(usual, silent);
    const told = await issues.changedSince(0, 99);
    expect(new Set(told.issues.map(({ issue }) => issue))).toEqual(new Set(tracker.kept.values()));
  });

  test('again and again in one minute is a problem, and no search without an end', async () => {
    const { time, tracker, asked, process } = await losing(Number.POSITIVE_INFINITY);
    const ids = Array.from({ length: 12 }, () => tracker.create('DEMO'));
    await process(tracker).run(usual, silent);
    time.now += millisecondsInMinute;
    for (const id of ids) tracker.change(id);
    await expect(process(asked).run(usual, silent)).rejects.toMatchObject({ code: 'bad-request' });
    expect((await process(asked).status())?.problem?.message).toBe('The place is lost.');
  });
});

test('a tracker that was restored from a backup is believed by who compares', async () => {
  const { time, tracker, issues, process } = await start();
  const id = tracker.create('DEMO');
  const sync = process(tracker);
  await sync.run(usual, silent);
  time.now += millisecondsInMinute;
  tracker.change(id);
  await sync.run(usual, silent);
  expect((await issues.issue('DEMO-1'))?.changes).toHaveLength(1);
  tracker.restore(id);
  await sync.run({ compare: true, acceptRemovals: false }, silent);
  expect(await issues.issue('DEMO-1')).toEqual(tracker.kept.get(id));
});
