import type { FlowChange, FlowOfProject } from '../../api/flows/flow-document.ts';
import { type StageKind, stageKinds } from '../../model/flow.ts';
import { shorten } from '../../output/readable-text.ts';

/** The statuses (ids) that a form has in each of its menus. */
export type StatusesByKind = Readonly<Record<StageKind, readonly string[]>>;

type Stage = FlowOfProject['stages'][number];
type NamedStatus = Stage['statuses'][number];

/** The longest name of a stage. */
const MAX_NAME = 60;

/** The statuses of a flow by the kind of their stage, as the form shows them. */
export function statusesByKind({ stages }: Pick<FlowOfProject, 'stages'>): StatusesByKind {
  const of = (kind: StageKind) =>
    stages.filter((one) => one.kind === kind).flatMap(({ statuses }) => statuses.map(({ id }) => id));
  return { queue: of('queue'), active: of('active'), waiting: of('waiting'), done: of('done') };
}

/** Every status that a form can put into a stage: those of stages in their order, then the others. */
export function statusesOf({ stages, variants, unplaced }: FlowOfProject): readonly NamedStatus[] {
  const all = [...stages, ...variants.flatMap((one) => one.stages)].flatMap(({ statuses }) => statuses);
  return [...new Map([...all, ...unplaced].map((status) => [status.id, status])).values()];
}

/**
 * The stages of a flow after its statuses were sorted into kinds. Stages whose statuses stay together stay, also where all of
 * them get another kind; a status that leaves its stage gets one of its own if it is active or waiting, else it goes to the
 * stages before the start, or to those that are done. Where nothing was moved the stages are those of the flow.
 */
export function placeStatuses(flow: FlowOfProject, chosen: StatusesByKind): FlowOfProject['stages'] {
  const before = statusesByKind(flow);
  const isSame = (kind: StageKind) =>
    before[kind].length === chosen[kind].length && chosen[kind].every((id) => before[kind].includes(id));
  if (stageKinds.every(isSame)) return flow.stages;

  const kinds = new Map(stageKinds.flatMap((kind) => chosen[kind].map((id) => [id, kind] as const)));
  const names = new Set(flow.stages.map(({ name }) => name));
  const placed: Stage[] = [];
  const loose: Record<'queue' | 'done', NamedStatus[]> = { queue: [], done: [] };
  const placeAlone = (status: NamedStatus, kind: StageKind) => {
    if (isStarted(kind)) placed.push({ name: newName(status, names), kind, statuses: [status] });
    else loose[kind].push(status);
  };
  for (const stage of flow.stages) {
    const left = stage.statuses.filter(({ id }) => kinds.has(id));
    const [kind, ...others] = new Set(left.map(({ id }) => kinds.get(id) ?? stage.kind));
    if (kind === undefined) continue;
    if (others.length === 0 && (kind === stage.kind || isStarted(kind))) {
      placed.push({ ...stage, kind, statuses: left });
      continue;
    }
    const stay = left.filter(({ id }) => kinds.get(id) === stage.kind);
    if (stay.length > 0) placed.push({ ...stage, statuses: stay });
    for (const status of left) {
      const own = kinds.get(status.id);
      if (own !== undefined && own !== stage.kind) placeAlone(status, own);
    }
  }
  const known = new Set(flow.stages.flatMap(({ statuses }) => statuses.map(({ id }) => id)));
  for (const status of statusesOf(flow)) {
    const kind = known.has(status.id) ? undefined : kinds.get(status.id);
    if (kind !== undefined) placeAlone(status, kind);
  }
  const inOrder = [
    ...placed.filter(({ kind }) => kind === 'queue'),
    ...placed.filter(({ kind }) => isStarted(kind)),
    ...placed.filter(({ kind }) => kind === 'done'),
  ];
  const queue = inOrder.findLastIndex(({ kind }) => kind === 'queue');
  const end = inOrder.findIndex(({ kind }) => kind === 'done');
  const withQueue = withLoose(inOrder, queue, { name: 'To Do', kind: 'queue', statuses: loose.queue }, names);
  const shift = withQueue.length - inOrder.length;
  const done = { name: 'Done', kind: 'done', statuses: loose.done } as const;
  return withLoose(withQueue, end < 0 ? end : end + shift, done, names);
}

function isStarted(kind: StageKind): kind is 'active' | 'waiting' {
  return kind === 'active' || kind === 'waiting';
}

