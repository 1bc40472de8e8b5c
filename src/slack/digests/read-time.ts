/** A time of a day, in hours and minutes of the wall clock. */
export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
}

/** What `readTime` takes, for who typed something else. */
export const allowedTimes = '`9`, `9:30`, `17:00`, `9am`, `5:30 pm`, `noon`, `midnight`';

/** A time as people type it; null for anything else. */
export function readTime(typed: string): TimeOfDay | null {
  if (typed === 'noon') return { hour: 12, minute: 0 };
  if (typed === 'midnight') return { hour: 0, minute: 0 };
  const [, hours, minutes = '0', half] = /^(\d{1,2})(?:[:.h](\d{2}))?(?: ?(am|pm))?$/.exec(typed) ?? [];
  if (hours === undefined) return null;
  const isHalf = half !== undefined;
  const named = Number(hours);
  if (isHalf && (named < 1 || named > 12)) return null;
  const hour = isHalf ? (named % 12) + (half === 'pm' ? 12 : 0) : named;
  const minute = Number(minutes);
  return hour < 24 && minute < 60 ? { hour, minute } : null;
}

/** Such as 09:30. */
export function timeText({ hour, minute }: TimeOfDay): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}
