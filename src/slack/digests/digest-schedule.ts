import { AppError, badRequest, badRequestAs } from '../../model/error.ts';
import { readTime, scheduleWords, type TimeOfDay } from '../../time/cron-words.ts';
import { indexOfName, weekdays } from '../../time/day-words.ts';

/** What `readTime` takes, for who typed something else. */
const allowedTimes = '`9`, `9:30`, `17:00`, `9am`, `5:30 pm`, `noon`, `midnight`';

/** What `readSchedule` takes, for who typed something else. */
export const allowedSchedules =
  '`every day at 9`, `every weekday at 9:30`, `every monday and thursday at 17:00`, `every month on the 1st at 9`, `every last friday at noon`, `every hour`, `cron 0 9 * * 1-5`';

/** Behind a day: that it is one of a month. */
const ofMonths = /,? (?:of|in) (?:the|every|each|a) month$/;

const USUAL: TimeOfDay = { hour: 9, minute: 0 };

/** First to fifth, and last, as cron has them behind a weekday. */
const ordinals: Readonly<Record<string, string>> = {
  first: '#1',
  second: '#2',
  third: '#3',
  fourth: '#4',
  last: 'L',
};

/** A schedule as people type it, as a cron expression of five fields. A `bad-request` for anything else. */
export function readSchedule(typed: string): string {
  const text = typed.trim().toLowerCase().replace(/\s+/g, ' ');
  const [, cron] = /^cron (.+)$/.exec(text) ?? [];
  // The days and months of a cron expression may be names.
  if (cron !== undefined) return cron.toUpperCase().replaceAll('`', '').trim();
  if (/^every (other|\d+|two|three|second) (week|day|month|hour|minute)s?\b/.test(text)) {
    throw badRequest(
      `'${typed.trim()}' is more than a schedule can say: it knows days of the week and of the month, and does not count weeks. Try: ${allowedSchedules}.`,
    );
  }
  if (text === 'every hour' || text === 'hourly') return '0 * * * *';
  refuseAmbiguous(text);
  const [, days = '', clock] = splitTime(text.replace(/^daily\b/, 'every day'));
  const time = clock === undefined ? USUAL : readTime(clock);
  if (time === null) {
    throw badRequestAs('unknown-name', `time '${clock}' is not known. Try: ${allowedTimes}.`);
  }
  const fields = daysOf(days.replace(ofMonths, ''));
  if (fields === null)
    throw badRequestAs('unknown-name', `schedule '${typed.trim()}' is not known. Try: ${allowedSchedules}.`);
  return `${time.minute} ${time.hour} ${fields}`;
}

/** The days in words and the clock in words behind them, which may stand there without `at`. */
function splitTime(text: string): readonly (string | undefined)[] {
  return (
    /^(?:on |every |on every )?(.+?) at (.+)$/.exec(text) ??
    /^(?:on |every |on every )?(.+?) (\d{1,2}(?:[:.]\d{2}| ?[ap]m|[:.]\d{2} ?[ap]m)|noon|midnight)$/.exec(
      text,
    ) ??
    /^(?:on |every |on every )?(.+)$/.exec(text) ??
    []
  );
}

/** Of every second Monday people think either way. */
function refuseAmbiguous(text: string): void {
  const [, order, day] = /^(?:on )?every (second|2nd|other) (\w+?)s?(?: at .+)?$/.exec(text) ?? [];
  const name = weekdays[indexOfName(weekdays, day ?? '')];
  if (order === undefined || name === undefined) return;
  throw badRequest(
    `'every ${order} ${name}' can mean two things. Try: \`on the second ${name} of the month\`, or \`every ${name}\`, for weeks are not counted here.`,
  );
}

/** Day of the month, month and day of the week; null for words that are no days. */
function daysOf(text: string): string | null {
  if (text === 'day') return '* * *';
  if (/^(week|work|working )days?$/.test(text)) return '* * 1-5';
  if (text === 'week') return '* * 1';
  if (text === 'month') return '1 * *';
  const ofMonth = dayOfMonth(text.replace(/^month,? on /, '').replace(/^the /, ''));
  if (ofMonth !== null) return ofMonth;
  const span = daysFromTo(text);
  if (span !== null) return span;
  const names = text.split(/,? and |, ?| /);
  const found = names.map((name) => indexOfName(weekdays, name.replace(/^(\w+day)s$/, '$1')));
  if (found.includes(-1)) return null;
  return `* * ${[...new Set(found)]
    .toSorted((a, b) => a - b)
    .map((day) => day + 1)
    .join(',')}`;
}

function dayOfMonth(text: string): string | null {
  const [, order = '', name] = /^(first|second|third|fourth|last)(?: (\w+))?$/.exec(orderInWords(text)) ?? [];
  if (order !== '' && (name === undefined || name === 'day')) return dayCalled(order);
  const weekday = name === undefined ? -1 : indexOfName(weekdays, name);
  if (weekday >= 0) return `* * ${weekday + 1}${ordinals[order]}`;
  const [, date] = /^(\d{1,2})(?:st|nd|rd|th|\.)?(?: day)?$/.exec(text) ?? [];
  return date !== undefined && Number(date) >= 1 && Number(date) <= 31 ? `${Number(date)} * *` : null;
}

/** `monday to friday`, also over the end of the week. */
function daysFromTo(text: string): string | null {
  const [, from = '', to = ''] = /^(\w+)(?: to | until | through | ?[-–] ?)(\w+)$/.exec(text) ?? [];
  const [first, last] = [from, to].map((name) => indexOfName(weekdays, name) + 1);
  if (first === undefined || last === undefined || first < 1 || last < 1) return null;
  if (first <= last) return `* * ${first}-${last}`;
  const days = Array.from({ length: 7 }, (_, i) => i + 1).filter((day) => day >= first || day <= last);
  return `* * ${days.join(',')}`;
}

/** `1st monday` as `first monday`; the 1st alone is a date. */
function orderInWords(text: string): string {
  return text.replace(
    /^(1st|2nd|3rd|4th) (?=[a-z])/,
    (_, order: string) => `${['first', 'second', 'third', 'fourth'][Number(order[0]) - 1]} `,
  );
}

function dayCalled(order: string): string {
  return order === 'last' ? 'L * *' : `${Object.keys(ordinals).indexOf(order) + 1} * *`;
}

/** A cron expression as `readSchedule` reads it back: in words where it has some, else as it is. */
export function writtenSchedule(cron: string): string {
  const words = scheduleWords(cron);
  try {
    if (readSchedule(words) === cron) return words;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  return `cron ${cron}`;
}
