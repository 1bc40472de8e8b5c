import { describe, expect, test } from '#jest';
import { dateCells } from '../../../src/output/spreadsheet/excel-cells.ts';
import { columnWidths, sheetParts } from '../../../src/output/spreadsheet/sheet-parts.ts';
import type { Sheet, SheetRow } from '../../../src/output/workbook.ts';
import { sheetOf } from '../files/written.ts';

const numbers = (from: number, to: number): SheetRow[] =>
  Array.from({ length: to - from }, (_, at) => [from + at]);

async function split(sheets: readonly Sheet[], maxRows: number) {
  const parts: { name: string; rows: unknown[]; measured: number }[] = [];
  for await (const { name, firstRows, rows } of sheetParts(sheets, maxRows)) {
    const all: unknown[] = [];
    for await (const part of rows) all.push(...part.flat());
    parts.push({ name, rows: all, measured: firstRows.length });
  }
  return parts;
}

/** The names that sheets have in a spreadsheet. */
async function namesOf(...wanted: readonly string[]) {
  const parts = await split(
    wanted.map((name) => ({ ...sheetOf('list', { N: 'number' }), name })),
    5,
  );
  return parts.map(({ name }) => name);
}

describe('rows go on in further sheets', () => {
  test('where one is full, the row of titles counted', async () => {
    const list = sheetOf('list', { N: 'number' }, numbers(0, 3), [], numbers(3, 4), numbers(4, 11));
    expect(await split([list, sheetOf('average', { N: 'number' })], 5)).toEqual([
      { name: 'List', rows: [0, 1, 2, 3], measured: 11 },
      { name: 'List 2', rows: [4, 5, 6, 7], measured: 11 },
      { name: 'List 3', rows: [8, 9, 10], measured: 11 },
      { name: 'Average', rows: [], measured: 0 },
    ]);
  });

  test('and no empty one follows a full one', async () => {
    const parts = await split([sheetOf('list', { N: 'number' }, numbers(0, 4), [])], 5);
    expect(parts.map(({ name }) => name)).toEqual(['List']);
  });

  test('each once and in order, however they come', async () => {
    for (const size of [1, 2, 3, 7, 100, 1000]) {
      const parts = Array.from({ length: Math.ceil(1000 / size) }, (_, at) =>
        numbers(at * size, Math.min(1000, (at + 1) * size)),
      );
      const found = await split([sheetOf('list', { N: 'number' }, ...parts)], 100);
      expect(found.flatMap(({ rows }) => rows)).toEqual(numbers(0, 1000).flat());
      expect(found.map(({ rows }) => rows.length)).toEqual([...Array(10).fill(99), 10]);
    }
  });
});

test('no more rows are read ahead than measure is taken of', async () => {
  let read = 0;
  const list = sheetOf('list', { N: 'number' });
  const rows = (async function* () {
    for (let at = 0; at < 10_000; at += 50) {
      read = at + 50;
      yield numbers(at, at + 50);
    }
  })();
  for await (const part of sheetParts([{ ...list, rows }], 1000)) {
    expect(part.firstRows).toHaveLength(200);
    expect(read).toBe(200);
    break;
  }
});

test('rows that nobody reads any more are let go', async () => {
  let ended = false;
  const rows = (async function* () {
    try {
      for (;;) yield numbers(0, 100);
    } finally {
      ended = true;
    }
  })();
  for await (const _part of sheetParts([{ ...sheetOf('list', { N: 'number' }), rows }], 1000)) break;
  expect(ended).toBe(true);
});

test.each([
  ['a: b/c\\d?e*f[g]', 'a  b c d e f g'],
  ["'quoted'", 'quoted'],
  ['', 'Sheet'],
  ['[]', 'Sheet'],
  ['History', 'History 2'],
  ['x'.repeat(40), 'x'.repeat(31)],
  [`${'x'.repeat(30)}𝒳`, 'x'.repeat(30)],
  ['\ud800', '\ufffd'],
])('a sheet that should be called %j is called %j', async (wanted, name) => {
  expect(await namesOf(wanted)).toEqual([name]);
});

test('no two sheets have one name, whatever the case', async () => {
  const long = 'x'.repeat(31);
  expect(await namesOf('List', 'list', 'List 2', 'LIST', long, long.toUpperCase())).toEqual([
    'List',
    'list 2',
    'List 2 2',
    'LIST 3',
    long,
    `${'X'.repeat(29)} 2`,
  ]);
});

const dates = dateCells({
  timeZone: 'UTC',
  formats: { dateFormat: 'd MMMM yyyy', dateTimeFormat: 'yyyy-MM-dd HH:mm' },
});

test('columns are as wide as what they hold, from 8 to 60 characters', () => {
  const { columns } = sheetOf('list', {
    K: 'text',
    'A title of some length': 'text',
    Summary: 'text',
    Lines: 'text',
    Name: 'text',
    Created: 'instant',
    Due: 'day',
    Hours: 'number',
  });
  const rows: SheetRow[] = [
    ['WEB', 'x', 'y'.repeat(500), 'one\na longer line\ntwo', '漢字漢字漢字漢字', 0, '2026-01-01', 1 / 3],
    [null, null, null, null, null, null, null, null],
  ];
  expect(columnWidths(columns, rows, dates)).toEqual([8, 26, 60, 14, 17, 17, 18, 13]);
  expect(columnWidths(columns, [], dates)).toEqual([8, 26, 11, 9, 8, 17, 18, 9]);
});

test('a date that spreadsheets do not know is told as text in its pattern', () => {
  const at = Date.parse('1850-01-01T12:00:00Z');
  expect(dates.instantCell(at)).toBe('1850-01-01 12:00');
  expect(dates.dayCell('1850-01-01')).toBe('1 January 1850');
  expect(dates.dayCell('soon')).toBe('soon');
  expect(dates.dayCell('2026-01-01')).toBe(46_023);
});
