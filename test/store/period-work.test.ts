import { millisecondsInDay } from 'date-fns/constants';
import { beforeEach, describe, expect, test } from '#jest';
import type { StoredDigest } from '../../src/model/digest.ts';
import { aDigest } from '../support/a-digest.ts';
import { aStore } from '../support/a-store.ts';
import type { TestStore } from '../support/open-test-store.ts';
import { type StoredDigests, storedDigests } from '../support/stored-digests.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let dataDir: string;
let store: TestStore;
let digests: StoredDigests;
beforeEach(async () => {
  dataDir = temporaryFolder();
  store = await aStore(dataDir);
  digests = storedDigests(store);
});

const mine = { holder: 'me', until: 115 };
const tooLate = { skipReason: 'away', message: 'too late' } as const;
const rests = { skipReason: 'paused', message: 'It rests.' } as const;
const theirs = { holder: 'them', until: 130 };

/** Periods that are to be told at once. */
function duesOf(...dues: readonly number[]) {
  return dues.map((due) => ({ due, notBefore: due, skipped: null }));
}

/** A digest with one period, due at 100, that `me` holds until 115. */
async function hold(): Promise<void> {
  await digests.add(aDigest('a'));
  await digests.addRuns('a', 100, duesOf(100), 200, 100);
  expect(await digests.claim(100, mine)).not.toBeNull();
}

describe('keeping', () => {
  test('how a period ended stays with a digest that is changed', async () => {
    await hold();
    await digests.finish('a', 100, 'me', { state: 'sent', message: null }, 101);
    await digests.change('a', { owner: 'U2', title: 'New', paused: true, nextDue: null });
    const lastRun = expect.objectContaining({ due: 100, state: 'sent' });
    const changed = { id: 'a', owner: 'U2', title: 'New', paused: true, nextDue: null, lastRun };
    expect(await digests.get('a')).toMatchObject(changed);
  });

  test('a digest is removed with its periods, and whoever holds one learns of it', async () => {
    await hold();
    await digests.remove('a');
    expect(await digests.renew('a', 100, mine)).toBe(false);
    expect(await digests.runs('a', 9)).toEqual([]);
  });
});

describe('falling due', () => {
  test('digests are due from their instant on, the longest waiting first, unless they are paused', async () => {
    await digests.add(aDigest('a', { nextDue: 120 }));
    await digests.add(aDigest('b', { nextDue: 100 }));
    await digests.add(aDigest('c', { nextDue: 90, paused: true }));
    await digests.add(aDigest('d', { nextDue: null }));
    expect(await digests.due(99)).toEqual([]);
    expect((await digests.due(120)).map(({ id }) => id)).toEqual(['b', 'a']);
  });

  test('a period that is known already stays as it is', async () => {
    await hold();
    await digests.finish('a', 100, 'me', { state: 'sent', message: null }, 101);
    await digests.change('a', { nextDue: 100 });
    await digests.addRuns('a', 100, duesOf(100, 150), 200, 100);
    expect((await digests.runs('a', 9)).map(({ due, state }) => [due, state])).toEqual([
      [150, 'claimed'],
      [100, 'sent'],
    ]);
  });

  test('only the first of two processes writes, and nothing is written for what is paused or gone', async () => {
    const other = await aStore(dataDir);
    await digests.add(aDigest('a'));
    await digests.add(aDigest('b', { paused: true }));
    await digests.addRuns('a', 100, duesOf(100), 200, 100);
    await storedDigests(other).addRuns('a', 100, duesOf(100, 150), 300, 100);
    await digests.addRuns('b', 100, duesOf(100), 200, 100);
    await digests.addRuns('c', 100, duesOf(100), 200, 100);
    expect(await digests.runs('a', 9)).toHaveLength(1);
    expect(await digests.runs('b', 9)).toEqual([]);
    expect((await digests.get('a'))?.nextDue).toBe(200);
  });

  test.each<[string, Partial<StoredDigest>]>([
    ['was paused', { paused: true, nextDue: null }],
    ['is due at other times', { schedule: { cron: '0 8 * * *', timeZone: 'UTC' }, nextDue: 500 }],
    ['is posted elsewhere', { place: { kind: 'channel', channel: 'C2' } }],
  ])('nothing waits that was written while the digest %s', async (_what, changes) => {
    await digests.add(aDigest('a'));
    const periods: TestStore['periods'] = {
      ...store.periods,
      async change(...args) {
        const written = await store.periods.change(...args);
        await digests.change('a', changes);
        return written;
      },
    };
    const raced = storedDigests({ digests: store.digests, periods });
    await raced.addRuns('a', 100, [{ due: 90, notBefore: 90, skipped: tooLate }, ...duesOf(100)], 200, 100);
    expect(await digests.runs('a', 9)).toEqual([]);
    expect(await digests.get('a')).toMatchObject(changes);
  });
});

