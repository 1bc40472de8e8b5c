import { describe, expect, test } from '#jest';
import { codeText } from '../../src/block-kit/code-text.ts';
import type { User } from '../../src/model/issue.ts';
import { readQuestion } from '../../src/slack/delegations/read-question.ts';
import { splitPerson } from '../../src/slack/delegations/split-person.ts';
import { typedDayText } from '../../src/time/day-text.ts';

const categories = [
  { id: 1, name: 'Expense', description: '' },
  { id: 2, name: 'Work on call', description: '' },
  { id: 3, name: 'Straße', description: '' },
];
const today = Date.parse('2026-11-21T00:00:00Z');

const read = (text: string) => {
  const answer = readQuestion(text, { categories, today, beginning: '/delegates @ada' });
  if ('refusal' in answer) return answer.refusal.text;
  const { category, day } = answer.question;
  return [category?.name ?? null, day && typedDayText(day)];
};

describe('category and day', () => {
  test.each<[string, unknown]>([
    ['', [null, null]],
    ['expense', ['Expense', null]],
    ['GENERAL', ['general', null]],
    ['straße', ['Straße', null]],
    ['on friday', [null, 'Friday 27 November 2026']],
    ['Expense ON next friday', ['Expense', 'Friday 27 November 2026']],
    ['work on call', ['Work on call', null]],
    ['work on call on 24 dec 14:00', ['Work on call', 'Thursday 24 December 2026 at 14:00']],
  ])('%s', (text, asked) => {
    expect(read(text)).toEqual(asked);
  });

  test('an unknown category is refused with those there are', () => {
    expect(read('travel')).toBe(
      'There is no category `travel`. Try: `general`, `Expense`, `Work on call`, `Straße`, or none for all of them.',
    );
  });

  test('a day that cannot be read is refused with what is allowed', () => {
    expect(read('expense on blursday')).toMatch(
      /^I cannot read `blursday` as a day\. Try: `today`, `tomorrow`, /,
    );
  });

  test('a day without its word is asked about, not guessed', () => {
    expect(read('travel friday')).toMatch(/^There is no category `travel friday`\. Try: `general`/);
    expect(read('friday')).toBe('There is no category `friday`. Did you mean `/delegates @ada on friday`?');
  });

  test('what was typed is repeated escaped, and not at length', () => {
    expect(read('<!channel> `x`')).toContain('There is no category `&lt;!channel&gt; x`.');
    expect(read('x'.repeat(400)).length).toBeLessThan(200);
    expect(codeText('two\n  lines\r\n`and` a tab\t')).toBe('`two lines and a tab`');
  });
});

describe('who is meant', () => {
  const user = (id: string, name: string): [string, User] => [id, { id, name }];
  const users = new Map([
    user('ada', 'Ada'),
    user('q7', 'Ada Quist'),
    user('Bob', 'Bob'),
    user('bob', 'Bobby'),
  ]);
  test.each([
    ['<@U0BOB|bob> expense', { account: 'U0BOB' }, 'expense'],
    ['<@U0BOB>', { account: 'U0BOB' }, ''],
    ['ada expense on friday', { name: 'ada' }, 'expense on friday'],
    ['@ada', { name: 'ada' }, ''],
    ['Ada Quist expense', { name: 'Ada Quist' }, 'expense'],
    ['“Ada  Quist” on friday', { name: 'Ada Quist' }, 'on friday'],
    ['zed on friday', { name: 'zed' }, 'on friday'],
    ['<mailto:ada@example.com|ada@example.com> expense', { name: 'ada@example.com' }, 'expense'],
    ['<http://jane.doe|jane.doe>', { name: 'jane.doe' }, ''],
    ['ada <http://ops.team|ops.team> on friday', { name: 'ada' }, 'ops.team on friday'],
    ['ada <https://example.com/x>', { name: 'ada' }, 'https://example.com/x'],
  ])('%s', (text, person, rest) => {
    expect(splitPerson(text, users)).toEqual({ person, rest });
  });

  test('nobody is meant by an empty line', () => {
    expect(splitPerson('', users)).toBeNull();
    expect(splitPerson('@', users)).toBeNull();
  });
});
