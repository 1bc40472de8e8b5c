import { type DigestInput, digestFiles } from '../../model/digest.ts';
import { badRequest, badRequestAs } from '../../model/error.ts';
import { oneOf, plainText, sourceOf, wordsOf } from '../../questions/parse/typed-words.ts';
import { indexOfName, weekdays } from '../../time/day-words.ts';
import { isTimeZone } from '../../time/zones.ts';
import { readZone } from '../app/hours-here.ts';
import { allowedSchedules, readSchedule } from './digest-schedule.ts';

/** A digest as somebody typed it; null is what was not typed. */
export interface DigestWords {
  /** The question, as it would stand behind `/tis`. */
  readonly question: string;
  readonly cron: string;
  readonly place: 'here' | 'owner' | null;
  readonly timeZone: string | null;
  /** The name of a calendar; empty for that of the place. */
  readonly workingDays: string | null;
  readonly file: DigestInput['file'];
}

type Tails = Omit<DigestWords, 'question' | 'cron'>;

/** Reads `QUESTION every DAY at TIME [here|to me] [[in] ZONE] [on working days of CALENDAR] [with xlsx]`. */
export function readDigestWords(typed: string): DigestWords {
  const words = wordsOf(typed);
  const start = scheduleStart(words.map(({ plain }) => plain.toLowerCase()));
  if (start < 0) {
    throw badRequestAs(
      'missing-value',
      `When it is to be told is missing behind '${typed.slice(0, 80)}'. Try: ${allowedSchedules}.`,
    );
  }
  const question = sourceOf(words.slice(0, start));
  if (question === '') {
    throw badRequestAs(
      'missing-value',
      'What is to be told is missing. Try: whatever can stand behind /tis, such as weekly WEB.',
    );
  }
  const { schedule, tails } = takeTails(plainText(words.slice(start)));
  return { question, cron: readSchedule(schedule), ...tails };
}

/** What ends with a time of the day, behind which a zone needs no `in`. */
const behindTime = /(?:\d|\d ?[ap]m|noon|midnight)$/i;

/** What stands behind the schedule, in any order. */
function takeTails(typed: string): { readonly schedule: string; readonly tails: Tails } {
  let rest = typed;
  let tails: Partial<Tails> = {};
  for (;;) {
    const taken = lastTail(rest);
    if (taken === null) {
      return {
        schedule: rest,
        tails: { place: null, timeZone: null, workingDays: null, file: null, ...tails },
      };
    }
    const [twice] = Object.keys(taken.tail).filter((name) => name in tails);
    if (twice !== undefined) {
      throw badRequest(
        `'${rest.slice(taken.before.length).trim()}' is said twice in other words. Try: once.`,
      );
    }
    tails = { ...tails, ...taken.tail };
    rest = taken.before;
  }
}

function lastTail(text: string): { readonly before: string; readonly tail: Partial<Tails> } | null {
  const [, beforePlace, place] = /^(.+?) (here|to me)$/i.exec(text) ?? [];
  if (beforePlace !== undefined) {
    return { before: beforePlace, tail: { place: place?.toLowerCase() === 'here' ? 'here' : 'owner' } };
  }
  const [, beforeFile, typedFile = ''] = /^(.+?) with (?:an? )?(\S+?)(?: file)?$/i.exec(text) ?? [];
  if (beforeFile !== undefined) {
    const file = oneOf(digestFiles, typedFile);
    if (file === undefined) {
      throw badRequestAs(
        'unknown-name',
        `file '${typedFile}' is not known. Try: with ${digestFiles.join(', with ')}.`,
      );
    }
    return { before: beforeFile, tail: { file } };
  }
  const [, beforeZone, zone = ''] = /^(.+?) in (\S+)$/i.exec(text) ?? [];
  // The name of a calendar may hold such words.
  if (beforeZone !== undefined && (isNamedZone(zone) || !/ on working days of /i.test(beforeZone))) {
    return { before: beforeZone, tail: { timeZone: readZone(zone) } };
  }
  const [, beforeBare, bare = ''] = /^(.+?) ([a-z]\S+)$/i.exec(text) ?? [];
  if (beforeBare !== undefined && behindTime.test(beforeBare) && isNamedZone(bare)) {
    return { before: beforeBare, tail: { timeZone: readZone(bare) } };
  }
  const [, beforeDays, workingDays = ''] = /^(.+?) on working days(?: of (.+))?$/i.exec(text) ?? [];
  return beforeDays === undefined ? null : { before: beforeDays, tail: { workingDays } };
}

function isNamedZone(typed: string): boolean {
  return isTimeZone(typed) || typed.includes('/');
}

/** Words that begin a schedule wherever they stand. */
const begins = /^(every|cron|daily|hourly|(week|work|mon|tues|wednes|thurs|fri|satur|sun)days)$/;

const order = /^(first|second|third|fourth|last|1st|2nd|3rd|4th)$/;

/**
 * Where a schedule begins in a line that ends with it, of words in lower case; -1 where none does. What is asked stands
 * before it, and may hold such words too: the last ones count.
 */
function scheduleStart(words: readonly string[]): number {
  const plain = words.findLastIndex((word, i) => begins.test(word) && !endsMonths(words, i));
  const ordered = words.findLastIndex((_, i) => isDayOfMonth(words, i));
  const between = words.slice(plain + 1, Math.max(plain + 1, ordered)).join(' ');
  const isOne = plain >= 0 && /^(month,?( on)?( the)?)?$/.test(between);
  const begin = isOne ? plain : Math.max(plain, ordered);
  if (begin >= 0) return withLeadBefore(words, begin);
  return words.findLastIndex(
    (word, i) => word === 'on' && words[i + 1] === 'the' && words[i + 2] !== undefined,
  );
}

/** The `every` of `of every month`. */
function endsMonths(words: readonly string[], at: number): boolean {
  return words[at] === 'every' && words[at + 1] === 'month' && /^(of|in)$/.test(words[at - 1] ?? '');
}

/** `first monday of`, `last day of` */
function isDayOfMonth(words: readonly string[], at: number): boolean {
  const [which = '', day = '', of = ''] = words.slice(at, at + 3);
  return order.test(which) && /^(of|in)$/.test(of) && (day === 'day' || indexOfName(weekdays, day) >= 0);
}

/** `on the` belongs to what follows it. */
function withLeadBefore(words: readonly string[], begin: number): number {
  const article = words[begin - 1] === 'the' ? begin - 1 : begin;
  return words[article - 1] === 'on' ? article - 1 : article;
}
