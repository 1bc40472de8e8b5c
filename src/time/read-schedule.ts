import cronstrue from 'cronstrue';
import { AppError, badRequestAs } from '../model/error.ts';
import { weekdays } from './date-text.ts';
import { indexOfName } from './day-words.ts';

/** Examples of schedules that `readSchedule` takes, for people who typed something else. */
export const allowedSchedules = 'every monday at 9, every weekday at 9:30, every month on the 1st at 17:00';
const allowedTimes = '9, 9:30, 17:00, 5:30 pm, noon';

const DEFAULT_TIME: TimeOfDay = { hour: 9, minute: 0 };

/** The days in words, and the time after them, which may follow without `at`. */
const schedulePattern =
  /^(?:on )?(?:every )?(.+?)(?: at (.+)| (\d{1,2}(?:[:.]\d{2}| ?[ap]m|[:.]\d{2} ?[ap]m)|noon|midnight))?$/;

/** A schedule as people type it, as a cron expression of five fields. A `bad-request` for anything else. */
export function readSchedule(typed: string): string {
  const text = typed.trim().toLowerCase().replace(/\s+/g, ' ');
  const [, cron] = /^cron (.+)$/.exec(text) ?? [];
  // The days and months of a cron expression may be names.
  if (cron !== undefined) return cron.toUpperCase().replaceAll('`', '').trim();
  if (text === 'every hour' || text === 'hourly') return '0 * * * *';
  const [, days = '', typedTime, bareTime] =
    schedulePattern.exec(text.replace(/^daily\b/, 'every day')) ?? [];
  const clock = typedTime ?? bareTime;
  const time = clock === undefined ? DEFAULT_TIME : readTime(clock);
  if (time === null)
    throw badRequestAs('unknown-name', `I can't read "${clock}" as a time. Try: ${allowedTimes}.`);
  const fields = daysOf(days.replace(/,? (?:of|in) (?:the|every|each|a) month$/, ''));
  if (fields !== null) return `${time.minute} ${time.hour} ${fields}`;
  throw badRequestAs(
    'unknown-name',
    `I can't read "${typed.trim()}" as a schedule. Try: ${allowedSchedules}.`,
  );
}

/** Day of the month, month and day of the week; null for words that name no days. */
function daysOf(text: string): string | null {
  if (text === 'day') return '* * *';
  if (/^(week|work|working )days?$/.test(text)) return '* * 1-5';
  if (text === 'week') return '* * 1';
  if (text === 'month') return '1 * *';
  const ofMonth = dayOfMonth(text.replace(/^month,? on /, '').replace(/^the /, ''));
  if (ofMonth !== null) return ofMonth;
  const span = daysFromTo(text);
  if (span !== null) return span;
  const found = text
    .split(/,? and |, ?| /)
    .map((name) => indexOfName(weekdays, name.replace(/^(\w+day)s$/, '$1')));
  return found.includes(-1) ? null : weekdayField(found.map((day) => day + 1));
}

function dayOfMonth(text: string): string | null {
  const [, date] = /^(\d{1,2})(?:st|nd|rd|th|\.)?(?: day)?$/.exec(text) ?? [];
  if (date !== undefined) return Number(date) >= 1 && Number(date) <= 31 ? `${Number(date)} * *` : null;
  const [, order = '', name = 'day'] = /^(\S+)(?: (\w+))?$/.exec(text) ?? [];
  const nth = ordinals.findIndex((words) => words.includes(order)) + 1;
  const weekday = indexOfName(weekdays, name) + 1;
  if (order !== 'last' && nth === 0) return null;
  if (name === 'day') return order === 'last' ? 'L * *' : `${nth} * *`;
  return weekday === 0 ? null : `* * ${weekday}${order === 'last' ? 'L' : `#${nth}`}`;
}

/** Words for the weeks of a month, the first one's first. */
const ordinals = [
  ['first', '1st'],
  ['second', '2nd'],
  ['third', '3rd'],
  ['fourth', '4th'],
];

