/**
 * Runs the suites in an order that a seed decides, so that none leans on what another one left in its process. The seed is
 * `SEED`, else the minute of the start; it is printed, for the same order again.
 */
export default class ShuffledOrder {
  sort(suites) {
    const seed = Number(process.env.SEED ?? Math.floor(Date.now() / 60_000));
    console.log(`The suites run in the order of SEED=${seed}.`);
    const chance = chanceOf(seed);
    const ordered = [...suites].sort((one, other) => (one.path < other.path ? -1 : 1));
    for (let last = ordered.length - 1; last > 0; last -= 1) {
      const chosen = Math.floor(chance() * (last + 1));
      [ordered[last], ordered[chosen]] = [ordered[chosen], ordered[last]];
    }
    return ordered;
  }

  allFailedTests(suites) {
    return suites;
  }

  cacheResults() {}
}

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function chanceOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
