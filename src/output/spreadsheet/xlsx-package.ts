import type { DateCells } from './excel-cells.ts';

/** A worksheet that has been written: how many rows it has, the titles included. */
export interface PackagedSheet {
  readonly name: string;
  readonly columns: number;
  readonly rows: number;
}

/** The first line of every part. */
export const PROLOG = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
/** The namespace of workbooks, sheets and styles. */
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The part _rels/.rels: where the workbook is. */
export function rootRelationsXml(): string {
  return relations([
    [`${OFFICE}/relationships/officeDocument`, 'xl/workbook.xml'],
    [`${PACKAGE}/relationships/metadata/core-properties`, 'docProps/core.xml'],
    [`${OFFICE}/relationships/extended-properties`, 'docProps/app.xml'],
  ]);
}

/** The part docProps/core.xml, without dates: they would make each file another one. */
export function corePropertiesXml(title: string): string {
  return [
    `${PROLOG}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" `,
    'xmlns:dc="http://purl.org/dc/elements/1.1/">',
    `<dc:title>${escapeXml(title.toWellFormed())}</dc:title><dc:creator>Dwell</dc:creator></cp:coreProperties>`,
  ].join('');
}

/** The part docProps/app.xml. */
export function appPropertiesXml(): string {
  return `${PROLOG}<Properties xmlns="${OFFICE}/extended-properties"><Application>Dwell</Application></Properties>`;
}

/** The part xl/workbook.xml: the sheets, and what each one's filter covers. */
export function workbookXml(sheets: readonly PackagedSheet[]): string {
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

/** The part xl/_rels/workbook.xml.rels. */
export function workbookRelationsXml(sheets: number): string {
  const each = Array.from(
    { length: sheets },
    (_, at) => [`${OFFICE}/relationships/worksheet`, `worksheets/sheet${at + 1}.xml`] as const,
  );
  return relations([...each, [`${OFFICE}/relationships/styles`, 'styles.xml']]);
}

/** The part [Content_Types].xml. */
export function contentTypesXml(sheets: number): string {
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
export const styles = { header: 1, instant: 2, day: 3, quoted: 4, quotedHeader: 5, measured: 6 } as const;

/** Excel's own format #,##0.00. */
const TWO_DECIMALS = 4;

/** Ids below are Excel's own formats. */
const FIRST_OWN_FORMAT = 164;

/** The part xl/styles.xml. */
export function stylesXml({ instant, day }: Pick<DateCells, 'instant' | 'day'>): string {
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
export function textElement(text: string): string {
  if (!needsCare.test(text)) return `<t>${text}</t>`;
  return edge.test(text) ? `<t xml:space="preserve">${escapeXml(text)}</t>` : `<t>${escapeXml(text)}</t>`;
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
}

/** The name of a column, counted from 0: A to Z, AA … */
export function columnLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : columnLetters(Math.floor(column / 26) - 1) + last;
}
