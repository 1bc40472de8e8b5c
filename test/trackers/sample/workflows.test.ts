import { expect, test } from '#jest';
import { company, projectKeys } from '../../../src/trackers/sample/company.ts';
import { workflows } from '../../../src/trackers/sample/workflows.ts';

test.each(projectKeys)(
  'every step of %s, the first ones included, leads to steps that there are',
  (project) => {
    const { urgentStart, starts } = company.projects[project];
    const steps = Object.values(workflows[project]);
    const ways = steps.flatMap(({ replacedBy, next = {} }) => [
      ...Object.keys(next),
      replacedBy ?? urgentStart,
    ]);
    const known = new Set(Object.keys(workflows[project]));
    expect([...ways, urgentStart, ...Object.keys(starts)].filter((name) => !known.has(name))).toEqual([]);
  },
);

test.each(projectKeys)('what ends in %s has a resolution', (project) => {
  const steps = Object.entries(workflows[project]).filter(([name]) => name !== 'over');
  const ending = steps.filter(([, step]) => step.in.category === 'Done');
  expect(ending.filter(([, { resolutions }]) => resolutions === undefined)).toEqual([]);
});
