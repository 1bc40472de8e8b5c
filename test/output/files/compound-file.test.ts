import cfb from 'cfb';
import { expect, test } from '#jest';
import { compoundFile } from '../../../src/output/files/xls.ts';

const SECTOR_BYTES = 512;

/** Every sector of the stream is different from the others. */
function streamOf(size: number): Buffer {
  const bytes = Buffer.alloc(size, 'a stream ');
  for (let at = 0; at + 4 <= size; at += SECTOR_BYTES) bytes.writeUInt32LE(at, at);
  return bytes;
}

async function* inPieces(bytes: Buffer, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function written(stream: Buffer, size = stream.length): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of compoundFile('Workbook', size, inPieces(stream, 100_000))) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The numbers of the header from its 44th byte on. */
function headerOf(file: Buffer) {
  return { fat: file.readUInt32LE(44), firstDifat: file.readUInt32LE(68), difat: file.readUInt32LE(72) };
}

/** The stream as the library reads it. */
function readBack(file: Buffer): Buffer {
  const entry = cfb.find(cfb.read(file, { type: 'buffer' }), '/Workbook');
  return Buffer.from(entry?.content ?? []);
}

test.each([1, 511, 4095, 4096])('a stream of %i bytes has zeros behind it up to 4096', async (size) => {
  const stream = streamOf(size);
  const file = await written(stream);
  expect(file.length).toBe((1 + 8 + 1 + 1) * SECTOR_BYTES);
  expect(readBack(file)).toEqual(Buffer.concat([stream, Buffer.alloc(4096 - size)]));
});

test.each([
  // A sector of the allocation table tells of 128 sectors: the stream's, one for the directory, and its own.
  { sectors: 126, fat: 1, difat: 0 },
  { sectors: 127, fat: 2, difat: 0 },
  { sectors: 253, fat: 2, difat: 0 },
  { sectors: 254, fat: 3, difat: 0 },
  // The header names 109 sectors of the table; each sector of the further list 127 more.
  { sectors: 109 * 128 - 109 - 1, fat: 109, difat: 0 },
  { sectors: 109 * 128 - 109, fat: 110, difat: 1 },
  { sectors: 236 * 128 - 236 - 1 - 1, fat: 236, difat: 1 },
  { sectors: 236 * 128 - 236 - 1, fat: 237, difat: 2 },
])('a stream of $sectors sectors has $fat of the table and $difat that list these', async (expected) => {
  const stream = streamOf(expected.sectors * SECTOR_BYTES - 3);
  const file = await written(stream);
  const { fat, difat } = headerOf(file);
  expect({ fat, difat }).toEqual({ fat: expected.fat, difat: expected.difat });
  expect(file.length).toBe((1 + expected.sectors + 1 + fat + difat) * SECTOR_BYTES);
  expect(readBack(file).equals(stream)).toBe(true);
});

test('the table tells of every sector what follows it or what it is, and is free behind the last one', async () => {
  const sectors = 109 * 128 - 109;
  const file = await written(streamOf(sectors * SECTOR_BYTES));
  const { fat, firstDifat } = headerOf(file);
  const table = file.subarray(file.length - fat * SECTOR_BYTES);
  const entries = Array.from({ length: fat * 128 }, (_, sector) => table.readUInt32LE(sector * 4));

  expect(firstDifat).toBe(sectors + 1);
  expect(entries.slice(0, sectors - 1)).toEqual(
    Array.from({ length: sectors - 1 }, (_, sector) => sector + 1),
  );
  expect(entries.slice(sectors - 1, sectors + 2)).toEqual([0xfffffffe, 0xfffffffe, 0xfffffffc]);
  expect(entries.slice(sectors + 2, sectors + 2 + fat)).toEqual(Array(fat).fill(0xfffffffd));
  expect(new Set(entries.slice(sectors + 2 + fat))).toEqual(new Set([0xffffffff]));
});

test.each([4999, 5001])('a stream that was said to have %i bytes and has 5000 is refused', async (size) => {
  await expect(written(streamOf(5000), size)).rejects.toThrow(`The stream has 5000 bytes instead of ${size}`);
});
