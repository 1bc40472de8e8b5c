import { millisecondsInDay } from 'date-fns/constants';
import { about, badRequestAs } from '../../../model/error.ts';
import type { Instant } from '../../../model/issue.ts';
import { reportIds } from '../../../model/report-ids.ts';
import { ask, type Selection } from '../../../model/request.ts';
import type { CalendarDefinition } from '../../../model/settings.ts';
import { type Calendar, calendarOf, normalHours } from '../../../time/calendar.ts';
import { isoDay } from '../../../time/date-text.ts';
import { dayAt, firstInstantFrom } from '../../../time/wall-clock.ts';
import type { AnswerContext, AnswerParts } from '../question-kind.ts';

/** Days of a zone around an instant, by number: 0 is the day of the instant, -1 the day before. */
export interface WorkDays {
  readonly calendar: Calendar;
  /** The day on the wall. */
  wallDay(day: number): number;
  /** The instant at which a day begins. */
  start(day: number): Instant;
  /** True if the calendar has work on the date of a day. In a 24/7 calendar every day is one. */
  isWorking(day: number): boolean;
  /** The share of the first day's working time that is still to come, from 0 to 1. */
  readonly shareLeft: number;
  /** The day as yyyy-MM-dd. */
  iso(day: number): string;
  /** The number of a wall day. */
  numberOf(wallDay: number): number;
}

/** The days of a question's zone around the instant of its answer, by its calendar; an unknown calendar is `bad-request`. */
export async function workDaysOf(
  question: { readonly calendar: string; readonly timeZone: string; readonly selection: Selection },
  { principal, asOf, parts }: AnswerContext<Pick<AnswerParts, 'reporting' | 'calendars'>>,
): Promise<WorkDays> {
  const { timeZone, selection } = question;
  const calendar = await findCalendar(question.calendar, () => parts.calendars(principal));
  if (calendar === null) {
    const request = { principal, reportType: reportIds.statusDuration, selection, timeZone };
    await parts.reporting.check(ask({ ...request, calendar: question.calendar }));
    throw badRequestAs('unknown-name', about('calendar', `'${question.calendar}' is not known.`));
  }
  const today = dayAt(asOf, timeZone);
  const wallDay = (day: number) => today + day * millisecondsInDay;
  const start = (day: number) => firstInstantFrom(wallDay(day), timeZone);
  // A date is worked on as it is in the calendar's own zone.
  const zone = calendar.continuous ? timeZone : calendar.timeZone;
  const workOf = (day: number, from = firstInstantFrom(wallDay(day), zone)) =>
    calendar.between(from, firstInstantFrom(wallDay(day + 1), zone));
  const whole = workOf(0);
  return {
    calendar,
    wallDay,
    start,
    isWorking: (day) => calendar.continuous || workOf(day) > 0,
    shareLeft: whole === 0 ? 0 : Math.min(1, workOf(0, asOf) / whole),
    iso: (day) => isoDay(wallDay(day)),
    numberOf: (other) => Math.round((other - today) / millisecondsInDay),
  };
}

/** A calendar by its name or its id; null for one that is not known. For the built-in one no list is needed. */
async function findCalendar(
  given: string,
  list: () => Promise<readonly CalendarDefinition[]>,
): Promise<Calendar | null> {
  const wanted = given.trim().toLowerCase();
  // `normalHour` is another spelling of it in the compatible product.
  if (/^normalhours?$/.test(wanted)) return normalHours;
  const all = await list();
  const found =
    all.find(({ id }) => id !== null && String(id) === wanted) ??
    all.find(({ name }) => name.toLowerCase() === wanted);
  if (found === undefined) return null;
  return found.id === null ? normalHours : calendarOf(found);
}
