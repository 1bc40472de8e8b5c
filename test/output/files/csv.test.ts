import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { describe, expect, test } from '#jest';
import { csv, csvText, csvZip, plainDecimal } from '../../../src/output/files/csv.ts';
import { isFormulaLike } from '../../../src/output/spreadsheet/excel-cells.ts';
import type { SheetValue } from '../../../src/output/workbook.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { runs } from '../../support/soak.ts';
import { bookOf, sheetOf, written } from './written.ts';

const columns = { Key: 'text', Created: 'instant', Due: 'day', Hours: 'number' } as const;
const at = Date.parse('2026-03-29T01:30:00Z');

describe('a CSV', () => {
  test('has dates in the patterns, plain numbers, nothing for "never", and the words given instead', async () => {
    const list = sheetOf(
      'list',
      columns,
      [['WEB-1', at, '2026-02-28', 1e-7]],
      [],
      [
        [null, null, null, null],
        ['a "b", c', 'unknown', 'soon', '-'],
        ["=cmd|' /C calc'!A0", null, '=1+1', -5],
      ],
    );
    expect((await written(csv, bookOf(list))).toString()).toBe(
      [
        'Key,Created,Due,Hours',
        'WEB-1,2026-03-29 03:30,28.02.2026,0.0000001',
        ',,,',
        '"a ""b"", c",unknown,soon,-',
        "'=cmd|' /C calc'!A0,,'=1+1,-5",
        '',
      ].join('\r\n'),
    );
  });

  test('holds the first sheet and leaves the others unread', async () => {
    const other = sheetOf('average', columns);
    const unread = {
      ...other,
      // biome-ignore lint/correctness/useYield: the test is that nobody asks for one
      rows: (async function* () {
        throw new Error('read');
      })(),
    };
    const file = await written(csv, bookOf(sheetOf('list', { '=Key': 'text' }, [['WEB-1']]), unread));
    expect(file.toString()).toBe("'=Key\r\nWEB-1\r\n");
  });

  test('begins with a byte order mark if asked', async () => {
    const file = await written(csv, bookOf(sheetOf('list', { Key: 'text' })), true);
    expect(file.toString()).toBe('\uFEFFKey\r\n');
  });

  test('tells an empty line of one column from no line', async () => {
    const file = await written(csv, bookOf(sheetOf('list', { Key: 'text' }, [[null], ['x']])));
    expect(parse(file)).toEqual([['Key'], [''], ['x']]);
  });

  test('of many rows and long texts comes in the same bytes as a short one', async () => {
    const texts = ['x'.repeat(300_000), 'ü'.repeat(200_000), '漢'.repeat(100_000), '🦋'.repeat(90_000)];
    const rows = Array.from({ length: 20_000 }, (_, i) => [`WEB-${i}`]);
    const list = sheetOf(
      'list',
      { Key: 'text' },
      rows,
      [texts.slice(0, 1)],
      texts.slice(1).map((text) => [text]),
    );
    expect(parse(await written(csv, bookOf(list))).flat()).toEqual(['Key', ...rows.flat(), ...texts]);
  });

  test('is read again as it was, whatever the cells hold', async () => {
    const value = fc.oneof(
      fc.string({ unit: anyCharacter }).filter(
        (text) =>
          !text
            .split(/[;\t\r\n]/)
            .slice(1)
            .some(isFormulaLike),
      ),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    const row = fc.tuple(fc.option(value), fc.option(value));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
        const file = await written(csv, bookOf(sheetOf('list', { One: 'text', Two: 'text' }, rows)));
        const [, ...lines]: string[][] = parse(file);
        expect(lines.length).toBe(rows.length);
        for (const [i, given] of rows.entries()) {
          for (const [k, one] of given.entries()) expectSame(lines[i]?.[k], one);
        }
      }),
      { seed: 20260318, numRuns: runs(100) },
    );
  });

  test('has the same bytes as its lines written one by one', async () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 200 }),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('', ' ', '=1', '-5', 'Größe', '漢字', '🦋', '\uD83E', 'a;=b', '"'),
    );
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.maxSafeInteger(),
      fc.integer({ min: -2e15, max: 2e15 }).map((digits) => digits / 1e10),
      fc.integer({ min: -1e6, max: 1e6 }).map((thousandths) => thousandths / 1000),
      fc.constantFrom(
        0,
        -0,
        1e-7,
        1e-10,
        -1e-12,
        99_999.9999999999,
        100_000.5,
        2 ** 31,
        -(2 ** 31),
        0.1 + 0.2,
      ),
    );
    const row = fc.tuple(fc.option(text), fc.option(fc.oneof(number, text)));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 40 }), async (rows) => {
        const file = await written(csv, bookOf(sheetOf('list', { One: 'text', Two: 'number' }, rows)));
        const cell = (value: SheetValue) => (typeof value === 'number' ? plainDecimal(value) : (value ?? ''));
        const expected = csvText([['One', 'Two'], ...rows.map((given) => given.map(cell))]);
        expect(file.equals(Buffer.from(expected))).toBe(true);
      }),
      { seed: 20261123, numRuns: runs(100) },
    );
  });

  test('refuses a number that is none, and lets nothing be overwritten', async () => {
    const book = bookOf(sheetOf('list', { Hours: 'number' }, [[Number.NaN]]));
    await expect(written(csv, book)).rejects.toThrow(RangeError);
    const options = { byteOrderMark: false, compression: 2 };
    await expect(csv.write(bookOf(), import.meta.filename, options)).rejects.toThrow('EEXIST');
  });
});

