import fc from 'fast-check';
import { expect, test } from '#jest';
import { MOST_CELL_BYTES, writeNumber } from '../../../src/output/xls/cell-records.ts';
import { runs } from '../../support/soak.ts';
import { recordsIn } from './read-xls.ts';

/** Amounts of hours as reports have them, and any others; 0 has no sign in a spreadsheet. */
const anyNumber = fc
  .oneof(
    fc.integer({ min: -(2 ** 31), max: 2 ** 31 }),
    fc.integer({ min: -(2 ** 31), max: 2 ** 31 }).map((hundredths) => hundredths / 100),
    fc.nat().map((seconds) => seconds / 3600),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  )
  .map((value) => (value === 0 ? 0 : value));

/** A number by the rules of [MS-XLS] 2.5.217 and 2.4.180. */
function decoded(cell: Buffer): number {
  const [record] = recordsIn(cell);
  const bytes = record?.bytes ?? Buffer.alloc(14);
  if (record?.name === 'NUMBER') return bytes.readDoubleLE(6);
  const short = bytes.readInt32LE(6);
  return (short & 1) === 1 ? (short >> 2) / 100 : short >> 2;
}

test('every finite number is read back as it was', () => {
  fc.assert(
    fc.property(anyNumber, (value) => {
      const cell = Buffer.alloc(MOST_CELL_BYTES);
      const end = writeNumber(cell, 0, 65_535, 255, 15, value);
      expect([14, 18]).toContain(end);
      expect(decoded(cell.subarray(0, end))).toBe(value);
      expect(cell.subarray(4, 10).toString('hex')).toBe('ffffff000f00');
    }),
    { seed: 20260318, numRuns: runs(5000) },
  );
});
