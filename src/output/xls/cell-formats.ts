import type { DateCells } from '../spreadsheet/date-cells.ts';
import { longs, record, words } from './record.ts';
import { longString } from './unicode-string.ts';

/** Numbers of formats below are Excel's own. */
const FIRST_OWN_FORMAT = 164;
const INSTANT_CODE = FIRST_OWN_FORMAT;
const DAY_CODE = FIRST_OWN_FORMAT + 1;
const GENERAL_CODE = 0;
/** #,##0.00 */
const TWO_DECIMALS_CODE = 4;

const NORMAL_FONT = 0;
const BOLD_FONT = 1;

/** Fifteen styles, of which the first is Normal and the others of outlines, stand before the formats of cells. */
const STYLES = 15;

/** The formats of cells as they are named in their records. */
export const cellFormats = {
  general: STYLES,
  header: STYLES + 1,
  /** Text that would be a formula if it were typed: as if there were an apostrophe before it. */
  quoted: STYLES + 2,
  quotedHeader: STYLES + 3,
  instant: STYLES + 4,
  day: STYLES + 5,
  measured: STYLES + 6,
} as const;

/** Fonts, number formats, formats of cells and the style Normal. [MS-XLS] 2.4.122, 2.4.126, 2.4.353, 2.4.269. */
export function formatRecords({ instant, day }: Pick<DateCells, 'instant' | 'day'>): Uint8Array {
  return Buffer.concat([
    font(400),
    font(700),
    record('FORMAT', words(INSTANT_CODE), longString(instant.code)),
    record('FORMAT', words(DAY_CODE), longString(day.code)),
    ...Array.from({ length: STYLES }, (_, index) => style(index)),
    cell(NORMAL_FONT, GENERAL_CODE),
    cell(BOLD_FONT, GENERAL_CODE),
    cell(NORMAL_FONT, GENERAL_CODE, QUOTED),
    cell(BOLD_FONT, GENERAL_CODE, QUOTED),
    cell(NORMAL_FONT, INSTANT_CODE),
    cell(NORMAL_FONT, DAY_CODE),
    cell(NORMAL_FONT, TWO_DECIMALS_CODE),
    record('STYLE', words(0x8000, 0xff00)),
  ]);
}

/** Arial of 10 points in the colour of the window's text. Names of fonts are stored with two bytes a character. */
function font(weight: number): Uint8Array {
  const name = Buffer.from('Arial', 'utf16le');
  return record('FONT', words(200, 0, 0x7fff, weight, 0), Buffer.of(0, 0, 0, 0, name.length / 2, 1), name);
}

const LOCKED = 0x0001;
const QUOTED = 0x0008;

function style(index: number): Uint8Array {
  const unlike = index === 0 ? 0x0000 : 0xf400;
  return xf(NORMAL_FONT, GENERAL_CODE, 0xfff5, unlike);
}

/** A format below Normal: which of its attributes differ is told in six bits. */
function cell(fontIndex: number, code: number, flags = 0): Uint8Array {
  const unlike = (code === GENERAL_CODE ? 0 : 0x0400) | (fontIndex === NORMAL_FONT ? 0 : 0x0800);
  return xf(fontIndex, code, LOCKED | flags, unlike);
}

function xf(fontIndex: number, code: number, flags: number, unlike: number): Uint8Array {
  return record('XF', words(fontIndex, code, flags, 0x0020, unlike), longs(0, 0), words(0x20c0));
}