function expectSame(read: string | undefined, given: SheetValue): void {
  if (given === null) expect(read).toBe('');
  else if (typeof given === 'number') {
    expect(Math.abs(Number(read) - given)).toBeLessThanOrEqual(5.1e-11 + Math.abs(given) * Number.EPSILON);
  } else {
    const text = given.toWellFormed();
    expect(read).toBe(isFormulaLike(given) ? `'${text}` : text);
  }
}

describe('CSVs in a ZIP', () => {
  test('are every sheet, named by the title and the sheet', async () => {
    const sheets = [
      sheetOf('list', columns, [['WEB-1', at, null, 1]]),
      sheetOf('average', { Group: 'text' }, [['Bug'], ['@x']]),
    ];
    const files = unzipSync(
      await written(csvZip, { ...bookOf(...sheets), title: '../Zeit: im Status? ' }, true),
    );
    expect(Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString()])).toEqual([
      ['Zeit-im-Status-list.csv', '\uFEFFKey,Created,Due,Hours\r\nWEB-1,2026-03-29 03:30,,1\r\n'],
      ['Zeit-im-Status-average.csv', "\uFEFFGroup\r\nBug\r\n'@x\r\n"],
    ]);
  });

  test('are the same bytes for the same workbook', async () => {
    const book = () => bookOf(sheetOf('list', columns, [['WEB-1', at, null, 1]]));
    expect(await written(csvZip, book())).toEqual(await written(csvZip, book()));
  });

  test('fail with the reason where a row cannot be had, or the file is there already', async () => {
    const list = sheetOf('list', columns);
    const rows = (async function* () {
      yield [['WEB-1', at, null, 1]];
      throw new Error('the list is gone');
    })();
    await expect(written(csvZip, bookOf({ ...list, rows }))).rejects.toThrow('the list is gone');
    const options = { byteOrderMark: false, compression: 2 };
    await expect(csvZip.write(bookOf(list), import.meta.filename, options)).rejects.toThrow('EEXIST');
  });
});

test('lines end with CRLF, and only what needs quotes has them', () => {
  expect(
    csvText([
      ['Key', 'Summary'],
      ['WEB-1', 'a "b", c\nd'],
    ]),
  ).toBe('Key,Summary\r\nWEB-1,"a ""b"", c\nd"\r\n');
});

test.each(['=cmd|1', '+1', '-2+3', '@x', '\tx', '\rx', '\nx', ' =1', '＝1'])(
  'a spreadsheet does not run %j',
  (text) => {
    expect(csvText([[text]]).replaceAll('"', '')).toMatch(/^'/);
  },
);

test.each([
  ['x;=2+3', "x;'=2+3"],
  ['a\t=1+1', "a\t'=1+1"],
  ['two\n=1', "two\n'=1"],
  ['x; @me', "x;' @me"],
  ['a;b;-5;-', 'a;b;-5;-'],
  ['1+1=2', '1+1=2'],
])('neither does one that separates cells otherwise: %j', (text, cell) => {
  const told = csvText([[text]]);
  expect(told).toBe(/[;\t\n]/.test(text) ? `"${cell}"\r\n` : `${cell}\r\n`);
});

test('no part of a line is a formula, whatever separates cells', () => {
  const cell = fc
    .array(fc.constantFrom('=1', '+x', '-x', '@a', ' ', ';', '\t', '\n', 'word', '"', ','), { maxLength: 6 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 3 }), (cells) => {
      const [line = ''] = csvText([cells]).split(/\r\n$/);
      const parts = line.split(/[;\t\n]/).slice(1);
      expect(parts.filter((part) => isFormulaLike(part.replace(/"$/, '')))).toEqual([]);
    }),
  );
});

test('the sign for "never" and negative numbers stay as they are', () => {
  expect(csvText([['-', '-5.5', '-2']])).toBe('-,-5.5,-2\r\n');
});

test('whatever the cells hold, another reader finds them again', () => {
  const cell = fc
    .string({ unit: 'grapheme' })
    .filter((text) => !text.split(/[;\t\r\n]/).some((part) => isFormulaLike(part)));
  const lines = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 4 });
  fc.assert(fc.property(lines, (given) => expect(readCsv(csvText(given))).toEqual(given)));
});

/** A reader of RFC 4180 written from the other side. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    line.push(quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'));
    if (end === '\r\n') {
      lines.push(line);
      line = [];
    }
  }
  return lines;
}

test.each([
  [0, '0'],
  [-0, '0'],
  [-1e-12, '0'],
  [1e-7, '0.0000001'],
  [1e-10, '0.0000000001'],
  [0.1 + 0.2, '0.3'],
  [1.5, '1.5'],
  [1 / 3, '0.3333333333'],
  [99.99999999999, '100'],
  [1e21, '1000000000000000000000'],
  [-1.5e22, '-15000000000000000000000'],
])('%s is %s', (value, text) => {
  expect(plainDecimal(value)).toBe(text);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY])('%s is refused', (value) => {
  expect(() => plainDecimal(value)).toThrow(RangeError);
});

test('there is never an exponent, and the figure is right to ten decimals', () => {
  const value = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(value, (given) => {
      const text = plainDecimal(given);
      expect(text).toMatch(/^-?\d+(\.\d{0,9}[1-9])?$/);
      expect(Math.abs(Number(text) - given)).toBeLessThanOrEqual(5.1e-11 + Math.abs(given) * Number.EPSILON);
    }),
    { seed: 20260318, numRuns: runs(2000) },
  );
});
