import { expect, test } from '#jest';
import { findPeople } from '../../src/cli/find-people.ts';
import type { User } from '../../src/model/issue.ts';

const people = (count: number): ReadonlyMap<string, User> =>
  new Map(
    Array.from({ length: count }, (_, i) => {
      const id = `JIRAUSER${100 + i}`;
      return [id, { id, name: `Kim ${String(i).padStart(2, '0')}`, login: `kim${i}` }];
    }),
  );

test('tells id, name, login and address in columns', () => {
  const users = new Map<string, User>([
    ['JIRAUSER7', { id: 'JIRAUSER7', name: 'Ada Fenn', login: 'ada', email: 'ada@example.com' }],
    ['b', { id: 'b', name: 'Bo' }],
  ]);
  expect(findPeople('a', users)).toEqual(['JIRAUSER7  Ada Fenn  ada  ada@example.com']);
  expect(findPeople('B', users)).toEqual(['b  Bo']);
});

test('tells at most 20, and how many there are beside them', () => {
  const lines = findPeople('kim', people(23));
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe('… and 3 more: say more of the name.');
  expect(findPeople('kim', people(20))).toHaveLength(20);
});
