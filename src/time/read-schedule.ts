import { AppError, badRequestAs } from '../model/error.ts';
import { readTime, scheduleWords, type TimeOfDay } from './cron-words.ts';
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
  const nth = ordinals.findIndex((one) => one.test(order)) + 1;
  const weekday = indexOfName(weekdays, name) + 1;
  if (order !== 'last' && nth === 0) return null;
  if (name === 'day') return order === 'last' ? 'L * *' : `${nth} * *`;
  return weekday === 0 ? null : `* * ${weekday}${order === 'last' ? 'L' : `#${nth}`}`;
}

const ordinals = [/^(first|1st)$/, /^(second|2nd)$/, /^(third|3rd)$/, /^(fourth|4th)$/];

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
