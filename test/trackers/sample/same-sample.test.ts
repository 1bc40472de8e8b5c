import { createHash } from 'node:crypto';
import { expect, test } from '#jest';
import { createSampleTracker } from '../../../src/trackers/sample/generate-sample.ts';

/**
 * How many entries the sample has at an instant, and their digest. Recorded answers and documents quote issues of the
 * sample: whatever made it, it stays as it is.
 */
const recorded = [
  ['2024-02-29T12:00:00Z', 1496, '08e4b5317acc08dce1bcaca9933832cf9b84e3d87ffff522b7bb37c634565944'],
  ['2025-12-26T00:00:00Z', 1525, '4b6cc68d1e37e5803cca397676ec9cfde2218dd5807a17b8998fde3af375e006'],
  ['2026-01-01T23:59:59.999Z', 1445, '69cb204fee61afc12430ef28b5e32cca388b96d2a86fcf33117cec62f8f1d260'],
  ['2026-03-18T12:00:00Z', 1503, '5ab29a98f107a0ef2114e18cc7f6c40cb280b06cdf4591abcf520067246d28ae'],
  ['2026-11-23T09:00:00Z', 1523, 'b3c2ea43f88e782d198b88c80df48d3db992ad810ec1391c04218b3323fffac5'],
  ['2026-12-28T09:00:00Z', 1511, 'fb8c77382f5d0dc776fe3364601e3ec7c500acd0382c46a11721b0681cd2644c'],
  ['2027-03-29T09:00:00Z', 1520, '679c63f940ae86b4baf7e096d65e6ed806cc7f36951e55f169afff63a3087f03'],
  ['2031-08-01T00:00:00Z', 1499, 'a4c2b65bc0cec6e4fb89b4c57f5835090c3bf197bfbf29afe4a817cb4b36c521'],
] as const;

test.each(recorded)('at %s the sample is what it was', async (at, count, digest) => {
  const hash = createHash('sha256');
  let entries = 0;
  for await (const entry of createSampleTracker({ now: () => Date.parse(at) }).entries()) {
    hash.update(`${JSON.stringify(entry)}\n`);
    entries += 1;
  }
  expect({ entries, digest: hash.digest('hex') }).toEqual({ entries: count, digest });
});
