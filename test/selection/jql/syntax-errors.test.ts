import { expect, test } from '#jest';
import { aWorld, issueWith } from './a-world.ts';
import { found, refusal } from './ask.ts';

const world = aWorld({ issues: [issueWith('A-1', { summary: 'don\'t "panic" A\n' })] });

test.each([
  [
    'key = ',
    'customjql: expected EMPTY or a value at position 6 (line 1, column 7), but the query ends there.',
  ],
  [
    'key A-1',
    "customjql: expected '<', '>', '>=', '<=', '=', '!=', '~', '!~', IN, IS, NOT, WAS or CHANGED at position 4 (line 1, column 5), but found 'A-1'.",
  ],
  [
    'key = A-1 A-2',
    "customjql: expected AND, OR, the end of the query or ORDER BY at position 10 (line 1, column 11), but found 'A-2'.",
  ],
  [
    'key = A-1 and',
    "customjql: expected '(', '!', NOT or a field at position 13 (line 1, column 14), but the query ends there.",
  ],
  [
    'key = A-1\nand key = = A-1',
    "customjql: expected EMPTY or a value at position 20 (line 2, column 11), but found '='.",
  ],
  [
    'summary ~ "😀" )',
    "customjql: expected AND, OR, the end of the query or ORDER BY at position 14 (line 1, column 15), but found ')'.",
  ],
  [
    'key = "A-1',
    "customjql: expected EMPTY or a value at position 6 (line 1, column 7), but found '\"A-1', a quotation mark that is not closed.",
  ],
  [
    'key = order',
    "customjql: expected EMPTY or a value at position 6 (line 1, column 7), but found 'order', a reserved word: as a name or a value it needs quotation marks.",
  ],
  [
    'key in (A-1',
    "customjql: expected ')' or ',' at position 11 (line 1, column 12), but the query ends there.",
  ],
  [
    'key was',
    'customjql: expected the rest of the clause at position 7 (line 1, column 8), but the query ends there.',
  ],
  ['key is A-1', "customjql: expected EMPTY at position 7 (line 1, column 8), but found 'A-1'."],
])('%j is refused with the place of the mistake', (jql, words) => {
  expect(refusal(jql, world)).toBe(words);
});

test('a refusal names the parameter it is told', () => {
  expect(refusal('key = A-2', world, 'jql')).toBe(
    "jql: 'A-2' at position 6 is not an issue that is known here. Try: the key of an issue.",
  );
});

test.each([
  ['summary ~ "don\'t"'],
  ["summary ~ 'don\\'t'"],
  ['summary ~ "\\"panic\\""'],
  ['summary ~ "\\u0041"'],
  ['summary ~ \\u0041'],
  ['summar\\u0079 ~ A'],
  ['"summary" ~ A'],
])('quotes and escapes are undone: %s', (jql) => {
  expect(found(jql, world)).toEqual(['A-1']);
});
