import { beforeEach, describe, expect, test } from '#jest';
import type { ExportRecord } from '../../src/model/export.ts';
import { aProvenance, aScope } from '../support/a-provenance.ts';
import { aStore } from '../support/a-store.ts';
import { anExport, exportOf } from '../support/an-export.ts';
import { openTestStore, type TestStore } from '../support/open-test-store.ts';
import { storeEngine } from '../support/store-engine.ts';
import { type StoredExports, storedExports } from '../support/stored-exports.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let dataDir: string;
let store: TestStore;
let exports: StoredExports;
beforeEach(async () => {
  dataDir = temporaryFolder();
  store = await aStore(dataDir);
  exports = storedExports(store.exports);
});

const mine = { holder: 'me', until: 15 };
const theirs = { holder: 'them', until: 15 };
const there = {
  state: 'Successful',
  fileName: 'a.csv',
  bytes: 7,
  provenance: aProvenance(),
  scope: aScope,
  expiresAt: 100,
} as const;
const delivery = { door: 'slack', note: { channel: 'C1' }, pending: true } as const;
const none = { completed: 0, total: 3 };

async function add(...records: readonly ExportRecord[]): Promise<void> {
  for (const record of records) expect(await exports.add(record, 99)).toBe(true);
}

/** Takes everything there is at an instant, one after the other. */
async function idsClaimed(now = 0): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const record = await exports.claim(now, { holder: 'me', until: now + 15 }, ['slack']);
    if (record === null) return ids;
    ids.push(record.id);
  }
}

describe('keeping', () => {
  test('an export is found by its id as it was added, also by another process', async () => {
    const record = anExport('a', { delivery, createdAt: 5 });
    await add(record);
    const other = await aStore(dataDir);
    expect(await other.exports.get('a')).toEqual(record);
    expect(await other.exports.get('b')).toBeNull();
  });

  test.each([
    ['delegates to credit credits nobody', 'creditDelegates'],
    ["zones of requests is read on the principal's clocks", 'timeZone'],
  ])('an export kept before there were %s', async (_what, member) => {
    const record = anExport('a');
    await add(record);
    const engine = await storeEngine.openEngine(dataDir);
    await engine.write(async ({ db }) => {
      const { document } = await db.selectFrom('work').select('document').executeTakeFirstOrThrow();
      const older = JSON.parse(document);
      expect(Reflect.deleteProperty(older.input.request, member)).toBe(true);
      await db
        .updateTable('work')
        .set({ document: JSON.stringify(older) })
        .execute();
    });
    engine.close();
    expect(await exports.get('a')).toEqual(record);
  });

  test('no owner has more unfinished exports than allowed, whatever others have', async () => {
    await add(exportOf('bob', 'bob 1', 0), exportOf('bob', 'bob 2', 0));
    expect(await exports.add(exportOf('ada', 'ada 1', 1), 2)).toBe(true);
    expect(await exports.add(exportOf('ada', 'ada 2', 1, true), 2)).toBe(true);
    expect(await exports.add(exportOf('ada', 'ada 3', 1), 2)).toBe(false);
    expect(await exports.get('ada 3')).toBeNull();
    await exports.abort('ada 1', 2);
    expect(await exports.add(exportOf('ada', 'ada 3', 1), 2)).toBe(true);
  });

  test('a list has what its owner queued, newest first', async () => {
    await add(
      exportOf('ada', 'old', 1),
      exportOf('ada', 'of an admin', 2, true),
      exportOf('ada', 'new', 3),
      exportOf('ada', 'new too', 3),
      exportOf('bob', 'of bob', 9),
    );
    const ids = async (count?: number) =>
      (await store.exports.list({ owner: 'ada' }, count)).map(({ id }) => id);
    expect(await ids()).toEqual(['new too', 'new', 'of an admin', 'old']);
    expect(await ids(1)).toEqual(['new too']);
  });
});

