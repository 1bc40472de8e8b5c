import { about, badRequest, type FieldProblem, quoted } from '../../model/error.ts';
import { defaultBlockers, type Flow, type FlowStages, type Stage, type WorkKind } from '../../model/flow.ts';
import type { FieldValue, Status } from '../../model/issue.ts';
import { foldedName } from '../../model/issues/ids-and-names.ts';
import type { FlowInput } from './flow-document.ts';

/**
 * The statuses of a project, which come first where several have a name, all that the principal can know of, and those that
 * the flow has already, which are known by id alone.
 */
interface KnownStatuses {
  readonly own: readonly FieldValue[];
  readonly all: readonly Pick<Status, 'id' | 'name' | 'scope'>[];
  readonly placed: readonly FieldValue[];
}

type StagesInput = Pick<FlowInput, 'stages' | 'start' | 'end' | 'pauses' | 'target'>;

/**
 * Reads a flow with its statuses by id. Fails with all that is wrong with it: `unknown-name`, `ambiguous-name` or
 * `invalid-value`, each problem under the path of its member, such as `stages[1].statuses`.
 */
export function checkFlow({ variants, ...input }: FlowInput, project: string, known: KnownStatuses): Flow {
  const problems: FieldProblem[] = [];
  const statusOf = (named: string, field: string): readonly FieldValue[] => {
    const found = findStatus(named, project, known);
    if (!('problem' in found)) return [found];
    problems.push(about(field, found.problem));
    return [];
  };
  const stagesOf = (given: StagesInput, path: string): FlowStages => {
    const stages = given.stages.map(
      ({ name, kind, statuses }, i): Stage => ({
        name,
        kind,
        statuses: statuses.flatMap((one) => statusOf(one, `${path}stages[${i}].statuses`)),
      }),
    );
    const { problem, ...clock } = clockOf(given, stages);
    problems.push(
      ...[...stageProblems(stages), ...problem].map(([field, text]) => about(path + field, text)),
    );
    return { stages, ...clock, pauses: given.pauses, target: given.target };
  };
  const flow: Flow = {
    ...stagesOf(input, ''),
    blockedBy: {
      ...input.blockedBy,
      statuses: input.blockedBy.statuses.flatMap((one) => statusOf(one, 'blockedBy.statuses')),
    },
    notCounted: input.notCounted,
    variants: variants.map((variant, i) => ({
      ...stagesOf(variant, `variants[${i}].`),
      issueTypes: variant.issueTypes,
    })),
  };
  const types = flow.variants.flatMap(({ issueTypes }) => issueTypes.map(foldedName));
  const twice = types.find((type, i) => types.indexOf(type) !== i);
  if (twice !== undefined)
    problems.push(about('variants', `name the issue type ${quoted(twice)} twice. Try: it in one of them.`));
  if (problems.length > 0) throw badRequest(...problems);
  return flow;
}

/** A problem, under the member of the stages that it is about. */
type StageProblem = readonly [field: string, problem: string];

function stageProblems(stages: readonly Stage[]): readonly StageProblem[] {
  const problems: StageProblem[] = [];
  const [names, places] = [new Set<string>(), new Map<string, number>()];
  for (const [i, { name, statuses }] of stages.entries()) {
    const field = `stages[${i}]`;
    if (names.has(foldedName(name)))
      problems.push([`${field}.name`, `${quoted(name)} is the name of two stages. Try: another name.`]);
    names.add(foldedName(name));
    for (const { id, name: title } of statuses) {
      const before = stages[places.get(id) ?? -1];
      if (before !== undefined)
        problems.push([
          `${field}.statuses`,
          `${quoted(title)} is in the stages ${quoted(before.name)} and ${quoted(name)}. Try: it in one of them.`,
        ]);
      places.set(id, i);
    }
  }
  return problems;
}

