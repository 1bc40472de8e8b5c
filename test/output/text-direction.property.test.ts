import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { isolated, settled, shorten } from '../../src/output/readable-text.ts';

const hostile = fc
  .array(
    fc.constantFrom(
      '\u202A',
      '\u202B',
      '\u202C',
      '\u202D',
      '\u202E',
      '\u2066',
      '\u2067',
      '\u2068',
      '\u2069',
      'אב',
      'a',
      '1',
      '\n',
      '👩‍👩‍👧',
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

/** Whether each pair begins and ends within one line, and nothing else tells a direction. */
function isSettled(text: string): boolean {
  return text.split('\n').every((line) => {
    let depth = 0;
    for (const character of line) {
      if (/[\u202A-\u202E\u2066\u2067]/.test(character)) return false;
      if (character === '\u2068') depth += 1;
      if (character === '\u2069') depth -= 1;
      if (depth < 0) return false;
    }
    return depth === 0;
  });
}

describe('whatever a text holds', () => {
  test('settled, it turns nothing around, is never longer, and loses nothing that can be read', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = settled(text);
        expect(isSettled(shown)).toBe(true);
        expect(shown.length).toBeLessThanOrEqual(text.length);
        const readable = (one: string) => one.replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, '');
        expect(readable(shown)).toBe(readable(text));
      }),
    );
  });

  test('cut, its pairs are whole', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 20 }), (text, length) => {
        const cut = shorten(isolated(text), length);
        expect(isSettled(cut)).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(length);
      }),
    );
  });

  test('isolated twice is isolated once', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(isSettled(isolated(text))).toBe(true);
        expect(isolated(isolated(text))).toBe(isolated(text));
      }),
    );
  });
});

test('what runs from right to left is kept apart line by line, and nothing else is touched', () => {
  expect(isolated('בדיקה')).toBe('\u2068בדיקה\u2069');
  expect(isolated('مراجعة 2\nReview')).toBe('\u2068مراجعة 2\u2069\nReview');
  expect(isolated('In Review – naïve 日本 🙂')).toBe('In Review – naïve 日本 🙂');
  expect(isolated('Review\u202E gnitset')).toBe('Review gnitset');
});
