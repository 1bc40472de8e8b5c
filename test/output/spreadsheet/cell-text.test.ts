import fc from 'fast-check';
import { expect, test } from '#jest';
import { cellText } from '../../../src/output/spreadsheet/cell-text.ts';
import { runs } from '../../support/soak.ts';

const MOST = 32_767;

test('a text that fits stays as it is, to the last character', () => {
  const text = 'x'.repeat(MOST);
  expect(cellText(text)).toBe(text);
  expect(cellText(`${text}x`)).toBe(`${'x'.repeat(MOST - 1)}…`);
});

test.each(['𝒳', '👩‍👩‍👧', 'e\u0301\u0323'])('%s is never cut in two', (character) => {
  for (let shift = 0; shift < character.length; shift += 1) {
    const cut = cellText('x'.repeat(shift) + character.repeat(MOST));
    expect(cut.length).toBeLessThanOrEqual(MOST);
    expect(cut.length).toBeGreaterThan(MOST - 1 - character.length);
    expect(cut.slice(shift, -1).replaceAll(character, '')).toBe('');
  }
});

test('a character of thousands of marks is cut between them', () => {
  expect(cellText(`a${'\u0301'.repeat(40_000)}`)).toHaveLength(MOST);
});

test('whatever is given, the result is well-formed and fits', () => {
  const long = fc.string({ unit: 'binary', minLength: 0, maxLength: 40 }).map((text) => text.repeat(2000));
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), long), (text) => {
      const told = cellText(text);
      expect(told.isWellFormed()).toBe(true);
      expect(told.length).toBeLessThanOrEqual(MOST);
      if (text.length <= MOST) expect(told).toBe(text.toWellFormed());
    }),
    { seed: 20260318, numRuns: runs(200) },
  );
});

test('halves of characters become the replacement character', () => {
  expect(cellText('a\ud800b\udc00')).toBe('a\ufffdb\ufffd');
});