/** The stages that start and end the clock, and what is wrong with the order of the stages. */
function clockOf(
  given: Pick<StagesInput, 'start' | 'end'>,
  stages: readonly Stage[],
): { readonly start: string; readonly end: string; readonly problem: readonly StageProblem[] } {
  const placeOf = (name: string | undefined, otherwise: number) =>
    name === undefined ? otherwise : stages.findIndex((one) => foldedName(one.name) === foldedName(name));
  const start = placeOf(
    given.start,
    stages.findIndex(({ kind }) => kind === 'active' || kind === 'waiting'),
  );
  const end = placeOf(
    given.end,
    stages.findIndex(({ kind }) => kind === 'done'),
  );
  const [first, last] = [stages[start], stages[end]];
  const named = stages.map(({ name }) => name).join(', ');
  const problem: StageProblem[] = [];
  if (first === undefined || first.kind === 'queue' || first.kind === 'done')
    problem.push([
      'start',
      given.start === undefined
        ? 'is missing: no stage is active or waiting. Try: a stage of kind active.'
        : first === undefined
          ? `${quoted(given.start)} is not a stage. Try: ${named}.`
          : `${quoted(first.name)} is of kind ${first.kind}. Try: a stage of kind active or waiting.`,
    ]);
  if (last === undefined)
    problem.push([
      'end',
      given.end === undefined
        ? 'is missing: no stage is done. Try: a stage of kind done.'
        : `${quoted(given.end)} is not a stage. Try: ${named}.`,
    ]);
  else if (first !== undefined && end <= start)
    problem.push(['end', `${quoted(last.name)} does not come after the start, ${quoted(first.name)}.`]);
  if (last !== undefined && last.statuses.length === 0)
    problem.push([`stages[${end}].statuses`, `are empty, so nothing would end the clock. Try: a status.`]);
  for (const [i, { name, kind }] of stages.entries()) {
    if (kind === 'queue' && i > start && start >= 0)
      problem.push([
        `stages[${i}].kind`,
        `${quoted(name)} is a queue after the start. Try: waiting, or a place before the start.`,
      ]);
    if (kind === 'done' && i < end)
      problem.push([
        `stages[${i}].kind`,
        `${quoted(name)} is done and comes before the end. Try: it as the end, or after it.`,
      ]);
  }
  return { start: first?.name ?? '', end: last?.name ?? '', problem };
}

function findStatus(
  named: string,
  project: string,
  { own, all, placed }: KnownStatuses,
): FieldValue | { readonly problem: string } {
  const byId = [...all, ...placed].find(({ id }) => id === named);
  if (byId !== undefined) return { id: byId.id, name: byId.name };
  const wanted = foldedName(named);
  const visible = all.filter(({ scope }) => scope === undefined || scope === project);
  for (const some of [own, visible]) {
    const [found, ...others] = some.filter(({ name }) => foldedName(name) === wanted);
    if (found === undefined) continue;
    if (others.length === 0) return { id: found.id, name: found.name };
    const ids = [found, ...others].map(({ id }) => id).join(', ');
    return { problem: `${quoted(named)} is the name of several statuses. Try: one of the ids ${ids}.` };
  }
  const names = own.map(({ name }) => name).join(', ');
  return {
    problem: `${quoted(named)} is not a status here. Try: ${names === '' ? 'the id of one' : names}.`,
  };
}

/**
 * The flow by categories: one stage for all statuses before the start, one for each that is started, and one for all that are
 * done, each in workflow order.
 */
export function defaultFlow(statuses: readonly Status[], kindOf: (id: string) => WorkKind): Flow {
  const of = (kind: WorkKind) =>
    statuses.filter(({ id }) => kindOf(id) === kind).map(({ id, name }) => ({ id, name }));
  const [queue, active, done] = [of('queue'), of('active'), of('done')];
  const titles = Map.groupBy(active, ({ name }) => name);
  const started = active.map((status) => ({
    name: titles.get(status.name)?.length === 1 ? status.name : `${status.name} (${status.id})`,
    kind: 'active' as const,
    statuses: [status],
  }));
  return {
    stages: [
      ...(queue.length === 0 ? [] : [{ name: 'To Do', kind: 'queue' as const, statuses: queue }]),
      ...started,
      ...(done.length === 0 ? [] : [{ name: 'Done', kind: 'done' as const, statuses: done }]),
    ],
    start: started[0]?.name ?? '',
    end: done.length === 0 ? '' : 'Done',
    pauses: false,
    target: null,
    blockedBy: defaultBlockers,
    notCounted: { resolutions: [], issueTypes: [], subtasks: false },
    variants: [],
  };
}
