import { expect, test } from '#jest';
import { holdersOf, unmistakableName } from '../../../src/api/people/logins.ts';
import type { User } from '../../../src/model/issue.ts';
import { bob, carl, renamedPeople, robert } from '../../support/renamed-people.ts';

test.each<[string, readonly User[]]>([
  ['bob', [robert, bob]],
  ['BOB', [robert, bob]],
  ['robert', [robert]],
  ['Robert', [robert]],
  ['JIRAUSER99999', [bob]],
  ['jirauser99999', [bob]],
  ['carl', [carl]],
  ['Carl', [carl]],
  ['Bob New', []],
  ['zed', []],
])('%s can mean exactly those who are called so', (name, holders) => {
  expect(holdersOf(name, renamedPeople)).toEqual(holders);
});

test('who is spelled exactly so is meant, not who is spelled otherwise', () => {
  const users = new Map<string, User>([
    ['J1', { id: 'J1', login: 'kim', name: 'Kim' }],
    ['J2', { id: 'J2', login: 'Kim', name: 'Kim' }],
  ]);
  const ids = (name: string) => holdersOf(name, users).map(({ id }) => id);
  expect([ids('kim'), ids('Kim'), ids('KIM')]).toEqual([['J1'], ['J2'], ['J1', 'J2']]);
});

test('somebody is called by what can mean nobody else: the login, else the id, else nothing', () => {
  const names = [...renamedPeople.values()].map((user) => unmistakableName(user, renamedPeople));
  expect(names).toEqual(['robert', 'JIRAUSER99999', 'ada', 'carl']);
  const old = { id: 'bob', name: 'Robert Old' };
  expect(unmistakableName(old, new Map([...renamedPeople, ['bob', old]]))).toBeNull();
});
