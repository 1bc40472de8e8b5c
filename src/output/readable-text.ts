import {
  millisecondsInDay,
  millisecondsInHour,
  millisecondsInMinute,
  millisecondsInSecond,
} from 'date-fns/constants';
import { apportioned } from './shares.ts';

/** Units a duration can be shown in. `days` has the length the request chose; `humanReadable` is words. */
export const viewFormats = ['days', 'hours', 'minutes', 'seconds', 'humanReadable'] as const;
export type ViewFormat = (typeof viewFormats)[number];

/** The units of fixed length (ms). */
export const unitLengths = {
  hours: millisecondsInHour,
  minutes: millisecondsInMinute,
  seconds: millisecondsInSecond,
} as const;

/** Decimals of each of the two steps in which ten decimals are computed: each is exact as a floating-point number. */
const STEP_DECIMALS = 5;
const STEP = 10 ** STEP_DECIMALS;

/** A duration (ms) in a unit as text: at most ten decimals, no trailing zeros; or in words. */
export function durationText(ms: number, format: ViewFormat, dayMs: number = millisecondsInDay): string {
  switch (format) {
    case 'humanReadable':
      return durationWords(ms, dayMs);
    case 'days':
      return decimalText(ms, dayMs);
    default:
      return decimalText(ms, unitLengths[format]);
  }
}

/**
 * A duration in words, cut (not rounded) after the second unit that says something: `3d 4h`, `12m 5s`, `0s`.
 * Below a second milliseconds are shown, so that a short visit never reads like none.
 */
export function durationWords(ms: number, dayMs: number = millisecondsInDay): string {
  const units = unitsOf(dayMs);
  const whole = Math.round(ms);
  if (whole < millisecondsInSecond) return whole === 0 ? '0s' : `${whole}ms`;
  const first = units.findIndex(([, length]) => whole >= length);
  return unitWords(whole, units.slice(first, first + 2));
}

/**
 * Durations (ms) and their sum in words that add up: all are cut after the first unit, from the second of the shortest one
 * on, in which they do, such as `2d 3h 40m` and `1d 4h 25m` of `3d 8h 5m`. Where they do in none, what is cut below a second
 * goes to those that lost most of it.
 */
export function addingWords(
  parts: readonly number[],
  dayMs: number,
): { readonly parts: readonly string[]; readonly sum: string } {
  const units: readonly DurationUnit[] = [...unitsOf(dayMs), ['ms', 1]];
  const sumMs = Math.round(parts.reduce((sum, ms) => sum + ms, 0));
  const shortest = units.findIndex(([, length]) => Math.min(...parts.filter((ms) => ms > 0)) >= length);
  const first = shortest < 0 ? MILLISECONDS : shortest < SECONDS ? shortest + 1 : shortest;
  const last = Math.max(first, SECONDS);
  const addsIn = (unitMs: number) =>
    isWhole(dayMs, unitMs) &&
    parts.reduce((sum, ms) => sum + Math.floor(ms / unitMs), 0) === Math.floor(sumMs / unitMs);
  const found = units.findIndex(([, unitMs], index) => index >= first && index <= last && addsIn(unitMs));
  // A day of an odd length has no whole number of seconds.
  const finest = found >= 0 ? found : isWhole(dayMs, unitLengths.seconds) ? last : MILLISECONDS;
  const [, unitMs] = units[finest] ?? ['ms', 1];
  const words = (count: number) => unitWords(count * unitMs, units.slice(0, finest + 1)) || '0s';
  const sum = Math.floor(sumMs / unitMs);
  const counts = apportioned(
    parts.map((ms) => ms / unitMs),
    sum,
  );
  return { parts: counts.map(words), sum: words(sum) };
}

/**
 * Durations (ms) and their sum in words for a narrow column: each as `durationWords` cuts it where they add up so, else to the
 * minute, such as `7d 49m`, `8h 45m` and `8h 54m` of `7d 18h 28m`; what is shorter than a minute stays as it is.
 */
export function columnWords(
  parts: readonly number[],
  dayMs: number,
): { readonly parts: readonly string[]; readonly sum: string } {
  const words = (ms: number) => durationWords(ms, dayMs);
  const sumMs = parts.reduce((sum, ms) => sum + ms, 0);
  const cutMs = parts.reduce((sum, ms) => sum + cutOf(ms, dayMs), 0);
  if (words(cutMs) === words(sumMs) || !isWhole(dayMs, millisecondsInMinute))
    return { parts: parts.map(words), sum: words(sumMs) };
  const sum = Math.floor(sumMs / millisecondsInMinute);
  const units = unitsOf(dayMs).slice(0, SECONDS);
  const inMinutes = (count: number) => unitWords(count * millisecondsInMinute, units);
  const counts = apportioned(
    parts.map((ms) => ms / millisecondsInMinute),
    sum,
  );
  return {
    parts: counts.map((count, index) => {
      const ms = parts[index] ?? 0;
      return ms < millisecondsInMinute ? words(ms) : inMinutes(count);
    }),
    sum: inMinutes(sum),
  };
}

/** True if a day has whole units; an endless one, where durations are in hours, never ends within one. */
function isWhole(dayMs: number, unitMs: number): boolean {
  return dayMs === Number.POSITIVE_INFINITY || dayMs % unitMs === 0;
}

