import { createHash } from 'node:crypto';
import { expect, test } from '#jest';
import { createSampleTracker } from '../../../src/trackers/sample/generate-sample.ts';

/**
 * How many entries the sample has at an instant, and their digest. Recorded answers and documents quote issues of the
 * sample: whatever made it, it stays as it is.
 */
const recorded = [
  ['2024-02-29T12:00:00Z', 1496, '567c92aa56fcbe2f3c4794adf920a918e26f460b6f6b9aece509c3c4dbc9b49b'],
  ['2025-12-26T00:00:00Z', 1525, 'ad13084a6486c5d898525e3c011209b6b850945811d558130d15e91d90c824f7'],
  ['2026-01-01T23:59:59.999Z', 1445, 'c7061b6a8a92d3792029fd535392b6d194017e00677578e406fb775ab5929d5f'],
  ['2026-03-18T12:00:00Z', 1503, '627c3799d4debbd24957e33809ef85f6a3a14a9f142ab961907c8894bd6317e4'],
  ['2026-11-23T09:00:00Z', 1523, '5a84218fe04ebbb500735dbe82a015392f6064ccca91107a5f4b228ea2b3c255'],
  ['2026-12-28T09:00:00Z', 1511, '321af95eb6de9b1787bcc934017f82a5a1fdf1a6539db37e924244f260af1186'],
  ['2027-03-29T09:00:00Z', 1520, 'ce28721ed889a49e1f533edd0ad6d1c96b47160e5cdd10463d8e46e1faa99581'],
  ['2031-08-01T00:00:00Z', 1499, '97263e07e382082c65991ab45abdeac67552aef4d510517a028094aed33b8cff'],
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
