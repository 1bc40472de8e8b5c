import { afterEach, expect, test } from '#jest';
import { emptyDirectory } from '../../../src/model/directory.ts';
import type { CalendarInput } from '../../../src/model/settings.ts';
import { principalOf } from '../../support/principal-of.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { closeSettings, openSettings } from './open-settings.ts';

afterEach(closeSettings);

const admin = principalOf('ada', 'admin');
const bob = principalOf('bob');
const office: CalendarInput = {
  name: 'Office',
  timeZone: 'Europe/Berlin',
  workingTimes: [{ weekday: 'MONDAY', start: 32_400_000, end: 61_200_000 }],
  holidays: [{ name: 'New Year', date: '2026-01-01', recurring: true }],
};

/** The tracker brings the calendars 7 and 3 along. */
const calendars = [
  { ...office, id: 7, name: 'Support' },
  { ...office, id: 3, name: 'Night Shift' },
];

async function open(dataDir = temporaryFolder()) {
  const settings = await openSettings({
    dataDir,
    directory: async () => ({ ...emptyDirectory, calendars }),
    checkCalendar: ({ timeZone }) =>
      timeZone === 'Mars/Base' ? ["timeZone 'Mars/Base' is no zone. Try: IANA zones."] : [],
  });
  const names = async () => (await settings.api.calendars(bob)).map(({ id, name }) => `${id} ${name}`);
  return { ...settings, names };
}

const untouched = ['null normalHours', '3 Night Shift', '7 Support'];
const adminsOnly = {
  code: 'not-allowed',
  message: 'Forbidden',
  details: ['Only administrators can create or change calendars.'],
};
const unknown = (id: number) => ({
  code: 'not-found',
  message: 'The calendar could not be found.',
  details: [`calendar '${id}' could not be found. Try: the ids of GET /rest/calendars.`],
});

test('the built-in calendar comes first, then those of the tracker and our own by id', async () => {
  const { api, names } = await open();
  expect(await names()).toEqual(untouched);
  expect(await api.createCalendar(admin, office)).toEqual({ ...office, id: 101 });
  expect(await api.createCalendar(admin, { ...office, name: 'A second' })).toMatchObject({ id: 102 });
  expect(await names()).toEqual([...untouched, '101 Office', '102 A second']);
});

test('the built-in calendar works every hour of every day', async () => {
  const { api } = await open();
  const [normalHours] = await api.calendars(bob);
  expect(normalHours).toMatchObject({ id: null, name: 'normalHours', timeZone: 'UTC', holidays: [] });
  expect(normalHours?.workingTimes).toHaveLength(7);
  expect(normalHours?.workingTimes).toContainEqual({ weekday: 'SUNDAY', start: 0, end: 86_400_000 });
});

test('everybody may read one calendar, whoever keeps it', async () => {
  const { api } = await open();
  await api.createCalendar(admin, office);
  expect(await api.calendar(bob, 101)).toEqual({ ...office, id: 101 });
  expect(await api.calendar(bob, 7)).toMatchObject({ id: 7, name: 'Support' });
});

test.each([8, 0, -1, 1.5, Number.NaN])('there is no calendar %p', async (id) => {
  const { api } = await open();
  await expect(api.calendar(bob, id)).rejects.toMatchObject(unknown(id));
  await expect(api.updateCalendar(admin, id, { name: 'X' })).rejects.toMatchObject(unknown(id));
});

test('an update replaces the members given and leaves the others', async () => {
  const { api } = await open();
  await api.createCalendar(admin, office);
  const renamed = { ...office, id: 101, name: 'OFFICE' };
  expect(await api.updateCalendar(admin, 101, { name: ' OFFICE ' })).toEqual(renamed);
  expect(await api.updateCalendar(admin, 101, { holidays: [] })).toEqual({ ...renamed, holidays: [] });
  const noShift = { timeZone: 'UTC', workingTimes: [] };
  const changed = { ...renamed, ...noShift, holidays: [] };
  expect(await api.updateCalendar(admin, 101, noShift)).toEqual(changed);
  expect(await api.calendar(bob, 101)).toEqual(changed);
});

