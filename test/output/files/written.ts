import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileFormat, Sheet, SheetColumn, SheetRow, Workbook } from '../../../src/output/workbook.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A sheet whose columns are told as title and kind, its rows in parts as they are given. */
export function sheetOf(
  id: string,
  columns: Readonly<Record<string, SheetColumn['kind']>>,
  ...parts: readonly (readonly SheetRow[])[]
): Sheet {
  return {
    id,
    name: id.replace(/^./, (first) => first.toUpperCase()),
    columns: Object.entries(columns).map(
      ([title, kind]): SheetColumn => ({ id: title.toLowerCase(), title, kind, unit: null }),
    ),
    rows: (async function* () {
      yield* parts;
    })(),
  };
}

export function bookOf(...sheets: readonly Sheet[]): Workbook {
  return {
    title: 'Time in status',
    sheets,
    timeZone: 'Europe/Berlin',
    formats: { dateFormat: 'dd.MM.yyyy', dateTimeFormat: 'yyyy-MM-dd HH:mm' },
  };
}

/** The bytes of the file. */
export async function written(format: FileFormat, book: Workbook, byteOrderMark = false): Promise<Buffer> {
  const path = join(temporaryFolder(), `report.${format.extension}`);
  await format.write(book, path, { byteOrderMark, compression: 2 });
  return readFileSync(path);
}
