import { millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { suiteDwell } from '../support/suite-dwell.ts';

const dwell = suiteDwell();

const boss = () => dwell.as('ada', { admin: true });
const wish = (name: string, more = {}) => ({
  name,
  timeZone: 'Europe/Berlin',
  workingTimes: [
    { weekday: 'MONDAY', start: 8 * millisecondsInHour, end: 17 * millisecondsInHour },
    { weekday: 'monday', start: 21 * millisecondsInHour, end: 23 * millisecondsInHour },
  ],
  holidays: [{ name: 'New Year', date: '2026-01-01', recurring: true }],
  ...more,
});

test('the list is bare, with the built-in calendar first', async () => {
  const { json } = await dwell.get('/rest/calendars');
  expect(json[0]).toMatchObject({
    id: null,
    name: 'normalHours',
    timeZone: 'UTC',
    isDefault: true,
    is7x24Calendar: true,
    allWorkingDaysHaveEqualLengths: true,
    dailyWorkingHours: 24,
  });
  expect(json.slice(1, 3).map((one: { id: number; name: string }) => [one.id, one.name])).toEqual([
    [1, 'Berlin'],
    [2, 'New York'],
  ]);
  expect((await dwell.get('/rest/calendar')).json).toEqual(json);
});

test('a new calendar is told as the vendor tells it, and can be asked for by id', async () => {
  const { status, json } = await boss().postJson('/rest/calendar', wish('Split day'));
  expect(status).toBe(200);
  expect(json).toEqual({
    id: expect.any(Number),
    clientKey: expect.stringMatching(/^[0-9a-f]{8}-/),
    name: 'Split day',
    isDefault: false,
    timeZone: 'Europe/Berlin',
    is7x24Calendar: false,
    allWorkingDaysHaveEqualLengths: true,
    calendarSuccessfullyLoaded: true,
    dailyWorkingHours: 11,
    workingTimes: [
      { weekday: 'MONDAY', start: 8 * millisecondsInHour, end: 17 * millisecondsInHour },
      { weekday: 'MONDAY', start: 21 * millisecondsInHour, end: 23 * millisecondsInHour },
    ],
    holidays: [{ name: 'New Year', date: '2026-01-01', recurring: true }],
  });
  for (const path of ['/rest/calendars', '/rest/calendar']) {
    expect((await dwell.get(`${path}/${json.id}`)).json).toEqual(json);
  }
  expect((await dwell.get('/rest/calendars/NORMALHOURS')).json.id).toBeNull();
});

test('a change replaces what it names; what was read can be sent back', async () => {
  const { json: kept } = await boss().postJson('/rest/calendars', wish('To change'));
  const renamed = await boss().putJson(`/rest/calendars/${kept.id}`, { name: 'Changed' });
  expect(renamed.json).toEqual({ ...kept, name: 'Changed' });
  const { json } = await boss().putJson(`/rest/calendar/${kept.id}`, {
    ...renamed.json,
    holidays: [{ name: 'Once', date: '2026-05-04' }],
  });
  expect(json).toEqual({
    ...renamed.json,
    holidays: [{ name: 'Once', date: '2026-05-04', recurring: false }],
  });
});

test('reports count its hours', async () => {
  const { json: kept } = await boss().postJson('/rest/calendars', wish('Counted'));
  const raw = async (calendar: string) => {
    const { json } = await dwell.get('/rest/issue', {
      issueKey: 'WEB-1',
      columnsBy: 'statusDuration',
      calendar,
    });
    return json.table.body.rows[0].valueColumns.map((column: { raw: string }) => Number(column.raw));
  };
  const [byId, byName, always] = [await raw(String(kept.id)), await raw('counted'), await raw('normalHours')];
  expect(byId).toEqual(byName);
  expect(Math.max(...byId)).toBeLessThan(Math.max(...always));
});

describe('the search', () => {
  const search = async (parameters: Record<string, string>) => {
    const { status, json } = await dwell.get('/rest/calendar/search', parameters);
    expect(status).toBe(200);
    return { ...json, names: json.calendars.map(({ name }: { name: string }) => name) };
  };

  test('finds by part of the name or by all of it, in any case', async () => {
    expect(await search({ name: 'ER' })).toMatchObject({ names: expect.arrayContaining(['Berlin']) });
    expect((await search({ name: 'berlin', searchType: 'EXACT' })).names).toEqual(['Berlin']);
    expect((await search({ name: 'berl', searchType: 'exact' })).names).toEqual([]);
  });

  test('pages through everything', async () => {
    const all = await search({ name: '', maxResults: '100' });
    expect(all).toMatchObject({ pageNumber: 0, pageSize: 100, last: true, total: all.names.length });
    expect(all.elements).toEqual(all.calendars);
    const second = await search({ pageNumber: '1', maxResults: '2' });
    expect(second).toMatchObject({
      pageNumber: 1,
      pageSize: 2,
      last: all.total <= 4,
      names: all.names.slice(2, 4),
    });
    expect((await search({ pageNumber: '1000' })).names).toEqual([]);
    expect((await search({})).pageSize).toBe(10);
  });

  test.each([
    [{ pageNumber: '-1' }, "pageNumber '-1' is not allowed. Try: a whole number from 0 to 1000000."],
    [{ maxResults: '101' }, "maxResults '101' is not allowed. Try: a whole number from 1 to 100."],
  ] as [Record<string, string>, string][])('refuses %j', async (wrong, sentence) => {
    const { status, json } = await dwell.get('/rest/calendars/search', wrong);
    expect([status, json.messages]).toEqual([400, [sentence]]);
  });
});

test('a wrong id is refused', async () => {
  expect((await dwell.get('/rest/calendars/seven')).json.messages).toEqual([
    "id 'seven' is not a calendar id. Try: a whole number, or normalHours.",
  ]);
  expect((await boss().putJson('/rest/calendars/normalHours', {})).json.messages).toEqual([
    "id 'normalHours' is not a calendar id. Try: a whole number.",
  ]);
});

test.each([
  [{}, 'name is required. Try: a text.'],
  [wish('x', { timeZone: undefined }), 'timeZone is required. Try: a text.'],
  [wish('x', { workingTimes: 'always' }), "workingTimes 'always' is of the wrong kind. Try: a list."],
  [
    wish('x', { workingTimes: [{ weekday: 'FUNDAY', start: 0, end: 1 }] }),
    "workingTimes[0].weekday 'FUNDAY' is not known. Try: MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY.",
  ],
  [
    wish('x', { workingTimes: [{ weekday: 'MONDAY', start: '8:00', end: 1 }] }),
    "workingTimes[0].start '8:00' is of the wrong kind. Try: a number.",
  ],
  [wish('x', { holidays: [{ name: 'Never', date: '2026-02-30' }] }), expect.stringContaining('2026-02-30')],
  [wish('x', { timeZone: 'Mars/Base' }), expect.stringContaining("timeZone 'Mars/Base'")],
  [wish('Berlin'), expect.stringContaining("name 'Berlin'")],
] as [object, unknown][])('a calendar of a wrong form is refused: %#', async (body, sentence) => {
  const { status, json } = await boss().postJson('/rest/calendars', body);
  expect(status).toBe(400);
  expect(json.messages).toContainEqual(sentence);
});
