import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { createLocalSettings } from '../../src/api/settings/local-settings.ts';
import type { SettingsApi } from '../../src/api/settings/settings-api.ts';
import { inMemory } from '../../src/cache/namespace.ts';
import { emptyDirectory } from '../../src/model/directory.ts';
import type { ParameterSet } from '../../src/model/parameter-set.ts';
import type { CalendarInput } from '../../src/model/settings.ts';
import { NameTaken } from '../../src/store/documents.ts';
import { openTestStore, type TestStore } from '../support/open-test-store.ts';
import { principalOf } from '../support/principal-of.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const admin = principalOf('ada', 'admin');
const ada = principalOf('ada');
const bob = principalOf('bob');

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
const like = { name: ' MINE', public: false, ownerId: null, report: mine.report };

let stores: TestStore[];
let brought: ParameterSet[];
let ids: string[];
let store: TestStore;
let settings: SettingsApi;
/** The same as another process has them. */
let other: SettingsApi;
beforeEach(async () => {
  const dataDir = temporaryFolder();
  brought = [];
  ids = [];
  store = await openTestStore(dataDir);
  stores = [store, await openTestStore(dataDir)];
  const [one, another] = stores.map(settingsOver);
  if (one === undefined || another === undefined) throw new Error('There are no stores.');
  [settings, other] = [one, another];
});
afterEach(() => {
  for (const one of stores) one.close();
});

function settingsOver(opened: TestStore): SettingsApi {
  return createLocalSettings({
    store: opened,
    stored: inMemory,
    directory: async () => ({ ...emptyDirectory, parameterSets: brought }),
    users: async () => new Map(['ada', 'bob'].map((id) => [id, { id, name: id }])),
    now: () => 1,
    newId: () => ids.shift() ?? 'a',
    checkCalendar: ({ timeZone }) => (timeZone === 'Mars' ? ['no such zone'] : []),
  });
}

/** Without the built-in one. */
const calendars = async (from = settings) => (await from.calendars(ada)).slice(1);

describe('calendars', () => {
  test('get ids from 101 on and are listed by them', async () => {
    expect(await calendars()).toEqual([]);
    expect(await settings.createCalendar(admin, berlin)).toEqual({ ...berlin, id: 101 });
    await other.createCalendar(admin, { ...berlin, name: 'Munich' });
    expect((await calendars()).map(({ id, name }) => [id, name])).toEqual([
      [101, 'Berlin'],
      [102, 'Munich'],
    ]);
  });

  test('one that is refused takes no id', async () => {
    const wrong = settings.createCalendar(admin, { ...berlin, timeZone: 'Mars' });
    await expect(wrong).rejects.toMatchObject({ details: ['no such zone'] });
    expect(await settings.createCalendar(admin, berlin)).toMatchObject({ id: 101 });
  });
});

describe('parameter sets', () => {
  test('a name is one set’s of an owner, and free again once that is gone or deleted', async () => {
    ids = ['a', 'b', 'b', 'c', 'd', 'e'];
    brought = [{ ...mine, id: 'foreign', name: 'Brought' }];
    await settings.createParameterSet(ada, { ...like, name: 'Mine' });
    const taken = { reason: 'name-taken' };
    await expect(other.createParameterSet(ada, like)).rejects.toMatchObject(taken);
    await other.createParameterSet(bob, like);
    const given = settings.updateParameterSet(principalOf('bob', 'admin'), 'b', { ownerId: 'ada' });
    await expect(given).rejects.toMatchObject(taken);
    expect(await settings.parameterSet(bob, 'b')).toMatchObject({ ownerId: 'bob' });
    await settings.deleteParameterSet(ada, 'a');
    await other.createParameterSet(ada, like);
    await expect(other.createParameterSet(ada, { ...like, name: 'brought' })).rejects.toMatchObject(taken);
    await settings.deleteParameterSet(ada, 'foreign');
    await other.createParameterSet(ada, { ...like, name: 'brought' });
  });

  test('the store itself lets no name be given twice, whatever was asked before', async () => {
    await store.parameterSets.change('a', () => mine);
    const twice = { ...mine, id: 'b', name: ' MINE' };
    await expect(stores[1]?.parameterSets.change('b', () => twice)).rejects.toThrow(NameTaken);
    await store.parameterSets.change('b', () => ({ ...twice, ownerId: 'bob' }));
    const given = stores[1]?.parameterSets.change('b', () => twice);
    await expect(given).rejects.toThrow(NameTaken);
    await store.parameterSets.change('a', () => ({ ...mine, deleted: true }));
    expect(await stores[1]?.parameterSets.change('b', () => twice)).toEqual(twice);
  });

  test('one that the tracker brought is stored with its first change', async () => {
    brought = [mine];
    expect(await settings.updateParameterSet(ada, 'a', { public: true })).toEqual({ ...mine, public: true });
    // By now the tracker says otherwise, which counts no more.
    brought = [{ ...mine, report: {} }];
    const renamed = await other.updateParameterSet(ada, 'a', { name: 'Ours' });
    expect(renamed).toEqual({ ...mine, public: true, name: 'Ours' });
    expect(await store.parameterSets.list()).toEqual([renamed]);
  });

  test('an id that is taken is not taken again', async () => {
    await settings.createParameterSet(ada, { ...like, name: 'Mine' });
    await expect(settings.createParameterSet(ada, { ...like, name: 'Yours' })).rejects.toThrow('The id a');
    expect(await settings.parameterSet(ada, 'a')).toEqual(mine);
  });
});
