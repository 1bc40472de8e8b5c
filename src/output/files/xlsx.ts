import { writeZip, type ZipEntry } from '../file-bytes.ts';
import { dateCells } from '../spreadsheet/excel-cells.ts';
import { sheetParts } from '../spreadsheet/sheet-parts.ts';
import {
  appPropertiesXml,
  contentTypesXml,
  corePropertiesXml,
  type PackagedSheet,
  rootRelationsXml,
  stylesXml,
  workbookRelationsXml,
  workbookXml,
} from '../spreadsheet/xlsx-package.ts';
import { sheetXml } from '../spreadsheet/xlsx-sheet.ts';
import type { FileFormat, Workbook } from '../workbook.ts';

/** The limits of Excel. */
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;

/** Excel's workbooks (ECMA-376); `maxRows` a sheet, the row of titles included, before a further sheet begins. */
export function createXlsx({ maxRows }: { readonly maxRows: number }): FileFormat {
  return {
    id: 'xlsx',
    extension: 'xlsx',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    maxColumns: MAX_COLUMNS,
    write: (book, path, { compression }) => writeZip(path, compression, entries(book, maxRows)),
  };
}

export const xlsx: FileFormat = createXlsx({ maxRows: MAX_ROWS });

/** The number of sheets is known at the end, so that the parts which list them come last. */
async function* entries(book: Workbook, maxRows: number): AsyncGenerator<ZipEntry> {
  const dates = dateCells(book);
  yield entry('_rels/.rels', rootRelationsXml());
  yield entry('docProps/core.xml', corePropertiesXml(book.title));
  yield entry('docProps/app.xml', appPropertiesXml());
  yield entry('xl/styles.xml', stylesXml(dates));
  const written: PackagedSheet[] = [];
  for await (const part of sheetParts(book.sheets, maxRows)) {
    const { name, columns } = part;
    yield {
      name: `xl/worksheets/sheet${written.length + 1}.xml`,
      content: sheetXml(part, dates, (rows) => written.push({ name, columns: columns.length, rows })),
    };
  }
  yield entry('xl/workbook.xml', workbookXml(written));
  yield entry('xl/_rels/workbook.xml.rels', workbookRelationsXml(written.length));
  yield entry('[Content_Types].xml', contentTypesXml(written.length));
}

function entry(name: string, text: string): ZipEntry {
  return { name, content: Buffer.from(text) };
}