/** The field for `monday to friday`, also over the end of the week; null for any other text. */
function daysFromTo(text: string): string | null {
  const [, from = '', to = ''] = /^(\w+)(?: to | until | through | ?[-–] ?)(\w+)$/.exec(text) ?? [];
  const [first = 0, last = 0] = [from, to].map((name) => indexOfName(weekdays, name) + 1);
  if (first < 1 || last < 1) return null;
  if (first <= last) return `* * ${first}-${last}`;
  return weekdayField([1, 2, 3, 4, 5, 6, 7].filter((day) => day >= first || day <= last));
}

function weekdayField(days: readonly number[]): string {
  return `* * ${[...new Set(days)].toSorted((a, b) => a - b).join(',')}`;
}

/** A cron expression as `readSchedule` reads it back: in words where there are some, else as it is. */
export function writtenSchedule(cron: string): string {
  const words = scheduleWords(cron);
  try {
    if (readSchedule(words) === cron) return words;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  return `cron ${cron}`;
}

/** A time of a day, in hours and minutes of the wall clock. */
interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
}

/** A cron expression in words, to follow "due"; the common ones as `readSchedule` takes them. */
export function scheduleWords(cron: string): string {
  if (cron === '0 * * * *') return 'every hour';
  const [minute = '', hour = '', date = '', month = '', weekday = ''] = cron.trim().split(/\s+/);
  const days = month === '*' && /^\d+ \d+$/.test(`${minute} ${hour}`) ? daysIn(date, weekday) : null;
  if (days !== null) return `${days} at ${timeText({ hour: Number(hour), minute: Number(minute) })}`;
  try {
    const words = cronstrue.toString(cron, { throwExceptionOnParseError: true });
    return `${words.charAt(0).toLowerCase()}${words.slice(1)}`.replaceAll(/\b0(\d:)/g, '$1');
  } catch {
    return `cron ${cron}`;
  }
}

function daysIn(date: string, weekday: string): string | null {
  if (weekday === '*') {
    if (date === '*') return 'every day';
    if (date === 'L') return 'every last day of the month';
    return /^\d+$/.test(date) ? `every month on the ${dateWord(Number(date))}` : null;
  }
  if (date !== '*') return null;
  if (weekday === '1-5') return 'every weekday';
  const [, one, week] = /^(\d)(?:#([1-4])|L)$/.exec(weekday) ?? [];
  const order = week === undefined ? 'last' : ordinals[Number(week) - 1]?.[0];
  if (one !== undefined) return `every ${order} ${nameOf(one)} of the month`;
  const [, from, to] = /^([0-7])-([0-7])$/.exec(weekday) ?? [];
  if (from !== undefined && to !== undefined) return `every ${nameOf(from)} to ${nameOf(to)}`;
  if (!/^[0-7](,[0-7])*$/.test(weekday)) return null;
  const names = weekday.split(',').map(nameOf);
  return `every ${names.length > 1 ? `${names.slice(0, -1).join(', ')} and ` : ''}${names.at(-1)}`;
}

/** Cron counts from Sunday, which is 0 and 7. */
function nameOf(day: string): string {
  return weekdays[(Number(day) + 6) % 7] ?? day;
}

function dateWord(date: number): string {
  const ending = [11, 12, 13].includes(date) ? 'th' : (['th', 'st', 'nd', 'rd'][date % 10] ?? 'th');
  return `${date}${ending}`;
}

/** A time as people type it; null for anything else. */
function readTime(typed: string): TimeOfDay | null {
  if (typed === 'noon') return { hour: 12, minute: 0 };
  if (typed === 'midnight') return { hour: 0, minute: 0 };
  const [, hours, minutes = '0', half] = /^(\d{1,2})(?:[:.h](\d{2}))?(?: ?(am|pm))?$/.exec(typed) ?? [];
  if (hours === undefined) return null;
  const named = Number(hours);
  if (half !== undefined && (named < 1 || named > 12)) return null;
  const hour = half === undefined ? named : (named % 12) + (half === 'pm' ? 12 : 0);
  const minute = Number(minutes);
  return hour < 24 && minute < 60 ? { hour, minute } : null;
}

/** A time in words, such as 9:30 AM. */
function timeText({ hour, minute }: TimeOfDay): string {
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`;
}
