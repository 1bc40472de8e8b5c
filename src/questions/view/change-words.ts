import type { Compared } from '../../model/answer.ts';
import { durationWords } from '../../output/duration-text.ts';
import { countWords } from './count-words.ts';

/** How far a duration (ms) is from another: `5h less`, `2d more`, `the same`; null where either is not there. */
export function timeChange(now: number | null, before: number | null, dayMs: number): string | null {
  if (now === null || before === null) return null;
  const change = Math.round(now - before);
  if (change === 0) return 'the same';
  return `${durationWords(Math.abs(change), dayMs)} ${change > 0 ? 'more' : 'less'}`;
}

/** The same of counts. */
export function countChange(now: number | null, before: number | null): string | null {
  if (now === null || before === null) return null;
  const text = countWords(Math.abs(now - before));
  if (text === '0') return 'the same';
  return `${text} ${now > before ? 'more' : 'fewer'}`;
}

/** The issues finished in a week against those before, as far as both are known. */
export function finishedChanges({
  week,
  weekBefore,
  eightWeeks,
}: Compared<number | null>): readonly string[] {
  const before = countChange(week, weekBefore);
  const long = countChange(week, eightWeeks);
  return [
    ...(before === null ? [] : [against(before, 'the week before')]),
    ...(long === null || eightWeeks === null
      ? []
      : [against(long, `the eight weeks’ mean of ${countWords(eightWeeks)}`)]),
  ];
}

/** `5h less than the week before`, `the same as the week before`. */
export function against(change: string, what: string): string {
  return change === 'the same' ? `the same as ${what}` : `${change} than ${what}`;
}

/** A change with its sign, for a column: `+5h`, `−2d`, `0`; empty where there is none. */
export function signedTime(now: number | null, before: number | null, dayMs: number): string {
  if (now === null || before === null) return '';
  const change = Math.round(now - before);
  if (change === 0) return '0';
  return `${change > 0 ? '+' : '−'}${durationWords(Math.abs(change), dayMs)}`;
}
