import { expect, test } from '#jest';
import { readFlowChange } from '../../../src/api/flows/flow-document.ts';
import { compileFlows, type ProjectFlow } from '../../../src/model/flow.ts';
import { issueTypes, workflow } from '../answers/a-team.ts';

const stages = [
  { name: 'To Do', kind: 'queue', statuses: ['Open'] },
  { name: 'Doing', kind: 'active', statuses: ['Doing', 'Review'] },
  { name: 'Done', kind: 'done', statuses: ['Done', 'Closed'] },
];

test('a variant without a target has that of the flow, and flows that are stored without one have none', () => {
  const statuses = new Map(workflow.map((status) => [status.id, status]));
  const own = { stages: [], start: '', end: '', pauses: false };
  const more = {
    blockedBy: { flag: true, statuses: [], links: true },
    notCounted: { resolutions: [], issueTypes: [], subtasks: false },
  };
  const target = { percent: 85, days: 8 };
  const compile = (flow: object) => {
    const versions = [{ flow, at: 0, by: 'ada' }] as ProjectFlow['versions'];
    return compileFlows([{ project: 'WEB', versions }], { statuses, issueTypes }).all.map(
      (one) => one.target,
    );
  };
  const variants = [
    { ...own, issueTypes: ['Bug'], target: { percent: 50, days: 2 } },
    { ...own, issueTypes: ['Epic'], target: null },
  ];
  // The first is of projects without a flow, then come the variants and the flow.
  expect(compile({ ...own, ...more, target, variants })).toEqual([
    null,
    { percent: 50, days: 2 },
    target,
    target,
  ]);
  expect(compile({ ...own, ...more, variants: [] })).toEqual([null, null]);
});

test.each([
  [{ percent: 0, days: 8 }, "target.percent '0' is too small. Try: 1 to 99"],
  [{ percent: 100, days: 8 }, "target.percent '100' is too large. Try: 1 to 99"],
  [{ percent: 85.5, days: 8 }, "target.percent '85.5' is of the wrong kind. Try: a whole number"],
  [{ percent: 85, days: 0 }, "target.days '0' is not more than 0. Try: 8"],
  [{ percent: 85, days: 3_650.5 }, "target.days '3650.5' is too large. Try: up to 3650"],
  [{ percent: 85 }, 'target.days'],
  [{ percent: 85, days: 8, hours: 1 }, 'target.hours'],
])('%j is no target: %s', (target, problem) => {
  const read = () => readFlowChange({ revision: 0, stages, target });
  expect(read).toThrow(expect.objectContaining({ details: [expect.stringContaining(problem)] }));
  const change = readFlowChange({ revision: 0, stages, target: { percent: 1, days: 0.25 } });
  expect(change.target).toEqual({ percent: 1, days: 0.25 });
  expect(readFlowChange({ revision: 0, stages }).target).toBeNull();
});