test('only administrators create and change calendars', async () => {
  const { api, names } = await open();
  await api.createCalendar(admin, office);
  await expect(api.createCalendar(bob, { ...office, name: 'Mine' })).rejects.toMatchObject(adminsOnly);
  for (const id of [101, 7, 999]) {
    await expect(api.updateCalendar(bob, id, { name: 'Mine' })).rejects.toMatchObject(adminsOnly);
  }
  expect(await names()).toEqual([...untouched, '101 Office']);
});

test('a calendar of the tracker cannot be changed, but one of your own can be made', async () => {
  const { api, names } = await open();
  await expect(api.updateCalendar(admin, 7, { name: 'Mine' })).rejects.toMatchObject({
    ...{ code: 'not-allowed', reason: 'managed-by-tracker' },
    details: [
      "calendar '7' (Support) belongs to the tracker's workspace and cannot be changed here; create a calendar of your own instead.",
    ],
  });
  expect(await names()).toEqual(untouched);
});

test.each([
  ['NORMALHOURS', 'the built-in one'],
  ['  support ', "calendar '7'"],
  ['OFFICE', "calendar '101'"],
])('the name %p is taken', async (name, whose) => {
  const { api, names } = await open();
  await api.createCalendar(admin, office);
  await api.createCalendar(admin, { ...office, name: 'Other' });
  const taken = {
    code: 'bad-request',
    details: [`name '${name.trim()}' is the name of ${whose}. Try: a name that no calendar has in any case.`],
  };
  await expect(api.createCalendar(admin, { ...office, name })).rejects.toMatchObject(taken);
  await expect(api.updateCalendar(admin, 102, { name })).rejects.toMatchObject(taken);
  expect(await names()).toEqual([...untouched, '101 Office', '102 Other']);
});

test('a calendar whose name the tracker brought along later can still be changed', async () => {
  const { api, store } = await open();
  await store.calendars.change('101', () => ({ ...office, name: 'Support', id: 101 }));
  expect(await api.updateCalendar(admin, 101, { holidays: [] })).toMatchObject({ holidays: [] });
});

test('a calendar that is wrong is refused with every reason, and nothing changes', async () => {
  const { api } = await open();
  await api.createCalendar(admin, office);
  const wrong = { name: 'Support', timeZone: 'Mars/Base' };
  const refusal = {
    code: 'bad-request',
    details: [
      "timeZone 'Mars/Base' is no zone. Try: IANA zones.",
      "name 'Support' is the name of calendar '7'. Try: a name that no calendar has in any case.",
    ],
  };
  await expect(api.createCalendar(admin, { ...office, ...wrong })).rejects.toMatchObject(refusal);
  await expect(api.updateCalendar(admin, 101, wrong)).rejects.toMatchObject(refusal);
  expect(await api.calendars(bob)).toHaveLength(4);
  expect(await api.calendar(bob, 101)).toEqual({ ...office, id: 101 });
});

test('of two calendars created with one name at once only one is kept', async () => {
  const { api, names } = await open();
  const outcomes = await Promise.allSettled([
    api.createCalendar(admin, office),
    api.createCalendar(admin, { ...office, name: 'office' }),
  ]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await names()).toEqual([...untouched, expect.stringMatching(/^101 office$/i)]);
});

test('concurrent updates do not undo each other', async () => {
  const { api } = await open();
  await api.createCalendar(admin, office);
  await Promise.all([
    api.updateCalendar(admin, 101, { name: 'Bureau' }),
    api.updateCalendar(admin, 101, { timeZone: 'Europe/Paris' }),
    api.updateCalendar(admin, 101, { holidays: [] }),
  ]);
  const all = { name: 'Bureau', timeZone: 'Europe/Paris', holidays: [] };
  expect(await api.calendar(bob, 101)).toEqual({ ...office, ...all, id: 101 });
});

test('calendars outlive the program', async () => {
  const dataDir = temporaryFolder();
  const first = await open(dataDir);
  await first.api.createCalendar(admin, office);
  first.close();
  const second = await open(dataDir);
  expect(await second.api.calendar(bob, 101)).toEqual({ ...office, id: 101 });
  expect(await second.api.createCalendar(admin, { ...office, name: 'Next' })).toMatchObject({ id: 102 });
});
