import type { Cell, Column } from '../../model/table.ts';
import { durationWords } from '../../output/duration-text.ts';
import { dateText } from '../../time/java-dates.ts';
import { countWords } from './count-words.ts';

/** Stands for "never": a value of its own, distinct from 0. */
const NEVER = '–';

/** Which day lengths and clocks texts of values are told in. */
export interface ValueWords {
  readonly dayMs: number;
  readonly timeZone: string;
}

/** A value as it is read at a glance. */
export function valueText({ kind }: Pick<Column, 'kind'>, cell: Cell | undefined, words: ValueWords): string {
  if (cell === undefined) return NEVER;
  const { value } = cell;
  if (typeof value === 'string') return value;
  switch (kind) {
    case 'duration':
      return durationWords(value, words.dayMs);
    case 'instant':
      return dateText(value, 'yyyy-MM-dd HH:mm', words.timeZone);
    default:
      return countWords(value);
  }
}

/** Working ms in words, or that there is none. */
export function timeText(ms: number | null, dayMs: number): string {
  return ms === null ? NEVER : durationWords(ms, dayMs);
}
