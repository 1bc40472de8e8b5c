import type { Instant } from '../model/issue.ts';
import { dateText } from '../time/date-text.ts';
import { dayRange } from './wording.ts';

/** An ISO week of a zone, from its first instant to the first one after it; not `whole` while it runs. */
interface WeekSpan {
  /** The id, such as 2026-W46. */
  readonly id: string;
  readonly start: Instant;
  readonly end: Instant;
  readonly whole: boolean;
}

/** `week 46 (Nov 9–15)`, `week 47 so far (Nov 16–22)`, or `week 46 (Nov 10–16, 2025)` of another year than `asOf`. */
export function weekText({ id, start, end, whole }: WeekSpan, timeZone: string, asOf: Instant): string {
  return `${weekName(id)}${whole ? '' : ' so far'} (${dayRange(start, end - 1, { timeZone, near: asOf })})`;
}

/** `week 46` of 2026-W46. */
export function weekName(id: string): string {
  return `week ${Number(id.slice(id.indexOf('W') + 1))}`;
}

/** `week 45`: the one before the week that a weekly answer is about. */
export function weekBefore({ weeks }: { readonly weeks: readonly { readonly id: string }[] }): string {
  return weekName(weeks.at(-2)?.id ?? '');
}

/** `W46` of 2026-W46 for a chart, with the year where it is another one than that of `asOf`. */
export function weekLabel(id: string, timeZone: string, asOf: Instant): string {
  const at = id.indexOf('-');
  return id.slice(0, at) === dateText(asOf, 'yyyy', timeZone) ? id.slice(at + 1) : id;
}
