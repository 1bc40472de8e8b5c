import { rowChunks, writeZip, type ZipEntry } from '../file-bytes.ts';
import {
  type CellSink,
  type DateCells,
  dateCells,
  writeCells,
  writeTitles,
} from '../spreadsheet/excel-cells.ts';
import { columnWidths, type SheetPart, sheetParts } from '../spreadsheet/sheet-parts.ts';
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
  yield entry(
    'docProps/app.xml',
    `${PROLOG}<Properties xmlns="${OFFICE}/extended-properties"><Application>Dwell</Application></Properties>`,
  );
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

/** A worksheet that has been written: how many rows it has, the titles included. */
interface PackagedSheet {
  readonly name: string;
  readonly columns: number;
  readonly rows: number;
}

/** The first line of every part. */
const PROLOG = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
/** The namespace of workbooks, sheets and styles. */
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

function rootRelationsXml(): string {
  return relations([
    [`${OFFICE}/relationships/officeDocument`, 'xl/workbook.xml'],
    [`${PACKAGE}/relationships/metadata/core-properties`, 'docProps/core.xml'],
    [`${OFFICE}/relationships/extended-properties`, 'docProps/app.xml'],
  ]);
}

/** The part docProps/core.xml, without dates: they would make each file another one. */
function corePropertiesXml(title: string): string {
  return [
    `${PROLOG}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" `,
    'xmlns:dc="http://purl.org/dc/elements/1.1/">',
    `<dc:title>${escapeXml(title.toWellFormed())}</dc:title><dc:creator>Dwell</dc:creator></cp:coreProperties>`,
  ].join('');
}

/** The part xl/workbook.xml: the sheets, and what each one's filter covers. */
function workbookXml(sheets: readonly PackagedSheet[]): string {
  const list = sheets.map(
    ({ name }, at) => `<sheet name="${escapeXml(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  const filters = sheets.flatMap(({ name, columns, rows }, at) => {
    if (columns === 0) return [];
    const range = `'${name.replaceAll("'", "''")}'!$A$1:$${columnLetters(columns - 1)}$${rows}`;
    return [
      `<definedName name="_xlnm._FilterDatabase" localSheetId="${at}" hidden="1">${escapeXml(range)}</definedName>`,
    ];
  });
  const names = filters.length === 0 ? '' : `<definedNames>${filters.join('')}</definedNames>`;
  return [
    `${PROLOG}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}/relationships">`,
    `<bookViews><workbookView activeTab="0"/></bookViews><sheets>${list.join('')}</sheets>${names}</workbook>`,
  ].join('');
}

function workbookRelationsXml(sheets: number): string {
  const each = Array.from(
    { length: sheets },
    (_, at) => [`${OFFICE}/relationships/worksheet`, `worksheets/sheet${at + 1}.xml`] as const,
  );
  return relations([...each, [`${OFFICE}/relationships/styles`, 'styles.xml']]);
}

function contentTypesXml(sheets: number): string {
  const types = [
    ['/xl/workbook.xml', `${SHEET_TYPE}.sheet.main+xml`],
    ['/xl/styles.xml', `${SHEET_TYPE}.styles+xml`],
    ['/docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml'],
    ['/docProps/app.xml', 'application/vnd.openxmlformats-officedocument.extended-properties+xml'],
    ...Array.from({ length: sheets }, (_, at) => [
      `/xl/worksheets/sheet${at + 1}.xml`,
      `${SHEET_TYPE}.worksheet+xml`,
    ]),
  ];
  return [
    `${PROLOG}<Types xmlns="${PACKAGE}/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    ...types.map(([part, type]) => `<Override PartName="${part}" ContentType="${type}"/>`),
    '</Types>',
  ].join('');
}

function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const each = targets.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${type}" Target="${target}"/>`,
  );
  return `${PROLOG}<Relationships xmlns="${PACKAGE}/relationships">${each.join('')}</Relationships>`;
}

/** The styles of cells, by their place in the list below; plain cells have none. `quoted` is text whatever it looks like. */
const styles = { header: 1, instant: 2, day: 3, quoted: 4, quotedHeader: 5, measured: 6 } as const;

const TWO_DECIMALS = 4;

/** Ids below are Excel's own formats. */
const FIRST_OWN_FORMAT = 164;

function stylesXml({ instant, day }: Pick<DateCells, 'instant' | 'day'>): string {
  const formats = [instant.code, day.code].map(
    (code, at) => `<numFmt numFmtId="${FIRST_OWN_FORMAT + at}" formatCode="${escapeXml(code)}"/>`,
  );
  const plain = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0"';
  const bold = '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"';
  const formatted = (id: number) =>
    `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`;
  const cells = [
    `${plain} xfId="0"/>`,
    `${bold}/>`,
    ...formats.map((_, at) => formatted(FIRST_OWN_FORMAT + at)),
    `${plain} xfId="0" quotePrefix="1"/>`,
    `${bold} quotePrefix="1"/>`,
    formatted(TWO_DECIMALS),
  ];
  const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
  return [
    `${PROLOG}<styleSheet xmlns="${MAIN}">`,
    `<numFmts count="${formats.length}">${formats.join('')}</numFmts>`,
    `<fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts>`,
    '<fills count="2"><fill><patternFill patternType="none"/></fill>',
    '<fill><patternFill patternType="gray125"/></fill></fills>',
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
    `<cellStyleXfs count="1">${plain}/></cellStyleXfs>`,
    `<cellXfs count="${cells.length}">${cells.join('')}</cellXfs>`,
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
    '</styleSheet>',
  ].join('');
}

const special = /[&<>"]|[^\t\n -\uFFFD]|_x[0-9A-Fa-f]{4}_/;
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const edge = /^[ \t\n]|[ \t\n]$/;

/**
 * A well-formed text for the inside of an element or attribute. Characters that XML cannot hold, and the carriage
 * return, which it would drop, are written _xHHHH_; what looks so already is made to mean itself (ECMA-376 part 1,
 * 22.9.2.19).
 */
function escapeXml(text: string): string {
  if (!special.test(text)) return text;
  return text
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/[^\t\n -\uFFFD]/g, (one) => `_x${hex(one)}_`)
    .replaceAll(/[&<>"]/g, (one) => escapes[one] ?? one);
}

/** Most texts need neither, and are looked through once. */
const needsCare = new RegExp(`${special.source}|${edge.source}`);

/** The element of a text, with the blanks at its ends kept. */
function textElement(text: string): string {
  if (!needsCare.test(text)) return `<t>${text}</t>`;
  return edge.test(text) ? `<t xml:space="preserve">${escapeXml(text)}</t>` : `<t>${escapeXml(text)}</t>`;
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
}

/** The name of a column, counted from 0: A to Z, AA … */
function columnLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : columnLetters(Math.floor(column / 26) - 1) + last;
}

/**
 * A worksheet in chunks of bytes: a frozen row of titles with a filter over everything below. `ended` gets how many
 * rows there are, the titles included, as soon as that is known.
 */
function sheetXml(
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
