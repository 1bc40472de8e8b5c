import { millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { checkBlocks } from '../../../src/block-kit/check-blocks.ts';
import type { CalendarDefinition, WorkingTime } from '../../../src/model/settings.ts';
import { readZone } from '../../../src/slack/app/hours-here.ts';
import { calendarList, holidaysAhead, hoursText } from '../../../src/slack/channels/calendar-command.ts';

const shift = (weekday: WorkingTime['weekday'], start: number, end: number): WorkingTime => ({
  weekday,
  start: start * millisecondsInHour,
  end: end * millisecondsInHour,
});

describe('working hours in words', () => {
  test.each<[readonly WorkingTime[], string]>([
    [
      [shift('MONDAY', 9, 17), shift('TUESDAY', 9, 17), shift('THURSDAY', 9, 17), shift('FRIDAY', 9, 15.5)],
      'Mon–Tue 09:00–17:00, Thu 09:00–17:00, Fri 09:00–15:30',
    ],
    [[shift('SUNDAY', 13, 24), shift('SUNDAY', 0, 12)], 'Sun 00:00–12:00 and 13:00–24:00'],
    [[shift('SATURDAY', 22, 6)], 'Sat 22:00–06:00'],
  ])('%j', (workingTimes, text) => {
    expect(hoursText({ id: 1, workingTimes })).toBe(text);
  });

  test('the built-in calendar knows no hours off', () => {
    expect(hoursText({ id: null, workingTimes: [] })).toBe('every hour of every day');
  });
});

describe('holidays ahead', () => {
  const day = (text: string) => Date.parse(text);
  const holidays = [
    { name: 'New Year', date: '2020-01-01', recurring: true },
    { name: 'Leap day', date: '2024-02-29', recurring: true },
    { name: 'Move', date: '2026-12-04', recurring: false },
    { name: 'Past', date: '2026-11-19', recurring: false },
  ];

  test('come in order, those of every year again, today included', () => {
    expect(holidaysAhead(holidays, day('2026-11-20'), 3)).toEqual([
      { day: day('2026-12-04'), name: 'Move' },
      { day: day('2027-01-01'), name: 'New Year' },
      { day: day('2028-02-29'), name: 'Leap day' },
    ]);
    expect(holidaysAhead(holidays, day('2026-12-04'), 1)).toEqual([{ day: day('2026-12-04'), name: 'Move' }]);
  });
});

describe('a zone', () => {
  test.each([
    ['europe/berlin', 'Europe/Berlin'],
    ['Berlin', 'Europe/Berlin'],
    ['new york', 'America/New_York'],
  ])('%s', (typed, zone) => {
    expect(readZone(typed)).toBe(zone);
  });

  test.each(['Berln', '+02:00', '', '<!channel>'])('that is none: %s', (typed) => {
    expect(() => readZone(typed)).toThrow(expect.objectContaining({ code: 'bad-request' }));
  });
});

test.each([0, 1, 10, 10_000])('%i calendars with long names fit into a message', (count) => {
  const calendars = Array.from(
    { length: count },
    (_, id): CalendarDefinition => ({
      id,
      name: `<!channel> ${'👩‍👩‍👧 שלום '.repeat(40)}${id}`,
      timeZone: 'Europe/Berlin',
      workingTimes: [shift('MONDAY', 9, 17)],
      holidays: [{ name: '<!here>'.repeat(100), date: '2026-12-04', recurring: true }],
    }),
  );
  const now = Date.parse('2026-11-20T14:00:00Z');
  const { text, blocks } = calendarList(calendars, { now, calendar: '1', inForce: 'Here it is.' });
  expect(checkBlocks(blocks, 'message')).toEqual([]);
  expect(text).toMatch(/^Here it is\./);
  expect(text + JSON.stringify(blocks)).not.toMatch(/<!/);
});

test('what is used already is not proposed', () => {
  const normal: CalendarDefinition = {
    ...{ id: null, name: 'normalHours', timeZone: 'UTC' },
    ...{ workingTimes: [], holidays: [] },
  };
  const desk: CalendarDefinition = { ...normal, id: 7, name: 'Desk', workingTimes: [shift('MONDAY', 9, 17)] };
  const told = (...calendars: CalendarDefinition[]) =>
    calendarList(calendars, { now: 0, calendar: 'normalHours', inForce: 'Here it is.' }).text;
  expect(told(normal)).not.toContain('/tis calendar use');
  expect(told(normal, desk)).toContain('Change it with `/tis calendar use Desk`.');
});
