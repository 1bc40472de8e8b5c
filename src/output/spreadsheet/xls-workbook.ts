import type { DateCells } from './excel-cells.ts';
import { longString, record, shortString, uint16s, uint32s } from './xls-records.ts';

/** A sheet that is written already. */
export interface WrittenSheet {
  readonly name: string;
  /** The begin of the sheet, in bytes from the beginning of the first one. */
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
  const tabIds = record('TABID', uint16s(...sheets.map((_, index) => index + 1)));
  const before = Buffer.concat([...opening, tabIds, ...settings, formatRecords(dates)]);
  const behind = Buffer.concat([...filterNames(sheets), drawingGroup(sheets.map(({ columns }) => columns))]);
  const names = sheets.map(({ name }) => shortString(name));
  const bounds = (first: number) =>
    Buffer.concat(
      sheets.map(({ start }, index) =>
        record('BOUNDSHEET', uint32s(first + start), uint16s(0), names[index] ?? new Uint8Array()),
      ),
    );
  const first = before.length + bounds(0).length + behind.length + gap;
  return Buffer.concat([before, bounds(first), behind]);
}

/** Unicode throughout, and whom Excel names as the one who has the file open. */
const opening = [
  record('BOF', uint16s(0x0600, 0x0005, 0x0dbb, 0x07cc), uint32s(0, 6)),
  record('INTERFACEHDR', uint16s(1200)),
  record('MMS', uint16s(0)),
  record('INTERFACEEND'),
  record('WRITEACCESS', Buffer.concat([longString('Dwell'), Buffer.alloc(112 - 8, ' ')])),
  record('CODEPAGE', uint16s(1200)),
  record('DSF', uint16s(0)),
];

/** Nothing protected, one window, no backup, objects shown, the 1900 date system, full precision. */
const settings = [
  record('FNGROUPCOUNT', uint16s(14)),
  record('WINDOWPROTECT', uint16s(0)),
  record('PROTECT', uint16s(0)),
  record('PASSWORD', uint16s(0)),
  record('PROT4REV', uint16s(0)),
  record('PROT4REVPASS', uint16s(0)),
  record('WINDOW1', uint16s(0, 0, 0x4000, 0x2000, 0x0038, 0, 0, 1, 600)),
  record('BACKUP', uint16s(0)),
  record('HIDEOBJ', uint16s(0)),
  record('DATEMODE', uint16s(0)),
  record('PRECISION', uint16s(1)),
  record('REFRESHALL', uint16s(0)),
  record('BOOKBOOL', uint16s(0)),
];

/**
 * The hidden names (_FilterDatabase, built-in 13) that say where the filters are. References to sheets go through a
 * list of them (EXTERNSHEET) in a list of workbooks (SUPBOOK), of which this one is the only one.
 */
function filterNames(sheets: readonly WrittenSheet[]): Uint8Array[] {
  const references = sheets.flatMap((_, index) => [0, index, index]);
  const names = sheets.flatMap(({ rows, columns }, index) => {
    if (columns === 0) return [];
    const area = Buffer.concat([Buffer.of(0x3b), uint16s(index, 0, rows - 1, 0, columns - 1)]);
    const head = [uint16s(0x0021), Buffer.of(0, 1), uint16s(area.length, 0, index + 1, 0, 0)];
    return [record('NAME', ...head, Buffer.of(0, 0x0d), area)];
  });
  return [
    record('SUPBOOK', uint16s(sheets.length, 0x0401)),
    record('EXTERNSHEET', uint16s(sheets.length, ...references)),
    ...names,
  ];
}

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
function formatRecords({ instant, day }: Pick<DateCells, 'instant' | 'day'>): Uint8Array {
  return Buffer.concat([
    font(400),
    font(700),
    record('FORMAT', uint16s(INSTANT_CODE), longString(instant.code)),
    record('FORMAT', uint16s(DAY_CODE), longString(day.code)),
    ...Array.from({ length: STYLES }, (_, index) => style(index)),
    cell(NORMAL_FONT, GENERAL_CODE),
    cell(BOLD_FONT, GENERAL_CODE),
    cell(NORMAL_FONT, GENERAL_CODE, QUOTED),
    cell(BOLD_FONT, GENERAL_CODE, QUOTED),
    cell(NORMAL_FONT, INSTANT_CODE),
    cell(NORMAL_FONT, DAY_CODE),
    cell(NORMAL_FONT, TWO_DECIMALS_CODE),
    record('STYLE', uint16s(0x8000, 0xff00)),
  ]);
}

/** Arial of 10 points in the colour of the window's text. Names of fonts are stored with two bytes a character. */
function font(weight: number): Uint8Array {
  const name = Buffer.from('Arial', 'utf16le');
  return record('FONT', uint16s(200, 0, 0x7fff, weight, 0), Buffer.of(0, 0, 0, 0, name.length / 2, 1), name);
}

const LOCKED = 0x0001;
const QUOTED = 0x0008;

function style(index: number): Uint8Array {
  const unlike = index === 0 ? 0x0000 : 0xf400;
  return xf(NORMAL_FONT, GENERAL_CODE, 0xfff5, unlike);
}

