/** What a wrong SOAK is refused with. */
const allowed = 'a whole number from 1, by which counts of random runs are multiplied';

/** How much more than usual is tried: SOAK; 1 where nobody says. */
const factor = readFactor(process.env.SOAK);

/** Whether more is tried than usual. */
export const soaking = factor > 1;

/** As many random runs as are made in a hurry, or SOAK times as many. */
export function runs(usual: number): number {
  return usual * factor;
}

function readFactor(text = '1'): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error(`SOAK '${text}' is not known; allowed: ${allowed}.`);
  return Number(text);
}
