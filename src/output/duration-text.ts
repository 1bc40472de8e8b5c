import {
  millisecondsInDay,
  millisecondsInHour,
  millisecondsInMinute,
  millisecondsInSecond,
} from 'date-fns/constants';

/** Units a duration can be shown in. `days` has the length the request chose; `humanReadable` is words. */
export const viewFormats = ['days', 'hours', 'minutes', 'seconds', 'humanReadable'] as const;
export type ViewFormat = (typeof viewFormats)[number];

/** How long the units of fixed length are (ms). */
export const unitLengths = {
  hours: millisecondsInHour,
  minutes: millisecondsInMinute,
  seconds: millisecondsInSecond,
} as const;

/** Ten decimals are made in two steps of so many: each is exact as a floating-point number. */
const STEP_DECIMALS = 5;
const STEP = 10 ** STEP_DECIMALS;

/** A duration (ms) in the asked unit as text: at most ten decimals, no trailing zeros; or in words. */
export function durationText(ms: number, format: ViewFormat, dayMs: number = millisecondsInDay): string {
  switch (format) {
    case 'humanReadable':
      return durationWords(ms, dayMs);
    case 'days':
      return decimal(ms, dayMs);
    default:
      return decimal(ms, unitLengths[format]);
  }
}

/**
 * A duration in words, cut (not rounded) after the second unit that says something: `3d 4h`, `12m 5s`, `0s`.
 * Below a second milliseconds are shown, so that a short visit never reads like none.
 */
export function durationWords(ms: number, dayMs: number = millisecondsInDay): string {
  const units: readonly [string, number][] = [
    ['d', dayMs],
    ['h', millisecondsInHour],
    ['m', millisecondsInMinute],
    ['s', millisecondsInSecond],
  ];
  const whole = Math.round(ms);
  if (whole < millisecondsInSecond) return whole === 0 ? '0s' : `${whole}ms`;
  const first = units.findIndex(([, length]) => whole >= length);
  let rest = whole;
  const words = units.slice(first, first + 2).flatMap(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count === 0 ? [] : [`${count}${unit}`];
  });
  return words.join(' ');
}

/**
 * `ms / unitMs` with ten decimals at most, as clients of the compatible product read it: 618862970 ms are
 * 10314.3828333333 minutes. In whole numbers, exact below 2^53, because a floating-point quotient shows digits that are not there.
 */
function decimal(ms: number, unitMs: number): string {
  const [whole, unit] = [Math.round(ms), Math.round(unitMs)];
  if (whole < 0) return `-${decimal(-whole, unit)}`;
  let units = Math.floor(whole / unit);
  const rest = (whole % unit) * STEP;
  let first = Math.floor(rest / unit);
  let second = Math.floor((2 * (rest % unit) * STEP + unit) / (2 * unit));
  if (second === STEP) [first, second] = [first + 1, 0];
  if (first === STEP) [units, first] = [units + 1, 0];
  if (first === 0 && second === 0) return String(units);
  const decimals = (first * STEP + second + STEP * STEP).toString().slice(1);
  let end = decimals.length;
  while (decimals[end - 1] === '0') end -= 1;
  return `${units}.${decimals.slice(0, end)}`;
}

/** How long ago something was, as people say it: `just now`, `2 min ago`, `3 h 5 min ago`, `4 days ago`. Expects ms. */
export function ageText(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / unitLengths.minutes);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (ms < millisecondsInDay) {
    const rest = minutes % 60;
    return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`} ago`;
  }
  const days = Math.floor(ms / millisecondsInDay);
  return days === 1 ? '1 day ago' : `${days} days ago`;
}

/** A count, or a mean of counts, with at most ten decimals as a duration has them, and no trailing zeros. */
export function numberText(value: number): string {
  return String(Number(value.toFixed(10)));
}
