import { dateText } from '../../formats/date-text.ts';
import type { Week } from '../../model/weekly.ts';

/** `week 46 (9–15 Nov)`, in the days of a zone. */
export function weekText({ id, start, end }: Pick<Week, 'id' | 'start' | 'end'>, timeZone: string): string {
  const number = Number(id.slice(id.indexOf('W') + 1));
  const [first, last] = [start, end - 1];
  const isSameMonth = monthOf(first, timeZone) === monthOf(last, timeZone);
  const from = dateText(first, isSameMonth ? 'd' : 'd MMM', timeZone);
  return `week ${number} (${from}–${dateText(last, 'd MMM', timeZone)})`;
}

function monthOf(at: number, timeZone: string): string {
  return dateText(at, 'yyyy-MM', timeZone);
}
