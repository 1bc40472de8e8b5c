import type { Choices } from './company.ts';

export type Random = ReturnType<typeof createRandom>;

/** Stream of chance for these keys, such as seed, purpose and number; other keys give an unrelated stream. */
export function createRandom(...keys: readonly (string | number)[]) {
  let state = hash(keys.join('/'));
  /** At least 0 and below 1, by mulberry32. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  /** A whole number, both ends included. */
  const whole = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  const pick = <T>(list: readonly T[]): T => {
    const picked = list[whole(0, list.length - 1)];
    if (picked === undefined) throw new Error('Nothing to pick from');
    return picked;
  };
  /** One of the values, as likely as its weight says. */
  const weigh = <T>(choices: Choices<T>): T => {
    let left = next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [value, weight] of choices) {
      left -= weight;
      if (left < 0) return value;
    }
    throw new Error('Nothing to weigh');
  };
  /** Half of the draws lie below `median`; `sigma` 1 makes a long tail. */
  const logNormal = (median: number, sigma: number): number => {
    const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
    return median * Math.exp(sigma * normal);
  };
  /** A number of events that happen `mean` times on average. */
  const count = (mean: number): number => {
    const limit = Math.exp(-mean);
    let drawn = 0;
    for (let product = next(); product > limit; product *= next()) drawn += 1;
    return drawn;
  };
  return { next, whole, pick, weigh, logNormal, count, chance: (likely: number) => next() < likely };
}

/** FNV-1a with a final mix, so that keys which differ in one digit start far apart. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return value ^ (value >>> 13);
}
