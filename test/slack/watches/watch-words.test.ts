import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { expect, test } from '#jest';
import type { CalendarDefinition } from '../../../src/model/settings.ts';
import { readWatchWords } from '../../../src/slack/watches/read-watch-words.ts';
import { anAsking } from '../../support/an-asking.ts';
import { berlinOffice } from '../../support/watch-office.ts';

const hours: CalendarDefinition = { ...berlinOffice, id: null, name: 'normalHours', timeZone: 'UTC' };
const everyHour: CalendarDefinition = {
  ...hours,
  workingTimes: (['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const).map(
    (weekday) => ({ weekday, start: 0, end: millisecondsInDay }),
  ),
};
const asking = anAsking({ calendars: [everyHour, berlinOffice, { ...berlinOffice, id: 2, name: 'Lisbon' }] });
const statuses = [
  { id: '4', name: 'In Review', category: 'In Progress', deleted: false },
  { id: '9', name: 'Done', category: 'Done', deleted: false },
] as const;

const read = (typed: string) => readWatchWords(typed, asking, statuses);

test.each([
  [
    'In Review longer than 3 working days in WEB',
    { by: 'time', ms: 24 * millisecondsInHour, words: '3 working days' },
  ],
  ['"In Review" longer than 1 day WEB', { by: 'time', ms: 8 * millisecondsInHour, words: '1 working day' }],
  [
    'in review LONGER THAN 90 minutes in WEB',
    { by: 'time', ms: 1.5 * millisecondsInHour, words: '90 minutes' },
  ],
  ['In Review longer than 1.5h in WEB', { by: 'time', ms: 1.5 * millisecondsInHour, words: '1.5 hours' }],
  ['In Review longer than our 85th percentile in WEB', { by: 'usual' }],
  [
    'In Review longer than 2 days in WEB in normal hours',
    { by: 'time', ms: 2 * millisecondsInDay, words: '2 days' },
  ],
])('%s', async (typed, threshold) => {
  const { wish, remarks } = await read(typed);
  expect(wish).toMatchObject({
    threshold,
    status: { id: '4', name: 'In Review' },
    selection: { by: 'project', project: 'WEB' },
    tells: 'assignee',
  });
  expect(remarks).toEqual([]);
});

test.each([
  'In Review longer than usual in WEB tell me in Lisbon',
  'In Review longer than usual in WEB in Lisbon tell me',
  'In Review longer than usual tell me in Lisbon',
])('the ends stand in any order: %s', async (typed) => {
  expect((await read(typed)).wish).toMatchObject({
    calendar: '2',
    tells: 'owner',
    timeZone: 'Europe/Berlin',
    selection: { by: 'project', project: 'WEB' },
  });
});

test('a query is read as it stands there', async () => {
  const { wish } = await read('In Review longer than usual in jql project = WEB AND status in ("In Review")');
  expect(wish.selection).toEqual({ by: 'jql', jql: 'project = WEB AND status in ("In Review")' });
});

test('what was taken for granted is told', async () => {
  expect((await read('In Review longer than usual')).remarks).toEqual(['This is of `WEB`.']);
  const { remarks } = await read('In Review longer than 3 working days in WEB in normal hours');
  expect(remarks[0]).toContain('from Monday to Friday');
  const { wish } = await read('In Review longer than 3 working days in WEB in normal hours');
  expect(wish.threshold).toMatchObject({
    ms: 3 * millisecondsInDay,
    words: '3 working days',
    weekdays: true,
  });
});

test('the easy slip is named', async () => {
  await expect(read('In Review longer then 3 days in WEB')).rejects.toMatchObject({
    details: ["'longer then' is not what I read. Try: longer than."],
  });
});