describe('taking up', () => {
  test('what nobody works on is Running from then on, and left alone until the lease is over', async () => {
    await add(anExport('a'));
    expect(await exports.claim(0, mine, ['slack'])).toEqual(anExport('a', { state: 'Running', attempts: 1 }));
    expect(await exports.claim(14, theirs, ['slack'])).toBeNull();
    expect(await exports.claim(15, theirs, ['slack'])).toMatchObject({
      id: 'a',
      state: 'Running',
      attempts: 2,
    });
  });

  test('begins at nothing written, whatever the attempt before had', async () => {
    await add(anExport('a'));
    await exports.claim(0, mine, ['slack']);
    await exports.renew('a', mine, { completed: 2, total: 4 });
    expect(await exports.get('a')).toMatchObject({ completed: 2, total: 4 });
    expect(await exports.claim(15, theirs, ['slack'])).toMatchObject({ completed: 0, total: 4 });
  });

  test('owners take turns, the one who was served least recently first, of one owner the oldest', async () => {
    await add(exportOf('ada', 'ada 1', 1), exportOf('ada', 'ada 3', 3), exportOf('ada', 'ada 2', 2));
    await add(exportOf('bob', 'bob 1', 8), exportOf('bob', 'bob 2', 9), exportOf('cem', 'cem 1', 7));
    expect(await idsClaimed()).toEqual(['ada 1', 'cem 1', 'bob 1', 'ada 2', 'bob 2', 'ada 3']);
  });

  test('somebody new comes before those who were served', async () => {
    await add(exportOf('ada', 'ada 1', 1), exportOf('ada', 'ada 2', 2));
    await exports.claim(0, mine, ['slack']);
    await add(exportOf('bob', 'bob 1', 9));
    expect(await idsClaimed()).toEqual(['bob 1', 'ada 2']);
  });

  test('two processes never take the same one', async () => {
    const other = await openTestStore(dataDir);
    await add(...Array.from({ length: 20 }, (_, i) => anExport(`e${i}`)));
    const both = await Promise.all([idsClaimed(), claimAll(storedExports(other.exports))]);
    expect(new Set(both.flat()).size).toBe(20);
    expect(both.flat()).toHaveLength(20);
    other.close();

    async function claimAll(its: StoredExports): Promise<string[]> {
      const record = await its.claim(0, theirs, ['slack']);
      return record === null ? [] : [record.id, ...(await claimAll(its))];
    }
  });

  test('takes a pending delivery without making the file anew', async () => {
    await add(anExport('a', { delivery }));
    await exports.claim(0, mine, ['slack']);
    await exports.finish('a', mine, 5, there);
    await exports.release('a', 'me', 20);
    expect(await exports.claim(19, theirs, ['slack'])).toBeNull();
    expect(await exports.claim(20, { holder: 'them', until: 35 }, ['slack'])).toMatchObject({
      state: 'Successful',
      attempts: 1,
    });
    await exports.putDelivery('a', theirs, { ...delivery, pending: false });
    await exports.release('a', 'them', 0);
    expect(await exports.claim(99, mine, ['slack'])).toBeNull();
  });
});

describe('holding', () => {
  beforeEach(async () => {
    await add(anExport('a', { delivery }));
    await exports.claim(0, mine, ['slack']);
  });

  test('a renewed lease lasts longer', async () => {
    expect(await exports.renew('a', { holder: 'me', until: 30 }, none)).toBe(true);
    expect(await exports.claim(29, theirs, ['slack'])).toBeNull();
    expect(await exports.claim(30, theirs, ['slack'])).not.toBeNull();
  });

  test('whoever has lost the lease changes nothing', async () => {
    await exports.claim(15, { holder: 'them', until: 30 }, ['slack']);
    const before = await exports.get('a');
    expect(await exports.renew('a', mine, { completed: 3, total: 3 })).toBe(false);
    expect(await exports.finish('a', mine, 16, there)).toBe(false);
    expect(await exports.putDelivery('a', mine, { ...delivery, pending: false })).toBe(false);
    await exports.release('a', 'me', 0);
    expect(await exports.get('a')).toEqual(before);
    expect(await exports.claim(29, mine, ['slack'])).toBeNull();
  });

  test('what is let go of is Queued again, and the attempt does not count', async () => {
    await exports.renew('a', mine, { completed: 2, total: 3 });
    await exports.release('a', 'me', 7);
    expect(await exports.get('a')).toMatchObject({ state: 'Queued', attempts: 0, completed: 0 });
    expect(await exports.claim(6, theirs, ['slack'])).toBeNull();
    expect(await exports.claim(7, theirs, ['slack'])).toMatchObject({ attempts: 1 });
  });

  test('a success tells its file and that everything is written', async () => {
    await exports.renew('a', mine, { completed: 2, total: 4 });
    expect(await exports.finish('a', mine, 9, there)).toBe(true);
    expect(await exports.get('a')).toMatchObject({ ...there, finishedAt: 9, completed: 4, message: null });
    await exports.renew('a', mine, { completed: 2, total: 5 });
    expect(await exports.get('a')).toMatchObject({ completed: 4, total: 4 });
  });

  test('a failure tells why, and how far it came', async () => {
    await exports.renew('a', mine, { completed: 2, total: 4 });
    expect(await exports.finish('a', mine, 9, { state: 'Failed', message: 'why' })).toBe(true);
    const failed = { state: 'Failed', message: 'why', finishedAt: 9, completed: 2, fileName: null };
    expect(await exports.get('a')).toMatchObject(failed);
  });

  test('the end comes once', async () => {
    await exports.finish('a', mine, 9, there);
    expect(await exports.finish('a', mine, 10, { state: 'Failed', message: 'why' })).toBe(false);
    expect(await exports.abort('a', 10)).toBe(false);
    expect(await exports.get('a')).toMatchObject({ state: 'Successful', finishedAt: 9 });
  });

  test('a delivery keeps what its door notes', async () => {
    const noted = { ...delivery, note: { channel: 'C1', file: 'F1' } };
    expect(await exports.putDelivery('a', mine, noted)).toBe(true);
    expect((await exports.get('a'))?.delivery).toEqual(noted);
  });
});

