import { expect, test } from '#jest';
import { company } from '../../../src/trackers/sample/company.ts';
import { doneIds, sampleOf } from './sample-of.ts';

const { people, users } = company;

test('everybody has an address of their own, by which Slack knows them; the automation has none', () => {
  const addresses = users.flatMap(({ email }) => email ?? []);
  expect(addresses.length).toBe(people.length);
  expect(new Set(addresses.map((one) => one.toLowerCase())).size).toBe(people.length);
  expect(users.find(({ id }) => id === 'ada')?.email).toBe('ada@example.com');
  expect(users.find(({ id }) => id === 'bob')?.email).toBe('bob@example.com');
  expect(users.find(({ id }) => id === 'automation')).not.toHaveProperty('email');
});

test('ada, and nobody else, is an admin', () => {
  expect(users.filter(({ admin }) => admin).map(({ id }) => id)).toEqual(['ada']);
});

test.each(['2026-01-01', '2026-05-26', '2026-11-18', '2027-02-10'])(
  'on %s something waits on ada, as whom everybody begins',
  (date) => {
    const sample = sampleOf(date);
    const done = doneIds();
    const open = sample.issues.filter(({ status }) => !done.has(status.id));
    expect(open.filter(({ assignee }) => assignee?.id === 'ada').length).toBeGreaterThan(2);
  },
);
