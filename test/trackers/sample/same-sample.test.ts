import { createHash } from 'node:crypto';
import { expect, test } from '#jest';
import { createSampleTracker } from '../../../src/trackers/sample/generate-sample.ts';

/**
 * How many entries the sample has at an instant, and their digest. Recorded answers and documents quote issues of the
 * sample: whatever made it, it stays as it is.
 */
const recorded = [
  ['2024-02-29T12:00:00Z', 1496, 'c89a4f2321c6a6729bac77253da420df506e166d62b87e2b95e4b19162592083'],
  ['2025-12-26T00:00:00Z', 1525, 'a40b25118fea67b926fc33daa743ed03c73684a460a2f7f31ebdfaa85712376f'],
  ['2026-01-01T23:59:59.999Z', 1445, 'eb587eb164365c1afe9d5de91c60a896f0b5cc1c605949b9de0e306f7b1217ff'],
  ['2026-03-18T12:00:00Z', 1503, '6a2479af293b2693bec3395c5575717567ba7d5873bcaecdd178f7a139147d59'],
  ['2026-11-23T09:00:00Z', 1523, 'ca887be8d03730d133ea0e25b27cc4ec2220de35b78edd2c7ee0eeac42dce320'],
  ['2026-12-28T09:00:00Z', 1511, '1141bda78d6b3ebd7433e5f00917a0e412d8c7582ef465673dee3d967fa0bbed'],
  ['2027-03-29T09:00:00Z', 1520, 'ad4026022e248f228f6ee9a813e06d76d8082d137dd0064df881c4d5da36d933'],
  ['2031-08-01T00:00:00Z', 1499, '16387d357a9b447e1895d7883afe87a6e1cbb271dacbe54528d2b442d04c31f5'],
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