describe('aborting', () => {
  test('a queued one has ended, and a pending delivery of it is taken up', async () => {
    await add(anExport('a'), anExport('b', { delivery }));
    expect(await exports.abort('a', 5)).toBe(true);
    expect(await exports.abort('b', 5)).toBe(true);
    expect(await exports.get('a')).toMatchObject({
      state: 'Aborted',
      finishedAt: 5,
      message: 'The export was aborted.',
    });
    expect(await exports.claim(6, mine, ['slack'])).toMatchObject({ id: 'b', state: 'Aborted', attempts: 0 });
    expect(await exports.claim(6, theirs, ['slack'])).toBeNull();
  });

  test('tells the holder of a running one, and leaves its delivery alone until the holder has let go', async () => {
    await add(anExport('a', { delivery }));
    await exports.claim(0, mine, ['slack']);
    expect(await exports.abort('a', 5)).toBe(true);
    expect(await exports.renew('a', mine, none)).toBe(false);
    expect(await exports.finish('a', mine, 6, there)).toBe(false);
    expect(await exports.claim(6, theirs, ['slack'])).toBeNull();
    await exports.release('a', 'me', 6);
    expect(await exports.claim(6, theirs, ['slack'])).toMatchObject({ state: 'Aborted', attempts: 1 });
    expect(await exports.renew('a', theirs, none)).toBe(true);
  });

  test('does not wait for a holder that was killed longer than its lease', async () => {
    await add(anExport('a', { delivery }));
    await exports.claim(0, mine, ['slack']);
    await exports.abort('a', 5);
    expect(await exports.claim(15, { holder: 'them', until: 30 }, ['slack'])).toMatchObject({
      state: 'Aborted',
    });
    expect(await exports.renew('a', theirs, none)).toBe(true);
  });

  test('is nothing for an id that nobody knows', async () => {
    expect(await exports.abort('a', 5)).toBe(false);
  });
});

describe('time', () => {
  test('closes files whose time is over and forgets what ended long ago, and tells both', async () => {
    await add(anExport('a'), anExport('b'), anExport('c', { delivery }), anExport('d'));
    for (const [id, at] of [
      ['a', 1],
      ['b', 50],
      ['c', 60],
    ] as const) {
      await exports.claim(0, mine, ['slack']);
      await exports.finish(id, mine, at, { ...there, expiresAt: at + 100 });
    }
    expect(await exports.expire(149, 1, 9)).toEqual(['a']);
    expect(await exports.get('a')).toMatchObject({ state: 'Expired', fileName: 'a.csv' });
    expect(await exports.expire(150, 2, 9)).toEqual(['a', 'b']);
    expect(await exports.get('a')).toBeNull();
    expect(await exports.get('b')).toMatchObject({ state: 'Expired' });
    expect(await exports.get('c')).toMatchObject({ state: 'Successful' });
    expect(await exports.get('d')).toMatchObject({ state: 'Queued' });
    expect(await exports.expire(150, 2, 9)).toEqual([]);
  });
});

test('only the newest files of an owner stay, but none is taken away before it was brought', async () => {
  await add(anExport('a'), anExport('b', { delivery }), anExport('c'), exportOf('bob', 'd', 0));
  for (const at of [1, 2, 3, 4]) {
    const claimed = await exports.claim(0, mine, ['slack']);
    await exports.finish(claimed?.id ?? '', mine, at, { ...there, expiresAt: 1_000 });
  }
  expect(await exports.expire(5, 0, 1)).toEqual(['a']);
  expect((await exports.get('b'))?.state).toBe('Successful');
});

test('a delivery waits for a process whose door is open', async () => {
  await add(anExport('a', { delivery }));
  await exports.claim(0, mine, []);
  await exports.finish('a', mine, 5, there);
  await exports.release('a', 'me', 5);
  expect(await exports.claim(6, theirs, [])).toBeNull();
  expect(await exports.claim(6, theirs, ['slack'])).toMatchObject({ id: 'a', state: 'Successful' });
});

test('leases and pauses begun by a clock that was set back since hold nobody up', async () => {
  const day = 86_400_000;
  await add(anExport('a'), anExport('b'));
  await exports.claim(day, { holder: 'me', until: day + 8_000 }, []);
  await exports.claim(day, { holder: 'me', until: day + 8_000 }, []);
  await exports.release('b', 'me', day + 10_000);
  expect(await idsClaimed(0)).toEqual(['a', 'b']);
});

test('renewing a lease gives up soon where another writes for long, and patience is as before afterwards', async () => {
  await add(anExport('a'));
  await exports.claim(0, mine, []);
  const end = await storeEngine.writeElsewhere(dataDir);
  await expect(exports.renew('a', mine, none)).rejects.toMatchObject({ code: 'unavailable' });
  await end();
  expect(await exports.renew('a', mine, none)).toBe(true);
});

test('looking for work waits for nobody who writes, as long as there is none', async () => {
  const end = await storeEngine.writeElsewhere(dataDir);
  expect(await exports.claim(0, mine, ['slack'])).toBeNull();
  expect(await exports.expire(0, 0, 9)).toEqual([]);
  await end();
});
