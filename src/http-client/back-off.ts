const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/**
 * How many ms to wait after so many failures: twice as long each time, a random half of it left out, because clients
 * that failed together shall not come back together.
 */
export function backOff(failures: number, random: () => number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1)) * (1 - random() / 2);
}
