import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import { placeAfter } from '../../engine/columns/sort-rows.ts';
import { joinNumbers, numbersAt } from '../../engine/measure/scan-rows.ts';
import { stagesScan } from '../../engine/measure/stages-scan.ts';
import type { CompiledFlow, Flows, WorkKind } from '../../model/flow.ts';
import type { Instant, Status } from '../../model/issue.ts';
import { foldedName } from '../../model/issues/ids-and-names.ts';
import type { ReportingApi } from '../reporting/reporting-api.ts';
import { flowAt, isStarted } from './issue-flow.ts';
import { flowsFor, outcomesIn, outcomesRequest } from './issue-outcomes.ts';
import type { IssueOutcome, StagesInput, StagesOverTime } from './outcomes-api.ts';
import { type PassOver, visitTables } from './pass.ts';
import { type ReadVisit, readVisits } from './read-table.ts';

/** The stages of issues over time: in one pass over rows, and issue by issue where these cannot speak. */
export async function stagesOverTime(
  { instants, bounds, ...input }: StagesInput,
  reporting: Pick<ReportingApi, 'report' | 'statuses' | 'flows'>,
  passOver: PassOver,
): Promise<StagesOverTime> {
  const flows = await flowsFor(input, reporting);
  const known = await reporting.statuses(input.principal);
  const stages = stagesOf(flows, known);
  const issues = { ...input, flows };
  const request = outcomesRequest(issues, flows);
  const passed = await passOver(
    request,
    stagesScan,
    (plan, { statusIds }) => {
      const ofFlows = flows.all.map((flow) => Uint16Array.from(statusIds, (id) => stages.indexOf(flow, id)));
      return { ...plan, stages: ofFlows, stageCount: stages.all.length, instants, bounds };
    },
    { flows },
  );
  const { lists, sums, keys } = passed;
  for (const { id, title } of passed.columns) stages.name(id, title);
  const width = instants.length + 1;
  const [times, starts] = [Float64Array.from(instants), Float64Array.from(bounds)];
  const [begin = 0, end = 0] = [bounds[0], bounds.at(-1)];
  /** By stage, by how much more issues are in it at each instant than at the one before. */
  const changes: number[][] = stages.all.map((_, stage) =>
    Array.from({ length: width }, (_, i) => sums.changes[stage * width + i] ?? 0),
  );
  const arrived = Array.from(bounds.slice(1), (_, span) => sums.arrived[span] ?? 0);
  const remaining: StageFigures = { open: [], left: [], finished: [], ageUnknown: [] };
  // All issues remain if there are no rows, and none was counted then.
  const odd = passed.provenance === null ? null : new Set(keys(numbersAt(lists.odd)));
  for await (const slice of passed.remaining()) {
    // Reports that follow one another are one piece of work to everyone else.
    await yieldToOthers();
    const { outcomes } = await outcomesIn(slice, issues, known);
    const byKey = new Map(outcomes.map((one) => [one.facts.key, one]));
    const { principal, asOf, calendar } = input;
    for await (const { some, table } of visitTables(
      [...byKey.keys()],
      { principal, asOf, calendar },
      reporting,
    )) {
      const visitsOf = Map.groupBy(readVisits(table), ({ facts }) => facts.key);
      for (const key of some) {
        const outcome = byKey.get(key);
        if (outcome?.counts) addIssue(outcome, visitsOf.get(key) ?? []);
      }
    }
  }

  function addIssue(outcome: IssueOutcome, all: readonly ReadVisit[]): void {
    const { facts, flow } = outcome;
    const visits = all.flatMap(({ status, ...visit }): StageVisit[] => {
      if (status === null) return [];
      const stage = stages.indexOf(flow, status.id);
      stages.name(status.id, status.name);
      return [{ ...visit, statusId: status.id, stage, kind: flow.kindOf(status.id) }];
    });
    if (odd === null || odd.has(facts.key)) {
      const { created } = facts;
      if (created >= begin && created < end) addTo(arrived, placeAfter(starts, created) - 1, 1);
      for (const { stage, start, end: until } of visits) {
        changes[stage] ??= [];
        addTo(changes[stage], placeAfter(times, start), 1);
        if (until !== null) addTo(changes[stage], placeAfter(times, until), -1);
      }
    }
    addFigures(outcome, visits, [begin, end], remaining);
  }

  const found = stages.inOrder().flatMap(({ name, kind, stage }) => {
    const own = changes[stage] ?? [];
    let count = 0;
    const counts = instants.map((_, i) => {
      count += own[i] ?? 0;
      return count;
    });
    const open = remaining.open.filter((one) => one.stage === stage);
    const ages = joinNumbers([numbersAt(lists.ages, stage), Float64Array.from(open, ({ ms }) => ms)]);
    const left = joinNumbers([
      numbersAt(lists.left, stage),
      Float64Array.from(remaining.left.flatMap((one) => (one.stage === stage ? one.ms : []))),
    ]);
    const keyAt = keyIn(numbersAt(lists.open, stage), open);
    const isEmpty = ages.length + left.length === 0 && counts.every((one) => one === 0);
    return isEmpty ? [] : [{ name, kind, counts, open: { ages, keyAt }, left }];
  });
  const named = Map.groupBy(found, ({ name }) => foldedName(name));
  return {
    // Stages of one name and several kinds have their kind behind it.
    stages: found.map((one) =>
      named.get(foldedName(one.name))?.length === 1 ? one : { ...one, name: `${one.name} (${one.kind})` },
    ),
    arrived,
    finished: {
      at: joinNumbers([numbersAt(lists.finishedAt), Float64Array.from(remaining.finished, ({ at }) => at)]),
      cycleMs: joinNumbers([numbersAt(lists.cycleMs), Float64Array.from(remaining.finished, ({ ms }) => ms)]),
      keyAt: keyIn(numbersAt(lists.finished), remaining.finished),
    },
    ageUnknown: remaining.ageUnknown,
  };

  /** The key of an issue by its index: those found in rows come first. */
  function keyIn(rows: ArrayLike<number>, others: readonly { readonly key: string }[]) {
    return (index: number): string =>
      (index < rows.length ? keys([rows[index] ?? 0])[0] : others[index - rows.length]?.key) ?? '';
  }
}