/** The stages with more statuses in the one at an index; with -1 in a new one, before or after the others. */
function withLoose(
  stages: readonly Stage[],
  index: number,
  loose: Stage,
  names: ReadonlySet<string>,
): readonly Stage[] {
  if (loose.statuses.length === 0) return stages;
  const stage = stages[index];
  if (stage !== undefined)
    return stages.with(index, { ...stage, statuses: [...stage.statuses, ...loose.statuses] });
  const name = names.has(loose.name) ? `${loose.name} (${loose.kind})` : loose.name;
  return loose.kind === 'queue' ? [{ ...loose, name }, ...stages] : [...stages, { ...loose, name }];
}

/** The name of a stage for one status; it is taken from then on. */
function newName({ id, name }: NamedStatus, names: Set<string>): string {
  const short = shorten(name, MAX_NAME);
  const found = names.has(short) ? `${shorten(name, MAX_NAME - id.length - 3)} (${id})` : short;
  names.add(found);
  return found;
}

/** The entries of a form that become a flow. `start`: a status of the stage that starts the clock. */
export interface FlowEntries extends StatusesByKind {
  readonly revision: number;
  readonly start: string;
  readonly pauses: boolean;
  /** Such as `85% within 8 days`; empty: none. */
  readonly target: string;
  readonly blockers: readonly string[];
  readonly blockedStatuses: readonly string[];
  readonly resolutions: readonly string[];
  readonly issueTypes: readonly string[];
  readonly subtasks: boolean;
}

/** The names that a form offers beside its statuses; what a flow has and a form does not offer stays as it is. */
export interface OfferedNames {
  readonly resolutions: readonly string[];
  readonly issueTypes: readonly string[];
}

/** A target as it can be entered. */
export const TARGET_EXAMPLE = '85% within 8 days';

/** The target in a text, without a share of 85%; null for an empty one, undefined for other texts. */
export function readTarget(text: string): FlowOfProject['target'] | undefined {
  if (text.trim() === '') return null;
  const found = /^(?:(\d{1,2}) ?% (?:with)?in )?(\d{1,4}(?:\.\d+)?) ?d(?:ays?)?$/i.exec(text.trim());
  if (found === null) return undefined;
  const [percent, days] = [Number(found[1] ?? 85), Number(found[2])];
  return percent > 0 && days > 0 ? { percent, days } : undefined;
}

/** A flow as a form shows it. */
export function entriesOf(flow: FlowOfProject): FlowEntries {
  const { blockedBy, notCounted } = flow;
  return {
    ...statusesByKind(flow),
    revision: flow.revision,
    start: flow.stages.find(({ name }) => name === flow.start)?.statuses[0]?.id ?? '',
    pauses: flow.pauses,
    target: flow.target === null ? '' : `${flow.target.percent}% within ${flow.target.days} days`,
    blockers: [...(blockedBy.flag ? ['flag'] : []), ...(blockedBy.links ? ['links'] : [])],
    blockedStatuses: blockedBy.statuses.map(({ id }) => id),
    resolutions: notCounted.resolutions,
    issueTypes: notCounted.issueTypes,
    subtasks: notCounted.subtasks,
  };
}

/** The change of a flow that was entered; what the form does not show stays. */
export function changeOf(flow: FlowOfProject, entries: FlowEntries, offered: OfferedNames): FlowChange {
  const { revision, start, pauses, blockers, blockedStatuses, subtasks } = entries;
  const stages = placeStatuses(flow, entries);
  const startStage = stages.find(({ statuses }) => statuses.some(({ id }) => id === start));
  const startAt = startStage === undefined ? -1 : stages.indexOf(startStage);
  const kindOfEnd = flow.stages.find(({ name }) => name === flow.end)?.kind;
  const endAt = stages.findIndex(({ name, kind }) => name === flow.end && kind === kindOfEnd);
  const chosen = (name: keyof OfferedNames) => [
    ...flow.notCounted[name].filter((one) => !offered[name].includes(one)),
    ...entries[name],
  ];
  const ids = (some: readonly NamedStatus[]) => some.map(({ id }) => id);
  const sentStages = (some: FlowOfProject['stages']) =>
    some.map(({ name, kind, statuses }) => ({ name, kind, statuses: ids(statuses) }));
  return {
    revision,
    isDefault: flow.isDefault,
    stages: sentStages(stages),
    start: startStage?.name,
    end: endAt > startAt ? stages[endAt]?.name : undefined,
    pauses,
    target: readTarget(entries.target) ?? null,
    blockedBy: {
      flag: blockers.includes('flag'),
      links: blockers.includes('links'),
      statuses: [...blockedStatuses],
    },
    notCounted: {
      resolutions: chosen('resolutions'),
      issueTypes: chosen('issueTypes'),
      subtasks,
    },
    variants: flow.variants.map((one) => ({
      issueTypes: [...one.issueTypes],
      stages: sentStages(one.stages),
      start: one.start ?? undefined,
      end: one.end ?? undefined,
      pauses: one.pauses,
      target: one.target,
    })),
  };
}
