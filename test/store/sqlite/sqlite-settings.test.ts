import { afterEach, beforeEach, describe, expect, test } from '#jest';
import type { ParameterSet } from '../../../src/model/parameter-set.ts';
import type { CalendarInput } from '../../../src/model/settings.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let dataDir: string;
let store: TestStore;
beforeEach(() => {
  dataDir = temporaryFolder();
  store = openTestStore(dataDir);
});
afterEach(() => store.close());

const berlin: CalendarInput = {
  name: 'Berlin',
  timeZone: 'Europe/Berlin',
  workingTimes: [{ weekday: 'MONDAY', start: 32_400_000, end: 61_200_000 }],
  holidays: [{ name: 'New Year', date: '2026-01-01', recurring: true }],
};
const mine: ParameterSet = {
  id: 'a',
  name: 'Mine',
  ownerId: 'ada',
  public: false,
  report: { reportType: 'statusDuration', fields: ['summary'] },
  createdAt: 1,
  updatedAt: 1,
};

/** What another process would find, and this one after it was started again. */
async function reopened<Result>(look: (other: TestStore) => Promise<Result>): Promise<Result> {
  const other = openTestStore(dataDir);
  try {
    return await look(other);
  } finally {
    other.close();
  }
}

describe('calendars', () => {
  test('get ids from 101 on and are listed by them', async () => {
    expect(await store.settings.calendars()).toEqual([]);
    expect(await store.settings.addCalendar(berlin)).toEqual({ ...berlin, id: 101 });
    await reopened((other) => other.settings.addCalendar({ ...berlin, name: 'Munich' }));
    expect((await store.settings.calendars()).map(({ id, name }) => [id, name])).toEqual([
      [101, 'Berlin'],
      [102, 'Munich'],
    ]);
  });

  test('are replaced by what a change makes of them, and keep their id', async () => {
    const kept = await store.settings.addCalendar(berlin);
    const changed = await store.settings.changeCalendar(101, (before) => {
      expect(before).toEqual(kept);
      return { ...before, id: 7, name: 'Hamburg' };
    });
    expect(changed).toEqual({ ...berlin, name: 'Hamburg', id: 101 });
    expect(await reopened((other) => other.settings.calendars())).toEqual([changed]);
  });

  test('stay as they are when a change fails, and null says that there is none', async () => {
    await store.settings.addCalendar(berlin);
    const failing = store.settings.changeCalendar(101, () => {
      throw new Error('no such zone');
    });
    await expect(failing).rejects.toThrow('no such zone');
    expect(await store.settings.calendars()).toEqual([{ ...berlin, id: 101 }]);
    expect(await store.settings.changeCalendar(102, (kept) => kept)).toBeNull();
  });
});

describe('parameter sets', () => {
  test('are found again one by one and all together', async () => {
    await store.settings.addParameterSet(mine);
    await store.settings.addParameterSet({ ...mine, id: 'A', name: 'Another' });
    expect(await reopened((other) => other.settings.parameterSet('a'))).toEqual(mine);
    expect((await store.settings.parameterSets()).map(({ name }) => name)).toEqual(['Mine', 'Another']);
    expect(await store.settings.parameterSet('b')).toBeNull();
  });

  test('are changed one at a time, under the same id', async () => {
    await store.settings.addParameterSet(mine);
    const changed = await store.settings.changeParameterSet('a', (kept) => ({
      ...kept,
      id: 'b',
      public: true,
    }));
    expect(changed).toEqual({ ...mine, public: true });
    expect(await store.settings.parameterSets()).toEqual([changed]);
    expect(await store.settings.changeParameterSet('b', (kept) => kept)).toBeNull();
  });

  test('a name is one set’s of an owner, and free again once that is gone or deleted', async () => {
    await store.settings.addParameterSet(mine);
    const like = { ...mine, id: 'b', name: ' MINE' };
    await expect(store.settings.addParameterSet(like)).rejects.toThrow('taken');
    await store.settings.addParameterSet({ ...like, ownerId: 'bob' });
    const given = store.settings.changeParameterSet('b', (kept) => ({ ...kept, ownerId: 'ada' }));
    await expect(given).rejects.toThrow('taken');
    expect(await store.settings.parameterSet('b')).toEqual({ ...like, ownerId: 'bob' });
    await store.settings.changeParameterSet('a', (kept) => ({ ...kept, deleted: true }));
    await store.settings.addParameterSet({ ...like, id: 'c' });
    await store.settings.removeParameterSet('c', () => {});
    await store.settings.addParameterSet({ ...like, id: 'd' });
  });

  test('one that the tracker brought is kept with its first change', async () => {
    const change = (kept: ParameterSet) => ({ ...kept, public: true });
    expect(await store.settings.changeParameterSet('a', change, mine)).toEqual({ ...mine, public: true });
    const rename = (kept: ParameterSet) => ({ ...kept, name: 'Ours' });
    const renamed = await store.settings.changeParameterSet('a', rename, mine);
    expect(renamed).toEqual({ ...mine, public: true, name: 'Ours' });
    expect(await store.settings.parameterSets()).toEqual([renamed]);
  });

  test('an id that is taken is not taken again', async () => {
    await store.settings.addParameterSet(mine);
    await expect(store.settings.addParameterSet({ ...mine, name: 'Yours' })).rejects.toThrow('UNIQUE');
    expect(await store.settings.parameterSet('a')).toEqual(mine);
  });
});

test('the client key is made once, by whoever asks first', async () => {
  expect(await store.settings.clientKey(() => 'first')).toBe('first');
  expect(await store.settings.clientKey(() => 'second')).toBe('first');
  expect(await reopened((other) => other.settings.clientKey(() => 'third'))).toBe('first');
});