function addTo(sums: number[], index: number, amount: number): void {
  sums[index] = (sums[index] ?? 0) + amount;
}

/** A visit of an issue, and the index of the stage it was in. */
interface StageVisit extends Omit<ReadVisit, 'status'> {
  readonly statusId: string;
  readonly stage: number;
  readonly kind: WorkKind;
}

/** The ages and finishes of the issues that rows cannot speak for. */
interface StageFigures {
  readonly open: { readonly stage: number; readonly key: string; readonly ms: number }[];
  readonly left: { readonly stage: number; readonly ms: number }[];
  readonly finished: { readonly key: string; readonly at: Instant; readonly ms: number }[];
  readonly ageUnknown: string[];
}

/** Adds the age of an issue that is started, or the ages at which one that was finished in a time left the stages. */
function addFigures(
  outcome: IssueOutcome,
  visits: readonly StageVisit[],
  [begin, end]: readonly [from: Instant, until: Instant],
  figures: StageFigures,
): void {
  const { key, unknown } = outcome.facts;
  const { pauses } = outcome.flow;
  const started = visits.findIndex(({ kind }) => isStarted(kind));
  const msUntil = (last: number) =>
    visits
      .slice(started, last + 1)
      .reduce((sum, { kind, ms }) => sum + (pauses && kind === 'queue' ? 0 : ms), 0);
  if (outcome.open) {
    const now = visits.at(-1);
    const isHere = now?.end === null && now.statusId === outcome.statusId;
    const isKnown = unknown === null && visits.every(({ kind }) => kind !== 'unknown');
    if (isHere && now.kind === 'queue') return;
    if (isHere && isKnown) figures.open.push({ stage: now.stage, key, ms: msUntil(visits.length - 1) });
    else figures.ageUnknown.push(key);
    return;
  }
  const { finish } = outcome;
  const at = finish?.at ?? null;
  if (finish === null || at === null || at < begin || at >= end || !('ms' in finish.cycle)) return;
  figures.finished.push({ key, at, ms: finish.cycle.ms });
  const lefts = new Map(
    visits.flatMap(({ kind, stage, end: until }, i) =>
      isStarted(kind) && until !== null && until <= at ? [[stage, i] as const] : [],
    ),
  );
  for (const [stage, last] of lefts) figures.left.push({ stage, ms: msUntil(last) });
}

/** The names of stages of statuses that no stage of a flow has, by their kind. */
const stageNames: Readonly<Record<WorkKind, string>> = {
  queue: 'To Do',
  active: 'In Progress',
  waiting: 'Waiting',
  done: 'Done',
  unknown: 'Unknown',
};

/** The order in which work passes the kinds; of those that are alike their flows decide. */
const rankOf: Readonly<Record<WorkKind, number>> = { queue: 0, unknown: 1, active: 2, waiting: 2, done: 3 };

/** A stage; of a status that is a stage of its own and has no known name its id is `of`. */
interface NamedStage {
  name: string;
  readonly kind: WorkKind;
  readonly of: string | null;
}

/**
 * The stages of all flows: of each flow its own, and where categories decide one for all that waits for the start, one for
 * each started status and one for all that is done, as the default flow of a project has them. They grow with the statuses.
 */
function stagesOf(flows: Flows, known: readonly Status[]) {
  const all: NamedStage[] = [];
  const indexes = new Map<string, number>();
  const byId = new Map(known.map(({ id, name }) => [id, name]));
  const add = (name: string, kind: WorkKind, of: string | null) => {
    const id = of === null ? `${kind} ${foldedName(name)}` : `${kind} id ${of}`;
    const index = indexes.get(id) ?? all.push({ name, kind, of }) - 1;
    indexes.set(id, index);
    return index;
  };
  const ofFlows = new Map(
    flows.all.map((flow) => [
      flow,
      new Map(
        flow.stages.flatMap(({ name, kind, statuses }) => {
          const stage = add(name, kind, null);
          return statuses.map(({ id }) => [id, stage] as const);
        }),
      ),
    ]),
  );
  const indexOf = (flow: CompiledFlow, id: string): number => {
    const found = ofFlows.get(flow)?.get(id);
    if (found !== undefined) return found;
    const kind = flow.kindOf(id);
    const isOwn = flow.flow === null && isStarted(kind);
    const name = isOwn ? byId.get(id) : stageNames[kind];
    return name === undefined ? add(id, kind, id) : add(name, kind, null);
  };
  for (const { id } of known) indexOf(flowAt(flows, 0), id);
  return {
    all: all as readonly NamedStage[],
    indexOf,
    /** Names the stage of a status that is not known otherwise. */
    name(id: string, title: string) {
      for (const stage of all) if (stage.of === id) stage.name = title;
    },
    inOrder: () =>
      all
        .map(({ name, kind }, stage) => ({ name, kind, stage }))
        .toSorted((a, b) => rankOf[a.kind] - rankOf[b.kind]),
  };
}
