import { writeFileSync } from 'node:fs';
import { utils, write } from '@e965/xlsx';
import { inventedColumns, inventedParts } from '../files/invented-book.ts';
import { writeFile } from '../files/written.ts';

const created = inventedColumns.findIndex(({ kind }) => kind === 'instant');

await writeFile(async ({ path, rows }) => {
  const lines = [inventedColumns.map(({ title }) => title)];
  for await (const part of inventedParts(rows)) {
    for (const row of part) lines.push(row.map((value, at) => (at === created ? new Date(value) : value)));
  }
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(lines), 'List');
  writeFileSync(path, write(book, { type: 'buffer', bookType: 'biff8' }));
});
