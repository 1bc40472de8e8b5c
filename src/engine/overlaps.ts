import type { Instant } from '../model/issue.ts';
import type { Visit } from './timeline.ts';

/** A stretch in which an issue had one value of each of two fields. */
interface Overlap {
  readonly first: Visit;
  readonly second: Visit;
  readonly start: Instant;
  readonly end: Instant;
}

/**
 * Two fields' visits laid over each other: where both are known, every stretch with one value of each. Both lists
 * are in order. A visit of 0 ms overlaps whatever the other field had then.
 */
export function overlaps(first: readonly Visit[], second: readonly Visit[]): Overlap[] {
  const pieces: Overlap[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const [a, b] = [first[i], second[j]];
    if (a === undefined || b === undefined) return pieces;
    const start = Math.max(a.start, b.start);
    const end = Math.min(a.end, b.end);
    const momentary = start === end && (a.start === a.end || b.start === b.end);
    if (a.known && b.known && (start < end || momentary)) {
      pieces.push({ first: a, second: b, start, end });
    }
    // On a tie both move on, unless one of them has a momentary visit next that the other must still meet.
    const [ahead, behind] = [first[i + 1], second[j + 1]];
    if (a.end < b.end) i += 1;
    else if (b.end < a.end) j += 1;
    else if (ahead !== undefined && ahead.end === a.end && behind === undefined) i += 1;
    else if (behind !== undefined && behind.end === b.end && ahead === undefined) j += 1;
    else {
      i += 1;
      j += 1;
    }
  }
}
