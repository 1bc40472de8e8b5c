import { createHash } from 'node:crypto';
import { expect, test } from '#jest';
import { createSampleTracker } from '../../../src/trackers/sample/generate-sample.ts';

/**
 * How many entries the sample has at an instant, and their digest. Recorded answers and documents quote issues of the
 * sample: whatever made it, it stays as it is.
 */
const recorded = [
  ['2024-02-29T12:00:00Z', 1496, 'bef43a64d9a1028cada42e41dcf5051c4650bcd8a71f0b3c4a360faa84b97b61'],
  ['2025-12-26T00:00:00Z', 1525, '0b4dd4feeccb7be483ed4afa38649bb61f7095f2ba7dc333150f141a8054953f'],
  ['2026-01-01T23:59:59.999Z', 1445, 'c03dc1793ad70a4231e78ea7f6938d4a2f19a67379e3293660423e025a13bc69'],
  ['2026-03-18T12:00:00Z', 1503, 'f2e189981a1283497ab6ad93ce1c3157454949d4708182e5bdd9a94e3c9cf4d5'],
  ['2026-11-23T09:00:00Z', 1523, 'f81a0cc8c4a09923126d32a0e2bff14c906c536117f381aabba2ff12e9971d95'],
  ['2026-12-28T09:00:00Z', 1511, 'a79f31efca58b43ee9451311296a29add57628210013a3a5a278d46ace564511'],
  ['2027-03-29T09:00:00Z', 1520, '8c91d6a9a8fa41d6d2f5a29fa4dc5dc4b8eeea4e8e472546637e5f68686cccfc'],
  ['2031-08-01T00:00:00Z', 1499, '22dc5d3dca2772011a943fde63bec2a3b62b6fdbbe24823ef2597a365b270b36'],
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
