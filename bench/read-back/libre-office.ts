import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'csv-parse/sync';
import type { FileFormat } from '../../src/output/workbook.ts';
import { readIsoDay } from '../../src/time/date-text.ts';
import { type ReadCell, type Reader, type ReadSheet, run, runs } from './reader.ts';

const program = 'soffice';

/**
 * Every sheet as CSV in UTF-8: texts in quotes, and so known from the rest, numbers with their digits, and of a formula
 * the result, so that no formula reads like the text we wrote. The options are those of LibreOffice's CSV filter.
 */
const output = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,true,false,false,false,-1';

/** Commas, quotes, UTF-8, and every column a text; more columns than there are do no harm. */
const columnsAsText = Array.from({ length: 20 }, (_, at) => `${at + 1}/2`).join('/');
const textInput = `CSV:44,34,76,1,${columnsAsText},0,false,false`;

/** Dates and numbers are found as they are typed, and formulas run. */
const typedInput = 'CSV:44,34,76,1,,0,false,true';

export const libreOfficeReaders: readonly Reader[] = [
  reader('LibreOffice, columns as text', 'csv', textInput, (cell) => plainText(cell, '')),
  reader('LibreOffice, as typed', 'csv', typedInput, (cell) =>
    typeof cell === 'string' ? fewerDigits(typed(plainText(cell, ''))) : cell,
  ),
  // A null character ends strings elsewhere; in BIFF LibreOffice replaces it, in CSV it drops it.
  reader('LibreOffice', 'xls', null, (cell) => fewerDigits(plainText(cell, '?'))),
  reader('LibreOffice', 'xlsx', null, (cell) => fewerDigits(plainText(cell, '\0'))),
];

function reader(
  name: string,
  format: FileFormat['id'],
  input: string | null,
  limit: (cell: ReadCell) => ReadCell,
): Reader {
  return {
    name,
    format,
    isInstalled: () => runs(program, ['--version']),
    read(path, folder) {
      // A profile of its own: whoever works with LibreOffice meanwhile is not disturbed.
      const profile = pathToFileURL(join(folder, 'profile'));
      const filter = input === null ? [] : [`--infilter=${input}`];
      const target = join(folder, 'sheets');
      run(program, [
        `-env:UserInstallation=${profile}`,
        '--headless',
        ...filter,
        '--convert-to',
        output,
        '--outdir',
        target,
        path,
      ]);
      const start = `${basename(path, extname(path))}-`;
      return readdirSync(target).map((file) => ({
        name: basename(file, '.csv').slice(start.length),
        rows: rowsOf(join(target, file)),
      }));
    },
    limit,
  };
}

function rowsOf(path: string): ReadSheet['rows'] {
  return parse(readFileSync(path), {
    record_delimiter: '\n',
    relax_column_count: true,
    cast: (value, { quoting }) => (quoting ? value : unquoted(value)),
  });
}

/** What stands without quotes. */
function unquoted(text: string): ReadCell {
  if (text === '') return null;
  const found = typed(text);
  return typeof found === 'string' ? { foreign: text } : found;
}

/** What a text is when it is typed. */
function typed(cell: ReadCell): ReadCell {
  if (typeof cell !== 'string') return cell;
  if (/^-?\d+(\.\d+)?(E[+-]?\d+)? *$/i.test(cell)) return Number(cell);
  const [, day = ''] = /^(\d{4}-\d\d-\d\d)( \d\d:\d\d:\d\d)?$/.exec(cell) ?? [];
  if (readIsoDay(day) !== null) return { date: cell };
  return cell === 'TRUE' ? true : cell;
}

/** In its cells all line ends are alike, and an empty text is nothing. */
function plainText(cell: ReadCell, nullCharacter: string): ReadCell {
  if (typeof cell !== 'string') return cell;
  return cell.replaceAll(/\r\n?/g, '\n').replaceAll('\0', nullCharacter) || null;
}

/** It writes fifteen digits, and whole numbers as they are. */
function fewerDigits(cell: ReadCell): ReadCell {
  if (typeof cell !== 'number' || Number.isSafeInteger(cell)) return cell;
  return Number(cell.toPrecision(15));
}
