import { millisecondsInDay } from 'date-fns/constants';
import { about, type FieldProblem } from '../model/error.ts';
import { type CalendarInput, type Holiday, type WorkingTime, weekdays } from '../model/settings.ts';
import { normalHours } from './calendar.ts';
import { readIsoDay } from './date-text.ts';
import { isTimeZone } from './zones.ts';

const MAX_NAME = 200;
const MAX_SHIFTS_A_DAY = 50;
const MAX_HOLIDAYS = 5000;
/** Calendars are computed day by day from here on, and until the rules of all time zones repeat themselves. */
const FIRST_YEAR = 1800;
const LAST_YEAR = 2199;

/** Every reason why a calendar cannot be stored; none when it can. */
export function checkCalendar({ name, timeZone, workingTimes, holidays }: CalendarInput): FieldProblem[] {
  const zone = isTimeZone(timeZone)
    ? []
    : [about('timeZone', `'${timeZone}' is not an IANA time zone. Try: names such as Europe/Berlin.`)];
  return [...nameProblems(name), ...zone, ...weekProblems(workingTimes), ...yearProblems(holidays)];
}

function nameProblems(name: string): FieldProblem[] {
  if (name.trim() === '' || name.length > MAX_NAME) {
    return [
      about('name', `'${name}' has ${name.trim().length} characters. Try: 1 to ${MAX_NAME} characters.`),
    ];
  }
  if (/^\d+$/.test(name.trim())) {
    return [about('name', `'${name}' reads like the id of a calendar. Try: a name that is not a number.`)];
  }
  if (name.trim().toLowerCase() === normalHours.name.toLowerCase()) {
    return [about('name', `'${name}' is the name of the built-in calendar. Try: any other name.`)];
  }
  return [];
}

function weekProblems(workingTimes: readonly WorkingTime[]): FieldProblem[] {
  if (workingTimes.length === 0) return [about('workingTimes', 'is empty. Try: one shift or more.')];
  const crowded = weekdays.flatMap((day) => {
    const count = workingTimes.filter(({ weekday }) => weekday === day).length;
    return count > MAX_SHIFTS_A_DAY
      ? [about('workingTimes', `has ${count} shifts on ${day}. Try: ${MAX_SHIFTS_A_DAY} a day.`)]
      : [];
  });
  if (crowded.length > 0) return crowded;
  const places = new Map<string, number>();
  return workingTimes.flatMap((shift, at) => {
    const text = `${shift.weekday} ${shift.start} to ${shift.end}`;
    const first = places.get(text);
    if (first === undefined) places.set(text, at);
    return first === undefined
      ? shiftProblems(shift, `workingTimes[${at}]`)
      : [
          about(
            `workingTimes[${at}]`,
            `'${text}' is the same as workingTimes[${first}]. Try: each shift once.`,
          ),
        ];
  });
}

/** The problems of a shift; `path` is its place in the calendar. */
function shiftProblems({ weekday, start, end }: WorkingTime, path: string): FieldProblem[] {
  const known: readonly string[] = weekdays;
  return [
    ...(known.includes(weekday)
      ? []
      : [about(`${path}.weekday`, `'${weekday}' is not a weekday. Try: ${weekdays.join(', ')}.`)]),
    // A shift that started at 24:00 would belong to one day and be worked on the next.
    ...timeProblems(`${path}.start`, start, millisecondsInDay - 1),
    ...timeProblems(`${path}.end`, end, millisecondsInDay),
  ];
}

function timeProblems(name: string, value: number, max: number): readonly FieldProblem[] {
  return Number.isInteger(value) && value >= 0 && value <= max
    ? []
    : [about(name, `'${value}' is not a time of day in whole milliseconds. Try: 0 to ${max}.`)];
}

function yearProblems(holidays: CalendarInput['holidays']): FieldProblem[] {
  return holidays.length > MAX_HOLIDAYS
    ? [about('holidays', `has ${holidays.length} entries. Try: ${MAX_HOLIDAYS}.`)]
    : holidays.flatMap((holiday, at) => holidayProblems(holiday, `holidays[${at}]`));
}

/** The problems of a holiday; `path` is its place in the calendar. */
function holidayProblems({ name, date }: Holiday, path: string): FieldProblem[] {
  const why = isDate(date)
    ? []
    : [
        about(
          `${path}.date`,
          `'${date}' is not a date. Try: yyyy-MM-dd from ${FIRST_YEAR}-01-01 to ${LAST_YEAR}-12-31.`,
        ),
      ];
  if (name.length > MAX_NAME) {
    why.push(about(`${path}.name`, `'${name}' has ${name.length} characters. Try: up to ${MAX_NAME}.`));
  }
  return why;
}

function isDate(text: string): boolean {
  const year = Number(text.slice(0, 4));
  return readIsoDay(text) !== null && year >= FIRST_YEAR && year <= LAST_YEAR;
}
