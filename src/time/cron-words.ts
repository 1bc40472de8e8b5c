import cronstrue from 'cronstrue';
import { weekdays } from './date-text.ts';

/** A time of a day, in hours and minutes of the wall clock. */
export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
}

const ordinals: Readonly<Record<string, string>> = {
  '#1': 'first',
  '#2': 'second',
  '#3': 'third',
  '#4': 'fourth',
  L: 'last',
};

/** A cron expression in words, to follow "due"; the common ones as `readSchedule` takes them. */
export function scheduleWords(cron: string): string {
  if (cron === '0 * * * *') return 'every hour';
  const [minute = '', hour = '', date = '', month = '', weekday = ''] = cron.trim().split(/\s+/);
  const days = month === '*' && /^\d+ \d+$/.test(`${minute} ${hour}`) ? daysIn(date, weekday) : null;
  if (days !== null) return `${days} at ${timeText({ hour: Number(hour), minute: Number(minute) })}`;
  try {
    const words = cronstrue.toString(cron, { throwExceptionOnParseError: true });
    return `${words.charAt(0).toLowerCase()}${words.slice(1)}`.replaceAll(/\b0(\d:)/g, '$1');
  } catch {
    return `cron ${cron}`;
  }
}

function daysIn(date: string, weekday: string): string | null {
  if (weekday === '*') {
    if (date === '*') return 'every day';
    if (date === 'L') return 'every last day of the month';
    return /^\d+$/.test(date) ? `every month on the ${dateWord(Number(date))}` : null;
  }
  if (date !== '*') return null;
  if (weekday === '1-5') return 'every weekday';
  const [, one, order] = /^(\d)(#[1-4]|L)$/.exec(weekday) ?? [];
  if (one !== undefined && order !== undefined) return `every ${ordinals[order]} ${nameOf(one)} of the month`;
  const [, from, to] = /^([0-7])-([0-7])$/.exec(weekday) ?? [];
  if (from !== undefined && to !== undefined) return `every ${nameOf(from)} to ${nameOf(to)}`;
  if (!/^[0-7](,[0-7])*$/.test(weekday)) return null;
  const names = weekday.split(',').map(nameOf);
  return `every ${names.length > 1 ? `${names.slice(0, -1).join(', ')} and ` : ''}${names.at(-1)}`;
}

/** Cron counts from Sunday, which is 0 and 7. */
function nameOf(day: string): string {
  return weekdays[(Number(day) + 6) % 7] ?? day;
}

function dateWord(date: number): string {
  const ending = [11, 12, 13].includes(date) ? 'th' : (['th', 'st', 'nd', 'rd'][date % 10] ?? 'th');
  return `${date}${ending}`;
}

/** A time as people type it; null for anything else. */
export function readTime(typed: string): TimeOfDay | null {
  if (typed === 'noon') return { hour: 12, minute: 0 };
  if (typed === 'midnight') return { hour: 0, minute: 0 };
  const [, hours, minutes = '0', half] = /^(\d{1,2})(?:[:.h](\d{2}))?(?: ?(am|pm))?$/.exec(typed) ?? [];
  if (hours === undefined) return null;
  const named = Number(hours);
  if (half !== undefined && (named < 1 || named > 12)) return null;
  const hour = half === undefined ? named : (named % 12) + (half === 'pm' ? 12 : 0);
  const minute = Number(minutes);
  return hour < 24 && minute < 60 ? { hour, minute } : null;
}

/** A time in words, such as 9:30 AM. */
function timeText({ hour, minute }: TimeOfDay): string {
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`;
}
