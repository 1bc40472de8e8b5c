import type { DateCells } from '../spreadsheet/date-cells.ts';
import { escapeXml } from './escape-xml.ts';

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
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n',
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
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
