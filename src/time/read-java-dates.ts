import { millisecondsInMinute } from 'date-fns/constants';
import { memo } from '../cache/namespace.ts';
import type { Instant } from '../model/issue.ts';
import { patternParts, patternProblem, wallTimeOf } from './date-text.ts';
import { instantOf } from './wall-clock.ts';

/** The form in which a service writes its dates. */
interface DateWriting {
  /** Java date pattern. */
  readonly pattern: string;
  readonly timeZone: string;
  /** Java's name of a locale, such as en_US. */
  readonly locale: string;
}

const MAX_PATTERNS = 100;
const MAX_LOCALES = 20;

interface Reader {
  readonly shape: RegExp;
  /** A letter of the pattern per group of the shape. */
  readonly letters: readonly string[];
}

/** The part of a text for each letter of the pattern. */
type Found = ReadonlyMap<string, string>;

const readerOf = memo(readPattern, MAX_PATTERNS);
const namesIn = memo(readNames, MAX_LOCALES);

/**
 * The instant of a text in a pattern of java.text.SimpleDateFormat, on the clocks of a zone unless the pattern has
 * the offset; null for any other text. Years of two digits are those of 2000 and later, as no tracker is older.
 */
export function readJavaDate(text: string, { pattern, timeZone, locale }: DateWriting): Instant | null {
  const reader = readerOf(pattern);
  const match = reader?.shape.exec(text.trim());
  if (reader === null || !match) return null;
  const found = new Map(reader.letters.map((letter, i) => [letter, match[i + 1] ?? '']));
  const date = dateOf(found, namesIn(locale));
  const time = timeOf(found, namesIn(locale));
  if (date === null || time === null) return null;
  const offset = found.get('X') ?? found.get('Z');
  return offset === undefined ? instantOf(date + time, timeZone) : date + time - offsetMs(offset);
}

/** The wall time of the midnight of the day; null where the text has no day, or one that never was. */
function dateOf(found: Found, { months }: Names): number | null {
  const [y = '', d = ''] = [found.get('y'), found.get('d')];
  const month = monthOf(found.get('M') ?? found.get('L') ?? '', months);
  if (y === '' || d === '' || month === null) return null;
  return wallTimeOf([y.length === 2 ? 2000 + Number(y) : Number(y), month + 1, Number(d)]);
}

/** The time since midnight in ms; a pattern without a time means midnight. Null for times that no clock shows. */
function timeOf(found: Found, { afternoon }: Names): number | null {
  const number = (letter: string) => Number(found.get(letter) ?? 0);
  const isLate = afternoon.includes(folded(found.get('a') ?? ''));
  const half = found.has('h') ? number('h') % 12 : number('K');
  const hour = found.has('H') || found.has('k') ? number('H') + (number('k') % 24) : half + (isLate ? 12 : 0);
  if (hour > 23 || number('m') > 59 || number('s') > 59) return null;
  return (hour * 60 + number('m')) * millisecondsInMinute + number('s') * 1000 + number('S');
}

function monthOf(text: string, months: readonly string[]): number | null {
  if (/^\d+$/.test(text)) return Number(text) >= 1 && Number(text) <= 12 ? Number(text) - 1 : null;
  const wanted = folded(text);
  if (wanted === '') return null;
  const exact = months.indexOf(wanted);
  const found = exact >= 0 ? exact : months.findIndex((name) => wanted.length > 2 && name.startsWith(wanted));
  return found < 0 ? null : found % 12;
}

/** The ms of an offset written Z, +01, +0100 or +01:00. */
function offsetMs(text: string): number {
  const [, sign, hours = 0, minutes = 0] = /^([+-])(\d\d):?(\d\d)?$/.exec(text) ?? [];
  const size = (Number(hours) * 60 + Number(minutes)) * millisecondsInMinute;
  return sign === '-' ? -size : size;
}

function readPattern(pattern: string): Reader | null {
  if (patternProblem(pattern) !== null) return null;
  const letters: string[] = [];
  const shape = patternParts(pattern).map(({ letter, text }) => {
    if (letter === null) return text.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&').replaceAll(/\s+/g, '\\s+');
    letters.push(letter);
    return shapeOf(letter, text.length);
  });
  return { shape: new RegExp(`^${shape.join('')}$`, 'iu'), letters };
}

function shapeOf(letter: string, count: number): string {
  switch (letter) {
    case 'y':
      return count === 2 ? '(\\d{2})' : '(\\d{4})';
    case 'M':
    case 'L':
      return count < 3 ? '(\\d{1,2})' : '([\\p{L}\\p{M}]+\\.?)';
    case 'a':
      return '(\\S+(?:\\s\\S+)?)';
    case 'X':
    case 'Z':
      return '(Z|[+-]\\d\\d(?::?\\d\\d)?)';
    case 'z':
    case 'E':
    case 'G':
      return '([\\p{L}\\p{M}\\d:+. -]+)';
    default:
      return count > 1 ? `(\\d{${count}})` : '(\\d+)';
  }
}

/** Words of a locale, and the English ones, which services use whatever their locale. */
interface Names {
  /** The short ones and the long ones of each language, twelve by twelve. */
  readonly months: readonly string[];
  readonly afternoon: readonly string[];
}

function readNames(locale: string): Names {
  const languages = [...new Set(['en-US', languageOf(locale)])];
  const noon = Date.UTC(2024, 0, 15, 15);
  const part = (language: string, options: Intl.DateTimeFormatOptions, type: string, at: number) => {
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
    return folded(format.formatToParts(at).find((one) => one.type === type)?.value ?? '');
  };
  const monthsIn = (language: string, month: 'short' | 'long') =>
    Array.from({ length: 12 }, (_, i) =>
      part(language, { month, day: 'numeric' }, 'month', Date.UTC(2024, i, 15)),
    );
  return {
    months: languages.flatMap((language) => [...monthsIn(language, 'short'), ...monthsIn(language, 'long')]),
    afternoon: languages.map((language) =>
      part(language, { hour: 'numeric', hour12: true }, 'dayPeriod', noon),
    ),
  };
}

function languageOf(locale: string): string {
  try {
    return new Intl.Locale(locale.replaceAll('_', '-')).toString();
  } catch {
    return 'en-US';
  }
}

function folded(word: string): string {
  return word.toLowerCase().replace(/\.$/, '');
}
