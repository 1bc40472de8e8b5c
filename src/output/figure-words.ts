import type { Cell, Column } from '../model/table.ts';
import { dateText } from '../time/date-text.ts';
import { durationWords } from './readable-text.ts';
import { percentText } from './shares.ts';

/** Stands for "never": a value of its own, distinct from 0. */
export const NEVER = '–';

/** The length of a day and the zone in the texts of values. */
export interface ValueWords {
  readonly dayMs: number;
  readonly timeZone: string;
}

/** A value as it is read at a glance. */
export function valueText({ kind }: Pick<Column, 'kind'>, cell: Cell | undefined, words: ValueWords): string {
  if (cell === undefined) return NEVER;
  const { value } = cell;
  if (typeof value === 'string') return kind === 'day' ? dayText(value) : value;
  switch (kind) {
    case 'duration':
      return durationWords(value, words.dayMs);
    case 'instant':
      return dateText(value, 'EEE, MMM d, yyyy', words.timeZone);
    default:
      return countWords(value);
  }
}

/** A figure as a cell of a table, which is sorted by the number where it is one. */
export function valueCell(
  column: Pick<Column, 'kind'>,
  cell: Cell | undefined,
  words: ValueWords,
): { readonly text: string; readonly value?: number } {
  const text = valueText(column, cell, words);
  return typeof cell?.value === 'number' ? { text, value: cell.value } : { text };
}

/** A day that is written as text is one in every zone. */
function dayText(day: string): string {
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? day : dateText(at, 'EEE, MMM d, yyyy', 'UTC');
}

/** Fields that hold a person. */
export const peopleFields: readonly string[] = ['assignee', 'reporter', 'creator'];

/** The content of an issue's field, people as `@Ada`. */
export function fieldText(
  column: Pick<Column, 'id' | 'kind'>,
  cell: Cell | undefined,
  words: ValueWords,
): string {
  if (cell === undefined) return NEVER;
  const text = valueText(column, cell, words);
  return peopleFields.includes(column.id) ? `@${text}` : text;
}

/** `in QA`; what is called `In Review` begins with the word already. */
export function inStatus(title: string): string {
  return /^in /i.test(title) ? title : `in ${title}`;
}

/** Working ms in words, or that there is none. */
export function timeText(ms: number | null, dayMs: number): string {
  return ms === null ? NEVER : durationWords(ms, dayMs);
}

/** A target that issues have in common; without `withinMs` they have different ones. */
interface TargetFigures {
  readonly percent: number | null;
  readonly withinMs: number | null;
  readonly source: 'set' | 'learned' | 'mixed';
}

/** A target, and where it comes from: `the target of 8d`, `12d 6h (85% of the last 90 days)`, `their targets`. */
export function targetWords({ percent, withinMs, source }: TargetFigures, dayMs: number): string {
  if (withinMs === null || percent === null) return 'their targets';
  const time = timeText(withinMs, dayMs);
  return source === 'learned' ? `${time} (${percent}% of the last 90 days)` : `the target of ${time}`;
}

const wholeNumbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** A count as people write it, with one decimal at most where it is a mean. */
export function countWords(count: number): string {
  return wholeNumbers.format(count);
}

/** A count, or that it is unknown. */
export function countOrUnknown(count: number | null): string {
  return count === null ? 'unknown' : countWords(count);
}

/** `1 issue`, `12 open issues`; the plural ends with an s. */
export function countOf(count: number, one: string): string {
  return `${countWords(count)} ${count === 1 ? one : `${one}s`}`;
}

/** The meaning of a greater value: a longer time is slower, a higher count is more. */
export type Sense = 'time' | 'count' | 'length';

const senses: Readonly<Record<Sense, readonly [up: string, down: string]>> = {
  time: ['slower', 'faster'],
  count: ['more', 'fewer'],
  length: ['longer', 'shorter'],
};

/**
 * A change with its sign, its size and its share of what was before: `▲ 3d 2h (146% slower)`, `▼ 2 (25% fewer)`, `no change`.
 * Null where either figure is not there. `words` writes an amount; `sense` says in a word what the sign means.
 */
export function changeText(
  now: number | null,
  before: number | null,
  words: (amount: number) => string,
  sense: Sense,
): string | null {
  if (now === null || before === null) return null;
  // A count is shown with one decimal, and its change is that of what is shown.
  const shown = (amount: number) => (sense === 'count' ? Math.round(10 * amount) / 10 : amount);
  const change = words(Math.abs(shown(now) - shown(before)));
  if (now === before || change === words(0)) return 'no change';
  const [sign, word] = now > before ? ['▲', senses[sense][0]] : ['▼', senses[sense][1]];
  const percent = before === 0 ? '' : `${percentText(Math.abs(now - before) / before)} `;
  return `${sign} ${change} (${percent}${word})`;
}

/** The ratio of a value to the usual one (1 is usual), cut, so that 1 is never less than usual. */
export function shownPace(pace: number): number {
  return pace >= 10 ? Math.floor(pace) : Math.floor(10 * pace) / 10;
}

/** A ratio in words: `23×`, `1.6×`. */
export function timesUsual(pace: number): string {
  return `${countWords(shownPace(pace))}×`;
}

/** The mark before an issue by its share of what is usual: none below it, yellow from 1×, orange from 2×. */
export function paceMark(pace: number | null): string {
  if (pace === null || pace < 1) return '';
  return pace < 2 ? '🟡' : '🟠';
}

interface NamedCause {
  readonly kind: 'flag' | 'status' | 'link';
  readonly name: string;
}

/** The causes that block an issue: `WEB-9 and a flag`, `the status Waiting`. */
export function causesText(
  causes: readonly NamedCause[],
  nameOf: (cause: NamedCause) => string = ({ name }) => name,
): string {
  const texts = causes.map((cause) => {
    if (cause.kind === 'flag') return 'a flag';
    return cause.kind === 'status' ? `the status ${nameOf(cause)}` : nameOf(cause);
  });
  const last = texts.at(-1) ?? '';
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} and ${last}`;
}

/** The mark of an issue that something blocks. */
export const BLOCKED_MARK = '⛔';

/** The causes that block an issue, with the mark: `⛔ blocked by WEB-9`. */
export function blockedText(
  { causes }: { readonly causes: readonly NamedCause[] },
  nameOf?: (cause: NamedCause) => string,
): string {
  return `${BLOCKED_MARK} blocked by ${causesText(causes, nameOf)}`;
}
