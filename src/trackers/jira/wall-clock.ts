import { millisecondsInSecond } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';

/** How far the wall clock of a zone is ahead of UTC at an instant, in ms, to the second. */
export type OffsetAt = (instant: Instant) => number;

/** The offsets of a zone (IANA); an unknown one is a RangeError. */
export function offsetsIn(timeZone: string): OffsetAt {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instant) => {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const wall = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    return wall - Math.floor(instant / millisecondsInSecond) * millisecondsInSecond;
  };
}
