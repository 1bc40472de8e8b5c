import { type CalendarInput, type WorkingTime, weekdays } from '../model/settings.ts';
import { normalHours } from './normal-hours.ts';
import { whyBadHoliday } from './why-bad-holiday.ts';
import { whyBadShift } from './why-bad-shift.ts';
import { isTimeZone } from './zone.ts';

const LONGEST_NAME = 200;
const MOST_SHIFTS_A_DAY = 50;
const MOST_HOLIDAYS = 5000;

/** Every reason why a calendar cannot be kept, as sentences; none when it can. */
export function checkCalendar({ name, timeZone, workingTimes, holidays }: CalendarInput): string[] {
  const zone = isTimeZone(timeZone)
    ? []
    : [`timeZone '${timeZone}' is not an IANA time zone; allowed: names such as Europe/Berlin.`];
  return [...whyBadName(name), ...zone, ...whyBadWeek(workingTimes), ...whyBadYear(holidays)];
}

function whyBadName(name: string): string[] {
  if (name.trim() === '' || name.length > LONGEST_NAME) {
    return [`name '${name}' has ${name.trim().length} characters; allowed: 1 to ${LONGEST_NAME} characters.`];
  }
  if (/^\d+$/.test(name.trim())) {
    return [`name '${name}' reads like the id of a calendar; allowed: a name that is no number.`];
  }
  if (name.trim().toLowerCase() === normalHours.name.toLowerCase()) {
    return [`name '${name}' is the name of the built-in calendar; allowed: any other name.`];
  }
  return [];
}

function whyBadWeek(workingTimes: readonly WorkingTime[]): string[] {
  if (workingTimes.length === 0) return ['workingTimes is empty; allowed: one shift or more.'];
  const crowded = weekdays.flatMap((day) => {
    const count = workingTimes.filter(({ weekday }) => weekday === day).length;
    return count > MOST_SHIFTS_A_DAY
      ? [`workingTimes has ${count} shifts on ${day}; allowed: ${MOST_SHIFTS_A_DAY} a day.`]
      : [];
  });
  if (crowded.length > 0) return crowded;
  const places = new Map<string, number>();
  return workingTimes.flatMap((shift, at) => {
    const text = `${shift.weekday} ${shift.start} to ${shift.end}`;
    const first = places.get(text);
    if (first === undefined) places.set(text, at);
    return first === undefined
      ? whyBadShift(shift, `workingTimes[${at}]`)
      : [`workingTimes[${at}] '${text}' is the same as workingTimes[${first}]; allowed: each shift once.`];
  });
}

function whyBadYear(holidays: CalendarInput['holidays']): string[] {
  return holidays.length > MOST_HOLIDAYS
    ? [`holidays has ${holidays.length} entries; allowed: ${MOST_HOLIDAYS}.`]
    : holidays.flatMap((holiday, at) => whyBadHoliday(holiday, `holidays[${at}]`));
}
