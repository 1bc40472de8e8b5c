import type { NamedPerson } from '../model/answer.ts';
import type { Instant } from '../model/issue.ts';
import type { DurationUnit } from '../model/question.ts';
import type { CalendarFacts } from '../model/table.ts';
import { dayLengthMs } from '../time/calendar.ts';
import { dateText, minuteText, timeOfDayText } from '../time/date-text.ts';
import { durationWords, isolated, shorten } from './readable-text.ts';
import type { HistoryWording } from './table-records.ts';

const NAME_LENGTH = 80;

/** The writers of names, dates, emphasis and links for the place of a sentence. */
export interface Wording extends HistoryWording {
  /** The time of day alone. */
  readonly time: (at: Instant) => string;
  readonly strong: (text: string) => string;
  /** Emphasizes a text that is escaped already. */
  readonly bold: (written: string) => string;
  /** An issue's key; a link where its address is known. */
  readonly key: (key: string, link: string | null) => string;
  /** A user of the tracker; the door that knows their account makes it a mention. */
  readonly person: (person: NamedPerson) => string;
}

/** For text in which nothing is a mark; it is escaped as a whole. */
export const plain: Wording = {
  date: utcText,
  time: utcTimeText,
  words: isolated,
  strong: isolated,
  bold: (written) => written,
  key: (key) => key,
  person: ({ name }) => isolated(`@${shorten(name, NAME_LENGTH)}`),
};

/** An instant as plain text: `2026-11-20 14:02 UTC`. */
export function utcText(at: Instant): string {
  return `${minuteText(at)} UTC`;
}

/** Its time of day as plain text: `14:02 UTC`. */
export function utcTimeText(at: Instant): string {
  return `${timeOfDayText(at)} UTC`;
}

/** The length of a day (ms) in words about durations: a working day of the calendar. Infinity where the unit is hours. */
export function dayMsOf({ unit, ...calendar }: CalendarFacts): number {
  return unit === 'hours' ? Number.POSITIVE_INFINITY : dayLengthMs(calendar, 'businessDays');
}

/** A measure by a calendar, to be shown in a unit. */
export function calendarIn<T extends { readonly calendar: CalendarFacts }>(one: T, unit: DurationUnit): T {
  return { ...one, calendar: { ...one.calendar, unit } };
}

/** The length of a day, such as `1d = 7h 27m`; null where it is 24 hours, or where no durations are in days. */
export function dayNote(calendar: CalendarFacts): string | null {
  const dayMs = dayMsOf(calendar);
  return calendar.continuous || dayMs === Number.POSITIVE_INFINITY
    ? null
    : `1d = ${durationWords(dayMs, dayMs * 2)}`;
}

/** The working hours, in a few words: `hours 24/7`, `working hours Berlin (1d = 7h 27m)`. `words` writes the name. */
export function hoursText(calendar: CalendarFacts, words: (text: string) => string): string {
  if (calendar.continuous) return 'hours 24/7';
  const note = dayNote(calendar);
  return `working hours ${words(shorten(calendar.name, NAME_LENGTH))}${note === null ? '' : ` (${note})`}`;
}

/** Days of a zone, and the instant near which their year need not be named. */
interface DayWords {
  readonly timeZone: string;
  readonly near: Instant;
}

/** A day: `Nov 9`, or `Nov 9, 2025` where that is not the year of `near`. */
export function dayWords(at: Instant, { timeZone, near }: DayWords): string {
  const year = dateText(at, 'yyyy', timeZone);
  return dateText(at, year === dateText(near, 'yyyy', timeZone) ? 'MMM d' : 'MMM d, yyyy', timeZone);
}

/** The days from an instant to the last one of a time, inclusive: `Nov 9–15`, `Nov 30 – Dec 6`, `Nov 25–27, 2025`, `Nov 9`. */
export function dayRange(first: Instant, last: Instant, words: DayWords): string {
  const { timeZone } = words;
  const partOf = (at: Instant, pattern: string) => dateText(at, pattern, timeZone);
  const isSame = (pattern: string) => partOf(first, pattern) === partOf(last, pattern);
  if (isSame('yyyy-MM-dd')) return dayWords(last, words);
  if (!isSame('yyyy')) return `${partOf(first, 'MMM d, yyyy')} – ${partOf(last, 'MMM d, yyyy')}`;
  const year = partOf(last, 'yyyy') === partOf(words.near, 'yyyy') ? '' : `, ${partOf(last, 'yyyy')}`;
  return isSame('MM')
    ? `${partOf(first, 'MMM d')}–${partOf(last, 'd')}${year}`
    : `${partOf(first, 'MMM d')} – ${partOf(last, 'MMM d')}${year}`;
}

/** A sentence or a title begins with a capital. */
export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** An ISO week of a zone, from its first instant to the first one after it; not `whole` while it runs. */
interface WeekSpan {
  /** The id, such as 2026-W46. */
  readonly id: string;
  readonly start: Instant;
  readonly end: Instant;
  readonly whole: boolean;
}

/** `week 46 (Nov 9–15)`, `week 47 so far (Nov 16–22)`, or `week 46 (Nov 10–16, 2025)` of another year than `asOf`. */
export function weekText({ id, start, end, whole }: WeekSpan, timeZone: string, asOf: Instant): string {
  return `${weekName(id)}${whole ? '' : ' so far'} (${dayRange(start, end - 1, { timeZone, near: asOf })})`;
}

/** `week 46` of 2026-W46. */
export function weekName(id: string): string {
  return `week ${Number(id.slice(id.indexOf('W') + 1))}`;
}

/** `week 45`: the one before the week that a weekly answer is about. */
export function weekBefore({ weeks }: { readonly weeks: readonly { readonly id: string }[] }): string {
  return weekName(weeks.at(-2)?.id ?? '');
}

/** `W46` of 2026-W46 for a chart, with the year where it is another one than that of `asOf`. */
export function weekLabel(id: string, timeZone: string, asOf: Instant): string {
  const at = id.indexOf('-');
  return id.slice(0, at) === dateText(asOf, 'yyyy', timeZone) ? id.slice(at + 1) : id;
}
