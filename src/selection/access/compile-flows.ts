import type { IssueType } from '../../model/directory.ts';
import {
  type CompiledFlow,
  defaultBlockers,
  type Flow,
  type FlowStages,
  type Flows,
  type ProjectFlow,
  type WorkKind,
} from '../../model/flow.ts';
import type { Instant, Status, StatusCategory } from '../../model/issue.ts';
import { foldedName } from '../../model/issues/ids-and-names.ts';

/** The kind of work that a status of a category counts as where no stage has the status. */
export const kindOfCategory: Readonly<Record<StatusCategory, WorkKind>> = {
  'To Do': 'queue',
  'In Progress': 'active',
  Done: 'done',
  Undefined: 'unknown',
};

/** The statuses and issue types that flows refer to. */
export interface FlowNames {
  readonly statuses: ReadonlyMap<string, Pick<Status, 'category'>>;
  readonly issueTypes: readonly IssueType[];
}

/**
 * Makes flows ready for figures. Statuses that no stage of a flow has go by their category, as all do in projects without
 * a flow of their own.
 */
export function compileFlows(stored: readonly ProjectFlow[], { statuses, issueTypes }: FlowNames): Flows {
  const byCategory = (id: string) => kindOfCategory[statuses.get(id)?.category ?? 'Undefined'];
  const all: CompiledFlow[] = [
    {
      flow: null,
      stages: [],
      pauses: false,
      target: null,
      blockedBy: defaultBlockers,
      kindOf: byCategory,
      countsFinish: () => true,
    },
  ];
  const projects = new Map<string, ReturnType<typeof compileProject>>();
  for (const { project, versions } of stored) {
    const last = versions.at(-1);
    if (last !== undefined && last.flow !== null) projects.set(project, compileProject(last.flow, last.at));
  }

  function compileProject(flow: Flow, changedAt: Instant) {
    const variants = flow.variants.map((stages) => ({
      types: new Set(stages.issueTypes.map(foldedName)),
      index: all.push(compiled(flow, stages)) - 1,
    }));
    const subtasks = new Set(issueTypes.filter(({ subtask }) => subtask).map(({ id }) => id));
    return {
      flow,
      changedAt,
      variants,
      index: all.push(compiled(flow, flow)) - 1,
      excluded: new Set(flow.notCounted.issueTypes.map(foldedName)),
      subtasks: flow.notCounted.subtasks ? subtasks : new Set<string>(),
    };
  }

  function compiled(flow: Flow, { pauses, target, ...stages }: FlowStages): CompiledFlow {
    const kinds = kindsOf(stages);
    const dropped = new Set(flow.notCounted.resolutions.map(foldedName));
    return {
      flow,
      stages: stages.stages.flatMap(({ name, statuses }) => {
        const kind = kinds.get(statuses[0]?.id ?? '');
        return kind === undefined ? [] : [{ name, kind, statuses }];
      }),
      pauses,
      // Flows of before targets were known are stored without them.
      target: target ?? flow.target ?? null,
      blockedBy: flow.blockedBy,
      kindOf: (id) => kinds.get(id) ?? byCategory(id),
      countsFinish: (resolution) => resolution === null || !dropped.has(foldedName(resolution.name)),
    };
  }

  const set = [...projects.values()];
  return {
    all,
    byType: set.some((one) => one.variants.length + one.excluded.size + one.subtasks.size > 0),
    byResolution: set.some(({ flow }) => flow.notCounted.resolutions.length > 0),
    changedAt: (project) => projects.get(project)?.changedAt ?? null,
    revisionOf: (project) => stored.find((one) => one.project === project)?.versions.length ?? 0,
    inProject(project) {
      const found = projects.get(project);
      return found === undefined ? [0] : [found.index, ...found.variants.map(({ index }) => index)];
    },
    of(project, issueType) {
      const found = projects.get(project);
      if (found === undefined) return { index: 0, counts: true };
      const type = issueType === null ? '' : foldedName(issueType.name);
      return {
        index: found.variants.find(({ types }) => types.has(type))?.index ?? found.index,
        counts: !found.excluded.has(type) && !found.subtasks.has(issueType?.id ?? ''),
      };
    },
  };
}

/** Stages before the start count as a queue, and those from the end on as done, whatever their own kind. */
export function kindsOf({
  stages,
  start,
  end,
}: Pick<FlowStages, 'stages' | 'start' | 'end'>): ReadonlyMap<string, WorkKind> {
  const kinds = new Map<string, WorkKind>();
  const [first, last] = [start, end].map((name) => stages.findIndex((stage) => stage.name === name));
  for (const [i, stage] of stages.entries()) {
    const kind = i < (first ?? 0) ? 'queue' : i >= (last ?? 0) ? 'done' : stage.kind;
    for (const { id } of stage.statuses) kinds.set(id, kind);
  }
  return kinds;
}

/** The flows with another one in the place of that of its project. */
export function withDraft(
  stored: readonly ProjectFlow[],
  draft: ProjectFlow | undefined,
): readonly ProjectFlow[] {
  return draft === undefined ? stored : [...stored.filter(({ project }) => project !== draft.project), draft];
}