/** A format below Normal: which of its attributes differ is in six bits. */
function cell(fontIndex: number, code: number, flags = 0): Uint8Array {
  const unlike = (code === GENERAL_CODE ? 0 : 0x0400) | (fontIndex === NORMAL_FONT ? 0 : 0x0800);
  return xf(fontIndex, code, LOCKED | flags, unlike);
}

function xf(fontIndex: number, code: number, flags: number, unlike: number): Uint8Array {
  return record('XF', uint16s(fontIndex, code, flags, 0x0020, unlike), uint32s(0, 0), uint16s(0x20c0));
}

/** Numbers of shapes are dealt out in lots; each sheet has a lot of its own, the first of which is the drawing's. */
const SHAPES_PER_LOT = 1024;

/**
 * The records that are written once for the filter buttons of all sheets, given the number of buttons of each. The
 * layout of these drawing records is that of the files of LibreOffice; PhpSpreadsheet writes the same shapes.
 * [MS-ODRAW] 2.2.48.
 */
function drawingGroup(buttons: readonly number[]): Uint8Array {
  const shapes = buttons.map((count) => count + 1);
  const total = shapes.reduce((sum, count) => sum + count, 0);
  const lots = shapes.map((count, index) => uint32s(index + 1, count));
  const last = buttons.length * SHAPES_PER_LOT + (shapes.at(-1) ?? 0);
  const drawings = part(0xf006, 0x000, uint32s(last, lots.length + 1, total, buttons.length), ...lots);
  const colours = part(0xf11e, 0x040, uint32s(0x0800000d, 0x0800000c, 0x08000017, 0x100000f7));
  return record('MSODRAWINGGROUP', part(0xf000, 0x00f, drawings, groupProperties, colours));
}

/** The buttons over the first `count` columns of a sheet, which is counted from 0. */
export function filterButtons(sheet: number, count: number): Uint8Array {
  const firstId = (sheet + 1) * SHAPES_PER_LOT;
  const buttons = Array.from({ length: count }, (_, column) => button(firstId + 1 + column, column));
  const head = drawingHead(sheet, firstId, buttons);
  if (count === 0) return record('MSODRAWING', head);
  return Buffer.concat(
    buttons.flatMap((shape, column) => [
      column === 0 ? record('MSODRAWING', head, shape) : record('MSODRAWING', shape),
      buttonObject(column + 1),
    ]),
  );
}

/** The drawing and the group of its shapes hold all shapes, though each of these stands in a record of its own. */
function drawingHead(sheet: number, firstId: number, buttons: readonly Uint8Array[]): Uint8Array {
  const bytes = buttons.reduce((sum, shape) => sum + shape.length, 0);
  const facts = part(0xf008, (sheet + 1) << 4, uint32s(buttons.length + 1, firstId + buttons.length));
  const bounds = part(0xf009, 0x001, uint32s(0, 0, 0, 0));
  const group = part(0xf004, 0x00f, bounds, part(0xf00a, 0x002, uint32s(firstId, 5)));
  const groups = partHead(0xf003, 0x00f, group.length + bytes);
  const drawing = partHead(0xf002, 0x00f, facts.length + groups.length + group.length + bytes);
  return Buffer.concat([drawing, facts, groups, group]);
}

/** A shape over one cell of the first row: of the kind of the host's own controls (201). */
function button(id: number, column: number): Uint8Array {
  const shape = part(0xf00a, (201 << 4) | 2, uint32s(id, 0x0a00));
  const anchor = part(0xf010, 0x000, uint16s(1, column, 0, 0, 0, column + 1, 0, 1, 0));
  return part(0xf004, 0x00f, shape, buttonProperties, anchor, part(0xf011, 0x000));
}

/** The record that makes the shape before it the drop-down list of a filter. [MS-XLS] 2.4.181. */
function buttonObject(id: number): Uint8Array {
  const facts = uint16s(0x15, 18, 0x14, id, 0x2101, 0, 0, 0, 0, 0, 0);
  const scrollBar = uint16s(0x0c, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  const list = uint16s(0x13, 16, 0, 0, 0, 0x0301, 0, 2, 20, 0x82);
  return record('OBJ', facts, scrollBar, list, uint16s(0, 0));
}

const groupProperties = part(
  0xf00b,
  0x033,
  property(0x00bf, 0x00080008),
  property(0x0181, 0x08000009),
  property(0x01c0, 0x08000040),
);

const buttonProperties = part(
  0xf00b,
  0x053,
  property(0x007f, 0x01040104),
  property(0x00bf, 0x00080008),
  property(0x01bf, 0x00010000),
  property(0x01ff, 0x00080000),
  property(0x03bf, 0x000a0000),
);

function property(id: number, value: number): Uint8Array {
  return Buffer.concat([uint16s(id), uint32s(value)]);
}

/** A record of the drawing. The lowest four bits of `facts` are its version, the others depend on its type. */
function part(type: number, facts: number, ...content: readonly Uint8Array[]): Uint8Array {
  const bytes = content.reduce((sum, piece) => sum + piece.length, 0);
  return Buffer.concat([partHead(type, facts, bytes), ...content]);
}

function partHead(type: number, facts: number, bytes: number): Uint8Array {
  return Buffer.concat([uint16s(facts, type), uint32s(bytes)]);
}
