import { expect, test } from '@jest/globals';
import { automation, people, users } from '../../../src/tracker/sample/people.ts';

test('everybody has an address of their own, by which Slack knows them; the automation has none', () => {
  const addresses = users.flatMap(({ email }) => email ?? []);
  expect(addresses.length).toBe(people.length);
  expect(new Set(addresses.map((one) => one.toLowerCase())).size).toBe(people.length);
  expect(users.find(({ id }) => id === 'ada')?.email).toBe('ada@example.com');
  expect(users.find(({ id }) => id === 'bob')?.email).toBe('bob@example.com');
  expect(users.find(({ id }) => id === automation.id)).not.toHaveProperty('email');
});

test('ada, and nobody else, is an admin', () => {
  expect(users.filter(({ admin }) => admin).map(({ id }) => id)).toEqual(['ada']);
});
