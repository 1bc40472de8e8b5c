import type { Calendar } from './calendar.ts';

/** The built-in calendar: every millisecond of every day counts. */
export const normalHours: Calendar = {
  id: null,
  name: 'normalHours',
  timeZone: 'UTC',
  dailyMs: 24 * 60 * 60 * 1000,
  equalDays: true,
  continuous: true,
  between: (from, until) => Math.max(0, until - from),
};
