import { expect, test } from '#jest';
import { absencesAt } from '../../src/delegation/chain.ts';
import { aDelegation, delegationsOf } from '../support/a-delegation.ts';

const at = Date.parse('2026-03-04T12:00Z');
const everyone = { isKnown: (person: string) => person !== 'ghost', isVisible: null };
const EXPENSE = 7;

/** Who covers for a person, by category, as `general: ada · 7: carl`. */
function coverOf(
  person: string,
  told: Parameters<typeof delegationsOf>[0],
  options = everyone,
): string | null {
  const found = absencesAt(delegationsOf(told), at, options).find((one) => one.person === person);
  if (found === undefined) return null;
  return found.covers
    .map(({ categoryId, delegates }) => `${categoryId ?? 'general'}: ${delegates?.join(' and ') ?? '?'}`)
    .join(' · ');
}

test.each([
  ['whoever delegated all work is away', [aDelegation('bob').to('carl')], 'general: carl'],
  ['one who delegated a category is here', [aDelegation('bob').to('carl').in(EXPENSE)], null],
  ['what is over or inactive counts no more', [aDelegation('bob').to('carl').inactive()], null],
  [
    'a category has its own cover',
    [aDelegation('bob').to('carl'), aDelegation('bob').to('dora').in(EXPENSE)],
    'general: carl · 7: carl and dora',
  ],
  [
    'a category that the same people cover is not named',
    [aDelegation('bob').to('carl'), aDelegation('bob').to('carl').in(EXPENSE)],
    'general: carl',
  ],
  [
    'a delegate who is away is stood in for, in a category as well',
    [aDelegation('bob').to('carl'), aDelegation('bob').to('carl').in(EXPENSE), aDelegation('carl').to('ada')],
    'general: ada',
  ],
  ['a circle covers no one', [aDelegation('bob').to('carl'), aDelegation('carl').to('bob')], ''],
  ['an unknown person does not cover', [aDelegation('bob').to('ghost', 'carl')], 'general: carl'],
])('%s', (_, told, cover) => {
  expect(coverOf('bob', told)).toBe(cover);
});

test('an absence ends with the last delegation of all work', () => {
  const told = [
    aDelegation('bob').to('carl').until('2026-03-05T00:00Z'),
    aDelegation('bob').to('dora').in(EXPENSE).until('2026-03-09T00:00Z'),
  ];
  const [found] = absencesAt(delegationsOf(told), at, everyone);
  expect(found?.until).toBe(Date.parse('2026-03-05T00:00Z'));
});

test('to a reader who sees only their own, who covers for a delegate is unknown', () => {
  const told = [aDelegation('bob').to('carl'), aDelegation('carl').to('ada')];
  const isVisible = ({ delegator, delegates }: { delegator: string; delegates: readonly string[] }) =>
    delegator === 'bob' || delegates.includes('bob');
  expect(coverOf('bob', told, { ...everyone, isVisible: isVisible as never })).toBe('general: ?');
  expect(coverOf('carl', told, { ...everyone, isVisible: isVisible as never })).toBeNull();
});
