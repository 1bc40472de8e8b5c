import type { Instant } from '../../model/issue.ts';

const pattern = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)$/i;

/**
 * Jira's instants: text with an offset, which may lack its colon (`+0000`), or a number of epoch milliseconds as
 * the bulk changelog sends them. Null for anything else, a day that does not exist included.
 */
export function parseInstant(value: unknown): Instant | null {
  if (typeof value === 'number') return Number.isFinite(value) ? Math.trunc(value) : null;
  if (typeof value !== 'string') return null;
  const parts = pattern.exec(value);
  if (parts === null) return null;
  const [, year, month, day, hour, minute, second = '0', fraction = '', offset = 'Z'] = parts;
  const ms = Number(`${fraction}000`.slice(0, 3));
  const local = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    ms,
  );
  const date = new Date(local);
  const exists =
    date.getUTCDate() === Number(day) && date.getUTCHours() === Number(hour) && Number(minute) < 60;
  return exists ? local - offsetMs(offset) : null;
}

function offsetMs(offset: string): number {
  if (offset.toUpperCase() === 'Z') return 0;
  const digits = offset.replace(':', '');
  const minutes = Number(digits.slice(1, 3)) * 60 + Number(digits.slice(3, 5));
  return (digits.startsWith('-') ? -minutes : minutes) * 60_000;
}
