import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { editDistance } from '../../src/questions/parse/names-meant.ts';
import { commands } from '../../src/slack/commands/index.ts';
import { nearWord } from '../../src/slack/near-word.ts';
import { runs } from '../support/soak.ts';

describe('a word of /delegates that is misspelt', () => {
  test.each([
    ['mien', 'mine'],
    ['MNIE', 'mine'],
    ['weke', 'week'],
    ['weeks', 'week'],
    ['wk', 'week'],
    ['sett', 'set'],
    ['edn', 'end'],
    ['hepl', 'help'],
    ['lnik', 'link'],
  ])('%s', (typed, word) => {
    expect(nearWord(typed, '/delegates', commands)).toBe(word);
  });

  test.each(['ada', 'zed', 'fred', 'carl', '', 'x'.repeat(500)])('is not every name: %s', (typed) => {
    expect(nearWord(typed, '/delegates', commands)).toBeNull();
  });
});

test('the distance of words counts letters put in, left out, replaced and swapped', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
  fc.assert(
    fc.property(word, word, fc.nat(6), (one, other, at) => {
      expect(editDistance(one, one)).toBe(0);
      expect(editDistance(one, other)).toBe(editDistance(other, one));
      expect(editDistance(one, '')).toBe(one.length);
      expect(editDistance(one, `${one.slice(0, at)}x${one.slice(at)}`)).toBe(1);
      const swapped = `${one.slice(0, at)}yx${one.slice(at)}`;
      expect(editDistance(`${one.slice(0, at)}xy${one.slice(at)}`, swapped)).toBe(1);
    }),
    { numRuns: runs(100) },
  );
});
