import type { Calendar } from '../../calendar/calendar.ts';
import { unitLengths } from '../../formats/duration-text.ts';
import { badRequest } from '../../model/error.ts';
import type { Threshold } from '../../model/watch.ts';
import { dayMsOf } from '../answers/day-length.ts';

/** What `readThreshold` takes, for who typed something else. */
export const allowedThresholds = '3 working days, 2 days, 6 hours, or usual';

/** A threshold, and a sentence about what it means where that is not plain; null: it is. */
export interface ReadThreshold {
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
  if (count === 0) throw badRequest(`'${typed}' is no time; allowed: ${allowedThresholds}.`);
  if (!unit.startsWith('d')) return shortTime(count, unit.startsWith('h') ? 'hour' : 'minute');
  const { name, continuous, equalDays, dailyMs } = calendar;
  if (!continuous && !equalDays) {
    const hours = Math.round((10 * count * dailyMs) / unitLengths.hours) / 10;
    throw badRequest(
      `'${typed}' cannot be told in '${name}', whose working days are not equally long; allowed: hours, such as ${hours} hours (about as long), or usual.`,
    );
  }
  const isWorking = !continuous;
  const words = countWords(count, isWorking ? 'working day' : 'day');
  return {
    threshold: { by: 'time', ms: count * dayMsOf(calendar), words },
    remark:
      continuous && working !== undefined
        ? 'Here every hour counts, so a day is 24 hours, also on weekends; for working days name a calendar: `in CALENDAR`.'
        : null,
  };
}

function shortTime(count: number, unit: 'hour' | 'minute'): ReadThreshold {
  const ms = Math.round(count * unitLengths[unit === 'hour' ? 'hours' : 'minutes']);
  return { threshold: { by: 'time', ms, words: countWords(count, unit) }, remark: null };
}

function countWords(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
