import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { xls } from '../../../src/output/files/xls.ts';
import type { SheetColumn, SheetRow } from '../../../src/output/workbook.ts';
import { runs } from '../../support/soak.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import {
  aSheet,
  aWriter,
  options,
  readBook,
  recordsNamed,
  recordsOf,
  type StoredRecord,
  valuesOf,
  xlsOf,
} from './read-xls.ts';
import { bookOf } from './written.ts';

describe('xls', () => {
  test('keeps values and their types', async () => {
    const rows: SheetRow[] = [
      ['WEB-1', 1.25, 'long ago'],
      ['שלום 🦋 größer', -0.1, null],
      ['', 0, null],
      [null, null, null],
      ['1.5', 100, 'never'],
    ];
    const book = readBook(
      await xlsOf(bookOf(aSheet('List', { Key: 'text', Hours: 'number', Seen: 'number' }, rows))),
    );
    expect(valuesOf(book.Sheets.List)).toEqual([
      ['Key', 'Hours', 'Seen'],
      ['WEB-1', 1.25, 'long ago'],
      ['שלום 🦋 größer', -0.1],
      ['', 0],
      [],
      ['1.5', 100, 'never'],
    ]);
  });

  test('keeps every number to the last bit, in the short form where that is exact', async () => {
    const short = [0, 1, -1, 0.01, -0.07, 1.1, 123_456.78, 2 ** 29 - 1, -(2 ** 29), (2 ** 29 - 1) / 100];
    const long = [
      2 ** 29,
      -(2 ** 29) - 1,
      2 ** 29 / 100 + 0.01,
      0.1 + 0.2,
      1 / 3,
      1e300,
      5e-324,
      -Number.MAX_VALUE,
    ];
    const numbers = [...short, ...long];
    const file = await xlsOf(
      bookOf(
        aSheet(
          'List',
          { Hours: 'number' },
          numbers.map((value) => [value]),
        ),
      ),
    );

    expect(valuesOf(readBook(file).Sheets.List).slice(1)).toEqual(numbers.map((value) => [value]));
    expect(recordsNamed(file, 'RK')).toHaveLength(short.length);
    expect(recordsNamed(file, 'NUMBER')).toHaveLength(long.length);
  });

  test('shows dates on the clocks of the zone, by the patterns of the workbook', async () => {
    const sheet = aSheet('List', { Created: 'instant', Due: 'day' }, [
      [Date.parse('2026-03-02T10:30:59Z'), '2026-03-04'],
      [Date.parse('1066-10-14T09:00:00Z'), 'some day'],
    ]);
    const cells = readBook(await xlsOf(bookOf(sheet))).Sheets.List;
    expect(cells?.A2).toMatchObject({ t: 'n', z: 'yyyy-mm-dd hh:mm', w: '2026-03-02 11:30' });
    expect(cells?.B2).toMatchObject({ t: 'n', v: 46_085, z: 'dd\\.mm\\.yyyy', w: '04.03.2026' });
    expect(cells?.A3).toMatchObject({ t: 's', v: expect.stringMatching(/^1066-10-14/) });
    expect(cells?.B3).toMatchObject({ t: 's', v: 'some day' });
  });

  test('writes a text like a formula as text, in a format of its own', async () => {
    const file = await xlsOf(bookOf(aSheet('List', { '=Key': 'text' }, [['=1+1'], ['plain'], ['@x']])));
    const cells = readBook(file).Sheets.List;
    expect(cells?.A2).toMatchObject({ t: 's', v: '=1+1' });
    expect(cells?.A2).not.toHaveProperty('f');

    const formats = recordsNamed(file, 'XF').map(({ bytes }) => ({
      bold: bytes.readUInt16LE(0) === 1,
      quoted: (bytes.readUInt16LE(4) & 0x0008) !== 0,
    }));
    const used = recordsNamed(file, 'LABELSST').map(({ bytes }) => formats[bytes.readUInt16LE(4)]);
    expect(used).toEqual([
      { bold: true, quoted: true },
      { bold: false, quoted: true },
      { bold: false, quoted: false },
      { bold: false, quoted: true },
    ]);
  });

  test('has the sheets of the workbook in order, empty ones too', async () => {
    const file = await xlsOf(
      bookOf(
        aSheet('List', { Key: 'text' }, [['WEB-1']]),
        aSheet('Average', { Group: 'text', Hours: 'number' }, []),
        aSheet('Größe 🦋', { Key: 'text' }, [['WEB-2']]),
      ),
    );
    const book = readBook(file);
    expect(book.SheetNames).toEqual(['List', 'Average', 'Größe 🦋']);
    expect(book.SheetNames.map((name) => valuesOf(book.Sheets[name]))).toEqual([
      [['Key'], ['WEB-1']],
      [['Group', 'Hours']],
      [['Key'], ['WEB-2']],
    ]);
    expect(recordsOf(file).filter(({ name }) => name === 'BOF' || name === 'EOF')).toHaveLength(8);
  });

  test.each([
    { rows: 4, sheets: { List: 5 } },
    { rows: 5, sheets: { List: 5, 'List 2': 2 } },
    { rows: 12, sheets: { List: 5, 'List 2': 5, 'List 3': 5 } },
  ])(
    'goes on in further sheets with the header repeated: $rows rows, four a sheet',
    async ({ rows, sheets }) => {
      const values = Array.from({ length: rows }, (_, row) => [`WEB-${row}`, row]);
      const sheet = aSheet('List', { Key: 'text', Count: 'number' }, values);
      const book = readBook(await xlsOf(bookOf(sheet), { maxRows: 5 }));
      const read = book.SheetNames.map((name) => valuesOf(book.Sheets[name]));

      expect(Object.fromEntries(book.SheetNames.map((name, at) => [name, read[at]?.length]))).toEqual(sheets);
      expect(read.map(([header]) => header)).toEqual(read.map(() => ['Key', 'Count']));
      expect(read.flatMap(([, ...lines]) => lines)).toEqual(values);
    },
  );

  test('holds 256 columns', async () => {
    const titles = Array.from({ length: 256 }, (_, column) => `Column ${column}`);
    const row = titles.map((_, column) => (column % 2 === 0 ? column : `text ${column}`));
    const kinds = Object.fromEntries(titles.map((title): [string, SheetColumn['kind']] => [title, 'number']));
    const file = await xlsOf(bookOf(aSheet('List', kinds, [row])));
    expect(valuesOf(readBook(file).Sheets.List)).toEqual([titles, row]);
    expect(xls.maxColumns).toBe(256);
  });

  test('has a filter over the header of every sheet, with a button for each column', async () => {
    const file = await xlsOf(
      bookOf(
        aSheet('List', { Key: 'text', Count: 'number' }, [
          ['WEB-1', 1],
          ['WEB-2', 2],
        ]),
        aSheet('Other', { Key: 'text' }, []),
      ),
    );
    const { Sheets } = readBook(file);
    expect(Sheets.List?.['!autofilter']).toEqual({ ref: 'A1:B3' });
    expect(Sheets.Other?.['!autofilter']).toEqual({ ref: 'A1' });

    expect(recordsNamed(file, 'AUTOFILTERINFO').map(({ bytes }) => bytes.readUInt16LE(0))).toEqual([2, 1]);
    expect(recordsNamed(file, 'OBJ')).toHaveLength(3);
    const drawings = recordsNamed(file, 'MSODRAWING').map(({ bytes }) => bytes);
    const [first, second, third] = drawings;
    // The drawing of a sheet is as long as all its records together, its own head of eight bytes left out.
    expect(first?.readUInt32LE(4)).toBe((first?.length ?? 0) + (second?.length ?? 0) - 8);
    expect(third?.readUInt32LE(4)).toBe((third?.length ?? 0) - 8);
    const shapes = drawings.map((bytes) => bytes.readUInt32LE(bytes.indexOf('920c0af008000000', 'hex') + 8));
    expect(shapes).toEqual([1025, 1026, 2049]);
    const group = recordsNamed(file, 'MSODRAWINGGROUP')[0]?.bytes.subarray(16);
    // The last shape's number and one more, the lots and one more, shapes, drawings; then each drawing's number and shapes.
    const facts = Array.from({ length: 8 }, (_, at) => group?.readUInt32LE(at * 4));
    expect(facts).toEqual([2050, 3, 5, 2, 1, 3, 2, 2]);
  });

  test('keeps the header in sight, and the first sheet in front', async () => {
    const file = await xlsOf(
      bookOf(aSheet('List', { Key: 'text' }, []), aSheet('Other', { Key: 'text' }, [])),
    );
    const flags = recordsNamed(file, 'WINDOW2').map(({ bytes }) => bytes.readUInt16LE(0));
    expect(
      flags.map((bits) => ({ frozen: (bits & 0x0108) === 0x0108, front: (bits & 0x0600) === 0x0600 })),
    ).toEqual([
      { frozen: true, front: true },
      { frozen: true, front: false },
    ]);
    // Nothing to the left, one row above; below begins with row 1 and is the active pane.
    const panes = recordsNamed(file, 'PANE').map(({ bytes }) => bytes.toString('hex'));
    expect(panes).toEqual(['00000100010000000200', '00000100010000000200']);
  });

  test('makes columns as wide as what they hold', async () => {
    const sheet = aSheet('List', { Key: 'text', Summary: 'text' }, [['WEB-1', 'x'.repeat(30)]]);
    const widths = recordsNamed(await xlsOf(bookOf(sheet)), 'COLINFO').map(
      ({ bytes }) => bytes.readUInt16LE(4) / 256,
    );
    expect(widths).toEqual([8, 31]);
  });

  test('tells once how many rows a sheet has, though they are counted while it is written', async () => {
    const file = await xlsOf(
      bookOf(
        aSheet('List', { Key: 'text', Count: 'number' }, [
          ['WEB-1', 1],
          ['WEB-2', 2],
        ]),
      ),
    );
    const [{ bytes } = { bytes: Buffer.alloc(0) }] = recordsNamed(file, 'DIMENSIONS');
    expect([bytes.readUInt32LE(0), bytes.readUInt32LE(4)]).toEqual([0, 3]);
    expect([bytes.readUInt16LE(8), bytes.readUInt16LE(10)]).toEqual([0, 2]);
  });

  test('recognises texts that come again', async () => {
    const rows = Array.from({ length: 50 }, (_, row) => [`Person ${row % 2}`, `WEB-${row}`]);
    const file = await xlsOf(bookOf(aSheet('List', { Person: 'text', Key: 'text' }, rows)));
    const [{ bytes } = { bytes: Buffer.alloc(8) }] = recordsNamed(file, 'SST');
    expect({ cells: bytes.readUInt32LE(0), texts: bytes.readUInt32LE(4) }).toEqual({ cells: 102, texts: 54 });
  });

  test('keeps all texts where there are more than it recognises', async () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => [`Person ${row % 3}`, `Summary ${row % 15_000}`]);
    const file = await xlsOf(bookOf(aSheet('List', { Person: 'text', Summary: 'text' }, rows)));
    expect(valuesOf(readBook(file).Sheets.List).slice(1)).toEqual(rows);
  });

  test('leaves nothing but the file behind', async () => {
    const folder = temporaryFolder();
    await xls.write(
      bookOf(aSheet('List', { Key: 'text' }, [['WEB-1']])),
      join(folder, 'report.xls'),
      options,
    );
    expect(readdirSync(folder)).toEqual(['report.xls']);
  });

  test('leaves nothing behind when the rows fail, and fails as they do', async () => {
    const folder = temporaryFolder();
    const rows = (async function* (): AsyncGenerator<readonly SheetRow[]> {
      yield Array.from({ length: 300 }, (_, row) => [`WEB-${row}`]);
      throw new Error('The rows ended early');
    })();
    const sheet = { ...aSheet('List', { Key: 'text' }, []), rows };
    await expect(xls.write(bookOf(sheet), join(folder, 'report.xls'), options)).rejects.toThrow(
      'The rows ended early',
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses %p', async (value) => {
    const book = bookOf(aSheet('List', { Hours: 'number' }, [[value]]));
    await expect(xlsOf(book)).rejects.toThrow(RangeError);
  });

  test('refuses what would be longer than a file can be', async () => {
    const rows = Array.from({ length: 100 }, (_, row) => [`WEB-${row}`]);
    const path = join(temporaryFolder(), 'report.xls');
    const writing = aWriter({ maxBytes: 3000 }).write(
      bookOf(aSheet('List', { Key: 'text' }, rows)),
      path,
      options,
    );
    await expect(writing).rejects.toMatchObject({
      reason: 'too-large',
      details: [
        "outputType 'XLS' holds 3000 bytes and this report has more. Try: CSV or JSON, or a report with fewer issues.",
      ],
    });
    expect(existsSync(path)).toBe(false);
  });

  test('does not write over a file that is there', async () => {
    const path = join(temporaryFolder(), 'report.xls');
    writeFileSync(path, 'mine');
    await expect(xls.write(bookOf(aSheet('List', { Key: 'text' }, [])), path, options)).rejects.toThrow(
      'EEXIST',
    );
    expect(readdirSync(join(path, '..'))).toEqual(['report.xls']);
  });
});

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
function decodedNumber({ name, bytes }: StoredRecord): number {
  if (name === 'NUMBER') return bytes.readDoubleLE(6);
  const short = bytes.readInt32LE(6);
  return (short & 1) === 1 ? (short >> 2) / 100 : short >> 2;
}

test('every finite number is read back as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyNumber, { minLength: 1000, maxLength: 1000 }), async (numbers) => {
      const rows = numbers.map((value) => [value]);
      const file = await xlsOf(bookOf(aSheet('List', { Hours: 'number' }, rows)));
      const cells = recordsOf(file).filter(({ name }) => name === 'RK' || name === 'NUMBER');
      expect(cells.map(decodedNumber)).toEqual(numbers);
      expect(cells.map(({ bytes }) => bytes.readUInt16LE(0))).toEqual(numbers.map((_, row) => row + 1));
    }),
    { seed: 20260318, numRuns: runs(5) },
  );
});
