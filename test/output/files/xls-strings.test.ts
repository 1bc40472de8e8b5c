import fc from 'fast-check';
import { expect, test } from '#jest';
import { createStringRecords } from '../../../src/output/spreadsheet/xls-records.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { runs } from '../../support/soak.ts';
import { aSheet, readBook, recordsIn, type StoredRecord, valuesOf, xlsOf } from './read-xls.ts';
import { bookOf } from './written.ts';

const MAX_BODY = 8224;

/** One character of each kind: stored in one byte, in two, in two halves; read from right to left. */
const alphabets = ['a', 'ÿ', 'ж', '🦋', 'ש', 'a🦋', '🦋é🦋🦋'];

/** Mostly lengths at which a record ends, or a character is parted by its end. */
const length = fc.oneof(
  fc.nat(20),
  fc.nat(40_000),
  fc
    .constantFrom(4100, 8200, 8224 * 2, 8224 * 4)
    .chain((edge) => fc.integer({ min: edge - 30, max: edge + 30 })),
);

const repeated = fc
  .tuple(fc.constantFrom(...alphabets), length, fc.string({ unit: 'grapheme', maxLength: 5 }))
  .map(([characters, units, end]) => `${characters.repeat(units / characters.length)}${end}`);

const anyText = fc.oneof(repeated, fc.string({ unit: 'grapheme' }), fc.string({ unit: anyCharacter }));

function stored(texts: readonly string[]): StoredRecord[] {
  const records = createStringRecords();
  const bytes: Uint8Array[] = [];
  for (const [at, text] of texts.entries()) {
    records.append(text);
    if (at % 2 === 0) continue;
    bytes.push(Buffer.from(records.complete()));
    records.forget();
  }
  records.finish();
  return recordsIn(Buffer.concat([...bytes, records.complete()]));
}

/** Reads so many texts by the rules of [MS-XLS] 2.5.293, each piece of a text on its own. */
function decoded(records: readonly StoredRecord[], count: number): string[] {
  const bodies = records.map(({ bytes }) => bytes);
  let body = bodies.shift()?.subarray(8) ?? Buffer.alloc(0);
  const next = () => {
    body = bodies.shift() ?? Buffer.alloc(0);
  };
  const texts = Array.from({ length: count }, () => {
    if (body.length === 0) next();
    const length = body.readUInt16LE(0);
    let wide = body[2] === 1;
    body = body.subarray(3);
    let text = '';
    while (text.length < length) {
      if (body.length === 0) {
        next();
        wide = body[0] === 1;
        body = body.subarray(1);
      }
      const piece = body.subarray(0, (length - text.length) * (wide ? 2 : 1));
      text += wide
        ? new TextDecoder('utf-16le', { fatal: true, ignoreBOM: true }).decode(piece)
        : piece.toString('latin1');
      body = body.subarray(piece.length);
    }
    return text;
  });
  expect(body).toHaveLength(0);
  expect(bodies).toHaveLength(0);
  return texts;
}

test('texts of any kind and length are read back from records none of which is too long', () => {
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 12 }), (texts) => {
      const records = stored(texts);
      expect(records.map(({ name }) => name)).toEqual(
        records.map((_, at) => (at === 0 ? 'SST' : 'CONTINUE')),
      );
      expect(Math.max(...records.map(({ bytes }) => bytes.length))).toBeLessThanOrEqual(MAX_BODY);
      expect(decoded(records, texts.length)).toEqual(texts);
    }),
    { seed: 20260318, numRuns: runs(200) },
  );
});

test.each(alphabets)('a text of %p may begin at every place near the end of a record', (characters) => {
  for (let before = MAX_BODY - 40; before < MAX_BODY; before++) {
    const texts = ['x'.repeat(before), characters.repeat(9), '', 'end'];
    expect(decoded(stored(texts), texts.length)).toEqual(texts);
  }
});

test('only what needs two bytes a character takes them', () => {
  const bytes = (text: string) => stored([text])[0]?.bytes.length;
  expect([bytes(''), bytes('größer'), bytes('großer ☃')]).toEqual([11, 17, 27]);
});

test('a file with texts of any kind and length is read back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyText, { minLength: 1, maxLength: 6 }), async (texts) => {
      const file = await xlsOf(
        bookOf(
          aSheet(
            'List',
            { Text: 'text' },
            texts.map((text) => [text]),
          ),
        ),
      );
      const told = texts.map((text) => (text.length > 32_767 ? text.slice(0, 32_700) : text));
      const read = valuesOf(readBook(file).Sheets.List).slice(1);
      expect(read.map(([text], at) => String(text).slice(0, told[at]?.length))).toEqual(told);
    }),
    { seed: 20260318, numRuns: runs(40) },
  );
});
