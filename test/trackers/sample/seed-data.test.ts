import { expect, test } from '#jest';
import { company, steps } from '../../../src/trackers/sample/seed-data.ts';

const { people, users, statuses, projects } = company;
const ofStep = ['project', 'name', 'status', 'category', 'by', 'rest', 'gate', 'work', 'takes', 'frees'];

test('every step stays in a known status and leads to steps of its project', () => {
  const names = new Set(steps.map(({ project, name }) => `${project} ${name}`));
  const known = new Set([...ofStep, 'resolutions', 'replacedBy', 'next']);
  const ways = steps.flatMap(({ project, next = [], replacedBy = next[0]?.value ?? 'over' }) =>
    [replacedBy, ...next.map(({ value }) => value)].map((name) => `${project} ${name}`),
  );
  const starts = Object.entries(projects).flatMap(([key, one]) =>
    [one.urgentStart, ...one.starts.map(({ value }) => value)].map((name) => `${key} ${name}`),
  );

  expect(names.size).toBe(steps.length);
  expect([...ways, ...starts].filter((name) => !names.has(name))).toEqual([]);
  expect(steps.flatMap((step) => Object.keys(step)).filter((key) => !known.has(key))).toEqual([]);
  for (const { status, category } of steps)
    expect(statuses).toContainEqual(expect.objectContaining({ ...status, category }));
});

test('every step is worked on by a role and waits for a gate that the sample knows', () => {
  const roles = ['maker', 'reviewer', 'tester', 'lead', 'on call', 'reporter', 'automation'];
  expect(steps.filter(({ by }) => !roles.includes(by))).toEqual([]);
  const gates = [undefined, 'sprint', 'release', 'night'];
  expect(steps.filter(({ gate }) => !gates.includes(gate))).toEqual([]);
  const ending = steps.filter(({ category, next, name }) => category === 'Done' && next && name !== 'over');
  expect(ending.filter(({ resolutions }) => resolutions === undefined)).toEqual([]);
});

test('everybody is a user in the zone of the office, and in the team of a project that covers for them', () => {
  for (const { id, name, office, project, next, covers } of people) {
    const { timeZone } = company.offices[office];
    expect(users).toContainEqual(expect.objectContaining({ id, name, timeZone, email: `${id}@example.com` }));
    const { all } = projects[project].team;
    expect([id, ...covers].sort()).toEqual([...all].sort());
    expect(covers).toContain(next);
  }
});

test('a project’s team is its people, who are its group', () => {
  for (const [key, { lead, team }] of Object.entries(projects)) {
    const all = people.filter(({ project }) => project === key).map(({ id }) => id);
    expect(team.all).toEqual(all);
    expect([lead, ...team.makers, ...team.testers].sort()).toEqual([...all].sort());
    expect([...team.reviewers].sort()).toEqual([lead, ...team.makers].sort());
    const id = `${key.toLowerCase()}-team`;
    expect(company.directory.groups).toContainEqual({ id, name: id, members: all });
  }
});
