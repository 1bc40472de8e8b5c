import ExcelJS from 'exceljs';
import { inventedColumns, inventedParts } from '../files/invented-book.ts';
import { writeFile } from '../files/written.ts';

const formats = { instant: 'yyyy-mm-dd hh:mm:ss', day: 'yyyy-mm-dd' };

await writeFile(async ({ path, rows, words: [styled, level] }) => {
  const useStyles = styled === 'styled';
  const zip = level === undefined ? {} : { zip: { zlib: { level: Number(level) } } };
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({ filename: path, useStyles, ...zip });
  const sheet = book.addWorksheet('List', { views: [{ state: 'frozen', ySplit: 1 }] });
  sheet.columns = inventedColumns.map(({ title, kind }) => ({
    header: title,
    width: 16,
    ...(useStyles && kind in formats ? { style: { numFmt: formats[kind] } } : {}),
  }));
  if (useStyles) sheet.getRow(1).font = { bold: true };
  sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: 1, column: inventedColumns.length } };
  for await (const part of inventedParts(rows)) {
    for (const row of part) {
      const values = row.map((value, at) => (isDate(at) && value !== null ? new Date(value) : value));
      sheet.addRow(values).commit();
    }
    // Its streams only empty themselves when they get a turn.
    await new Promise(setImmediate);
  }
  sheet.commit();
  await book.commit();
});

function isDate(at) {
  return inventedColumns[at].kind in formats;
}
