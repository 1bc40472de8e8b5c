import { readFileSync } from 'node:fs';
import { expect, test } from '#jest';
import { weekdays } from '../../src/model/settings.ts';
import { compileCalendar } from '../../src/time/calendar.ts';
import { underZones } from '../support/under-zones.ts';
import { aCalendar, shifts } from './a-calendar.ts';

interface Case {
  readonly id: string;
  readonly calendar: {
    readonly timeZone: string;
    readonly week: Readonly<Record<string, readonly (readonly [string, string])[]>>;
  };
  readonly from: string;
  readonly to: string;
  readonly expectedMs: number;
}

const file = new URL('../fixtures/business-time.cases.json', import.meta.url);
const { cases }: { readonly cases: readonly Case[] } = JSON.parse(readFileSync(file, 'utf8'));

underZones(() => {
  test('all published cases are there', () => {
    expect(cases.length).toBe(16);
  });

  test.each(cases)('answers as the authors of $id expect', ({ calendar, from, to, expectedMs }) => {
    const workingTimes = weekdays.flatMap((day) =>
      (calendar.week[day.slice(0, 3)] ?? []).flatMap(([start, end]) => shifts([`${start}-${end}`], [day])),
    );
    const { between } = compileCalendar(aCalendar({ timeZone: calendar.timeZone, workingTimes }));
    expect(between(Date.parse(from), Date.parse(to))).toBe(expectedMs);
  });
});
