import { millisecondsInDay } from 'date-fns/constants';
import { expect, test } from '#jest';
import { createFlows } from '../../../src/api/flows/create-flows.ts';
import { flowInput } from '../../../src/api/flows/flow-document.ts';
import type { ProjectFlow } from '../../../src/model/flow.ts';
import { compileFlows } from '../../../src/selection/access/compile-flows.ts';
import type { Documents } from '../../../src/store/documents.ts';
import { ada, end, issueTypes, start, teamReporting, told, workflow } from '../answers/a-team.ts';

const stages = [
  { name: 'To Do', kind: 'queue', statuses: ['Open'] },
  { name: 'Doing', kind: 'active', statuses: ['Doing', 'Review'] },
  { name: 'Done', kind: 'done', statuses: ['Done', 'Closed'] },
];

const issue = told(1, [
  [start, '1'],
  [start + millisecondsInDay, '3'],
  [start + 2 * millisecondsInDay, '4'],
  [start + 3 * millisecondsInDay, '5'],
  [start + 4 * millisecondsInDay, '6'],
]);

/** The port of flows over the team's issue, and what it has stored. */
function aFlowsPort() {
  const stored = new Map<string, ProjectFlow>();
  const store = {
    get: async (project: string) => stored.get(project) ?? null,
    async change(
      project: string,
      make: (one: ProjectFlow | null, all: readonly ProjectFlow[]) => ProjectFlow,
    ) {
      const made = make(stored.get(project) ?? null, [...stored.values()]);
      stored.set(project, made);
      return made;
    },
  } as unknown as Documents<ProjectFlow>;
  const flows = createFlows({
    reporting: teamReporting([issue], end),
    store: async () => store,
    defaultCalendar: async () => 'normalHours',
    administers: async () => false,
    now: () => end,
  });
  return { flows, stored };
}

test('a target is saved with a flow and with its variants, and shown again', async () => {
  const { flows } = aFlowsPort();
  expect(await flows.flow(ada, 'WEB')).toMatchObject({ isDefault: true, target: null });
  const input = flowInput.parse({
    stages,
    target: { percent: 85, days: 12.5 },
    variants: [
      { stages, issueTypes: ['Bug'], target: { percent: 90, days: 8 } },
      { stages, issueTypes: ['Epic'] },
    ],
  });
  await flows.put(ada, 'WEB', { input, revision: 0 });
  expect(await flows.flow(ada, 'WEB')).toMatchObject({
    target: { percent: 85, days: 12.5 },
    variants: [{ target: { percent: 90, days: 8 } }, { target: null }],
  });
});

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
  [{ percent: 0, days: 8 }, 'percent'],
  [{ percent: 100, days: 8 }, 'percent'],
  [{ percent: 85.5, days: 8 }, 'percent'],
  [{ percent: 85, days: 0 }, 'days'],
  [{ percent: 85, days: -1 }, 'days'],
  [{ percent: 85, days: 3_650.5 }, 'days'],
  [{ percent: 85 }, 'days'],
])('%j is no target, and the member is named', (target, member) => {
  const read = flowInput.safeParse({ stages, target });
  expect(read.error?.issues.map(({ path }) => path.join('.'))).toEqual([`target.${member}`]);
  expect(flowInput.parse({ stages, target: { percent: 1, days: 0.25 } }).target).toEqual({
    percent: 1,
    days: 0.25,
  });
});
