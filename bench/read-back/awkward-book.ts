import type { FileFormat, Workbook } from '../../src/output/workbook.ts';
import { type AwkwardSheet, awkwardSheets } from './awkward-sheets.ts';
import type { Fact } from './fact.ts';
import type { ReadCell, ReadSheet } from './read-sheet.ts';

/** CSV has an apostrophe before a title that looks like a formula. */
const FORMULA_TITLE = /^=/;

export function awkwardBook(): Workbook {
  return {
    title: 'Times & <marks>',
    timeZone: 'Europe/Berlin',
    formats: { dateFormat: 'yyyy-MM-dd', dateTimeFormat: 'yyyy-MM-dd HH:mm:ss' },
    sheets: awkwardSheets.map(({ rows, ...sheet }) => ({
      ...sheet,
      rows: (async function* () {
        for (const row of rows) yield [row.map(({ value }) => value)];
      })(),
    })),
  };
}

/** What a file that is called `name` is to hold of it. */
export function awkwardContent(format: FileFormat['id'], name: string): readonly ReadSheet[] {
  const asCsv = (called: string, sheet: AwkwardSheet) => {
    const titles = sheet.columns.map(({ title }) => title.replace(FORMULA_TITLE, "'$&"));
    return sheetOf(called, titles, sheet, ({ csv }) => csv);
  };
  const titlesOf = ({ columns }: AwkwardSheet) => columns.map(({ title }) => title);
  switch (format) {
    case 'csv':
      return awkwardSheets.slice(0, 1).map((sheet) => asCsv(name, sheet));
    case 'csvZip':
      return awkwardSheets.map((sheet) => asCsv(`Times-marks-${sheet.id}.csv`, sheet));
    case 'json':
      return awkwardSheets.map((sheet) => sheetOf(sheet.name, titlesOf(sheet), sheet, ({ json }) => json));
    default:
      return awkwardSheets.map((sheet) => sheetOf(sheet.name, titlesOf(sheet), sheet, ({ cell }) => cell));
  }
}

function sheetOf(
  name: string,
  titles: readonly string[],
  { rows }: AwkwardSheet,
  told: (fact: Fact) => ReadCell,
): ReadSheet {
  return { name, rows: [titles, ...rows.map((row) => row.map(told))] };
}
