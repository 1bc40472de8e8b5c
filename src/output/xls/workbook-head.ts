import type { DateCells } from '../spreadsheet/date-cells.ts';
import { formatRecords } from './cell-formats.ts';
import { drawingGroup } from './filter-buttons.ts';
import { longs, record, words } from './record.ts';
import { longString, shortString } from './unicode-string.ts';

/** A sheet that is written already. */
export interface WrittenSheet {
  readonly name: string;
  /** Where it begins, in bytes from the beginning of the first sheet. */
  readonly start: number;
  /** With its header. */
  readonly rows: number;
  readonly columns: number;
}

/**
 * Everything before the shared strings, given how many bytes lie between the end of that and the first sheet. Order
 * and contents: [MS-XLS] 2.1.7.20.3.
 */
export function workbookHead(
  sheets: readonly WrittenSheet[],
  dates: Pick<DateCells, 'instant' | 'day'>,
  gap: number,
): Uint8Array {
  const before = Buffer.concat([...opening, tabIds(sheets.length), ...settings, formatRecords(dates)]);
  const behind = Buffer.concat([...filterNames(sheets), drawingGroup(sheets.map(({ columns }) => columns))]);
  const names = sheets.map(({ name }) => shortString(name));
  const bounds = (first: number) =>
    Buffer.concat(
      sheets.map(({ start }, index) =>
        record('BOUNDSHEET', longs(first + start), words(0), names[index] ?? new Uint8Array()),
      ),
    );
  const first = before.length + bounds(0).length + behind.length + gap;
  return Buffer.concat([before, bounds(first), behind]);
}

/** Unicode throughout, and whom Excel names as the one who has the file open. */
const opening = [
  record('BOF', words(0x0600, 0x0005, 0x0dbb, 0x07cc), longs(0, 6)),
  record('INTERFACEHDR', words(1200)),
  record('MMS', words(0)),
  record('INTERFACEEND'),
  record('WRITEACCESS', Buffer.concat([longString('Dwell'), Buffer.alloc(112 - 8, ' ')])),
  record('CODEPAGE', words(1200)),
  record('DSF', words(0)),
];

function tabIds(count: number): Uint8Array {
  return record('TABID', words(...Array.from({ length: count }, (_, index) => index + 1)));
}

/** Nothing protected, one window, no backup, objects shown, the 1900 date system, full precision. */
const settings = [
  record('FNGROUPCOUNT', words(14)),
  record('WINDOWPROTECT', words(0)),
  record('PROTECT', words(0)),
  record('PASSWORD', words(0)),
  record('PROT4REV', words(0)),
  record('PROT4REVPASS', words(0)),
  record('WINDOW1', words(0, 0, 0x4000, 0x2000, 0x0038, 0, 0, 1, 600)),
  record('BACKUP', words(0)),
  record('HIDEOBJ', words(0)),
  record('DATEMODE', words(0)),
  record('PRECISION', words(1)),
  record('REFRESHALL', words(0)),
  record('BOOKBOOL', words(0)),
];

/**
 * The hidden names (_FilterDatabase, built-in 13) that tell where the filters are. References to sheets go through a
 * list of them (EXTERNSHEET) in a list of workbooks (SUPBOOK), of which this one is the only one.
 */
function filterNames(sheets: readonly WrittenSheet[]): Uint8Array[] {
  const references = sheets.flatMap((_, index) => [0, index, index]);
  const names = sheets.flatMap(({ rows, columns }, index) => {
    if (columns === 0) return [];
    const area = Buffer.concat([Buffer.of(0x3b), words(index, 0, rows - 1, 0, columns - 1)]);
    const head = [words(0x0021), Buffer.of(0, 1), words(area.length, 0, index + 1, 0, 0)];
    return [record('NAME', ...head, Buffer.of(0, 0x0d), area)];
  });
  return [
    record('SUPBOOK', words(sheets.length, 0x0401)),
    record('EXTERNSHEET', words(sheets.length, ...references)),
    ...names,
  ];
}
