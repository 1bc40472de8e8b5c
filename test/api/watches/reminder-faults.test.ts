import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { AppError } from '../../../src/model/error.ts';
import { principalOf } from '../../support/principal-of.ts';
import { adaWatching, MONDAY_NOON, reviewTooLong } from '../../support/watch-office.ts';
import {
  beginWorld,
  daysAgo,
  endWorld,
  heardOf,
  offices,
  opens,
  passes,
  told,
  watching,
  world,
} from './watching-ada.ts';

beforeEach(beginWorld);
afterEach(endWorld);

describe('a snooze', () => {
  const tellsBen = async () => {
    const office = await watching();
    world.issues = { 'WEB-1': { since: daysAgo(3) } };
    await passes(millisecondsInHour);
    expect(heardOf('WEB-1')).toHaveLength(1);
    return {
      ...office,
      snoozes: (days: number) =>
        office.watches.snooze({
          watchId: office.id,
          account: 'U0BEN',
          key: 'WEB-1',
          since: daysAgo(3),
          ends: { by: 'workingDays', days },
        }),
    };
  };

  test('is over at its end, and the visit is told once more if it still lasts', async () => {
    const { snoozes } = await tellsBen();
    const { until } = await snoozes(1);
    await passes(12 * millisecondsInDay, millisecondsInHour);
    expect(told.heard).toHaveLength(2);
    expect(told.heard[1]?.at).toBeGreaterThanOrEqual(until);
    expect(told.heard[1]?.at).toBeLessThanOrEqual(until + millisecondsInHour);
  });

  test('over a weekend and the change of the clocks ends at the same time of a working day', async () => {
    world.now = Date.parse('2026-03-27T11:00:00Z');
    const { watches, id } = await watching();
    const since = world.now - 3 * millisecondsInDay;
    world.issues = { 'WEB-1': { since } };
    await passes(5 * millisecondsInMinute);
    const asked = { watchId: id, account: 'U0BEN', key: 'WEB-1', since };
    const ending = async (ends: Parameters<typeof watches.snooze>[0]['ends']) =>
      new Date((await watches.snooze({ ...asked, ends })).until).toISOString();
    expect(await ending({ by: 'day' })).toBe('2026-03-28T11:05:00.000Z');
    expect(await ending({ by: 'week' })).toBe('2026-04-03T10:05:00.000Z');
    expect(await ending({ by: 'workingDays', days: 3 })).toBe('2026-04-01T10:05:00.000Z');
  });

  test('is over by itself when the issue moves on', async () => {
    const { snoozes } = await tellsBen();
    await snoozes(5);
    world.issues = { 'WEB-1': { since: world.now } };
    await passes(2 * millisecondsInDay + 2 * millisecondsInHour, millisecondsInHour);
    expect(heardOf('WEB-1')).toHaveLength(2);
  });

  const onTarget = { status: null, threshold: { by: 'target' } } as const;
  const missedSince = daysAgo(3);

  test.each([
    ['a missed target', onTarget, { ...reviewTooLong }, 0],
    ['a stay', {}, { ...reviewTooLong, ...onTarget }, missedSince],
  ] as const)('of %s silences every watch until its end', async (_, first, second, since) => {
    const { watches, id } = await watching(first);
    const target = { withinMs: 8 * millisecondsInDay, source: 'set' } as const;
    const startedAt = daysAgo(9);
    world.issues = { 'WEB-1': { since: missedSince, startedAt, target } };
    await passes(millisecondsInHour);
    const snoozed = { watchId: id, account: 'U0BEN', key: 'WEB-1', since, ends: { by: 'day' } } as const;
    const { until } = await watches.snooze(snoozed);
    await watches.create(adaWatching, second);
    await passes(20 * millisecondsInHour, millisecondsInHour);
    expect(told.heard).toHaveLength(1);
    await passes(2 * millisecondsInDay, millisecondsInHour);
    expect(told.heard.length).toBeGreaterThan(1);
    expect(told.heard[1]?.at).toBeGreaterThanOrEqual(until);
  });

  test('tells who stands in by then', async () => {
    const { snoozes } = await tellsBen();
    await snoozes(1);
    world.away = { ben: { paths: [{ people: ['ben', 'cleo'], backTo: null }] } };
    await passes(3 * millisecondsInDay, millisecondsInHour);
    expect(told.heard.map(({ account }) => account)).toEqual(['U0BEN', 'U0CLEO']);
  });

  test('has an end within 30 days, and belongs to who was told', async () => {
    const { watches, id } = await tellsBen();
    const visit = { watchId: id, key: 'WEB-1', since: daysAgo(3) };
    const until = (at: number) => ({
      ...visit,
      account: 'U0BEN',
      ends: { by: 'instant', until: at } as const,
    });
    await expect(watches.snooze(until(world.now + 31 * millisecondsInDay))).rejects.toMatchObject({
      code: 'bad-request',
    });
    await expect(watches.snooze(until(world.now))).rejects.toMatchObject({ code: 'bad-request' });
    await expect(watches.snooze({ ...visit, account: 'U0CLEO', ends: { by: 'day' } })).rejects.toMatchObject({
      code: 'not-found',
    });
  });
});

