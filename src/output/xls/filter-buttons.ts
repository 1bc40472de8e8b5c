import { longs, record, words } from './record.ts';

/** Numbers of shapes are dealt out in lots; each sheet has a lot of its own, the first of which is the drawing's. */
const SHAPES_PER_LOT = 1024;

/**
 * What is told once of the filter buttons of all sheets, given how many each of them has. The layout of these drawing
 * records is that of the files of LibreOffice; PhpSpreadsheet writes the same shapes. [MS-ODRAW] 2.2.48.
 */
export function drawingGroup(buttons: readonly number[]): Uint8Array {
  const shapes = buttons.map((count) => count + 1);
  const total = shapes.reduce((sum, count) => sum + count, 0);
  const lots = shapes.map((count, index) => longs(index + 1, count));
  const last = buttons.length * SHAPES_PER_LOT + (shapes.at(-1) ?? 0);
  const drawings = part(0xf006, 0x000, longs(last, lots.length + 1, total, buttons.length), ...lots);
  const colours = part(0xf11e, 0x040, longs(0x0800000d, 0x0800000c, 0x08000017, 0x100000f7));
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
  const facts = part(0xf008, (sheet + 1) << 4, longs(buttons.length + 1, firstId + buttons.length));
  const bounds = part(0xf009, 0x001, longs(0, 0, 0, 0));
  const group = part(0xf004, 0x00f, bounds, part(0xf00a, 0x002, longs(firstId, 5)));
  const groups = partHead(0xf003, 0x00f, group.length + bytes);
  const drawing = partHead(0xf002, 0x00f, facts.length + groups.length + group.length + bytes);
  return Buffer.concat([drawing, facts, groups, group]);
}

/** A shape over one cell of the first row: of the kind of the host's own controls (201). */
function button(id: number, column: number): Uint8Array {
  const shape = part(0xf00a, (201 << 4) | 2, longs(id, 0x0a00));
  const anchor = part(0xf010, 0x000, words(1, column, 0, 0, 0, column + 1, 0, 1, 0));
  return part(0xf004, 0x00f, shape, buttonProperties, anchor, part(0xf011, 0x000));
}

/** What the shape before it is: the drop-down list of a filter. [MS-XLS] 2.4.181. */
function buttonObject(id: number): Uint8Array {
  const facts = words(0x15, 18, 0x14, id, 0x2101, 0, 0, 0, 0, 0, 0);
  const scrollBar = words(0x0c, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  const list = words(0x13, 16, 0, 0, 0, 0x0301, 0, 2, 20, 0x82);
  return record('OBJ', facts, scrollBar, list, words(0, 0));
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
  return Buffer.concat([words(id), longs(value)]);
}

/** A record of the drawing. The lowest four bits of `facts` are its version, the others depend on its type. */
function part(type: number, facts: number, ...content: readonly Uint8Array[]): Uint8Array {
  const bytes = content.reduce((sum, piece) => sum + piece.length, 0);
  return Buffer.concat([partHead(type, facts, bytes), ...content]);
}

function partHead(type: number, facts: number, bytes: number): Uint8Array {
  return Buffer.concat([words(facts, type), longs(bytes)]);
}
