import fc from 'fast-check';
import { expect, test } from '#jest';
import { json } from '../../../src/output/files/json.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { runs } from '../../support/soak.ts';
import { bookOf, sheetOf, written } from './written.ts';

test('JSON has every sheet by its id, raw values, and null for "never"', async () => {
  const list = sheetOf(
    'list',
    { Key: 'text', Created: 'instant', Due: 'day', Hours: 'number' },
    [['WEB-1', Date.parse('2026-03-29T01:30:00Z'), '2026-02-28', 1e-7]],
    [],
    [['=1+1', 'unknown', null, null], []],
  );
  const file = await written(json, bookOf(list, sheetOf('average', { Group: 'text' })));
  expect(JSON.parse(file.toString())).toEqual({
    title: 'Time in status',
    timeZone: 'Europe/Berlin',
    sheets: {
      list: {
        name: 'List',
        columns: [
          { id: 'key', title: 'Key', kind: 'text', unit: null },
          { id: 'created', title: 'Created', kind: 'instant', unit: null },
          { id: 'due', title: 'Due', kind: 'day', unit: null },
          { id: 'hours', title: 'Hours', kind: 'number', unit: null },
        ],
        rows: [
          ['WEB-1', '2026-03-29T01:30:00.000Z', '2026-02-28', 1e-7],
          ['=1+1', 'unknown', null, null],
          [null, null, null, null],
        ],
      },
      average: {
        name: 'Average',
        columns: [{ id: 'group', title: 'Group', kind: 'text', unit: null }],
        rows: [],
      },
    },
  });
});

test('a workbook without sheets is JSON as well', async () => {
  expect(JSON.parse((await written(json, bookOf())).toString())).toMatchObject({ sheets: {} });
});

test('whatever the cells hold is read again as it was', async () => {
  const value = fc.option(
    fc.oneof(fc.string({ unit: anyCharacter }), fc.double({ noNaN: true, noDefaultInfinity: true })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(value, value), { maxLength: 20 }), async (rows) => {
      const file = await written(json, bookOf(sheetOf('list', { One: 'text', Two: 'number' }, rows)));
      const read = JSON.parse(file.toString()).sheets.list.rows;
      // JSON knows no -0.
      expect(read).toEqual(rows.map((row) => row.map((one) => (one === 0 ? 0 : one))));
    }),
    { seed: 20260318, numRuns: runs(100) },
  );
});

test('a number that is none is refused: JSON would tell it as "never"', async () => {
  const book = bookOf(sheetOf('list', { Hours: 'number' }, [[Number.POSITIVE_INFINITY]]));
  await expect(written(json, book)).rejects.toThrow("Column 'hours' holds Infinity.");
});
