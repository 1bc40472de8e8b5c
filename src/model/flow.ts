import type { FieldValue, Instant, Status, StatusCategory } from './issue.ts';
import { foldedName } from './issues/ids-and-names.ts';

/** The kinds of stages, in the order in which work passes them: before the start, worked on, waiting for someone, done. */
export const stageKinds = ['queue', 'active', 'waiting', 'done'] as const;

export type StageKind = (typeof stageKinds)[number];

/** The kind of work that an issue in a status counts as; `unknown`: no stage has the status, and its category is unknown. */
export const workKinds = [...stageKinds, 'unknown'] as const;

export type WorkKind = (typeof workKinds)[number];

/** Statuses that mean the same to a team. */
export interface Stage {
  readonly name: string;
  readonly kind: StageKind;
  readonly statuses: readonly FieldValue[];
}

/** A share of the finished issues that is to take no longer: 85 percent within 8 days. Days are those of the calendar of a question. */
export interface Target {
  readonly percent: number;
  readonly days: number;
}

/** The stages of work in their order, the clock over them, and what it is to show. */
export interface FlowStages {
  readonly stages: readonly Stage[];
  /** The name of the stage whose first visit starts the clock. */
  readonly start: string;
  /** The name of the stage that ends it; later stages count as done, too. */
  readonly end: string;
  /** The clock stops while an issue is back in a stage before the start. */
  readonly pauses: boolean;
  /** Null: what is usual is the target, and in a variant that of the flow. */
  readonly target: Target | null;
}

/** Stages of their own for issues of some types, by the names of these. */
interface FlowVariant extends FlowStages {
  readonly issueTypes: readonly string[];
}

/** The causes for which an issue counts as blocked. */
export interface Blockers {
  /** The issue is flagged. */
  readonly flag: boolean;
  /** It is in one of these statuses. */
  readonly statuses: readonly FieldValue[];
  /** An issue that it is linked to as blocked by is not done. */
  readonly links: boolean;
}

/** The causes for which issues count as blocked where no flow was set. */
export const defaultBlockers: Blockers = { flag: true, statuses: [], links: true };

/** The issues that do not count as work, by name: issues that end with a resolution, those of a type, and sub-tasks. */
export interface NotCounted {
  readonly resolutions: readonly string[];
  readonly issueTypes: readonly string[];
  readonly subtasks: boolean;
}

/** The meaning of started, waiting, blocked and finished for a team. */
export interface Flow extends FlowStages {
  readonly blockedBy: Blockers;
  readonly notCounted: NotCounted;
  readonly variants: readonly FlowVariant[];
}

/** A change of a flow; null: it went back to the default. */
interface FlowVersion {
  readonly flow: Flow | null;
  readonly at: Instant;
  /** The user id of the person who made the change. */
  readonly by: string;
}

/** The flow of a project (its key, upper case) with its history. The last version counts; their number is the revision. */
export interface ProjectFlow {
  readonly project: string;
  readonly versions: readonly FlowVersion[];
}

/** A flow, or the part of one for some issue types, as figures go by it. */
export interface CompiledFlow {
  /** The flow that was set; null where categories decide. */
  readonly flow: Flow | null;
  /** Its stages that have statuses, in their order, with the kind that these count as; none where categories decide. */
  readonly stages: readonly (Omit<Stage, 'kind'> & { readonly kind: WorkKind })[];
  readonly pauses: boolean;
  readonly blockedBy: Blockers;
  /** The target that was set for its issues; null where none was. */
  readonly target: Target | null;
  kindOf(statusId: string): WorkKind;
  /** A finish with this resolution (null: without one) counts as finished work. */
  countsFinish(resolution: FieldValue | null): boolean;
}

/** The flows of all projects. */
export interface Flows {
  /** The first is that of projects that have none of their own. */
  readonly all: readonly CompiledFlow[];
  /** Some flow depends on the types of issues, or on their resolutions. */
  readonly byType: boolean;
  readonly byResolution: boolean;
  /** The number of changes of a project's flow (its key, upper case). */
  revisionOf(project: string): number;
  /** The last change of the flow that a project has; null where categories decide. */
  changedAt(project: string): Instant | null;
  /** The indexes of the flows of a project (its key, upper case): the one of most issues first, then those of some types. */
  inProject(project: string): readonly number[];
  /** The index of the flow of an issue; `counts`: it is work of that flow. `project` is its key, upper case. */
  of(project: string, issueType: FieldValue | null): { readonly index: number; readonly counts: boolean };
}

/** The kind of work that a status of a category counts as where no stage has the status. */
const kindOfCategory: Readonly<Record<StatusCategory, WorkKind>> = {
  'To Do': 'queue',
  'In Progress': 'active',
  Done: 'done',
  Undefined: 'unknown',
};

/** The statuses and issue types that flows refer to. */
export interface FlowNames {
  readonly statuses: ReadonlyMap<string, Pick<Status, 'category'>>;
  readonly issueTypes: readonly { readonly id: string; readonly subtask: boolean }[];
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
function kindsOf({
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
