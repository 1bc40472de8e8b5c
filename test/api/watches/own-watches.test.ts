import { millisecondsInDay } from 'date-fns/constants';
import { afterEach, beforeEach, expect, test } from '#jest';
import { badRequest } from '../../../src/model/error.ts';
import type { WatchInput } from '../../../src/model/watch.ts';
import { principalOf } from '../../support/principal-of.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { adaWatching, aWatchedWorld, aWatchOffice, reviewTooLong } from '../../support/watch-office.ts';

const world = aWatchedWorld();
const ben = principalOf('U0BEN');
const admin = principalOf('U0ROOT', 'admin');

let office: ReturnType<typeof aWatchOffice>;
beforeEach(() => {
  world.trouble = null;
  office = aWatchOffice(world, temporaryFolder());
});
afterEach(() => office.close());

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

test('nobody has more than 50', async () => {
  const { watches } = office;
  for (let i = 0; i < 50; i += 1) await watches.create(adaWatching, reviewTooLong);
  await expect(watches.create(adaWatching, reviewTooLong)).rejects.toMatchObject({
    reason: 'too-many-watches',
  });
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
    'WEB-2': { since, baseline: { p85: 20 * millisecondsInDay, visits: 5, days: 90 } },
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
