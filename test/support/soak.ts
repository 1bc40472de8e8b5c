/** What a wrong SOAK is refused with. */
const allowed = 'a whole number from 1, by which counts of random runs are multiplied';

/** Of the usual number of random runs, a quick run makes one in so many: `npm test` is for every change. */
const QUICK_SHARE = 16;

const factor = readFactor(process.env.SOAK);

/** Whether much is to be tried, as `npm run soak` does: SOAK is set. */
export const soaking = factor !== null;

/** SOAK times the usual number of random runs; without SOAK a sixteenth of it, at least one. */
export function runs(usual: number): number {
  return factor === null ? Math.ceil(usual / QUICK_SHARE) : usual * factor;
}

function readFactor(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error(`SOAK '${text}' is not known. Try: ${allowed}.`);
  return Number(text);
}
