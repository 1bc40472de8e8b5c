import { type DigestInput, digestFiles } from '../../../model/digest.ts';
import { badRequest, badRequestAs } from '../../../model/error.ts';
import { allowedSchedules, readSchedule } from '../../../time/read-schedule.ts';
import { isTimeZone, zonesCalled } from '../../../time/zones.ts';
import { nearestOf } from './names-meant.ts';
import { readZone, zoneRemark } from './read-calendar.ts';
import { oneOf, plainText, sourceOf, wordsOf } from './typed-words.ts';

/** A digest as it was typed; null is what was not typed. */
export interface DigestWords {
  /** As after `/tis`. */
  readonly question: string;
  readonly cron: string;
  readonly place: 'here' | 'owner' | null;
  readonly timeZone: string | null;
  /** Which zone an abbreviation was taken for (mrkdwn). */
  readonly zoneRemark: string | null;
  /** The name of a calendar; empty for that of the place. */
  readonly workingDays: string | null;
  readonly file: DigestInput['file'];
}

type Tails = Omit<DigestWords, 'question' | 'cron'>;

const begins =
  /^((on )?(the )?(every|cron|daily|hourly|(week|work|mon|tues|wednes|thurs|fri|satur|sun)days)\b|on the |((1st|2nd|3rd|4th|first|second|third|fourth|last) \w+ (of|in) ))/i;

/**
 * Reads `QUESTION every DAY at TIME [here|to me] [[in] ZONE] [on working days of CALENDAR] [with xlsx]`. The words of the
 * question may look like a schedule as well, so the first place counts from which everything can be read.
 */
export function readDigestWords(typed: string): DigestWords {
  const words = wordsOf(typed);
  const starts = words.flatMap((_, i) => (begins.test(`${plainText(words.slice(i))} `) ? [i] : []));
  const { plain: value = '' } = words.find(({ plain }) => nearestOf(plain, ['every']) !== null) ?? {};
  let problem: unknown = badRequestAs(
    'missing-value',
    `When should I post "${typed.slice(0, 80)}"? Try: ${allowedSchedules}.`,
    value === '' ? {} : { value, meant: ['every'] },
  );
  for (const start of starts) {
    const question = sourceOf(words.slice(0, start));
    if (question === '') {
      throw badRequestAs('missing-value', 'What should I post? Try: any report, such as weekly WEB.');
    }
    try {
      const { schedule, tails } = parseOptions(plainText(words.slice(start)));
      return { question, cron: readSchedule(schedule), ...tails };
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

/** Matches words that end with a time of the day, after which a zone needs no `in`. */
const endsWithTime = /(?:\d|\d ?[ap]m|noon|midnight)$/i;

function parseOptions(typed: string): { readonly schedule: string; readonly tails: Tails } {
  let schedule = typed;
  let tails: Partial<Tails> = {};
  for (let taken = lastTail(schedule); taken !== null; taken = lastTail(schedule)) {
    if (Object.keys(taken.tail).some((name) => name in tails)) {
      throw badRequest(
        `You gave this twice: "${schedule.slice(taken.before.length).trim()}". Try: only one.`,
      );
    }
    tails = { ...tails, ...taken.tail };
    schedule = taken.before;
  }
  return {
    schedule,
    tails: { place: null, timeZone: null, zoneRemark: null, workingDays: null, file: null, ...tails },
  };
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
      `I can't attach a "${typedFile}" file. Try: with ${digestFiles.join(', with ')}.`,
    );
  }
  const [, beforeZone, zone = ''] = /^(.+?) in (\S+)$/i.exec(text) ?? [];
  // The name of a calendar may hold such words.
  if (beforeZone !== undefined && (isNamedZone(zone) || !/ on working days of /i.test(beforeZone))) {
    return { before: beforeZone, tail: zoneTyped(zone) };
  }
  const [, beforeBare, bare = ''] = /^(.+?) ([a-z]\S+)$/i.exec(text) ?? [];
  if (beforeBare !== undefined && endsWithTime.test(beforeBare) && isNamedZone(bare)) {
    return { before: beforeBare, tail: zoneTyped(bare) };
  }
  const [, beforeDays, workingDays = ''] = /^(.+?) on working days(?: of (.+))?$/i.exec(text) ?? [];
  return beforeDays === undefined ? null : { before: beforeDays, tail: { workingDays } };
}

function isNamedZone(typed: string): boolean {
  return isTimeZone(typed) || typed.includes('/') || zonesCalled(typed).zones.length > 0;
}

function zoneTyped(typed: string): Pick<Tails, 'timeZone' | 'zoneRemark'> {
  return { timeZone: readZone(typed), zoneRemark: zoneRemark(typed) };
}
