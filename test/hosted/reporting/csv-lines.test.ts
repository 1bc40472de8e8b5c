import fc from 'fast-check';
import { expect, test } from '#jest';
import { csvLines } from '../../../src/hosted/reporting/csv-lines.ts';

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

test('lines that were written are read back, whatever the cells hold and however lines end', () => {
  const lines = fc.array(fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 4 }));
  fc.assert(
    fc.property(lines, fc.constantFrom('\r\n', '\n'), fc.boolean(), (written, end, mark) => {
      const text = written.map((cells) => `${cells.map(quoted).join(',')}${end}`).join('');
      expect(csvLines(`${mark ? '\uFEFF' : ''}${text}`)).toEqual(written);
    }),
  );
});

test.each([
  [
    'Key,Doing\r\nWEB-1,3.5',
    [
      ['Key', 'Doing'],
      ['WEB-1', '3.5'],
    ],
  ],
  [
    'a,"b, ""c"""\n\n,',
    [
      ['a', 'b, "c"'],
      ['', ''],
    ],
  ],
  ['', []],
])('%p is understood', (text, lines) => {
  expect(csvLines(text)).toEqual(lines);
});

test.each(['a,"b', 'a,b"c', '"a"b'])('%p is no CSV', (text) => {
  expect(csvLines(text)).toBeNull();
});
