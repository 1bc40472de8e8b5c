import { describe, expect, test } from '#jest';
import type { FieldContent } from '../../../src/model/issue.ts';
import { rightsOf } from '../../../src/selection/access/access-rules.ts';
import { principalOf } from '../../support/principal-of.ts';
import { sampleOf } from './sample-of.ts';

const sample = sampleOf('2026-03-18');
const { directory, issues, users } = sample;
const today = Date.parse('2026-03-18');

const idOf = (content: FieldContent | undefined) =>
  content !== null && typeof content === 'object' && 'id' in content ? content.id : null;
const confidential = issues.filter(({ fields }) => fields.security !== undefined);
const seenBy = (user: string, admin = false) =>
  issues.filter(rightsOf(principalOf(user, admin ? 'admin' : 'user'), { ...directory, permissions: null }))
    .length;

describe('what the sample tells beside its issues', () => {
  test('sprints are closed, then one is active, then one is to come', () => {
    const { sprints } = directory;
    expect(sprints.map(({ id }) => id)).toEqual(sample.sprints.map(({ value }) => value.id));
    expect(sprints.slice(-2).map(({ state }) => state)).toEqual(['active', 'future']);
    for (const { state, start, end, completed } of sprints) {
      const expected = { closed: end ?? 0, active: null, future: null };
      expect(completed).toBe(expected[state]);
      expect(state === 'closed').toBe((end ?? 0) <= today);
      expect(state === 'future').toBe((start ?? 0) > today);
    }
  });

  test('every sprint of an issue is one of them', () => {
    const known = new Set(directory.sprints.map(({ id }) => id));
    const named = issues.flatMap(({ fields: { customfield_10020: content } }) =>
      Array.isArray(content) ? content : [],
    );
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ id }) => !known.has(id))).toEqual([]);
  });

  test('the offices are calendars in which nobody works at night, on Sundays or on holidays', () => {
    const [berlin, newYork] = directory.calendars;
    expect([berlin?.id, berlin?.name, newYork?.id, newYork?.name]).toEqual([1, 'Berlin', 2, 'New York']);
    expect(berlin?.workingTimes.slice(0, 2)).toEqual([
      { weekday: 'MONDAY', start: 9 * 3_600_000, end: 12.5 * 3_600_000 },
      { weekday: 'MONDAY', start: 13.25 * 3_600_000, end: 17.5 * 3_600_000 },
    ]);
    expect(newYork?.workingTimes.at(-1)).toEqual({
      weekday: 'FRIDAY',
      start: 13.5 * 3_600_000,
      end: 18 * 3_600_000,
    });
    expect(newYork?.holidays).toContainEqual({ name: 'Thanksgiving', date: '2025-11-27', recurring: false });
    expect(berlin?.holidays).toContainEqual({ name: 'Whit Monday', date: '2026-05-25', recurring: false });
  });

  test('everybody is in the group of the team, and reads dates in the zone of the office', () => {
    const groupsOf = (user: string) =>
      directory.groups.filter(({ members }) => members.includes(user)).map(({ id }) => id);
    expect(groupsOf('ada')).toEqual(['web-team', 'jira-administrators']);
    expect(groupsOf('bob')).toEqual(['web-team']);
    const people = users.filter(({ id }) => id !== 'automation');
    expect(people.every(({ id }) => groupsOf(id).length > 0)).toBe(true);
    expect(people.find(({ id }) => id === 'bob')?.timeZone).toBe('America/New_York');
    expect(people.every(({ timeZone }) => timeZone !== undefined)).toBe(true);
  });

  test('every field of an issue has a name, and no two have the same', () => {
    const named = new Set(directory.fields.map(({ id }) => id));
    const used = new Set(issues.flatMap(({ fields }) => Object.keys(fields)));
    expect([...used].filter((id) => !named.has(id))).toEqual([]);
    expect(new Set(directory.fields.map(({ name }) => name)).size).toBe(directory.fields.length);
  });

  test('two saved filters are everybody’s and one is ada’s own', () => {
    expect(directory.filters.map(({ id, owner, shared }) => [id, owner, shared])).toEqual([
      ['10001', 'ada', true],
      ['10002', 'ada', true],
      ['10003', 'ada', false],
    ]);
  });
});

describe('confidential service requests', () => {
  test('are a few per cent of them, and nothing else is confidential', () => {
    const requests = issues.filter(({ fields }) => idOf(fields.issuetype) === '10006');
    expect(confidential.length / requests.length).toBeGreaterThan(0.02);
    expect(confidential.length / requests.length).toBeLessThan(0.04);
    expect(confidential.every((issue) => requests.includes(issue))).toBe(true);
    expect(confidential[0]?.fields.security).toEqual({ id: '10700', name: 'Confidential' });
  });

  test('are seen by the service desk and admins, and not by bob', () => {
    expect(seenBy('lars')).toBe(issues.length);
    expect(seenBy('ada', true)).toBe(issues.length);
    expect(seenBy('bob')).toBe(issues.length - confidential.length);
  });
});
