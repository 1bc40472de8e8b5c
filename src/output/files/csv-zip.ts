import { csvSheet } from '../csv-sheet.ts';
import type { FileFormat } from '../file-format.ts';
import type { Workbook } from '../workbook.ts';
import { writeZip, type ZipEntry } from '../zip/write-zip.ts';

/** Every sheet of a workbook as a CSV of its own, in one ZIP. */
export const csvZip: FileFormat = {
  id: 'csvZip',
  extension: 'zip',
  mediaType: 'application/zip',
  mostColumns: null,
  write: (book, path, { byteOrderMark, compression }) =>
    writeZip(path, compression, entries(book, byteOrderMark)),
};

async function* entries(book: Workbook, byteOrderMark: boolean): AsyncGenerator<ZipEntry> {
  for (const sheet of book.sheets) {
    yield {
      name: `${fileName(book.title)}-${fileName(sheet.id)}.csv`,
      content: csvSheet(sheet, book, byteOrderMark),
    };
  }
}

const LONGEST_NAME = 80;

/** Letters and digits of any script: whatever else may mean something to a file system. */
function fileName(text: string): string {
  const plain = text.normalize().replaceAll(/[^\p{L}\p{M}\p{N}_]+/gu, '-');
  return [...plain].slice(0, LONGEST_NAME).join('').replaceAll(/^-|-$/g, '') || 'sheet';
}
