import { millisecondsInDay } from 'date-fns/constants';
import { afterEach, beforeEach, expect, jest, test } from '#jest';
import { badRequest } from '../../../src/model/error.ts';
import type { WatchInput } from '../../../src/model/watch.ts';
import { principalOf } from '../../support/principal-of.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { adaWatching, aWatchedWorld, aWatchOffice, reviewTooLong } from '../../support/watch-office.ts';

const world = aWatchedWorld();
const ben = principalOf('U0BEN');
const admin = principalOf('U0ROOT', 'admin');

let office: Awaited<ReturnType<typeof aWatchOffice>>;
beforeEach(async () => {
  world.trouble = null;
  world.issues = {};
  office = await aWatchOffice(world, temporaryFolder());
});
afterEach(() => {
  jest.restoreAllMocks();
  office.close();
});

test('a watch is its owner’s and the admins’, and nobody else’s', async () => {
  const { watches } = office;
  const { watch } = await watches.create(adaWatching, reviewTooLong);
  expect(await watches.list(adaWatching.owner)).toEqual([watch]);
  expect(await watches.list(admin)).toEqual([watch]);
  expect(await watches.list(ben)).toEqual([]);
  for (const call of [watches.get, watches.pause, watches.resume, watches.remove, watches.lastNotified]) {
    await expect(call(ben, watch.id)).rejects.toMatchObject({ reason: 'unknown-watch' });
  }
  expect(await watches.lastNotified(adaWatching.owner, watch.id)).toBeNull();
  await watches.remove(admin, watch.id);
  await expect(watches.remove(admin, watch.id)).rejects.toMatchObject({ reason: 'unknown-watch' });
});

test('nobody has more than 50, and a watch that is refused leaves nothing behind', async () => {
  const { watches, store } = office;
  for (let i = 0; i < 50; i += 1) await watches.create(adaWatching, reviewTooLong);
  const late = { since: world.now - 9 * millisecondsInDay };
  world.issues = { 'WEB-1': late, 'WEB-2': late, 'WEB-3': late, 'WEB-4': late };
  const cleoWatching = { owner: principalOf('U0CLEO'), principal: principalOf('cleo') };
  const { watch } = await watches.create(cleoWatching, reviewTooLong);
  expect(await store.watches.list()).toHaveLength(51);
  // What was overdue when it began, but for the first three, is left alone.
  const alerts = await store.watchAlerts.of(watch.id);
  expect(alerts).toMatchObject([{ watchId: watch.id, state: 'told', account: null }]);
  const left = jest.spyOn(store.watchAlerts, 'removeOf');
  await expect(watches.create(adaWatching, reviewTooLong)).rejects.toMatchObject({
    reason: 'too-many-watches',
  });
  const refused = String(left.mock.calls[0]?.[0]);
  expect(await store.watchAlerts.of(refused)).toEqual([]);
});

test('of two processes that add the last watch of an owner one succeeds', async () => {
  const dataDir = temporaryFolder();
  const offices = [await aWatchOffice(world, dataDir), await aWatchOffice(world, dataDir)];
  const [one] = offices;
  for (let i = 0; i < 49; i += 1) await one?.watches.create(adaWatching, reviewTooLong);
  const both = await Promise.allSettled(
    offices.map(({ watches }) => watches.create(adaWatching, reviewTooLong)),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await one?.store.watches.list()).toHaveLength(50);
  for (const { close } of offices) close();
});

test.each<[string, Partial<WatchInput>]>([
  ['is already done', { status: { id: '9', name: 'Done' } }],
  ['no longer exists', { status: { id: '77', name: 'Nowhere' } }],
  ['not allowed', { threshold: { by: 'time', ms: 0, words: '0 days' } }],
  ["calendar '77' is not known", { calendar: '77' }],
  ['not an IANA time zone', { timeZone: 'Mars/Olympus' }],
])('what is wrong with a wish is told: %s', async (said, wrong) => {
  const failure = await office.watches
    .create(adaWatching, { ...reviewTooLong, ...wrong })
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'bad-request' });
  expect(JSON.stringify(failure)).toContain(said);
});

test('a selection that cannot be asked for makes no watch', async () => {
  world.trouble = badRequest("project 'NOPE' is not known. Try: WEB.");
  await expect(office.watches.create(adaWatching, reviewTooLong)).rejects.toMatchObject({
    code: 'bad-request',
  });
  expect(await office.watches.list(adaWatching.owner)).toEqual([]);
});

test('what cannot be known when a watch begins is told apart from what is not so', async () => {
  const { watches } = office;
  const since = world.now - 9 * millisecondsInDay;
  world.issues = {
    'WEB-1': { since },
    'WEB-2': { since, baseline: { p85Ms: 20 * millisecondsInDay, visits: 5, days: 90 } },
    'WEB-3': { since, status: '3' },
  };
  world.unknown = ['WEB-4'];
  const usual = await watches.create(adaWatching, { ...reviewTooLong, threshold: { by: 'usual' } });
  expect(usual).toMatchObject({
    overdue: [],
    here: 2,
    withoutBaseline: 1,
    sinceUnknown: 1,
    everObserved: true,
  });
  expect(await watches.create(adaWatching, reviewTooLong)).toMatchObject({ here: 2, withoutBaseline: 0 });
  world.issues = {};
  world.everObserved = false;
  expect(await watches.create(adaWatching, reviewTooLong)).toMatchObject({ here: 0, everObserved: false });
});

test('a watch bears the name of its calendar, and none where every hour counts', async () => {
  const { watches } = office;
  expect((await watches.create(adaWatching, { ...reviewTooLong, calendar: '1' })).watch.calendarName).toBe(
    'Berlin office',
  );
  expect((await watches.create(adaWatching, reviewTooLong)).watch.calendarName).toBeNull();
});
