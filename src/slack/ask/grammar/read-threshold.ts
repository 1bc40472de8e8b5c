import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { badRequest, badRequestAs } from '../../../model/error.ts';
import type { Threshold } from '../../../model/watch.ts';
import { unitLengths } from '../../../output/readable-text.ts';
import type { Calendar } from '../../../time/calendar.ts';
import { escapeMrkdwn } from '../../blocks/mrkdwn.ts';
import { plainText, type Word } from './typed-words.ts';

const allowed = '3 working days, 2 days, 6 hours, or usual';
/** A time is at most so many words. */
const LONGEST = 3;

/** How long is too long, and a sentence (mrkdwn) about what that means where it is not plain. */
interface ReadThreshold {
  readonly threshold: Threshold;
  readonly remark: string | null;
}

/** Takes how long is too long off the front; after it, and after an `in`, comes the filter. */
export function takeThreshold(
  words: readonly Word[],
  calendar: Calendar,
): ReadThreshold & { readonly typed: string; readonly filter: readonly Word[] } {
  for (let length = Math.min(LONGEST, words.length); length > 0; length -= 1) {
    const typed = plainText(words.slice(0, length));
    const read = readThreshold(typed, calendar);
    if (read === null) continue;
    const after = words.slice(length);
    return { ...read, typed, filter: after[0]?.plain.toLowerCase() === 'in' ? after.slice(1) : after };
  }
  const typed = plainText(words).replace(/ in .*$/i, '');
  throw badRequestAs('unknown-name', `I can't read "${typed}" as a time. Try: ${allowed}.`);
}

/** Null where the words are no such time. */
function readThreshold(typed: string, calendar: Calendar): ReadThreshold | null {
  const text = typed.trim().toLowerCase().replace(/\s+/g, ' ');
  if (/^(?:(?:the |our )?(?:own )?(?:usual|85th percentile|p85)|is usual)$/.test(text)) {
    return { threshold: { by: 'usual' }, remark: null };
  }
  const [, number = '', working, unit = ''] =
    /^(\d{1,4}(?:\.\d{1,2})?) ?(working )?(days?|d|hours?|h|minutes?|min)$/.exec(text) ?? [];
  if (unit === '') return null;
  const count = Number(number);
  if (count === 0) throw badRequest(`"${typed}" is too short. Try: ${allowed}.`);
  const time = (ms: number, words: string) => ({ by: 'time', ms: Math.round(ms), words }) as const;
  if (!unit.startsWith('d')) {
    const one = unit.startsWith('h') ? 'hour' : 'minute';
    return { threshold: time(count * unitLengths[`${one}s`], inWords(count, one)), remark: null };
  }
  if (calendar.continuous && working === undefined) {
    return { threshold: time(count * millisecondsInDay, inWords(count, 'day')), remark: null };
  }
  const words = inWords(count, 'working day');
  if (calendar.continuous) {
    const remark =
      'With 24/7 hours a working day is 24 hours, Monday to Friday, holidays included. To count working hours, add `in CALENDAR`.';
    return { threshold: { ...time(count * millisecondsInDay, words), weekdays: true }, remark };
  }
  const { name, equalDays, dailyMs } = calendar;
  if (equalDays) return { threshold: time(count * dailyMs, words), remark: null };
  const hours = inWords(Math.round((10 * count * dailyMs) / millisecondsInHour) / 10, 'hour');
  return {
    threshold: time(count * dailyMs, `${words} (${hours})`),
    remark: `Working days of ${escapeMrkdwn(name)} differ in length, so ${words} count as ${hours}.`,
  };
}

function inWords(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
