import { readdirSync } from 'node:fs';
import { read, utils } from '@e965/xlsx';
import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test } from '#jest';
import { fileFormats } from '../../../src/output/files/index.ts';
import { createXlsx, xlsx } from '../../../src/output/files/xlsx.ts';
import type { SheetColumn, SheetRow, Workbook } from '../../../src/output/workbook.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { runs } from '../../support/soak.ts';
import { bookOf, sheetOf, written } from './written.ts';

const columns: Readonly<Record<string, SheetColumn['kind']>> = {
  Key: 'text',
  Created: 'instant',
  Due: 'day',
  Hours: 'number',
};
const at = Date.parse('2026-03-29T01:30:00Z');

/** The parts of the file by name. */
async function partsOf(book: Workbook, maxRows = 1000): Promise<Record<string, string>> {
  const files = unzipSync(await written(createXlsx({ maxRows }), book));
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]));
}

async function sheetXmlOf(
  kinds: Readonly<Record<string, SheetColumn['kind']>>,
  ...rows: SheetRow[]
): Promise<string> {
  return (await partsOf(bookOf(sheetOf('list', kinds, rows))))['xl/worksheets/sheet1.xml'] ?? '';
}

/** The cells of a sheet: reference, style and type, and what stands in it. */
function cellsOf(xml: string): (readonly [string, string, string])[] {
  const found = xml.matchAll(/<c r="([A-Z]+\d+)"([^>]*)>(?:<v>|<is><t[^>]*>)([^<]*)/g);
  return [...found].map(([, cell = '', how = '', text = '']) => [cell, how.trim(), text] as const);
}

/** What a reader of ECMA-376 makes of a text. */
function unescaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
  return text
    .replaceAll(/&(\w+);/g, (_, name) => entities[name] ?? '')
    .replaceAll(/_x([0-9A-F]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

describe('the cells of an XLSX', () => {
  test('are inline texts, numbers, and dates as serial numbers; empty ones are left out', async () => {
    const xml = await sheetXmlOf(
      columns,
      ['WEB-1', at, '2026-02-28', 1.5],
      [null, null, null, null],
      ['WEB-2', 'unknown', 'soon', '-'],
    );
    expect(cellsOf(xml)).toEqual([
      ['A1', 's="1" t="inlineStr"', 'Key'],
      ['B1', 's="1" t="inlineStr"', 'Created'],
      ['C1', 's="1" t="inlineStr"', 'Due'],
      ['D1', 's="1" t="inlineStr"', 'Hours'],
      ['A2', 't="inlineStr"', 'WEB-1'],
      ['B2', 's="2"', String(46_110 + 3.5 / 24)],
      ['C2', 's="3"', '46081'],
      ['D2', '', '1.5'],
      ['A4', 't="inlineStr"', 'WEB-2'],
      ['B4', 't="inlineStr"', 'unknown'],
      ['C4', 't="inlineStr"', 'soon'],
      ['D4', 't="inlineStr"', '-'],
    ]);
  });

  test('that look like formulas are marked as text and unaltered', async () => {
    const xml = await sheetXmlOf({ '=1+1': 'text' }, ["=cmd|' /C calc'!A0"], ['-5']);
    expect(cellsOf(xml)).toEqual([
      ['A1', 's="5" t="inlineStr"', '=1+1'],
      ['A2', 's="4" t="inlineStr"', "=cmd|' /C calc'!A0"],
      ['A3', 't="inlineStr"', '-5'],
    ]);
    const styles = (await partsOf(bookOf()))['xl/styles.xml'] ?? '';
    const [, list = ''] = /<cellXfs[^>]*>(.*)<\/cellXfs>/.exec(styles) ?? [];
    const quoted = [...list.matchAll(/<xf [^>]*>/g)].flatMap(([one], i) =>
      /quotePrefix="1"/.test(one) ? [i] : [],
    );
    expect(quoted).toEqual([4, 5]);
  });

  test('keep blanks at their ends, and every character that XML cannot hold', async () => {
    const text = ' a\u0000\u0008\t\n\r\u000b\u001f\u007f\ufffe\uffff_x0041_ <b>&"\' ';
    const xml = await sheetXmlOf({ Text: 'text' }, [text], ['_x005F_x0041_'], ['in the middle']);
    expect(xml).toContain('<t xml:space="preserve"> a');
    expect(xml).toContain('<t>in the middle</t>');
    const [, one, two] = cellsOf(xml).map(([, , told]) => told);
    expect(one).toContain('_x0000__x0008_\t\n_x000D__x000B__x001F_');
    expect([one, two].map((told) => unescaped(told ?? ''))).toEqual([text, '_x005F_x0041_']);
  });

  test('hold whatever text there is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: anyCharacter }), { maxLength: 20 }), async (texts) => {
        const xml = await sheetXmlOf({ Text: 'text' }, ...texts.map((text) => [text]));
        expect(xml).not.toMatch(/[^\t\n -\uFFFD]/);
        const told = cellsOf(xml).map(([, , text]) => unescaped(text));
        expect(told).toEqual(['Text', ...texts.map((text) => text.toWellFormed())]);
      }),
      { seed: 20260318, numRuns: runs(100) },
    );
  });

  test('are never a number that is none', async () => {
    await expect(sheetXmlOf(columns, ['WEB-1', at, null, Number.NaN])).rejects.toThrow(
      "Column 'hours' holds NaN.",
    );
  });
});

