import { millisecondsInMinute } from 'date-fns/constants';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { type CalendarDefinition, type WorkingTime, weekdays } from '../../model/settings.ts';
import { calendarIdOf } from '../../questions/parse/read-calendar.ts';
import { normalHours } from '../../time/calendar.ts';
import { weekdays as names } from '../../time/day-words.ts';
import type { Place } from '../app/handler-types.ts';
import { hoursShown, zoneWords } from '../app/hours-here.ts';
import type { PeopleParts, SlackParts } from '../app/parts.ts';

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

/** Of the wall clock, to the minute: `24:00` is the end of the day. */
function timeText(ms: number): string {
  const minutes = Math.floor(ms / millisecondsInMinute);
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** What a calendar is called in lists. */
export function calendarName({ id, name }: Pick<CalendarDefinition, 'id' | 'name'>): string {
  return id === null ? '24/7' : name;
}

/** The hours of a place in a sentence (mrkdwn): `24/7, Berlin time.` */
export async function hoursInForce(
  place: Place,
  account: string,
  calendars: readonly CalendarDefinition[],
  parts: PeopleParts & Pick<SlackParts, 'channels' | 'settings' | 'timeZone'>,
): Promise<string> {
  const { calendar, timeZone } = await hoursShown(place, account, parts);
  const chosen = calendars.find((one) => calendarIdOf(one) === calendar);
  const name = calendar === normalHours.name ? '24/7' : `*${escapeMrkdwn(chosen?.name ?? calendar)}*`;
  return `${name}, ${escapeMrkdwn(zoneWords(timeZone))}.`;
}
