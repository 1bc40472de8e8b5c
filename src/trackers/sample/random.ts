/** A stream of chance that depends on nothing but the keys it was made from. */
export interface Random {
  /** At least 0 and below 1. */
  next(): number;
  chance(probability: number): boolean;
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  pick<T>(list: readonly [T, ...T[]]): T;
  /** One of the values, as likely as its weight says. */
  weigh<T>(choices: Choices<T>): T;
  /** Log-normal: half of the draws lie below `median`; `sigma` 1 makes a long tail. */
  logNormal(median: number, sigma: number): number;
  /** How many of something that happens `mean` times on average. */
  count(mean: number): number;
}

/** Values and their weights, which need not sum up to anything. */
type Choices<T> = readonly [readonly [T, number], ...(readonly [T, number])[]];

/** Random stream for these keys, such as seed, purpose and number; other keys give an unrelated stream. */
export function createRandom(...keys: readonly (string | number)[]): Random {
  let state = hash(keys.join('/'));
  const next = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  return {
    next,
    chance: (probability) => next() < probability,
    whole: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (list) => list[Math.floor(next() * list.length)] ?? list[0],
    weigh: (choices) => {
      let left = next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [value, weight] of choices) {
        left -= weight;
        if (left < 0) return value;
      }
      return choices[0][0];
    },
    logNormal: (median, sigma) => {
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
      return median * Math.exp(sigma * normal);
    },
    count: (mean) => {
      const limit = Math.exp(-mean);
      let drawn = 0;
      for (let product = next(); product > limit; product *= next()) drawn += 1;
      return drawn;
    },
  };
}

/** FNV-1a with a final mix, so that keys which differ in one digit start far apart. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return value ^ (value >>> 13);
}
