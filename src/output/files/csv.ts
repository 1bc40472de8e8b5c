import { writeFile } from 'node:fs/promises';
import { csvSheet } from '../csv-sheet.ts';
import type { FileFormat } from '../file-format.ts';

/** The first sheet of a workbook, and nothing of the others: a CSV is one table. */
export const csv: FileFormat = {
  id: 'csv',
  extension: 'csv',
  mediaType: 'text/csv; charset=utf-8',
  mostColumns: null,
  async write(book, path, { byteOrderMark }) {
    const [sheet] = book.sheets;
    await writeFile(path, sheet === undefined ? '' : csvSheet(sheet, book, byteOrderMark), { flag: 'wx' });
  },
};
