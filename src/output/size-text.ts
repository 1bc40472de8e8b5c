/** Units of sizes, each 1,000 times the one before. */
const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** A number of bytes in the largest unit it has one of: `640 MB`, `1.2 GB`. */
export function sizeText(bytes: number): string {
  const power = Math.max(0, Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const amount = bytes / 1000 ** power;
  return `${power === 0 || amount >= 10 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[power]}`;
}