describe('an XLSX', () => {
  test('has a frozen, bold row of titles with a filter over everything, and columns of sensible width', async () => {
    const parts = await partsOf(bookOf(sheetOf('list', columns, [['WEB-1', at, null, 1]])));
    const xml = parts['xl/worksheets/sheet1.xml'];
    expect(xml).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
    expect(xml).toContain('</sheetData><autoFilter ref="A1:D2"/></worksheet>');
    expect(xml).toContain('<col min="2" max="2" width="17" customWidth="1"/>');
    expect(xml).not.toContain('<dimension');
    expect(parts['xl/workbook.xml']).toContain(
      `<definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">'List'!$A$1:$D$2</definedName>`,
    );
    expect(parts['xl/styles.xml']).toContain('formatCode="yyyy-mm-dd hh:mm"');
    expect(parts['xl/styles.xml']).toContain('formatCode="dd\\.mm\\.yyyy"');
  });

  test('has a filter of its own on every sheet', async () => {
    const sheets = ['list', 'average', 'sum'].map((id) => sheetOf(id, columns, [['WEB-1', null, null, 1]]));
    const xml = (await partsOf(bookOf(...sheets)))['xl/workbook.xml'] ?? '';
    const scopes = [...xml.matchAll(/_FilterDatabase" localSheetId="(\d+)"[^>]*>([^<]+)/g)];
    expect(scopes.map(([, scope, range]) => [scope, range])).toEqual([
      ['0', "'List'!$A$1:$D$2"],
      ['1', "'Average'!$A$1:$D$2"],
      ['2', "'Sum'!$A$1:$D$2"],
    ]);
  });

  test('shows figures in a unit with two decimals, and keeps them whole', async () => {
    const sheet = sheetOf('list', { Hours: 'number', Visits: 'number' }, [[1.23456, 3]]);
    const columns = sheet.columns.map((one) => (one.title === 'Hours' ? { ...one, unit: 'hours' } : one));
    const book = read(await written(xlsx, bookOf({ ...sheet, columns })), { cellNF: true });
    expect(book.Sheets.List?.A2).toMatchObject({ v: 1.23456, z: '#,##0.00' });
    expect(book.Sheets.List?.B2).toMatchObject({ v: 3, z: 'General' });
  });

  test('tells its title and who made it, and no time', async () => {
    const parts = await partsOf({ ...bookOf(), title: 'R&D <1>\ud800' });
    expect(parts['docProps/core.xml']).toContain('<dc:title>R&amp;D &lt;1&gt;\ufffd</dc:title>');
    expect(parts['docProps/core.xml']).toContain('<dc:creator>Dwell</dc:creator>');
    expect(parts['docProps/core.xml']).not.toContain('created');
  });

  test('goes on in further sheets with the titles repeated, each with its own filter', async () => {
    const rows = Array.from({ length: 5 }, (_, i): SheetRow => [`WEB-${i}`]);
    const parts = await partsOf(bookOf(sheetOf("it's", { Key: 'text' }, rows), sheetOf('sum', {})), 3);
    const sheets = Object.keys(parts).filter((name) => name.startsWith('xl/worksheets/'));
    expect(
      sheets.map((name) => cellsOf(parts[name] ?? '').map(([cell, , text]) => `${cell} ${text}`)),
    ).toEqual([
      ['A1 Key', 'A2 WEB-0', 'A3 WEB-1'],
      ['A1 Key', 'A2 WEB-2', 'A3 WEB-3'],
      ['A1 Key', 'A2 WEB-4'],
      [],
    ]);
    const [names = [], ranges = []] = [/<sheet name="([^"]*)"/g, /hidden="1">([^<]*)</g].map((pattern) =>
      [...(parts['xl/workbook.xml'] ?? '').matchAll(pattern)].map(([, one]) => one),
    );
    expect(names).toEqual(["It's", "It's 2", "It's 3", 'Sum']);
    expect(ranges).toEqual(["'It''s'!$A$1:$A$3", "'It''s 2'!$A$1:$A$3", "'It''s 3'!$A$1:$A$2"]);
  });

  test('names every part it has, and has every part it names', async () => {
    const parts = await partsOf(bookOf(sheetOf('list', columns), sheetOf('sum', columns)));
    const typed = [...(parts['[Content_Types].xml'] ?? '').matchAll(/PartName="\/([^"]+)"/g)];
    const related = [
      ...[...(parts['_rels/.rels'] ?? '').matchAll(/Target="([^"]+)"/g)].map(([, to]) => to),
      ...[...(parts['xl/_rels/workbook.xml.rels'] ?? '').matchAll(/Target="([^"]+)"/g)].map(
        ([, to]) => `xl/${to}`,
      ),
    ];
    const own = Object.keys(parts).filter((name) => !/rels$|Content_Types/.test(name));
    expect(typed.map(([, name]) => name).sort()).toEqual(own.sort());
    expect(related.sort()).toEqual(own.sort());
  });

  test('has columns beyond Z', async () => {
    const many = Object.fromEntries(Array.from({ length: 703 }, (_, i) => [`C${i}`, 'number' as const]));
    const xml = await sheetXmlOf(
      many,
      Array.from({ length: 703 }, (_, i) => i),
    );
    const cells = cellsOf(xml).slice(703);
    expect([25, 26, 51, 52, 701, 702].map((i) => cells[i]?.[0])).toEqual([
      'Z2',
      'AA2',
      'AZ2',
      'BA2',
      'ZZ2',
      'AAA2',
    ]);
  });

  test('is read by another library as it was meant', async () => {
    const rows: SheetRow[] = [
      ['WEB-1', at, '2026-02-28', 1.5],
      ['שלום 👩‍👩‍👧 𝒳', null, null, 1e-7],
    ];
    const book = read(await written(xlsx, bookOf(sheetOf('list', columns, rows))), {
      cellDates: true,
      UTC: true,
    });
    expect(utils.sheet_to_json(book.Sheets.List ?? {}, { header: 1, UTC: true })).toEqual([
      ['Key', 'Created', 'Due', 'Hours'],
      ['WEB-1', new Date('2026-03-29T03:30:00Z'), new Date('2026-02-28T00:00:00Z'), 1.5],
      ['שלום 👩‍👩‍👧 𝒳', undefined, undefined, 1e-7],
    ]);
  });

  test('fails with the reason where a row cannot be had', async () => {
    const rows = (async function* (): AsyncGenerator<readonly SheetRow[]> {
      yield [['WEB-1', at, null, 1]];
      throw new Error('the list is gone');
    })();
    await expect(written(xlsx, bookOf({ ...sheetOf('list', columns), rows }))).rejects.toThrow(
      'the list is gone',
    );
  });
});

test('every format of the folder is in the list, and no kind is there twice', async () => {
  const folder = new URL('../../../src/output/files/', import.meta.url);
  const files = readdirSync(folder).filter((file) => file !== 'index.ts');
  const modules = await Promise.all(files.map((file) => import(new URL(file, folder).href)));
  const formats = modules.flatMap((each) => Object.values(each)).filter((each) => hasMediaType(each));
  expect(new Set(formats)).toEqual(new Set(fileFormats));
  expect(new Set(fileFormats.map(({ id }) => id)).size).toBe(fileFormats.length);
});

function hasMediaType(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'mediaType' in value;
}
