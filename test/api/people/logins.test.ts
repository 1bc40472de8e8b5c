import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { holdersOf, knownLogins, unmistakableName } from '../../../src/api/people/logins.ts';
import type { User } from '../../../src/model/issue.ts';
import { bob, carl, renamedPeople, robert } from '../../support/renamed-people.ts';

function loginsOf(...people: readonly (readonly [id: string, login?: string | undefined])[]) {
  const users = people.map(([id, login]): [string, User] => [
    id,
    { id, name: id.toUpperCase(), ...(login === undefined ? {} : { login }) },
  ]);
  return knownLogins(new Map(users));
}

describe('somebody with a key and a login', () => {
  const { idNamed, nameOf, idOfHolder } = loginsOf(
    ['ada'],
    ['JIRAUSER10002', 'bob'],
    ['JIRAUSER10003', 'Carl'],
  );

  test.each([
    ['bob', 'JIRAUSER10002'],
    ['BOB', 'JIRAUSER10002'],
    ['JIRAUSER10002', 'JIRAUSER10002'],
    ['jirauser10002', 'JIRAUSER10002'],
    ['carl', 'JIRAUSER10003'],
    ['ada', 'ada'],
    ['Ada', 'ada'],
    ['zed', 'zed'],
  ])('is found as %s: %s', (name, id) => {
    expect(idNamed(name)).toBe(id);
  });

  test('is called by the login, others by the id, and who is unknown as they were', () => {
    expect(['JIRAUSER10002', 'JIRAUSER10003', 'ada', 'zed'].map(nameOf)).toEqual([
      'bob',
      'Carl',
      'ada',
      'zed',
    ]);
  });

  test('holds the tokens for exactly the login or the id', () => {
    const holders = ['bob', 'JIRAUSER10002', 'ada', 'BOB', 'carl', 'zed'];
    expect(holders.map(idOfHolder)).toEqual(['JIRAUSER10002', 'JIRAUSER10002', 'ada', 'BOB', 'carl', 'zed']);
  });
});

describe('a login that is the id of another person, who was called so before', () => {
  const { idNamed, nameOf, idOfHolder } = loginsOf(['bob', 'robert'], ['JIRAUSER10500', 'bob']);

  test('names whom the tracker calls so today', () => {
    expect(['bob', 'BOB', 'robert', 'JIRAUSER10500'].map(idNamed)).toEqual([
      'JIRAUSER10500',
      'JIRAUSER10500',
      'bob',
      'JIRAUSER10500',
    ]);
    expect(['bob', 'JIRAUSER10500'].map(nameOf)).toEqual(['robert', 'bob']);
  });

  test('leaves a token with the person of the id', () => {
    expect(['bob', 'robert', 'JIRAUSER10500'].map(idOfHolder)).toEqual(['bob', 'bob', 'JIRAUSER10500']);
  });
});

describe('a login that several have', () => {
  const { idNamed, nameOf, idOfHolder } = loginsOf(['J1', 'bob'], ['J2', 'bob'], ['J3', 'bob']);

  test('names nobody, and nobody is called by it', () => {
    expect([idNamed('bob'), idNamed('Bob'), idOfHolder('bob')]).toEqual(['bob', 'Bob', 'bob']);
    expect(['J1', 'J2', 'J3'].map(nameOf)).toEqual(['J1', 'J2', 'J3']);
  });
});

test('logins that differ in case alone are told apart, and another spelling is nobody', () => {
  const { idNamed } = loginsOf(['J1', 'bob'], ['J2', 'Bob']);
  expect(['bob', 'Bob', 'BOB'].map(idNamed)).toEqual(['J1', 'J2', 'BOB']);
});

test('what somebody is called leads back to them, unless they have no login and another person has theirs', () => {
  const word = fc.constantFrom('a', 'A', 'b', 'B', 'c', 'd');
  const people = fc.uniqueArray(fc.tuple(word, fc.option(word, { nil: undefined })), {
    selector: ([id]) => id,
  });
  fc.assert(
    fc.property(people, (told) => {
      const { idNamed, nameOf } = loginsOf(...told);
      const called = told.map(([id]) => nameOf(id));
      for (const [i, [id]] of told.entries()) {
        const isTaken = called.indexOf(called[i] ?? '') !== called.lastIndexOf(called[i] ?? '');
        if (!isTaken) expect(idNamed(nameOf(id))).toBe(id);
      }
    }),
  );
});

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
