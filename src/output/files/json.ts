import { writeFile } from 'node:fs/promises';
import { isoText } from '../../time/date-text.ts';
import { rowChunks } from '../file-bytes.ts';
import type { FileFormat, Sheet, SheetColumn, SheetRow, Workbook } from '../workbook.ts';

/**
 * The document of a workbook, else every sheet by its id: columns, and rows as arrays. Instants are ISO 8601 in UTC, days
 * yyyy-MM-dd, "never" is null, and texts are as they are.
 */
export const json: FileFormat = {
  id: 'json',
  extension: 'json',
  mediaType: 'application/json',
  maxColumns: null,
  write: (book, path) =>
    writeFile(path, book.document === undefined ? chunks(book) : `${JSON.stringify(book.document)}\n`, {
      flag: 'wx',
    }),
};

async function* chunks({ title, timeZone, sheets }: Workbook): AsyncGenerator<Uint8Array> {
  const head = `{"title":${JSON.stringify(title)},"timeZone":${JSON.stringify(timeZone)},"sheets":{`;
  yield Buffer.from(head);
  for (const [at, sheet] of sheets.entries()) {
    yield* rowChunks(sheet.rows, {
      head: `${at === 0 ? '\n' : ',\n'}${sheetHead(sheet)}`,
      line: (row, number) => `${number === 0 ? '\n' : ',\n'}${rowText(row, sheet.columns)}`,
      tail: () => '\n]}',
    });
  }
  yield Buffer.from('\n}}\n');
}

function sheetHead({ id, name, columns }: Sheet): string {
  const heads = columns.map(({ id, title, kind, unit }) => ({ id, title, kind, unit }));
  return `${JSON.stringify(id)}:{"name":${JSON.stringify(name)},"columns":${JSON.stringify(heads)},"rows":[`;
}

/** Throws RangeError for a number that is not finite, which JSON would write as "never". */
function rowText(row: SheetRow, columns: readonly SheetColumn[]): string {
  const values = columns.map(({ id, kind }, at) => {
    const value = row[at] ?? null;
    if (typeof value !== 'number') return value;
    if (!Number.isFinite(value)) throw new RangeError(`Column '${id}' holds ${value}.`);
    return kind === 'instant' ? isoText(value) : value;
  });
  return JSON.stringify(values);
}
