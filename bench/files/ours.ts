import { fileFormats } from '../../src/output/files/index.ts';
import { inventedBook } from './invented-book.ts';
import { writeFile } from './written.ts';

await writeFile(async ({ path, rows, words: [id, level = '2'] }) => {
  const format = fileFormats.find((one) => one.id === id);
  if (format === undefined) throw new Error(`There is no format '${id}'`);
  await format.write(inventedBook(rows), path, { byteOrderMark: false, compression: Number(level) });
});
