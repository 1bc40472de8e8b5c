import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { describe, expect, test } from '#jest';
import { csv } from '../../../src/output/files/csv.ts';
import { csvZip } from '../../../src/output/files/csv-zip.ts';
import { isFormulaLike } from '../../../src/output/spreadsheet/formula-like.ts';
import type { SheetValue } from '../../../src/output/workbook.ts';
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
      fc.string({ unit: 'binary' }).filter(
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