describe('several watches', () => {
  const cleoWatching = { owner: principalOf('U0CLEO'), principal: principalOf('cleo') };

  test('that find the same visit tell a person of it once', async () => {
    const { watches } = await watching();
    await watches.create(cleoWatching, reviewTooLong);
    await watches.create(cleoWatching, {
      ...reviewTooLong,
      threshold: { by: 'time', ms: millisecondsInDay, words: '1 day' },
    });
    world.issues = { 'WEB-1': { since: MONDAY_NOON } };
    await passes(4 * millisecondsInDay, 30 * millisecondsInMinute);
    expect(told.heard).toMatchObject([{ account: 'U0BEN', keys: ['WEB-1'] }]);
  });

  test('tell a person in one message, and what comes within an hour waits for the next', async () => {
    const { watches } = await watching();
    await watches
      .create(cleoWatching, { ...reviewTooLong, status: { id: '5', name: 'Elsewhere' } })
      .catch(() => null);
    world.issues = { 'WEB-1': { since: daysAgo(3) } };
    await passes(5 * millisecondsInMinute);
    for (const key of ['WEB-2', 'WEB-3']) {
      world.issues[key] = { since: daysAgo(3) };
      await passes(10 * millisecondsInMinute);
    }
    await passes(2 * millisecondsInHour);
    expect(told.heard).toMatchObject([
      { keys: ['WEB-1'], at: MONDAY_NOON + 5 * millisecondsInMinute },
      { keys: ['WEB-2', 'WEB-3'], at: MONDAY_NOON + millisecondsInHour + 5 * millisecondsInMinute },
    ]);
  });

  test('do not repeat to each other’s hearers what was told after a snooze', async () => {
    const { watches, id } = await watching();
    const threshold = { by: 'time', ms: 4 * millisecondsInDay, words: '4 days' } as const;
    await watches.create(cleoWatching, { ...reviewTooLong, threshold });
    const since = daysAgo(2);
    world.issues = { 'WEB-1': { since } };
    await passes(10 * millisecondsInMinute);
    const snooze = { watchId: id, account: 'U0BEN', key: 'WEB-1', since, ends: { by: 'day' } as const };
    const { until } = await watches.snooze(snooze);
    await passes(6 * millisecondsInDay, 30 * millisecondsInMinute);
    expect(told.heard).toHaveLength(2);
    expect(told.heard[1]?.at).toBeGreaterThanOrEqual(until);
  });
});

describe('faults', () => {
  const waits = () => {
    world.issues = { 'WEB-1': { since: daysAgo(3) } };
  };

  test('two processes tell once', async () => {
    await watching();
    await opens();
    waits();
    await passes(millisecondsInDay);
    expect(told.heard).toHaveLength(1);
  });

  test('who dies between claiming and telling is followed by another who tells', async () => {
    const { id, store } = await watching();
    waits();
    const { issues } = world;
    const visit = { watchId: id, key: 'WEB-1', since: issues['WEB-1']?.since ?? 0 };
    const at = { now: world.now, stale: world.now, quietSince: world.now };
    expect(await store.watchAlerts.claim('U0BEN', [visit], at)).toHaveLength(1);
    await passes(millisecondsInHour);
    expect(told.heard).toHaveLength(1);
  });

  test('who dies between telling and saying so is followed by another who looks first', async () => {
    await watching();
    offices.splice(0);
    await opens((store) => ({
      ...store,
      watchAlerts: {
        ...store.watchAlerts,
        async settle() {
          throw new Error('died');
        },
      },
    }));
    waits();
    await passes(5 * millisecondsInMinute);
    offices.splice(0);
    await opens();
    await passes(millisecondsInHour);
    expect(told.heard).toHaveLength(1);
  });

  test('what Slack does not take for now is told a minute later, what it may have taken never again', async () => {
    await watching();
    waits();
    told.outcomes.push('later', 'unknown');
    await passes(5 * millisecondsInMinute, millisecondsInMinute);
    await passes(millisecondsInDay);
    expect(told.heard.map(({ at }) => at)).toEqual([MONDAY_NOON + 2 * millisecondsInMinute]);
  });

  test.each(['tracker-unavailable', 'too-many-exports'] as const)(
    'what is %s is asked again',
    async (reason) => {
      await watching();
      waits();
      world.trouble = new AppError(reason, 'The service does not answer');
      await passes(10 * millisecondsInMinute);
      world.trouble = null;
      await passes(5 * millisecondsInMinute);
      expect(told.heard).toHaveLength(1);
      expect(told.troubles).toEqual([]);
    },
  );

  test('one person who cannot be looked up keeps nobody else from being told', async () => {
    await watching();
    world.unreachable = ['cleo'];
    world.issues = {
      'WEB-1': { since: daysAgo(4), with: 'cleo' },
      'WEB-2': { since: daysAgo(3) },
    };
    await passes(millisecondsInHour);
    expect(told.heard).toMatchObject([{ account: 'U0BEN', keys: ['WEB-2'] }]);
    world.unreachable = [];
    await passes(5 * millisecondsInMinute);
    expect(told.heard).toHaveLength(2);
  });

  test('one person whom telling fails for keeps nobody else from being told, and is told soon', async () => {
    const { watches } = await watching();
    world.issues = {
      'WEB-1': { since: daysAgo(4), with: 'cleo' },
      'WEB-2': { since: daysAgo(3) },
    };
    let fails = true;
    watches.start({
      ...told.notifier,
      async remind(reminder, account) {
        if (fails && account === 'U0CLEO') throw new Error('broken');
        return told.notifier.remind(reminder, account);
      },
    });
    await passes(5 * millisecondsInMinute);
    fails = false;
    await passes(5 * millisecondsInMinute);
    expect(told.heard.map(({ account }) => account)).toEqual(['U0BEN', 'U0CLEO']);
  });

  test('a clock that is set back tells nothing twice', async () => {
    await watching();
    waits();
    await passes(millisecondsInHour);
    world.now -= 30 * millisecondsInMinute;
    await passes(2 * millisecondsInHour);
    expect(told.heard).toHaveLength(1);
  });

  test('what was told is remembered for as long as it lasts', async () => {
    await watching();
    waits();
    await passes(400 * millisecondsInDay, 6 * millisecondsInHour);
    expect(told.heard).toHaveLength(1);
  });
});
