import { millisecondsInMinute } from 'date-fns/constants';
import { type CalendarDefinition, type WorkingTime, weekdays } from '../model/settings.ts';
import { weekdays as names } from './date-text.ts';

/** The working hours of a week: `Mon–Thu 09:00–17:00, Fri 09:00–15:00`. */
export function hoursText({ id, workingTimes }: Pick<CalendarDefinition, 'id' | 'workingTimes'>): string {
  if (id === null) return 'All hours of all days';
  const days = weekdays.map((weekday) => shiftsText(workingTimes.filter((one) => one.weekday === weekday)));
  const runs: { readonly first: number; readonly last: number; readonly shifts: string }[] = [];
  for (const [day, shifts] of days.entries()) {
    const open = runs.at(-1);
    if (open?.shifts === shifts) runs[runs.length - 1] = { ...open, last: day };
    else runs.push({ first: day, last: day, shifts });
  }
  return runs
    .filter(({ shifts }) => shifts !== '')
    .map(({ first, last, shifts }) => `${daysText(first, last)} ${shifts}`)
    .join(', ');
}

function daysText(first: number, last: number): string {
  const short = (day: number) => names[day]?.slice(0, 3) ?? '';
  return first === last ? short(first) : `${short(first)}–${short(last)}`;
}

function shiftsText(shifts: readonly WorkingTime[]): string {
  return shifts
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end }) => `${timeText(start)}–${timeText(end)}`)
    .join(' and ');
}

/** A time of the wall clock to the minute; `24:00` is the end of the day. */
function timeText(ms: number): string {
  const minutes = Math.floor(ms / millisecondsInMinute);
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** The name of a calendar in lists. */
export function calendarName({ id, name }: Pick<CalendarDefinition, 'id' | 'name'>): string {
  return id === null ? '24/7' : name;
}
