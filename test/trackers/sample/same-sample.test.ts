import { createHash } from 'node:crypto';
import { expect, test } from '#jest';
import { createSampleTracker } from '../../../src/trackers/sample/generate-sample.ts';

/**
 * How many entries the sample has at an instant, and their digest. Recorded answers and documents quote issues of the
 * sample: whatever made it, it stays as it is.
 */
const recorded = [
  ['2024-02-29T12:00:00Z', 1496, 'fb7f15a98db01a67a768fee151e1e897654cd7b99ea5be0d86ec8c08018ed8f2'],
  ['2025-12-26T00:00:00Z', 1525, '717f13a25bb9e3bc7d02302415d0c6c9f48a0ef675a571ea9e69aa57ee3aad40'],
  ['2026-01-01T23:59:59.999Z', 1445, '5591607a307356a338d1cf657dd2b41895eeb83ea026d3e3f08da39215d6f9d4'],
  ['2026-03-18T12:00:00Z', 1503, '9f01460cbde0770d1025a3dc32b19ee1b96f34b940f64d5b5bb08c03853e0884'],
  ['2026-11-23T09:00:00Z', 1523, '4d36c77eb0a22add203ce3562ef53048cc88b3d1bc606837c89ff5ec2b9bd6f2'],
  ['2026-12-28T09:00:00Z', 1511, 'c567f36612961fd14290d0d77e2a454ba8b88213fc8ae33105d2dcab13494347'],
  ['2027-03-29T09:00:00Z', 1520, '3a83e1348178bc5ecc8356b19906445c134329e21659be3d1848f2f1704d20d7'],
  ['2031-08-01T00:00:00Z', 1499, 'a99ee915af4a4fa53151b7887bbc257ec328bae74c8a6ed939195ba06c2ca4ea'],
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
