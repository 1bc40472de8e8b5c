import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** The family that pictures are lettered in; a machine may have no fonts at all, so its files come with us. */
export const fontFamily = 'DejaVu Sans';

/** The files of the family, upright and bold. */
export const fontFiles = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((file) =>
  resolve(`dejavu-fonts-ttf/ttf/${file}`),
);

/** The measures of the letters of a font. */
export interface Font {
  has(character: string): boolean;
  /** The width of a line at a size, both in pixels. */
  width(text: string, size: number): number;
}

let loading: Promise<Font> | null = null;

/** The upright font, read once. */
export function loadFont(): Promise<Font> {
  loading ??= readFile(fontFiles[0] ?? '').then(readFont);
  return loading;
}

/** Reads widths and characters as the OpenType specification lays them out (tables head, hhea, hmtx, cmap). */
function readFont(file: Buffer): Font {
  const tables = new Map<string, number>();
  for (let i = 0; i < file.readUInt16BE(4); i += 1) {
    const at = 12 + 16 * i;
    tables.set(file.toString('latin1', at, at + 4), file.readUInt32BE(at + 8));
  }
  const table = (name: string) => {
    const at = tables.get(name);
    if (at === undefined) throw new Error(`The font has no table ${name}`);
    return at;
  };
  const unitsPerEm = file.readUInt16BE(table('head') + 18);
  const widths = file.readUInt16BE(table('hhea') + 34);
  const advance = (glyph: number) =>
    file.readUInt16BE(table('hmtx') + 4 * Math.min(glyph, widths - 1)) / unitsPerEm;
  const glyphs = readGlyphs(file, table('cmap'));
  const missing = advance(0);
  return {
    has: (character) => glyphs.has(character.codePointAt(0) ?? 0),
    width: (text, size) =>
      [...text].reduce((sum, character) => {
        const glyph = glyphs.get(character.codePointAt(0) ?? 0);
        return sum + size * (glyph === undefined ? missing : advance(glyph));
      }, 0),
  };
}

/** Glyphs by code point, from the first subtable of format 12. */
function readGlyphs(file: Buffer, cmap: number): ReadonlyMap<number, number> {
  const glyphs = new Map<number, number>();
  for (let i = 0; i < file.readUInt16BE(cmap + 2); i += 1) {
    const at = cmap + file.readUInt32BE(cmap + 4 + 8 * i + 4);
    if (file.readUInt16BE(at) !== 12) continue;
    for (let group = 0; group < file.readUInt32BE(at + 12); group += 1) {
      const [start, end, first] = [0, 4, 8].map((offset) => file.readUInt32BE(at + 16 + 12 * group + offset));
      if (start === undefined || end === undefined || first === undefined) continue;
      for (let code = start; code <= end; code += 1) glyphs.set(code, first + code - start);
    }
    return glyphs;
  }
  throw new Error('The font has no characters that we can read');
}

const segmenter = new Intl.Segmenter();

/** A text no wider than `width` pixels at a size, cut between graphemes. */
export function cutText(text: string, width: number, size: number, font: Font): string {
  if (font.width(text, size) <= width) return text;
  let fitting = '';
  for (const { segment } of segmenter.segment(text)) {
    if (font.width(`${fitting}${segment}…`, size) > width) break;
    fitting += segment;
  }
  return `${fitting}…`;
}
