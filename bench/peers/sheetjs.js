import { writeFileSync } from 'node:fs';
import { utils, write } from '@e965/xlsx';
import { inventedColumns, inventedParts } from '../export/invented-book.ts';
import { measured } from '../export/measured.ts';

const [path, rows] = process.argv.slice(2);
const created = inventedColumns.findIndex(({ kind }) => kind === 'instant');

await measured(path, async () => {
  const lines = [inventedColumns.map(({ title }) => title)];
  for await (const part of inventedParts(Number(rows))) {
    for (const row of part) lines.push(row.map((value, at) => (at === created ? new Date(value) : value)));
  }
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(lines), 'List');
  writeFileSync(path, write(book, { type: 'buffer', bookType: 'biff8' }));
});
