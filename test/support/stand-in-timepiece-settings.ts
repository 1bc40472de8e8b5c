import { caseWorld } from './case-world.ts';
import { dateText } from './stand-in-timepiece-asked.ts';

const CLIENT_KEY = '00000000-0000-4000-8000-00000000abcd';

/** The calendars as a bare list, `usual` the default of the instance; the built-in one has no id, and no hours are told of it. */
export function calendarList(holidays: 'iso' | 'instance format', usual: 'normalHours' | 'Office') {
  const { id, name, timeZone, workingTimes } = caseWorld.calendar;
  const flags = {
    clientKey: CLIENT_KEY,
    allWorkingDaysHaveEqualLengths: true,
    calendarSuccessfullyLoaded: true,
  };
  return [
    {
      id: null,
      ...flags,
      name: 'normalHours',
      isDefault: usual === 'normalHours',
      timeZone: 'UTC',
      is7x24Calendar: true,
      dailyWorkingHours: 24,
      workingTimes: [],
      holidays: [],
    },
    {
      id,
      ...flags,
      name,
      isDefault: usual === name,
      timeZone,
      is7x24Calendar: false,
      dailyWorkingHours: 7,
      workingTimes,
      holidays: caseWorld.calendar.holidays.map(({ date, ...holiday }) => ({
        ...holiday,
        date: holidays === 'iso' ? date : dateText(Date.parse(`${date}T00:00:00Z`), 'UTC'),
      })),
    },
  ];
}

/** What has been saved: one configuration of Ada's. */
export const savedSets = {
  pageNumber: 0,
  pageSize: 10,
  total: 1,
  parameterSets: [
    { id: '5e7f0d9c-0000-4000-8000-000000000001', name: 'Weekly look', ownerId: 'ada', public: true },
  ],
};
