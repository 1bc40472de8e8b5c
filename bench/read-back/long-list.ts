import type { SheetValue } from '../../src/output/workbook.ts';
import { inventedColumns, inventedParts } from '../files/invented-book.ts';
import type { ReadCell, ReadSheet } from './read-sheet.ts';

/** The clocks of the invented book's zone; Swedes write dates as ISO does. */
const clock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Berlin',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** What a workbook is to hold of an invented list of `count` rows, with `mostRows` below the titles of each sheet. */
export async function longListContent(count: number, mostRows: number): Promise<readonly ReadSheet[]> {
  const rows: (readonly ReadCell[])[] = [];
  for await (const part of inventedParts(count)) {
    for (const row of part) rows.push(row.map(readCell));
  }
  const titles = inventedColumns.map(({ title }) => title);
  return Array.from({ length: Math.ceil(count / mostRows) }, (_, at) => ({
    name: at === 0 ? 'List' : `List ${at + 1}`,
    rows: [titles, ...rows.slice(at * mostRows, (at + 1) * mostRows)],
  }));
}

function readCell(value: SheetValue, column: number): ReadCell {
  const kind = inventedColumns[column]?.kind;
  if (typeof value === 'number' && kind === 'instant') return { date: clock.format(value) };
  return typeof value === 'string' && kind === 'day' ? { date: value } : value;
}
