import { millisecondsInMinute } from 'date-fns/constants';

/** How long nobody tries again after each try; the last holds for all that follow. */
const pausesMs = [1, 2, 5, 15, 30].map((minutes) => minutes * millisecondsInMinute);

const GIVE_UP_MS = 12 * 60 * millisecondsInMinute;

/**
 * How long (ms) to wait after so many tries that came to nothing; null: twelve hours were waited, and that was enough.
 * Counted in tries, because clocks may jump.
 */
export function backOff(tries: number): number | null {
  const waited = Array.from({ length: tries - 1 }, (_, i) => pauseAfter(i + 1)).reduce(
    (sum, ms) => sum + ms,
    0,
  );
  return waited >= GIVE_UP_MS ? null : pauseAfter(tries);
}

/** How long (ms) to wait after so many tries of what is never given up. */
export function pauseAfter(tries: number): number {
  return pausesMs[Math.min(tries, pausesMs.length) - 1] ?? 0;
}
