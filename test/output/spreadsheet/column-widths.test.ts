import { expect, test } from '#jest';
import { columnWidths } from '../../../src/output/spreadsheet/column-widths.ts';
import { dateCells } from '../../../src/output/spreadsheet/date-cells.ts';
import type { SheetRow } from '../../../src/output/workbook.ts';
import { bookOf, sheetOf } from '../files/written.ts';

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

test('a date without counterpart for its pattern is shown in the order of ISO', () => {
  const formats = { dateFormat: "YYYY-'W'ww", dateTimeFormat: 'yyyy-MM-dd HH:mm z' };
  const { instant, day } = dateCells({ ...bookOf(), formats });
  expect([instant.code, day.code]).toEqual(['yyyy-mm-dd hh:mm:ss', 'yyyy-mm-dd']);
});

test('a date that spreadsheets do not know is told as text in its pattern', () => {
  const at = Date.parse('1850-01-01T12:00:00Z');
  expect(dates.instantCell(at)).toBe('1850-01-01 12:00');
  expect(dates.dayCell('1850-01-01')).toBe('1 January 1850');
  expect(dates.dayCell('soon')).toBe('soon');
  expect(dates.dayCell('2026-01-01')).toBe(46_023);
});
