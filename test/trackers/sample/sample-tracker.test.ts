import { expect, test } from '#jest';
import { company } from '../../../src/trackers/sample/company.ts';
import { createSampleTracker } from '../../../src/trackers/sample/generate-sample.ts';
import type { TrackerEntry } from '../../../src/trackers/tracker.ts';
import { doneIds, sampleOf } from './sample-of.ts';

async function entriesAt(now: string, seed?: number): Promise<TrackerEntry[]> {
  const tracker = createSampleTracker({
    ...(seed === undefined ? {} : { seed }),
    now: () => Date.parse(now),
  });
  const entries: TrackerEntry[] = [];
  for await (const entry of tracker.entries()) entries.push(entry);
  return entries;
}

test('createSampleTracker tells the whole list of statuses, the people, what belongs to the issues, then those', async () => {
  const entries = await entriesAt('2026-08-20T10:30:00Z');
  const { statuses, users, directory, issues } = sampleOf('2026-08-20');

  expect(entries.slice(0, 3)).toEqual([
    { kind: 'statuses', statuses, list: 'sample' },
    { kind: 'users', users },
    { kind: 'directory', part: directory },
  ]);
  expect(entries.slice(3)).toEqual(issues.map((issue) => ({ kind: 'issue', issue })));
});

test('createSampleTracker tells the same at any time of a day', async () => {
  expect(await entriesAt('2026-08-20T00:00:00Z', 3)).toEqual(await entriesAt('2026-08-20T23:59:59Z', 3));
});

test('everyone named in an issue is one of the users', () => {
  const { users, issues } = sampleOf('2026-08-20');
  const ids = new Set(users.map(({ id }) => id));
  const named = issues.flatMap(({ assignee, changes }) => [
    assignee?.id ?? 'ada',
    ...changes.map(({ by }) => by ?? ''),
  ]);
  expect(named.filter((id) => !ids.has(id))).toEqual([]);
});

test('people have addresses of their own, by which Slack knows them; the automation has none; ada alone is an admin', () => {
  const { people, users } = company;
  const addresses = users.flatMap(({ email }) => email ?? []);
  expect(addresses.length).toBe(people.length);
  expect(new Set(addresses.map((one) => one.toLowerCase())).size).toBe(people.length);
  expect(users.find(({ id }) => id === 'ada')).toEqual({
    ...{ id: 'ada', name: 'Ada', email: 'ada@example.com', admin: true, timeZone: 'Europe/Berlin' },
  });
  expect(users.find(({ id }) => id === 'bob')?.email).toBe('bob@example.com');
  expect(users.find(({ id }) => id === 'automation')).not.toHaveProperty('email');
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
