import { setImmediate } from 'node:timers/promises';
import { millisecondsInDay, millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { badRequest } from '../../../src/model/error.ts';
import type { WatchInput } from '../../../src/model/watch.ts';
import { adaWatching, MONDAY_NOON, reviewTooLong, type WatchedWorld } from '../../support/watch-office.ts';
import {
  beginWorld,
  daysAgo,
  endWorld,
  heardAt,
  heardKeys,
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

describe('a visit that gets too long', () => {
  test('is told once, to who is in charge, when it is longer than the threshold and not before', async () => {
    await watching();
    world.issues = { 'WEB-1': { since: MONDAY_NOON - 2 * millisecondsInDay + millisecondsInHour } };
    await passes(millisecondsInHour);
    expect(told.heard).toEqual([]);
    await passes(millisecondsInDay);
    expect(told.heard).toMatchObject([{ account: 'U0BEN', keys: ['WEB-1'], why: { kind: 'assignee' } }]);
    expect(told.heard[0]?.at).toBe(MONDAY_NOON + millisecondsInHour + 5 * millisecondsInMinute);
  });

  test('is told again when the issue has been elsewhere and came back', async () => {
    await watching();
    world.issues = { 'WEB-1': { since: daysAgo(3) } };
    await passes(millisecondsInHour);
    world.issues = { 'WEB-1': { since: MONDAY_NOON, status: '3' } };
    await passes(millisecondsInHour);
    world.issues = { 'WEB-1': { since: MONDAY_NOON + millisecondsInHour } };
    await passes(3 * millisecondsInDay, millisecondsInHour);
    expect(told.heard).toHaveLength(2);
  });

  test('is held against the 85th percentile where that is asked for, and never where too few visits tell', async () => {
    await watching({ threshold: { by: 'usual' } });
    const since = daysAgo(10);
    world.issues = {
      'WEB-1': { since, baseline: { p85Ms: 9 * millisecondsInDay, visits: 5, days: 90 } },
      'WEB-2': { since, baseline: { p85Ms: 11 * millisecondsInDay, visits: 5, days: 90 } },
      'WEB-3': { since, baseline: null },
    };
    await passes(millisecondsInHour);
    expect(heardKeys()).toEqual([['WEB-1']]);
  });

  test('and others of the same person are told in one message, the longest first', async () => {
    await watching();
    for (let i = 1; i <= 12; i += 1) {
      world.issues[`WEB-${i}`] = {
        since: MONDAY_NOON - 3 * millisecondsInDay - i * millisecondsInHour,
        with: i <= 9 ? 'ben' : 'cleo',
      };
    }
    await passes(millisecondsInHour);
    expect(told.heard).toHaveLength(2);
    expect(told.heard[0]).toMatchObject({ account: 'U0CLEO', keys: ['WEB-12', 'WEB-11', 'WEB-10'] });
    expect(told.heard[1]?.keys).toHaveLength(9);
  });

  test('is told to nobody while its watch is paused', async () => {
    const { watches, id } = await watching();
    await watches.pause(adaWatching.owner, id);
    world.issues = { 'WEB-1': { since: daysAgo(3) } };
    await passes(millisecondsInHour);
    expect(told.heard).toEqual([]);
    await watches.resume(adaWatching.owner, id);
    await passes(millisecondsInHour);
    expect(told.heard).toHaveLength(1);
  });
});

describe('a target that is missed', () => {
  const onTarget: Partial<WatchInput> = { status: null, threshold: { by: 'target' } };
  const target = { withinMs: 8 * millisecondsInDay, source: 'set' } as const;

  test('is told once for an issue, in whatever statuses it is, and not before', async () => {
    const { watches, id } = await watching(onTarget);
    const startedAt = MONDAY_NOON - target.withinMs + millisecondsInHour;
    world.issues = { 'WEB-1': { since: startedAt, target } };
    await passes(millisecondsInHour);
    expect(told.heard).toEqual([]);
    await passes(millisecondsInHour);
    expect(told.heard).toMatchObject([{ account: 'U0BEN', keys: ['WEB-1'], why: { kind: 'assignee' } }]);
    for (const status of ['3', '4']) {
      world.issues = { 'WEB-1': { since: world.now, startedAt, status, target } };
      await passes(3 * millisecondsInDay, millisecondsInHour);
    }
    expect(told.heard).toHaveLength(1);
    expect(await watches.lastNotified(adaWatching.owner, id)).toMatchObject({ key: 'WEB-1' });
  });

  test('is told of those alone that have a target, each by its own', async () => {
    await watching(onTarget);
    const since = daysAgo(9);
    world.issues = {
      'WEB-1': { since },
      'WEB-2': { since, target: { ...target, withinMs: 10 * millisecondsInDay } },
      'WEB-3': { since, target: { ...target, source: 'learned' } },
    };
    await passes(millisecondsInHour);
    expect(heardKeys()).toEqual([['WEB-3']]);
  });

  test('is told again after a snooze, and the watch begins with the three furthest beyond', async () => {
    const since = (days: number) => MONDAY_NOON - days * millisecondsInDay;
    for (const days of [9, 10, 11, 12]) world.issues[`WEB-${days}`] = { since: since(days), target };
    const { watches } = await opens();
    const begun = await watches.create(adaWatching, { ...reviewTooLong, ...onTarget });
    expect(begun).toMatchObject({ here: 4, notified: 3, withoutBaseline: 0, everObserved: true });
    expect(begun.overdue.map(({ issue: { key }, since: once }) => [key, once])).toEqual([
      ['WEB-12', 0],
      ['WEB-11', 0],
      ['WEB-10', 0],
      ['WEB-9', 0],
    ]);
    await passes(millisecondsInHour);
    expect(heardKeys()).toEqual([['WEB-12', 'WEB-11', 'WEB-10']]);
    const snooze = { watchId: begun.watch.id, account: 'U0BEN', key: 'WEB-11', since: 0 };
    await watches.snooze({ ...snooze, ends: { by: 'day' } });
    world.issues['WEB-11'] = { since: world.now, startedAt: since(11), status: '3', target };
    await passes(2 * millisecondsInDay, millisecondsInHour);
    expect(heardKeys()).toEqual([['WEB-12', 'WEB-11', 'WEB-10'], ['WEB-11']]);
  });
});

test('working days where every hour counts are those from Monday to Friday', async () => {
  world.now = Date.parse('2026-03-12T11:00:00Z');
  await watching({
    threshold: { by: 'time', ms: 3 * millisecondsInDay, words: '3 working days', weekdays: true },
  });
  world.issues = { 'WEB-1': { since: world.now } };
  await passes(6 * millisecondsInDay, 30 * millisecondsInMinute);
  expect(heardAt()).toEqual(['2026-03-17T11:30:00.000Z']);
});

describe('what sits too long already when a watch begins', () => {
  test('is told of the three furthest beyond, and the rest is left alone until it comes back', async () => {
    for (let i = 1; i <= 7; i += 1)
      world.issues[`WEB-${i}`] = { since: MONDAY_NOON - (2 + i) * millisecondsInDay };
    const { watches } = await opens();
    const begun = await watches.create(adaWatching, reviewTooLong);
    expect(begun).toMatchObject({ notified: 3, watch: { paused: false } });
    expect(begun.overdue.map(({ issue }) => issue.key)).toHaveLength(7);
    await passes(millisecondsInHour);
    expect(heardKeys()).toEqual([['WEB-7', 'WEB-6', 'WEB-5']]);
    world.issues['WEB-1'] = { since: world.now - 3 * millisecondsInDay };
    await passes(millisecondsInHour);
    expect(heardOf('WEB-1')).toHaveLength(1);
  });
});

describe('nobody is told', () => {
  test('at night or on a weekend where every hour counts', async () => {
    world.now = Date.parse('2026-03-13T17:30:00Z');
    await watching();
    world.issues = { 'WEB-1': { since: world.now - 3 * millisecondsInDay } };
    await passes(70 * millisecondsInHour, 30 * millisecondsInMinute);
    expect(heardAt()).toEqual(['2026-03-16T07:00:00.000Z']);
  });

  test('outside of the working hours of a calendar, also over the change of the clocks', async () => {
    world.now = Date.parse('2026-03-27T16:30:00Z');
    await watching({
      calendar: '1',
      threshold: { by: 'time', ms: 8 * millisecondsInHour, words: '1 working day' },
    });
    world.issues = { 'WEB-1': { since: Date.parse('2026-03-26T08:00:00Z') } };
    await passes(70 * millisecondsInHour, 30 * millisecondsInMinute);
    // Nine o'clock, which is an hour earlier by then.
    expect(heardAt()).toEqual(['2026-03-30T07:00:00.000Z']);
  });
});

describe('who is told', () => {
  const hears = async (wish: Partial<WatchInput> = {}) => {
    await watching(wish);
    world.issues = { 'WEB-1': { ...world.issues['WEB-1'], since: daysAgo(3) } };
    await passes(millisecondsInHour);
    expect(told.heard).toHaveLength(1);
    return told.heard[0];
  };

  test('is the owner, where that was asked for', async () => {
    expect(await hears({ tells: 'owner' })).toMatchObject({ account: 'U0ADA', why: { kind: 'owner' } });
  });

  const until = MONDAY_NOON + 7 * millisecondsInDay;
  const circle = { people: ['ben', 'dora'], backTo: 'ben' };
  const toCleo = { people: ['ben', 'cleo'], backTo: null };
  const toDora = { people: ['ben', 'dora', 'cleo'], backTo: null };
  test.each<[string, Partial<WatchedWorld>, object]>([
    [
      'the owner, where no one is in charge',
      { issues: { 'WEB-1': { since: MONDAY_NOON, with: null } } },
      { account: 'U0ADA', why: { kind: 'unassigned' } },
    ],
    [
      'who is at the end of the chain of stand-ins',
      { away: { ben: { until, paths: [toDora] } } },
      { account: 'U0CLEO', why: { kind: 'covers', person: { id: 'ben' }, until } },
    ],
    [
      'who is in charge, where they handed over no more than a narrow category',
      { away: { ben: { category: 'reviews', paths: [toCleo] } } },
      { account: 'U0BEN', why: { kind: 'assignee' } },
    ],
    [
      'the first who is there where others stand in for each other in a circle',
      { away: { ben: { paths: [circle, toCleo] } } },
      { account: 'U0CLEO', why: { kind: 'covers', until: null } },
    ],
    [
      'the owner, where all stand in for each other in a circle',
      { away: { ben: { paths: [circle] } } },
      { account: 'U0ADA', why: { kind: 'notReached', because: 'uncovered' } },
    ],
    [
      'the owner, where the account of who is in charge is unknown',
      { accounts: { ada: 'U0ADA' } },
      { account: 'U0ADA', why: { because: 'noAccount' } },
    ],
    [
      'the owner, where who is in charge may not see the issue',
      { issues: { 'WEB-1': { since: MONDAY_NOON, hiddenFrom: ['ben'] } } },
      { account: 'U0ADA', why: { because: 'hidden' } },
    ],
  ])('is %s', async (_, changes, heard) => {
    Object.assign(world, changes);
    expect(await hears()).toMatchObject(heard);
  });

  test('is the owner from then on, where who is in charge wants to hear no more of the watch', async () => {
    const { watches, id } = await watching();
    world.issues = { 'WEB-1': { since: daysAgo(3) } };
    await expect(watches.mute(id, 'U0BEN')).rejects.toMatchObject({ code: 'not-found' });
    await passes(millisecondsInHour);
    expect(await watches.mute(id, 'U0BEN')).toMatchObject({ muted: ['U0BEN'] });
    world.issues['WEB-2'] = { since: daysAgo(3) };
    await passes(2 * millisecondsInHour);
    expect(told.heard).toMatchObject([
      { account: 'U0BEN', keys: ['WEB-1'] },
      { account: 'U0ADA', keys: ['WEB-2'], why: { because: 'muted' } },
    ]);
  });

  test('is nobody, where the owner may not see the issue', async () => {
    await watching();
    world.issues = { 'WEB-1': { since: daysAgo(3), hiddenFrom: ['ada'] } };
    await passes(millisecondsInHour);
    expect(told.heard).toEqual([]);
  });

  test('is the owner, where Slack refuses to tell who is in charge', async () => {
    told.outcomes.push('refused');
    expect(await hears()).toMatchObject({ account: 'U0ADA', why: { because: 'refused' } });
  });
});

describe('a watch that cannot work pauses, and its owner is told once', () => {
  test.each<[string, () => void, string]>([
    [
      'its status was deleted',
      () => (world.statuses = world.statuses.map((one) => ({ ...one, deleted: true }))),
      "status 'Review' was deleted",
    ],
    ['its status is gone', () => (world.statuses = world.statuses.slice(1)), "'Review' no longer exists"],
    ['its filter is broken', () => (world.trouble = badRequest("project 'WEB' is not known.")), 'not known'],
    ['its calendar is gone', () => (world.calendars = world.calendars.slice(1)), "calendar 'normalHours'"],
    ['its owner is gone', () => (world.gone = ['U0ADA']), 'is no longer active here'],
  ])('when %s', async (_, breaks, why) => {
    const { watches, id } = await watching();
    await opens();
    breaks();
    await passes(millisecondsInHour);
    expect(told.troubles).toHaveLength(1);
    expect(told.troubles[0]?.trouble).toContain(why);
    expect(await watches.get(adaWatching.owner, id)).toMatchObject({ paused: true });
    expect((await watches.resume(adaWatching.owner, id)).trouble).toBeUndefined();
  });

  test('and where they cannot be told, again until they are, whoever is asked', async () => {
    const { watches, id } = await watching();
    told.owner.hears = false;
    world.trouble = badRequest("project 'WEB' is not known.");
    await passes(2 * millisecondsInHour + 5 * millisecondsInMinute);
    expect(told.troubles).toHaveLength(3);
    told.owner.hears = true;
    offices.splice(0);
    await opens();
    await passes(millisecondsInDay);
    expect(told.troubles).toHaveLength(4);
    // What another process has written is seen from the next turn of the event loop on.
    await setImmediate();
    expect(await watches.get(adaWatching.owner, id)).toMatchObject({ ownerTold: { done: true } });
    expect(await watches.resume(adaWatching.owner, id)).not.toHaveProperty('ownerTold');
  });
});
