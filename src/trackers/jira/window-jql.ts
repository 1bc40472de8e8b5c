import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import { minuteText } from '../../time/iso-dates.ts';
import { latestSafeMinute } from '../../time/wall-clock.ts';
import type { SearchWindow } from '../live-tracker.ts';

/** Holds for every issue: Cloud refuses a query that restricts nothing. */
const ANY = 'created >= "1970-01-01 00:00"';

/** The issues that are wished for, all where nothing is said. */
export function wishedJql(wish: string | null): string {
  return wish === null ? ANY : `(${wish})`;
}

/** The issues of a window in its order; `timeZone` is that of the account that asks, null where it is not known. */
export function windowJql({ by, from }: SearchWindow, wish: string | null, timeZone: string | null): string {
  const since = from === null ? null : `${by} >= "${jqlMinute(from, timeZone)}"`;
  const where = since === null ? wishedJql(wish) : wish === null ? since : `(${wish}) AND ${since}`;
  return `${where} ORDER BY ${by} ASC, key ASC`;
}

/** Which of these the wish is about, all where there is none. */
export function amongJql(ids: readonly string[], wish: string | null): string {
  const among = `id in (${ids.join(', ')})`;
  return wish === null ? among : `(${wish}) AND ${among}`;
}

/**
 * The latest minute of the account's clock that is not read as a later instant. Where its zone is not known, a day before
 * is early enough for all of them.
 */
function jqlMinute(instant: Instant, timeZone: string | null): string {
  return minuteText(timeZone === null ? instant - millisecondsInDay : latestSafeMinute(instant, timeZone));
}
