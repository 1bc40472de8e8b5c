import { columnLetters } from './column-letters.ts';
import { escapeXml } from './escape-xml.ts';

/** A worksheet that has been written: how many rows it has, the titles included. */
export interface WrittenSheet {
  readonly name: string;
  readonly columns: number;
  readonly rows: number;
}

const PROLOG = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
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
export function workbookXml(sheets: readonly WrittenSheet[]): string {
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