/** The part of a duration (ms) that `durationWords` shows. */
function cutOf(ms: number, dayMs: number): number {
  let left = Math.round(ms);
  const units = unitsOf(dayMs);
  const first = units.findIndex(([, length]) => left >= length);
  if (first < 0) return left;
  for (const [, length] of units.slice(first, first + 2)) left %= length;
  return Math.round(ms) - left;
}

const [SECONDS, MILLISECONDS] = [3, 4];

type DurationUnit = readonly [name: string, ms: number];

function unitsOf(dayMs: number): readonly DurationUnit[] {
  return [
    ['d', dayMs],
    ['h', millisecondsInHour],
    ['m', millisecondsInMinute],
    ['s', millisecondsInSecond],
  ];
}

function unitWords(ms: number, units: readonly DurationUnit[]): string {
  let left = ms;
  const words = units.flatMap(([unit, length]) => {
    const count = Math.floor(left / length);
    if (count === 0) return [];
    left -= count * length;
    return [`${count}${unit}`];
  });
  return words.join(' ');
}

/**
 * `ms / unitMs` with ten decimals at most, as clients of the compatible product read it: 618862970 ms are
 * 10314.3828333333 minutes. In whole numbers, exact below 2^53, because a floating-point quotient shows digits that are not there.
 */
export function decimalText(ms: number, unitMs: number): string {
  const [whole, unit] = [Math.round(ms), Math.round(unitMs)];
  if (whole < 0) return `-${decimalText(-whole, unit)}`;
  let units = Math.floor(whole / unit);
  const left = (whole % unit) * STEP;
  let first = Math.floor(left / unit);
  let second = Math.floor((2 * (left % unit) * STEP + unit) / (2 * unit));
  if (second === STEP) [first, second] = [first + 1, 0];
  if (first === STEP) [units, first] = [units + 1, 0];
  if (first === 0 && second === 0) return String(units);
  const decimals = (first * STEP + second + STEP * STEP).toString().slice(1);
  let end = decimals.length;
  while (decimals[end - 1] === '0') end -= 1;
  return `${units}.${decimals.slice(0, end)}`;
}

/** The age of something, as people say it: `just now`, `2 min ago`, `3 h 5 min ago`, `4 days ago`. Expects ms. */
export function ageText(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / unitLengths.minutes);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (ms < millisecondsInDay) {
    const left = minutes % 60;
    return `${Math.floor(minutes / 60)} h${left === 0 ? '' : ` ${left} min`} ago`;
  }
  const days = Math.floor(ms / millisecondsInDay);
  return days === 1 ? '1 day ago' : `${days} days ago`;
}

/** A count, or a mean of counts, with at most ten decimals as a duration has them, and no trailing zeros. */
export function numberText(value: number): string {
  return String(Number(value.toFixed(10)));
}

/** Overrides, embeddings and forced isolates: they turn around what is beside them, and no one types them by hand. */
const turning = /[\u202A-\u202E\u2066\u2067]/g;

/** The characters by which a text gives its direction, or parts of it apart. */
export const directionMarks = /[\u202A-\u202E\u2066-\u2069]/;
const [OPEN, CLOSE] = ['\u2068', '\u2069'];
const isolates = /\u2068[^\u2068\u2069]*\u2069/g;

/** Letters of the scripts that are written from right to left, by the blocks Unicode keeps for them. */
const fromRight = /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/**
 * A text that turns nothing around beside it: without marks of direction, but for pairs within one line that keep what
 * they hold apart. Never longer than what it is given.
 */
export function settled(text: string): string {
  if (!directionMarks.test(text)) return text;
  return text.split('\n').map(settledLine).join('\n');
}

/** A text in which each line that runs from right to left is isolated, so that figures beside it stay in place. */
export function isolated(text: string): string {
  if (!directionMarks.test(text) && !fromRight.test(text)) return text;
  return settled(text).split('\n').map(isolatedLine).join('\n');
}

const segmenter = new Intl.Segmenter();

/** Cut between characters as people see them, never inside one; what is left turns nothing around beside it. */
export function shorten(text: string, length: number): string {
  const shown = settled(text);
  if (shown.length <= length) return shown;
  let fitting = '';
  for (const { segment } of segmenter.segment(shown)) {
    if (fitting.length + segment.length > length - 1) break;
    fitting += segment;
  }
  return settled(`${fitting}…`);
}

function settledLine(line: string): string {
  const characters = line.replaceAll(turning, '').split('');
  const open: number[] = [];
  const alone = new Set<number>();
  for (const [at, character] of characters.entries()) {
    if (character === OPEN) open.push(at);
    else if (character === CLOSE && open.pop() === undefined) alone.add(at);
  }
  for (const at of open) alone.add(at);
  return characters.filter((_, at) => !alone.has(at)).join('');
}

function isolatedLine(line: string): string {
  return fromRight.test(withoutIsolates(line)) ? `${OPEN}${line}${CLOSE}` : line;
}

/** Removes isolates from the innermost pair to the outermost. */
function withoutIsolates(line: string): string {
  const left = line.replaceAll(isolates, '');
  return left === line ? line : withoutIsolates(left);
}

/** Units of sizes, each 1,000 times the one before. */
const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** A number of bytes in the largest unit it has one of: `640 MB`, `1.2 GB`. */
export function sizeText(bytes: number): string {
  const power = Math.max(0, Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const amount = bytes / 1000 ** power;
  return `${power === 0 || amount >= 10 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[power]}`;
}