describe('taking up', () => {
  test('the oldest period comes first, and is left alone until the lease is over', async () => {
    await digests.add(aDigest('a'));
    await digests.add(aDigest('b'));
    await digests.addRuns('a', 100, duesOf(100), 200, 100);
    await digests.addRuns('b', 100, duesOf(90), 200, 100);
    const claimed = await digests.claim(100, mine);
    expect(claimed).toMatchObject({ digestId: 'b', due: 90, state: 'claimed', attempts: 1 });
    expect((await digests.claim(100, mine))?.digestId).toBe('a');
    expect(await digests.claim(114, theirs)).toBeNull();
    expect(await digests.claim(115, theirs)).toMatchObject({ digestId: 'b', attempts: 2 });
  });

  test('waits for the working day a period is meant for, however far that is', async () => {
    await digests.add(aDigest('a'));
    await digests.addRuns(
      'a',
      100,
      [{ due: 100, notBefore: 300 * millisecondsInDay, skipped: null }],
      200,
      100,
    );
    expect(await digests.claim(300 * millisecondsInDay - 1, mine)).toBeNull();
    expect(await digests.claim(300 * millisecondsInDay, mine)).not.toBeNull();
  });
});

describe('holding', () => {
  beforeEach(hold);

  test.each(['sent', 'silent', 'skipped', 'failed'] as const)('a period ends once: %s', async (state) => {
    const why = { message: 'why', ...(state === 'skipped' && { skipReason: 'waiting' as const }) };
    const end = { state, ...why };
    expect(await digests.finish('a', 100, 'me', end, 105)).toBe(true);
    expect(await digests.finish('a', 100, 'me', { ...end, message: 'again' }, 106)).toBe(false);
    expect(await digests.renew('a', 100, mine)).toBe(false);
    expect(await digests.claim(999, theirs)).toBeNull();
    expect((await digests.get('a'))?.lastRun).toEqual({
      digestId: 'a',
      due: 100,
      state,
      note: {},
      attempts: 1,
      skipReason: null,
      ...why,
      finishedAt: 105,
    });
  });
});

describe('what ended, or is not wanted any more', () => {
  test('a place that is busy is passed over, be it a channel or an owner', async () => {
    await digests.add(aDigest('a'));
    await digests.add(aDigest('b', { place: { kind: 'owner' } }));
    await digests.addRuns('a', 100, duesOf(90), 200, 100);
    await digests.addRuns('b', 100, duesOf(100), 200, 100);
    expect((await digests.claim(100, mine, ['C1']))?.digestId).toBe('b');
    expect(await digests.claim(100, mine, ['C1', 'U1'])).toBeNull();
    expect((await digests.claim(100, mine, ['U1']))?.digestId).toBe('a');
  });

  test('what waits is left out, but not what somebody works on', async () => {
    await hold();
    await digests.addRuns('a', 200, duesOf(110), 300, 100);
    await digests.skipWaiting('a', rests, 112);
    expect(await digests.runs('a', 9)).toMatchObject([
      { due: 110, state: 'skipped', ...rests, finishedAt: 112 },
      { due: 100, state: 'claimed' },
    ]);
    await digests.skipWaiting('a', rests, 115);
    expect(await digests.runs('a', 9)).toMatchObject([{ state: 'skipped' }, { state: 'skipped' }]);
    expect(await digests.renew('a', 100, mine)).toBe(false);
  });

  test('of times to come only that is taken back of which nothing can have been posted', async () => {
    await digests.add(aDigest('a'));
    const skipped = { due: 50, notBefore: 50, skipped: tooLate };
    await digests.addRuns('a', 100, [skipped, ...duesOf(300, 400, 500), { ...skipped, due: 600 }], 700, 100);
    for (const state of ['sent', 'silent'] as const) {
      const claimed = await digests.claim(600, { holder: 'me', until: 615 });
      await digests.finish('a', claimed?.due ?? 0, 'me', { state, message: null }, 601);
    }
    await digests.takeBack(200);
    expect((await digests.runs('a', 9)).map(({ due, state }) => [due, state])).toEqual([
      [300, 'sent'],
      [50, 'skipped'],
    ]);
  });

  test('what failed is unreported until its note says who was told, which one process writes', async () => {
    await hold();
    await digests.finish('a', 100, 'me', { state: 'failed', message: 'why' }, 101);
    expect(await digests.unreported(101)).toMatchObject([{ due: 100, message: 'why' }]);
    expect(await digests.unreported(102)).toEqual([]);
    expect(await digests.changeNote('a', 100, {}, { tellTries: '1' })).toBe(true);
    expect(await digests.changeNote('a', 100, {}, { tellTries: '1' })).toBe(false);
    expect(await digests.unreported(0)).toHaveLength(1);
    expect(await digests.changeNote('a', 100, { tellTries: '1' }, { told: 'U1' })).toBe(true);
    expect(await digests.unreported(0)).toEqual([]);
    expect((await digests.get('a'))?.lastRun?.note).toEqual({ told: 'U1' });
  });

  test('the note of what is under way is nobody else’s to change', async () => {
    await hold();
    expect(await digests.changeNote('a', 100, {}, { told: 'U1' })).toBe(false);
  });
});
