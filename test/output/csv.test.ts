import fc from 'fast-check';
import { expect, test } from '#jest';
import { csvText } from '../../src/output/csv.ts';
import { isFormulaLike } from '../../src/output/spreadsheet/formula-like.ts';

test('lines end with CRLF, and only what needs quotes has them', () => {
  expect(
    csvText([
      ['Key', 'Summary'],
      ['WEB-1', 'a "b", c\nd'],
    ]),
  ).toBe('Key,Summary\r\nWEB-1,"a ""b"", c\nd"\r\n');
});

test.each(['=cmd|1', '+1', '-2+3', '@x', '\tx', '\rx', '\nx', ' =1', '＝1'])(
  'a spreadsheet does not run %j',
  (text) => {
    expect(csvText([[text]]).replaceAll('"', '')).toMatch(/^'/);
  },
);

test.each([
  ['x;=2+3', "x;'=2+3"],
  ['a\t=1+1', "a\t'=1+1"],
  ['two\n=1', "two\n'=1"],
  ['x; @me', "x;' @me"],
  ['a;b;-5;-', 'a;b;-5;-'],
  ['1+1=2', '1+1=2'],
])('neither does one that separates cells otherwise: %j', (text, cell) => {
  const told = csvText([[text]]);
  expect(told).toBe(/[;\t\n]/.test(text) ? `"${cell}"\r\n` : `${cell}\r\n`);
});

test('no part of a line is a formula, whatever separates cells', () => {
  const cell = fc
    .array(fc.constantFrom('=1', '+x', '-x', '@a', ' ', ';', '\t', '\n', 'word', '"', ','), { maxLength: 6 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 3 }), (cells) => {
      const [line = ''] = csvText([cells]).split(/\r\n$/);
      const parts = line.split(/[;\t\n]/).slice(1);
      expect(parts.filter((part) => isFormulaLike(part.replace(/"$/, '')))).toEqual([]);
    }),
  );
});

test('the sign for "never" and negative numbers stay as they are', () => {
  expect(csvText([['-', '-5.5', '-2']])).toBe('-,-5.5,-2\r\n');
});

test('whatever the cells hold, another reader finds them again', () => {
  const cell = fc
    .string({ unit: 'grapheme' })
    .filter((text) => !text.split(/[;\t\r\n]/).some((part) => isFormulaLike(part)));
  const lines = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 4 });
  fc.assert(fc.property(lines, (given) => expect(readCsv(csvText(given))).toEqual(given)));
});

/** A reader of RFC 4180 written from the other side. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    line.push(quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'));
    if (end === '\r\n') {
      lines.push(line);
      line = [];
    }
  }
  return lines;
}
