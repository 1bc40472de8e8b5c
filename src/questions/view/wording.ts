import { dateMark, escapeMrkdwn, shorten, timeMark, utcText, utcTimeText } from '../../block-kit/mrkdwn.ts';
import { isRecord } from '../../block-kit/rule.ts';
import type { Instant } from '../../model/issue.ts';
import type { DurationUnit } from '../../model/question.ts';
import type { CalendarFacts } from '../../model/table.ts';
import { durationWords, isolated } from '../../output/readable-text.ts';
import type { HistoryWording } from '../../output/table-records.ts';
import { dayLengthMs } from '../../time/calendar.ts';
import { dateText } from '../../time/date-text.ts';

const NAME_LENGTH = 80;
const ID_LENGTH = 200;

/** How names, dates, emphasis and links are written where a sentence goes. */
export interface Wording extends HistoryWording {
  /** The time of day alone. */
  readonly time: (at: Instant) => string;
  readonly strong: (text: string) => string;
  /** The same of what is written already. */
  readonly bold: (written: string) => string;
  /** An issue's key; a link where its address is known. */
  readonly key: (key: string, link: string | null) => string;
  /** A user of the tracker; the door that knows their account makes it a mention. */
  readonly person: (person: NamedPerson) => string;
}

/** A user of the tracker; the id is null where it is unknown which one has the name. */
export interface NamedPerson {
  readonly id: string | null;
  readonly name: string;
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

/** For mrkdwn. */
export const marked: Wording = {
  date: dateMark,
  time: timeMark,
  words: escapeMrkdwn,
  strong: (text) => `*${escapeMrkdwn(text)}*`,
  bold: (written) => `*${written}*`,
  key: (key, link) => (link === null ? escapeMrkdwn(key) : `<${linkText(link)}|${escapeMrkdwn(key)}>`),
  person: ({ id, name }) => {
    const shown = escapeMrkdwn(`@${shorten(name, NAME_LENGTH)}`);
    const written = encodeURIComponent(id?.toWellFormed() ?? '');
    // A longer one would leave no room for what it stands in.
    return id === null || written.length > ID_LENGTH ? shown : `<${PERSON}${written}|${shown}>`;
  },
};

/** Begins the mark of a user of the tracker, which no door sends as it is. */
const PERSON = '@tracker:';

/** Every mark of a user of the tracker in a text: the id, and what is shown where nobody knows their account. */
const personMarks = /<@tracker:([\w%.~!*'()-]*)\|([^>]*)>/g;

/** The users of the tracker whom the texts (mrkdwn) of a message or a view name, by id. */
export function peopleIn(sent: unknown): ReadonlySet<string> {
  const people = new Set<string>();
  mapTexts(sent, (text) => {
    for (const [, id = ''] of text.matchAll(personMarks)) people.add(decodeURIComponent(id));
    return text;
  });
  return people;
}

/**
 * The same message or view with users of the tracker as mentions of their accounts: by name where `accountOf` gives null, as they have
 * none, and as `@name` where it gives undefined.
 */
export function withMentions<Sent>(sent: Sent, accountOf: (user: string) => string | null | undefined): Sent {
  return mapTexts(sent, (text) =>
    text.replaceAll(personMarks, (_, id: string, shown: string) => {
      const account = accountOf(decodeURIComponent(id));
      if (account === undefined) return shown;
      return account === null ? shown.replace('@', '') : `<@${account}>`;
    }),
  );
}

/** The same JSON value with each text that names users changed; a part without any is not copied. */
function mapTexts<Value>(value: Value, change: (text: string) => string): Value;
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return value.includes(`<${PERSON}`) ? change(value) : value;
  if (Array.isArray(value)) {
    let items: unknown[] | null = null;
    for (let i = 0; i < value.length; i += 1) {
      const changed = mapTexts(value[i], change);
      if (changed === value[i]) continue;
      items ??= [...value];
      items[i] = changed;
    }
    return items ?? value;
  }
  if (!isRecord(value)) return value;
  let members: Record<string, unknown> | null = null;
  for (const name in value) {
    const changed = mapTexts(value[name], change);
    if (changed === value[name]) continue;
    members ??= { ...value };
    members[name] = changed;
  }
  return members ?? value;
}

/** An address in which nothing ends the mark it stands in. */
function linkText(link: string): string {
  return link.replaceAll('<', '%3C').replaceAll('>', '%3E').replaceAll('|', '%7C');
}

/** One sentence for both places. */
export interface Said {
  readonly plain: string;
  readonly marked: string;
}

/** Says a sentence once with marks and once without. */
export function say(sentence: (wording: Wording) => string): Said {
  return { plain: sentence(plain), marked: sentence(marked) };
}

/** How long a day (ms) is in words about durations: a working day of the calendar. Endless where hours are asked for. */
export function dayMsOf({ unit, ...calendar }: CalendarFacts): number {
  return unit === 'hours' ? Number.POSITIVE_INFINITY : dayLengthMs(calendar, 'businessDays');
}

/** What was measured with a calendar, to be shown in a unit. */
export function calendarIn<T extends { readonly calendar: CalendarFacts }>(one: T, unit: DurationUnit): T {
  return { ...one, calendar: { ...one.calendar, unit } };
}

/** How long a day is, such as `1d = 7h 27m`; null where it is 24 hours, or where no durations are in days. */
export function dayNote(calendar: CalendarFacts): string | null {
  const dayMs = dayMsOf(calendar);
  return calendar.continuous || dayMs === Number.POSITIVE_INFINITY
    ? null
    : `1d = ${durationWords(dayMs, dayMs * 2)}`;
}

/** Which hours count, in a few words: `hours 24/7`, `working hours Berlin (1d = 7h 27m)`. `words` writes the name. */
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
