import fc from 'fast-check';
import { expect, test } from '#jest';
import { isFormulaLike } from '../../../src/output/spreadsheet/formula-like.ts';

test.each([
  "=cmd|' /C calc'!A0",
  '+1',
  '+49 30 1234',
  '-2+3',
  '-',
  '-5.5',
  '- item',
  '@SUM(A1)',
  '＝1+1',
  '＋1',
  '－1+1',
  '＠x',
  ' =1',
  '\u00a0=1',
  '\u200b=1',
  '\ufeff=1',
  '\u0000=1',
  '\t',
  '\rx',
  '\nx',
  '\t\n =1',
])('%j is told from a harmless text', (text) => {
  expect(isFormulaLike(text)).toBe(text !== '-' && text !== '-5.5');
});

test.each([
  '',
  ' ',
  'WEB-1',
  'a=b',
  '1=1',
  '5',
  '-0',
  '-12.25',
  ' -',
  '(=1)',
  "'=1",
  '"=1"',
  '#=1',
  '–1',
  'é=',
])('%j is no formula', (text) => {
  expect(isFormulaLike(text)).toBe(false);
});

test('whatever stands behind the sign and whatever blanks before it, it is a formula', () => {
  const blanks = fc.string({ unit: fc.constantFrom(' ', '\u00a0', '\u3000', '\u200b', '\u0001', '\ufeff') });
  const sign = fc.constantFrom('=', '+', '@', '＝', '＋', '－', '＠');
  fc.assert(
    fc.property(blanks, sign, fc.string(), (before, first, rest) => {
      expect(isFormulaLike(before + first + rest)).toBe(true);
    }),
    { seed: 20260318 },
  );
});
