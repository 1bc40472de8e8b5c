import fc from 'fast-check';
import type { Flow, FlowStages, ProjectFlow, Stage, WorkKind } from '../../../src/model/flow.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { issueTypes, workflow } from './a-team.ts';

const named = (id: string) => ({ id, name: workflow.find((one) => one.id === id)?.name ?? id });

/** Stages of one status each, of some of the statuses: any order that a flow can have, with any start and end. */
const someStages: fc.Arbitrary<FlowStages> = fc
  .record({
    order: fc.shuffledSubarray(
      workflow.map(({ id }) => id),
      { minLength: 2 },
    ),
    kinds: fc.array(fc.constantFrom('queue', 'active', 'active', 'waiting', 'done'), {
      minLength: 6,
      maxLength: 6,
    }),
    start: fc.nat(5),
    end: fc.nat(5),
    pauses: fc.boolean(),
    target: fc.option(
      fc.record({ percent: fc.constantFrom(50, 85), days: fc.constantFrom(0.5, 2, 10, 40) }),
      {
        freq: 2,
      },
    ),
  })
  .map(({ order, kinds, start, end, pauses, target }) => {
    const count = order.length;
    const first = start % (count - 1);
    const last = first + 1 + (end % (count - first - 1));
    const stages = order.map((id, i): Stage => {
      const kind = kinds[i] ?? 'active';
      const isFlowing = i >= first && i < last;
      // Before the start anything may come but what is done, and from the end on anything but a queue.
      const own = isFlowing
        ? kind === 'waiting'
          ? 'waiting'
          : 'active'
        : i < first
          ? kind === 'done'
            ? 'queue'
            : kind
          : kind === 'queue'
            ? 'done'
            : kind;
      return { name: `Stage ${id}`, kind: own, statuses: [named(id)] };
    });
    return {
      stages,
      start: stages[first]?.name ?? '',
      end: stages[last]?.name ?? '',
      pauses,
      target,
    };
  });

const aFlow: fc.Arbitrary<Flow> = fc
  .record({
    stages: someStages,
    variant: fc.option(someStages, { freq: 2 }),
    notCounted: fc.record({
      resolutions: fc.constantFrom([], [], ["won't do"]),
      issueTypes: fc.constantFrom([], [], ['Epic']),
      subtasks: fc.boolean(),
    }),
  })
  .map(({ stages, variant, notCounted }) => ({
    ...stages,
    blockedBy: { flag: true, statuses: [], links: true },
    notCounted,
    variants: variant === null ? [] : [{ ...variant, issueTypes: ['Bug'] }],
  }));

/** The flow of WEB whose stages have one status each, by its id: from the first one that is active until it is done. */
export function flowOfWeb(
  kinds: Readonly<Record<string, Stage['kind']>>,
  { pauses = false, target }: Pick<FlowStages, 'target'> & Partial<Pick<FlowStages, 'pauses'>>,
): readonly ProjectFlow[] {
  const nameOf = (kind: Stage['kind']) => `Stage ${Object.keys(kinds).find((id) => kinds[id] === kind)}`;
  const flow: Flow = {
    stages: Object.entries(kinds).map(([id, kind]) => ({ name: `Stage ${id}`, kind, statuses: [named(id)] })),
    ...{ start: nameOf('active'), end: nameOf('done'), pauses, target },
    blockedBy: { flag: true, statuses: [], links: true },
    notCounted: { resolutions: [], issueTypes: [], subtasks: false },
    variants: [],
  };
  return [{ project: 'WEB', versions: [{ flow, at: 0, by: 'ada' }] }];
}

/** No flow that was set, or one of WEB, which perhaps was another one before. */
export const someFlows: fc.Arbitrary<readonly ProjectFlow[]> = fc.oneof(
  fc.constant([]),
  fc
    .array(fc.option(aFlow, { freq: 8 }), { minLength: 1, maxLength: 2 })
    .map((flows) => [{ project: 'WEB', versions: flows.map((flow) => ({ flow, at: 0, by: 'ada' })) }]),
);

/** What an issue counts as in a status, and whether it counts at all, as the words of a flow have it. */
export function slowFlow(flows: readonly ProjectFlow[], issue: Issue) {
  const project = issue.key.split('-')[0] ?? '';
  const flow = flows.find((one) => one.project === project)?.versions.at(-1)?.flow ?? null;
  const type = nameIn(issue, 'issuetype');
  const stages = flow?.variants.find((one) => one.issueTypes.includes(type)) ?? flow;
  const ranks = new Map(
    (stages?.stages ?? []).flatMap((stage, i) => stage.statuses.map(({ id }) => [id, { stage, i }] as const)),
  );
  const placeOf = (name = '') => (stages?.stages ?? []).findIndex((one) => one.name === name);
  const isSubtask = issueTypes.some(({ name, subtask }) => subtask && name === type);
  const left = flow?.notCounted;
  const counts = !(left?.issueTypes.includes(type) || (left?.subtasks === true && isSubtask));
  return {
    pauses: stages?.pauses ?? false,
    target: stages?.target ?? flow?.target ?? null,
    counts,
    countsFinish: counts && !left?.resolutions.includes(nameIn(issue, 'resolution').toLowerCase()),
    kindOf(id: string): WorkKind {
      const found = ranks.get(id);
      if (found === undefined) {
        const category = workflow.find((status) => status.id === id)?.category ?? 'Undefined';
        return ({ 'To Do': 'queue', 'In Progress': 'active', Done: 'done', Undefined: 'unknown' } as const)[
          category
        ];
      }
      if (found.i < placeOf(stages?.start)) return 'queue';
      return found.i >= placeOf(stages?.end) ? 'done' : found.stage.kind;
    },
  };
}

function nameIn({ fields }: Issue, field: string): string {
  const content = fields[field];
  return content !== null && typeof content === 'object' && 'name' in content ? content.name : '';
}
