import { describe, expect, test } from '#jest';
import { aWorld, issueWith } from './a-world.ts';
import { found, refusal } from './ask.ts';

const world = aWorld({ issues: [issueWith('A-1'), issueWith('A-2')] });
const nested = (levels: number) => `${'('.repeat(levels)}key = A-1${')'.repeat(levels)}`;
const negated = (levels: number) => `${'not '.repeat(levels)}key = A-1`;

describe('the length of a query', () => {
  const filled = (length: number) =>
    `summary ~ absent or ${'key = A-1 or '.repeat(1_000)}`
      .slice(0, length - 9)
      .replace(/ or[^r]*$/, ' or key = A-1')
      .padEnd(length);

  test('may be 10,000 characters', () => {
    expect(found(filled(10_000), world)).toEqual(['A-1']);
  });

  test('may not be more', () => {
    expect(refusal(filled(10_001), world)).toBe(
      'customjql: the query has 10001 characters. Try: at most 10000 characters.',
    );
  });
});

describe('brackets and negations', () => {
  test('may nest 100 levels', () => {
    expect(found(nested(100), world)).toEqual(['A-1']);
    expect(found(negated(100), world)).toEqual(['A-1']);
    expect(found(`${'not ('.repeat(50)}key = A-1${')'.repeat(50)}`, world)).toEqual(['A-1']);
  });

  test('may not nest more', () => {
    expect(refusal(nested(101), world)).toBe(
      "customjql: '(' at position 100 nests deeper than allowed. Try: at most 100 levels of brackets and NOTs.",
    );
    expect(refusal(negated(101), world)).toContain("'not' at position 400 nests deeper than allowed");
    expect(refusal(`${'!'.repeat(9_000)}key = A-1`, world)).toContain('nests deeper than allowed');
    expect(refusal(`key in ${'('.repeat(101)}A-1${')'.repeat(101)}`, world)).toContain(
      'nests deeper than allowed',
    );
    expect(refusal('('.repeat(9_999), world)).toContain('nests deeper than allowed');
    expect(refusal('not('.repeat(2_000), world)).toContain('nests deeper than allowed');
    expect(refusal('(key = A-1 or '.repeat(700), world)).toContain('nests deeper than allowed');
  });

  test('count only while they are open, and only outside quotation marks', () => {
    expect(found(Array(150).fill('(not key = A-1)').join(' and '), world)).toEqual(['A-2']);
    expect(found(Array(150).fill('not key = A-1').join(' and '), world)).toEqual(['A-2']);
    expect(found(`${Array(150).fill('key not in (A-2)').join(' and ')}`, world)).toEqual(['A-1']);
    expect(found(`labels in ("${'('.repeat(200)}", '${"(\\'".repeat(200)}') or key = A-1`, world)).toEqual([
      'A-1',
    ]);
  });
});

describe('a list', () => {
  const list = (count: number) => `labels in (${Array(count).fill('a').join(',')}) or key = A-1`;

  test('may have 1,000 values', () => {
    expect(found(list(1_000), world)).toEqual(['A-1']);
  });

  test('may not have more', () => {
    expect(refusal(list(1_001), world)).toBe(
      'customjql: the list at position 10 has 1001 values. Try: at most 1000 values.',
    );
    expect(
      refusal(`labels in ((${Array(600).fill('a').join(',')}), (${Array(600).fill('a').join(',')}))`, world),
    ).toContain('has 1200 values');
  });
});

test('hostile texts are refused as mistakes, none fails otherwise', () => {
  const texts = [
    '"',
    "'",
    '\\',
    '(',
    ')',
    ',',
    '[',
    ']',
    '\u0000',
    '\n',
    '😀',
    '{}',
    '=',
    '!',
    '~',
    '--',
    '\\u00',
    'not',
    'in',
    'was',
    'order by',
    '"\\',
  ];
  for (const text of texts) {
    for (const count of [1, 2, 50, 1_000]) {
      for (const jql of [
        text.repeat(count),
        `key ${text.repeat(count)}`,
        `key = ${text.repeat(count)}`,
        `key = A-1 ${text.repeat(count)}`,
      ]) {
        // Space around a query, and negations of it, are no mistakes.
        if (jql.trim() === '' || jql.trim() === 'key = A-1') continue;
        expect(refusal(jql, world)).toMatch(/^customjql: /);
      }
    }
  }
});

test('values that are called like members of every object are just unknown', () => {
  for (const word of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    expect(refusal(`${word} = 1`, world)).toContain('is not a field that is known here');
    expect(refusal(`status = ${word}`, world)).toContain('is not a value of status');
    expect(refusal(`statusCategory = ${word}`, world)).toContain('is not a status category');
    expect(refusal(`created > ${word}()`, world)).toContain('is not a function that is supported');
    expect(refusal(`created > startOfDay("1${word}")`, world)).toContain('does not move a date');
  }
});
