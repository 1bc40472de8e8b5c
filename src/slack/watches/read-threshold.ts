import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { badRequest } from '../../model/error.ts';
import type { Threshold } from '../../model/watch.ts';
import { unitLengths } from '../../output/duration-text.ts';
import type { Calendar } from '../../time/calendar.ts';

/** What `readThreshold` takes, for who typed something else. */
export const allowedThresholds = '3 working days, 2 days, 6 hours, or usual';

/** A threshold, and a sentence about what it means where that is not plain; null: it is. */
interface ReadThreshold {
  readonly threshold: Threshold;
  readonly remark: string | null;
}

/** Reads how long is too long in a calendar; null: these words are no such time. */
export function readThreshold(typed: string, calendar: Calendar): ReadThreshold | null {
  const text = typed.trim().toLowerCase().replace(/\s+/g, ' ');
  if (/^(?:(?:the |our )?(?:own )?(?:usual|85th percentile|p85)|is usual)$/.test(text)) {
    return { threshold: { by: 'usual' }, remark: null };
  }
  const [, number = '', working, unit = ''] =
    /^(\d{1,4}(?:\.\d{1,2})?) ?(working )?(days?|d|hours?|h|minutes?|min)$/.exec(text) ?? [];
  if (unit === '') return null;
  const count = Number(number);
  if (count === 0) throw badRequest(`'${typed}' is no time. Try: ${allowedThresholds}.`);
  if (!unit.startsWith('d')) return shortTime(count, unit.startsWith('h') ? 'hour' : 'minute');
  if (calendar.continuous) return roundTheClock(count, working !== undefined);
  return workingDays(count, calendar);
}

/** Where every hour counts, working days are those on which people are told. */
function roundTheClock(count: number, isWorking: boolean): ReadThreshold {
  const time = { by: 'time', ms: count * millisecondsInDay } as const;
  if (!isWorking) return { threshold: { ...time, words: countWords(count, 'day') }, remark: null };
  return {
    threshold: { ...time, words: countWords(count, 'working day'), weekdays: true },
    remark:
      'Here every hour counts, so a working day is 24 hours from Monday to Friday, holidays too; for the working hours of a calendar name it: `in CALENDAR`.',
  };
}

function workingDays(count: number, { name, equalDays, dailyMs }: Calendar): ReadThreshold {
  const words = countWords(count, 'working day');
  const time = { by: 'time', ms: Math.round(count * dailyMs) } as const;
  if (equalDays) return { threshold: { ...time, words }, remark: null };
  const hours = countWords(Math.round((10 * time.ms) / millisecondsInHour) / 10, 'hour');
  return {
    threshold: { ...time, words: `${words} (${hours})` },
    remark: `The working days of ${escapeMrkdwn(name)} are not equally long; ${words} count as ${hours}, by their mean.`,
  };
}

function shortTime(count: number, unit: 'hour' | 'minute'): ReadThreshold {
  const ms = Math.round(count * unitLengths[unit === 'hour' ? 'hours' : 'minutes']);
  return { threshold: { by: 'time', ms, words: countWords(count, unit) }, remark: null };
}

function countWords(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
