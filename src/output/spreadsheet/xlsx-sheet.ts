import { rowChunks } from '../file-bytes.ts';
import { type CellSink, type DateCells, writeCells, writeTitles } from './excel-cells.ts';
import { columnWidths, type SheetPart } from './sheet-parts.ts';
import { columnLetters, MAIN, PROLOG, styles, textElement } from './xlsx-package.ts';

/**
 * A worksheet in chunks of bytes: a frozen row of titles with a filter over everything below. `ended` gets how many
 * rows there are, the titles included, as soon as that is known.
 */
export function sheetXml(
  { columns, firstRows, rows }: SheetPart,
  dates: DateCells,
  ended: (rows: number) => void,
): AsyncGenerator<Uint8Array> {
  const letters = columns.map((_, at) => columnLetters(at));
  const line = createLine(letters);
  const widths = columnWidths(columns, firstRows, dates);
  const head = `${opening}${columnsXml(widths)}<sheetData>${line(1, (sink) => writeTitles(columns, sink), true)}`;
  return rowChunks(rows, {
    head,
    line: (row, number) => line(number + 2, (sink) => writeCells(row, columns, dates, sink), false),
    tail: (count) => {
      ended(count + 1);
      const filter = columns.length === 0 ? '' : `<autoFilter ref="A1:${letters.at(-1)}${count + 1}"/>`;
      return `</sheetData>${filter}</worksheet>`;
    },
  });
}

const opening = [
  `${PROLOG}<worksheet xmlns="${MAIN}"><sheetViews>`,
  '<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
  '<selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView></sheetViews>',
  '<sheetFormatPr defaultRowHeight="15"/>',
].join('');

function columnsXml(widths: readonly number[]): string {
  if (widths.length === 0) return '';
  const each = widths.map(
    (width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  return `<cols>${each.join('')}</cols>`;
}

const measuredStyle = `" s="${styles.measured}"`;

type Line = (row: number, write: (sink: CellSink) => void, header: boolean) => string;

/** Writes one row after the other with the same sink: a million sinks would be garbage. */
function createLine(letters: readonly string[]): Line {
  const starts = letters.map((one) => `<c r="${one}`);
  let cells = '';
  let number = '';
  let [plain, quoted] = ['', ''];
  const sink: CellSink = {
    text: (column, text, isQuoted) => {
      const style = isQuoted ? quoted : plain;
      cells += `${starts[column]}${number}${style} t="inlineStr"><is>${textElement(text)}</is></c>`;
    },
    number: (column, value, measured) => {
      cells += `${starts[column]}${number}${measured ? measuredStyle : '"'}><v>${value}</v></c>`;
    },
    date: (column, serial, kind) => {
      cells += `${starts[column]}${number}" s="${styles[kind]}"><v>${serial}</v></c>`;
    },
  };
  return (row, write, header) => {
    cells = '';
    number = String(row);
    plain = header ? `" s="${styles.header}"` : '"';
    quoted = `" s="${header ? styles.quotedHeader : styles.quoted}"`;
    write(sink);
    return `<row r="${number}">${cells}</row>`;
  };
}
