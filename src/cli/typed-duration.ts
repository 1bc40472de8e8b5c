import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { badRequest } from '../model/error.ts';

/** The way durations are typed, for help and for errors. */
export const durationSyntax = 'a number and m (minutes), h (hours), d (days), w (weeks) or y (years)';

const unitMs: Readonly<Record<string, number>> = {
  m: 60_000,
  h: millisecondsInHour,
  d: millisecondsInDay,
  w: 7 * millisecondsInDay,
  y: 365 * millisecondsInDay,
};

/** More than a century is a slip of the keyboard, and dates beyond it break clients. */
const MAX_MS = 100 * 365 * millisecondsInDay;

/**
 * Reads the value of an option that is a length of time, such as `90d`, in milliseconds: minutes, hours, days, weeks, or
 * years of 365 days. Fails with what works, such as `example`.
 */
export function readDuration(option: string, typed: string, example: string): number {
  const [, count, unit] = /^(\d{1,6})([mhdwy])$/.exec(typed) ?? [];
  const ms = Number(count ?? 0) * (unitMs[unit ?? ''] ?? 0);
  if (ms > 0 && ms <= MAX_MS) return ms;
  throw badRequest(
    `${option} '${typed}' is not known. Try: ${durationSyntax}, such as ${example}, up to 100y.`,
  );
}
