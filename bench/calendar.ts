import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import type { CalendarDefinition, WorkingTime } from '../src/model/settings.ts';
import { type Calendar, compileCalendar } from '../src/time/calendar.ts';
import { periodAt } from '../src/time/periods.ts';
import { type BenchRow, best } from './rows.ts';

const FROM = Date.UTC(2010, 0);
const YEARS = 21;
const UNTIL = Date.UTC(2010 + YEARS, 0);
const COUNT = 1_000_000;

/** Monday to Friday with a lunch break, and two holidays a year. */
const quarters: CalendarDefinition = {
  id: 1,
  name: 'Office',
  timeZone: 'Europe/Berlin',
  workingTimes: (['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'] as const).flatMap((weekday) => [
    { weekday, start: 9 * millisecondsInHour, end: 12.5 * millisecondsInHour },
    { weekday, start: 13.25 * millisecondsInHour, end: 17.75 * millisecondsInHour },
  ]),
  holidays: [
    { name: 'New Year', date: '2026-01-01', recurring: true },
    { name: 'Christmas', date: '2026-12-25', recurring: true },
  ],
};
/** The same a second late: no grid fits it. */
const odd: CalendarDefinition = { ...quarters, workingTimes: quarters.workingTimes.map(secondLate) };
const spans = {
  '2 h': 2 * millisecondsInHour,
  '1 week': 7 * millisecondsInDay,
  '1 year': 365 * millisecondsInDay,
};

/** Working time of spans of several lengths, by grid and by buckets, and what it takes to compile a calendar. */
export async function benchCalendar(): Promise<Record<string, BenchRow>> {
  const compile = (definition: CalendarDefinition) => {
    const calendar = compileCalendar(definition);
    // Compiles a year more on both sides.
    calendar.between(FROM + 366 * millisecondsInDay, UNTIL - 366 * millisecondsInDay);
    return calendar;
  };
  const compiled = await best(5, () => compile(quarters));
  const rows: Record<string, BenchRow> = {
    [`compile ${YEARS} years of two shifts a day`]: {
      ms: round(compiled),
      per: `${round(compiled / YEARS)} ms`,
      of: 'year',
    },
  };
  const starts = scattered();
  for (const [form, calendar] of Object.entries({ grid: compile(quarters), buckets: compile(odd) })) {
    for (const [length, span] of Object.entries(spans)) {
      const ms = await best(3, () => total(calendar, starts, span));
      rows[`working time of ${length}, ${form}`] = perCall(ms, 'query');
    }
  }
  const ms = await best(3, () => {
    for (const start of starts) periodAt(start, 'Week', quarters.timeZone);
  });
  rows['week of an instant'] = perCall(ms, 'instant');
  return rows;
}

function secondLate(shift: WorkingTime): WorkingTime {
  return { ...shift, start: shift.start + 1000 };
}

/** Instants all over the compiled years, the same in every run. */
function scattered(): Float64Array {
  let state = 7;
  return Float64Array.from({ length: COUNT }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return (
      FROM + 366 * millisecondsInDay + Math.floor((state / 2 ** 31) * (YEARS - 4) * 365 * millisecondsInDay)
    );
  });
}

function total(calendar: Calendar, starts: Float64Array, span: number): number {
  let sum = 0;
  for (const start of starts) sum += calendar.between(start, start + span);
  return sum;
}

function perCall(ms: number, of: string): BenchRow {
  return { ms: round(ms), per: `${Math.round((ms / COUNT) * 1e6)} ns`, of };
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
