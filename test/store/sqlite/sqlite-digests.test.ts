import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { millisecondsInDay } from 'date-fns/constants';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import type { DigestStore } from '../../../src/store/job-stores.ts';
import { aDigest } from '../../support/a-digest.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let dataDir: string;
let store: TestStore;
let digests: DigestStore;
beforeEach(() => {
  dataDir = temporaryFolder();
  store = openTestStore(dataDir);
  digests = store.digests;
});
afterEach(() => store.close());

const mine = { holder: 'me', until: 115 };
const tooLate = { skipReason: 'away', message: 'too late' } as const;
const rests = { skipReason: 'paused', message: 'It rests.' } as const;
const theirs = { holder: 'them', until: 130 };

/** Periods that are to be told at once. */
function periods(...dues: readonly number[]) {
  return dues.map((due) => ({ due, notBefore: due, skipped: null }));
}

/** A digest with one period, due at 100, that `me` holds until 115. */
async function hold(): Promise<void> {
  await digests.add(aDigest('a'), 9);
  await digests.addRuns('a', 100, periods(100), 200);
  expect(await digests.claim(100, mine)).not.toBeNull();
}

describe('keeping', () => {
  test('a digest is found by its id as it was added, also by another process', async () => {
    const digest = aDigest('a', { workingDays: '101', file: 'csv', place: { kind: 'owner' } });
    expect(await digests.add(digest, 1)).toBe(true);
    const other = openTestStore(dataDir);
    expect(await other.digests.get('a')).toEqual(digest);
    expect(await other.digests.get('b')).toBeNull();
    other.close();
  });

  test('no owner has more digests than allowed, whatever others have', async () => {
    await digests.add(aDigest('a', { owner: 'U2' }), 1);
    expect(await digests.add(aDigest('b'), 1)).toBe(true);
    expect(await digests.add(aDigest('c'), 1)).toBe(false);
    expect(await digests.get('c')).toBeNull();
  });

  test('a list goes by title, whatever its case, and by id', async () => {
    for (const [id, title] of [
      ['b', 'aging'],
      ['a', 'Aging'],
      ['d', 'Zoo'],
      ['c', 'weekly'],
    ] as const) {
      await digests.add(aDigest(id, { title }), 9);
    }
    expect((await digests.list()).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('a change replaces everything but the id, and counts for its new owner', async () => {
    await hold();
    await digests.finish('a', 100, 'me', { state: 'sent', message: null, at: 101 });
    const changed = await digests.change('a', (kept) => ({
      ...kept,
      id: 'x',
      owner: 'U2',
      title: 'New',
      paused: true,
      nextDue: null,
    }));
    expect(changed).toMatchObject({ id: 'a', owner: 'U2', title: 'New', paused: true, nextDue: null });
    expect(changed?.lastRun).toMatchObject({ due: 100, state: 'sent' });
    expect(await digests.get('a')).toEqual(changed);
    expect(await digests.add(aDigest('b', { owner: 'U2' }), 1)).toBe(false);
    expect(await digests.change('b', (kept) => kept)).toBeNull();
  });

  test('a digest is removed with its periods, and whoever holds one learns of it', async () => {
    await hold();
    expect(await digests.remove('a')).toBe(true);
    expect(await digests.remove('a')).toBe(false);
    expect(await digests.renew('a', 100, mine)).toBe(false);
    expect(await digests.runs('a', 9)).toEqual([]);
  });
});

describe('falling due', () => {
  test('digests are due from their instant on, the longest waiting first, unless they are paused', async () => {
    await digests.add(aDigest('a', { nextDue: 120 }), 9);
    await digests.add(aDigest('b', { nextDue: 100 }), 9);
    await digests.add(aDigest('c', { nextDue: 90, paused: true }), 9);
    await digests.add(aDigest('d', { nextDue: null }), 9);
    expect(await digests.due(99)).toEqual([]);
    expect((await digests.due(120)).map(({ id }) => id)).toEqual(['b', 'a']);
  });

  test('its periods are written, skipped ones at their end at once, and the next instant is set', async () => {
    await digests.add(aDigest('a'), 9);
    const runs = [{ due: 100, notBefore: 100, skipped: tooLate }, ...periods(200)];
    expect(await digests.addRuns('a', 100, runs, 300)).toBe(true);
    expect((await digests.get('a'))?.nextDue).toBe(300);
    const open = { note: {}, attempts: 0, message: null, skipReason: null, finishedAt: null };
    expect(await digests.runs('a', 9)).toEqual([
      { digestId: 'a', due: 200, state: 'claimed', ...open },
      { digestId: 'a', due: 100, state: 'skipped', ...open, ...tooLate, finishedAt: 100 },
    ]);
    expect(await digests.runs('a', 1)).toHaveLength(1);
  });

  test('a period that is known already stays as it is', async () => {
    await hold();
    await digests.finish('a', 100, 'me', { state: 'sent', message: null, at: 101 });
    await digests.change('a', (kept) => ({ ...kept, nextDue: 100 }));
    expect(await digests.addRuns('a', 100, periods(100, 150), 200)).toBe(true);
    expect((await digests.runs('a', 9)).map(({ due, state }) => [due, state])).toEqual([
      [150, 'claimed'],
      [100, 'sent'],
    ]);
  });

  test('only the first of two processes writes, and nothing is written for what is paused or gone', async () => {
    const other = openTestStore(dataDir);
    await digests.add(aDigest('a'), 9);
    await digests.add(aDigest('b', { paused: true }), 9);
    expect(await digests.addRuns('a', 100, periods(100), 200)).toBe(true);
    expect(await other.digests.addRuns('a', 100, periods(100, 150), 300)).toBe(false);
    expect(await digests.addRuns('b', 100, periods(100), 200)).toBe(false);
    expect(await digests.addRuns('c', 100, periods(100), 200)).toBe(false);
    expect(await digests.runs('a', 9)).toHaveLength(1);
    expect(await digests.runs('b', 9)).toEqual([]);
    expect((await digests.get('a'))?.nextDue).toBe(200);
    other.close();
  });

  test('a digest tells how its newest period ended, whatever is under way', async () => {
    await digests.add(aDigest('a'), 9);
    await digests.addRuns(
      'a',
      100,
      [...periods(100, 300), { due: 200, notBefore: 200, skipped: tooLate }],
      400,
    );
    expect((await digests.get('a'))?.lastRun).toMatchObject({ due: 200, state: 'skipped' });
    await digests.claim(100, mine);
    await digests.finish('a', 100, 'me', { state: 'sent', message: null, at: 999 });
    expect((await digests.due(400))[0]?.lastRun).toMatchObject({ due: 200 });
    expect((await digests.list())[0]?.lastRun).toMatchObject({ due: 200 });
  });
});

describe('taking up', () => {
  test('the oldest period comes first, and is left alone until the lease is over', async () => {
    await digests.add(aDigest('a'), 9);
    await digests.add(aDigest('b'), 9);
    await digests.addRuns('a', 100, periods(100), 200);
    await digests.addRuns('b', 100, periods(90), 200);
    const held = await digests.claim(100, mine);
    expect(held?.digest).toEqual(await digests.get('b'));
    expect(held?.run).toMatchObject({ digestId: 'b', due: 90, state: 'claimed', attempts: 1 });
    expect((await digests.claim(100, mine))?.run.digestId).toBe('a');
    expect(await digests.claim(114, theirs)).toBeNull();
    expect((await digests.claim(115, theirs))?.run).toMatchObject({ digestId: 'b', attempts: 2 });
  });

  test('waits for the working day a period is meant for, however far that is', async () => {
    await digests.add(aDigest('a'), 9);
    await digests.addRuns('a', 100, [{ due: 100, notBefore: 300 * millisecondsInDay, skipped: null }], 200);
    expect(await digests.claim(300 * millisecondsInDay - 1, mine)).toBeNull();
    expect(await digests.claim(300 * millisecondsInDay, mine)).not.toBeNull();
  });

  test('periods of a paused digest rest', async () => {
    await digests.add(aDigest('a'), 9);
    await digests.addRuns('a', 100, periods(100), 200);
    await digests.change('a', (kept) => ({ ...kept, paused: true }));
    expect(await digests.claim(100, mine)).toBeNull();
    await digests.change('a', (kept) => ({ ...kept, paused: false }));
    expect(await digests.claim(100, mine)).not.toBeNull();
  });

  test('two processes never take the same one', async () => {
    const other = openTestStore(dataDir);
    await digests.add(aDigest('a'), 9);
    const dues = Array.from({ length: 20 }, (_, i) => i);
    await digests.addRuns('a', 100, periods(...dues), 200);
    const claimAll = async (its: DigestStore, holder: string): Promise<number[]> => {
      const held = await its.claim(100, { holder, until: 115 });
      return held === null ? [] : [held.run.due, ...(await claimAll(its, holder))];
    };
    const both = await Promise.all([claimAll(digests, 'me'), claimAll(other.digests, 'them')]);
    expect(both.flat().sort((a, b) => a - b)).toEqual(dues);
    other.close();
  });
});

describe('holding', () => {
  beforeEach(hold);

  test('a renewed lease lasts longer, and so does that of who notes something', async () => {
    expect(await digests.renew('a', 100, { holder: 'me', until: 120 })).toBe(true);
    expect(await digests.claim(119, theirs)).toBeNull();
    expect(await digests.putNote('a', 100, { holder: 'me', until: 125 }, { ts: '1.2' })).toBe(true);
    expect(await digests.claim(124, theirs)).toBeNull();
    expect((await digests.claim(125, theirs))?.run).toMatchObject({ note: { ts: '1.2' }, attempts: 2 });
  });

  test('whoever has lost the lease changes nothing', async () => {
    const other = openTestStore(dataDir);
    await other.digests.claim(115, theirs);
    const before = await digests.runs('a', 9);
    expect(await digests.renew('a', 100, mine)).toBe(false);
    expect(await digests.putNote('a', 100, mine, { ts: '1.2' })).toBe(false);
    expect(await digests.finish('a', 100, 'me', { state: 'sent', message: null, at: 116 })).toBe(false);
    await digests.release('a', 100, 'me', 0, false);
    expect(await digests.runs('a', 9)).toEqual(before);
    expect(await digests.claim(129, mine)).toBeNull();
    other.close();
  });

  test.each(['sent', 'silent', 'skipped', 'failed'] as const)('a period ends once: %s', async (state) => {
    const why = { message: 'why', ...(state === 'skipped' && { skipReason: 'waiting' as const }) };
    const end = { state, ...why, at: 105 };
    expect(await digests.finish('a', 100, 'me', end)).toBe(true);
    expect(await digests.finish('a', 100, 'me', { ...end, message: 'again' })).toBe(false);
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

  test('what is let go of rests, and counts as an attempt only where it was one', async () => {
    await digests.release('a', 100, 'me', 110, false);
    expect(await digests.claim(109, theirs)).toBeNull();
    expect((await digests.claim(110, mine))?.run.attempts).toBe(1);
    await digests.release('a', 100, 'me', 111, true);
    expect((await digests.claim(111, theirs))?.run.attempts).toBe(2);
  });
});

describe('time', () => {
  test('periods that ended long ago are forgotten, but for the newest of each digest', async () => {
    await digests.add(aDigest('a'), 9);
    await digests.addRuns('a', 100, periods(10, 20, 30, 40), 200);
    for (const due of [10, 20, 30]) {
      await digests.claim(100, mine);
      await digests.finish('a', due, 'me', { state: 'sent', message: null, at: due + 1 });
    }
    const dues = async () => (await digests.runs('a', 9)).map(({ due }) => due);
    await digests.forget(21);
    expect(await dues()).toEqual([40, 30, 20]);
    await digests.forget(999);
    expect(await dues()).toEqual([40, 30]);
  });

  test('leases and pauses begun by a clock that was set back since hold nobody up', async () => {
    await digests.add(aDigest('a'), 9);
    await digests.addRuns('a', 100, periods(10, 20), 200);
    const ahead = 30 * millisecondsInDay;
    await digests.claim(ahead, { holder: 'me', until: ahead + 60_000 });
    await digests.claim(ahead, { holder: 'me', until: ahead + 60_000 });
    await digests.release('a', 20, 'me', ahead + 60_000, true);
    expect((await digests.claim(100, theirs))?.run.due).toBe(10);
    expect((await digests.claim(100, theirs))?.run.due).toBe(20);
  });

  test('looking for work waits for nobody who writes, as long as there is none', async () => {
    await digests.add(aDigest('a'), 9);
    const writer = new DatabaseSync(join(dataDir, 'dwell.db'));
    writer.exec('BEGIN IMMEDIATE');
    expect(await digests.due(99)).toEqual([]);
    expect(await digests.claim(99, mine)).toBeNull();
    await digests.forget(99);
    writer.close();
  });

  test('renewing a lease gives up soon where another writes for long', async () => {
    await hold();
    const writer = new DatabaseSync(join(dataDir, 'dwell.db'));
    writer.exec('BEGIN IMMEDIATE');
    await expect(digests.renew('a', 100, mine)).rejects.toMatchObject({ code: 'unavailable' });
    writer.close();
    expect(await digests.renew('a', 100, mine)).toBe(true);
  });
});

describe('what ended, or is not wanted any more', () => {
  test('a place that is busy is passed over, be it a channel or an owner', async () => {
    await digests.add(aDigest('a'), 9);
    await digests.add(aDigest('b', { place: { kind: 'owner' } }), 9);
    await digests.addRuns('a', 100, periods(90), 200);
    await digests.addRuns('b', 100, periods(100), 200);
    expect((await digests.claim(100, mine, ['C1']))?.run.digestId).toBe('b');
    expect(await digests.claim(100, mine, ['C1', 'U1'])).toBeNull();
    expect((await digests.claim(100, mine, ['U1']))?.run.digestId).toBe('a');
  });

  test('what waits is left out, but not what somebody works on', async () => {
    await hold();
    await digests.addRuns('a', 200, periods(110), 300);
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
    await digests.add(aDigest('a'), 9);
    const skipped = { due: 50, notBefore: 50, skipped: tooLate };
    await digests.addRuns('a', 100, [skipped, ...periods(300, 400, 500), { ...skipped, due: 600 }], 700);
    for (const state of ['sent', 'silent'] as const) {
      const held = await digests.claim(600, { holder: 'me', until: 615 });
      await digests.finish('a', held?.run.due ?? 0, 'me', { state, message: null, at: 601 });
    }
    await digests.takeBack('a', 200);
    expect((await digests.runs('a', 9)).map(({ due, state }) => [due, state])).toEqual([
      [300, 'sent'],
      [50, 'skipped'],
    ]);
  });

  test('what failed is unreported until its note says who was told, which one process writes', async () => {
    await hold();
    await digests.finish('a', 100, 'me', { state: 'failed', message: 'why', at: 101 });
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
