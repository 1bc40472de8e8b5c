import { type DigestInput, digestFiles } from '../../model/digest.ts';
import { AppError, badRequest, badRequestAs } from '../../model/error.ts';
import { readZone } from '../../questions/parse/read-zone.ts';
import { oneOf, plainText, sourceOf, wordsOf } from '../../questions/parse/typed-words.ts';
import { readTime, scheduleWords, type TimeOfDay } from '../../time/cron-words.ts';
import { indexOfName, weekdays } from '../../time/day-words.ts';
import { isTimeZone } from '../../time/zones.ts';

/** A digest as it was typed; null is what was not typed. */
export interface DigestWords {
  /** As after `/tis`. */
  readonly question: string;
  readonly cron: string;
  readonly place: 'here' | 'owner' | null;
  readonly timeZone: string | null;
  /** The name of a calendar; empty for that of the place. */
  readonly workingDays: string | null;
  readonly file: DigestInput['file'];
}

type Tails = Omit<DigestWords, 'question' | 'cron'>;

/** What `readTime` and `readSchedule` take, for people who typed something else. */
const allowedTimes = '9, 9:30, 17:00, 5:30 pm, noon';
const allowedSchedules = 'every monday at 9, every weekday at 9:30, every month on the 1st at 17:00';

/** Where a schedule can begin, in the words that follow. */
const begins =
  /^((on )?(the )?(every|cron|daily|hourly|(week|work|mon|tues|wednes|thurs|fri|satur|sun)days)\b|on the |((1st|2nd|3rd|4th|first|second|third|fourth|last) \w+ (of|in) ))/i;

/**
 * Reads `QUESTION every DAY at TIME [here|to me] [[in] ZONE] [on working days of CALENDAR] [with xlsx]`. The words of the
 * question may look like a schedule as well, so the first place counts from which everything can be read.
 */
export function readDigestWords(typed: string): DigestWords {
  const words = wordsOf(typed);
  const starts = words.flatMap((_, i) => (begins.test(`${plainText(words.slice(i))} `) ? [i] : []));
  let problem: unknown = badRequestAs(
    'missing-value',
    `When should I post '${typed.slice(0, 80)}'? Try: ${allowedSchedules}.`,
  );
  for (const start of starts) {
    const question = sourceOf(words.slice(0, start));
    if (question === '') {
      throw badRequestAs('missing-value', 'What should I post? Try: any report, such as weekly WEB.');
    }
    try {
      const { schedule, tails } = takeTails(plainText(words.slice(start)));
      return { question, cron: readSchedule(schedule), ...tails };
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

/** What ends with a time of the day, after which a zone needs no `in`. */
const endsWithTime = /(?:\d|\d ?[ap]m|noon|midnight)$/i;

/** What follows the schedule, in any order. */
function takeTails(typed: string): { readonly schedule: string; readonly tails: Tails } {
  let schedule = typed;
  let tails: Partial<Tails> = {};
  for (let taken = lastTail(schedule); taken !== null; taken = lastTail(schedule)) {
    if (Object.keys(taken.tail).some((name) => name in tails)) {
      throw badRequest(
        `'${schedule.slice(taken.before.length).trim()}' is one too many. Try: only one of them.`,
      );
    }
    tails = { ...tails, ...taken.tail };
    schedule = taken.before;
  }
  return { schedule, tails: { place: null, timeZone: null, workingDays: null, file: null, ...tails } };
}

function lastTail(text: string): { readonly before: string; readonly tail: Partial<Tails> } | null {
  const [, beforePlace, place] = /^(.+?) (here|to me)$/i.exec(text) ?? [];
  if (beforePlace !== undefined) {
    return { before: beforePlace, tail: { place: place?.toLowerCase() === 'here' ? 'here' : 'owner' } };
  }
  const [, beforeFile, typedFile = ''] = /^(.+?) with (?:an? )?(\S+?)(?: file)?$/i.exec(text) ?? [];
  if (beforeFile !== undefined) {
    const file = oneOf(digestFiles, typedFile);
    if (file !== undefined) return { before: beforeFile, tail: { file } };
    throw badRequestAs(
      'unknown-name',
      `The file '${typedFile}' is not known. Try: with ${digestFiles.join(', with ')}.`,
    );
  }
  const [, beforeZone, zone = ''] = /^(.+?) in (\S+)$/i.exec(text) ?? [];
  // The name of a calendar may hold such words.
  if (beforeZone !== undefined && (isNamedZone(zone) || !/ on working days of /i.test(beforeZone))) {
    return { before: beforeZone, tail: { timeZone: readZone(zone) } };
  }
  const [, beforeBare, bare = ''] = /^(.+?) ([a-z]\S+)$/i.exec(text) ?? [];
  if (beforeBare !== undefined && endsWithTime.test(beforeBare) && isNamedZone(bare)) {
    return { before: beforeBare, tail: { timeZone: readZone(bare) } };
  }
  const [, beforeDays, workingDays = ''] = /^(.+?) on working days(?: of (.+))?$/i.exec(text) ?? [];
  return beforeDays === undefined ? null : { before: beforeDays, tail: { workingDays } };
}

function isNamedZone(typed: string): boolean {
  return isTimeZone(typed) || typed.includes('/');
}

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
    throw badRequestAs('unknown-name', `The time '${clock}' is not known. Try: ${allowedTimes}.`);
  const fields = daysOf(days.replace(/,? (?:of|in) (?:the|every|each|a) month$/, ''));
  if (fields !== null) return `${time.minute} ${time.hour} ${fields}`;
  throw badRequestAs(
    'unknown-name',
    `The schedule '${typed.trim()}' is not known. Try: ${allowedSchedules}.`,
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

/** `monday to friday`, also over the end of the week. */
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
