import { unitLengths } from '../../output/duration-text.ts';

/** The unit the axis of a chart of durations is in. */
interface ChartUnit {
  readonly unit: string;
  /** How long one is. */
  readonly ms: number;
  /** A duration (ms) in it, with two decimals at most. */
  readonly of: (ms: number) => number;
}

/** The largest unit in which the longest duration (ms) is two or more. `dayMs` is the length of a day. */
export function chartUnit(longestMs: number, dayMs: number): ChartUnit {
  const units: readonly (readonly [string, number])[] = [
    [dayMs < 24 * unitLengths.hours ? 'working days' : 'days', dayMs],
    ['hours', unitLengths.hours],
    ['minutes', unitLengths.minutes],
    ['seconds', unitLengths.seconds],
  ];
  const [unit, length] = units.find(([, each]) => longestMs >= 2 * each) ?? ['seconds', unitLengths.seconds];
  return { unit, ms: length, of: (ms) => Math.round((100 * ms) / length) / 100 };
}
