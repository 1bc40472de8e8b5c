import type { LeftOut, Unknowns } from '../../model/answer.ts';
import { AppError, clauseOf } from '../../model/error.ts';
import type { CompiledFlow, Flows } from '../../model/flow.ts';
import type { Status } from '../../model/issue.ts';
import { reportIds } from '../../model/report-ids.ts';
import { ask, type ReportRequest } from '../../model/request.ts';
import type { Cells, Table } from '../../model/table.ts';
import type { CycleTimeSource } from '../exports/exports-api.ts';
import type { IssueSlice, ReportingApi } from '../reporting/reporting-api.ts';
import { categoryUnknown, cutReason, cycleMetrics, cycleParts, finishOf } from './finish-of.ts';
import { flowAt, flowFields, flowOfIssue, kindAmong, withFlows } from './issue-flow.ts';
import type {
  DoubtfulIssue,
  IssueOutcome,
  IssueOutcomes,
  IssuesInput,
  OutcomesInput,
  Span,
} from './outcomes-api.ts';
import type { Passed } from './pass.ts';
import {
  joinProvenance,
  joinStatuses,
  type ObservedStatus,
  observedStatuses,
  statusNow,
  summaryIn,
} from './read-table.ts';

/** The outcomes of all issues of a question. */
export async function allOutcomes(
  issues: IssuesInput,
  reporting: Pick<ReportingApi, 'slices' | 'statuses' | 'flows'>,
): Promise<IssueOutcomes> {
  const outcomes: IssueOutcome[] = [];
  const flows = await flowsFor(issues, reporting);
  const remaining = () => reporting.slices(outcomesRequest(issues, flows));
  const add = (some: readonly IssueOutcome[]) => {
    for (const outcome of some) outcomes.push(outcome);
  };
  return {
    outcomes,
    ...(await readRemaining(
      { ...issues, flows },
      { columns: [], provenance: null, remaining },
      reporting,
      add,
    )),
  };
}

/** The flows of an input, else those of the tenant. */
export async function flowsFor(
  { flows, principal }: Pick<OutcomesInput, 'flows' | 'principal'>,
  reporting: Pick<ReportingApi, 'flows'>,
): Promise<Flows> {
  return flows ?? reporting.flows(principal);
}

/** The request for the issues that outcomes are of. */
export function outcomesRequest({ flows: _flows, ...issues }: IssuesInput, flows: Flows): ReportRequest {
  return ask({
    ...issues,
    reportType: reportIds.statusDuration,
    includeDeletedStatuses: true,
    fields: ['status', ...flowFields(flows)],
  });
}

/** Issues, and the flows to go by. */
type IssuesWithFlows = IssuesInput & { readonly flows: Flows };

/**
 * Reads the outcomes of the issues that a pass has left, slice by slice: what is done with one slice after the other needs
 * less memory. Statuses and provenance are of all issues of the pass.
 */
export async function readRemaining(
  issues: IssuesWithFlows,
  {
    columns,
    provenance: ofAll,
    remaining,
  }: Pick<Passed<never, never>, 'columns' | 'provenance' | 'remaining'>,
  reporting: Pick<ReportingApi, 'statuses'>,
  add: (outcomes: readonly IssueOutcome[]) => void,
): Promise<Omit<IssueOutcomes, 'outcomes'>> {
  const known = await reporting.statuses(issues.principal);
  const statuses = observedStatuses({ columns }, known, flowAt(issues.flows, 0).kindOf);
  const isObserved = new Set(statuses.map(({ id }) => id));
  let provenance = ofAll;
  for await (const slice of remaining()) {
    const part = await outcomesIn(slice, issues, known);
    add(part.outcomes);
    statuses.push(...part.statuses.filter(({ id }) => !isObserved.has(id)));
    if (ofAll === null)
      provenance = provenance === null ? part.provenance : joinProvenance(provenance, part.provenance);
  }
  if (provenance === null) throw new Error('There is always a slice.');
  const kindOf = kindAmong(issues.flows, provenance.contents?.projects ?? []);
  return {
    statuses: joinStatuses(statuses.map((one) => ({ ...one, kind: kindOf(one.id) }))).filter(
      ({ kind }) => kind !== 'done',
    ),
    provenance: withFlows(provenance, issues.flows),
  };
}

/**
 * The outcomes of the issues of a slice: which are finished and since when, their cycle times and the time they spent in
 * each status, from three reports. Where an issue is now is what the tracker shows, whatever a cut history leaves out. An
 * issue that was reopened is not finished; one moved between statuses that are done finished when it came into the first of
 * them. The statuses are all that the issues were in.
 */
export async function outcomesIn(
  slice: IssueSlice,
  { flows, ...issues }: IssuesWithFlows,
  known: readonly Status[],
): Promise<IssueOutcomes> {
  const request = { ...issues, includeDeletedStatuses: true };
  const [times, exits] = await Promise.all([
    slice.report(outcomesRequest(issues, flows)),
    slice.report(ask({ ...request, reportType: reportIds.lastTransitionFromStatusDate })),
  ]);
  const { kindOf: byCategory } = flowAt(flows, 0);
  const observed = observedStatuses(times, known, byCategory);
  // A status that was left when known time began again has an exit and no time.
  const everSeen = [...observedStatuses(exits, known, byCategory), ...observed];
  const ofFlows = new Map<CompiledFlow, FlowOutcomes>();
  for (const flow of new Set(times.issues.map((facts) => flowOfIssue(facts, flows).flow))) {
    const metrics = cycleMetrics(observed, flow);
    const { clocks, noClocks } =
      metrics === null
        ? { clocks: null, noClocks: null }
        : await clocksOf(
            slice.report(ask({ ...request, reportType: reportIds.durationBetweenStatuses, metrics })),
          );
    ofFlows.set(flow, {
      clocksOf: cellsByKey(clocks),
      noClocks,
      statuses: new Map(everSeen.map((status) => [status.id, { ...status, kind: flow.kindOf(status.id) }])),
    });
  }
  const [timesOf, exitsOf] = [cellsByKey(times), cellsByKey(exits)];
  const all = new Map(known.map((status) => [status.id, status]));
  return {
    outcomes: times.issues.map((facts): IssueOutcome => {
      const own = flowOfIssue(facts, flows);
      const ofFlow = ofFlows.get(own.flow);
      if (ofFlow === undefined) throw new Error('Each flow of the issues was looked at.');
      const { statuses, clocksOf: clockTimesOf, noClocks } = ofFlow;
      const { key, link, created, history, unknown, cells } = facts;
      const here = statusNow(facts, all, own.flow.kindOf);
      const [spent, left] = [timesOf(key), exitsOf(key)];
      const outcome = { facts, asOf: issues.asOf, statuses, exits: left, times: spent };
      const unclear =
        here === null
          ? cutReason(facts)
          : here.kind === 'unknown'
            ? categoryUnknown(statuses.get(here.id)?.name ?? here.name)
            : null;
      const ended =
        here?.kind === 'done'
          ? finishOf({ ...outcome, doneIn: here.id, clocks: clockTimesOf(key), noClocks })
          : null;
      return {
        // Issues may be many, so only the facts that are needed are kept.
        facts: { key, link, created, history, unknown },
        summary: summaryIn(cells),
        ended,
        finish: own.countsFinish ? ended : null,
        flow: own.flow,
        counts: own.counts,
        countsFinish: own.countsFinish,
        statusId: here?.id ?? null,
        open: own.counts && unclear === null && here?.kind !== 'done',
        unclear,
        times:
          unknown === null
            ? new Map(Object.entries(spent).map(([id, { value }]) => [id, Number(value)]))
            : null,
        withoutCategory: withoutCategory([
          ...Object.keys({ ...spent, ...left }).flatMap((id) => statuses.get(id) ?? []),
          ...(here === null ? [] : [{ name: here.name, ...statuses.get(here.id), kind: here.kind }]),
        ]),
      };
    }),
    statuses: observed,
    provenance: times.provenance,
  };
}

/** The clocks of the issues of one flow, and the statuses they were in, as these count in the flow. */
interface FlowOutcomes {
  readonly clocksOf: (key: string) => Cells;
  /** Why there are no clocks; null where there are. */
  readonly noClocks: string | null;
  readonly statuses: ReadonlyMap<string, ObservedStatus>;
}

/**
 * The clocks of the cycle times, or why there are none: a service elsewhere may not understand metrics, or name them so
 * that it is unknown which is which. Everything else about the issues is known all the same.
 */
export async function clocksOf(
  report: Promise<Table>,
): Promise<{ readonly clocks: Table | null; readonly noClocks: string | null }> {
  try {
    const clocks = await report;
    const isStrange = clocks.columns.some(({ id, part }) => part === 'value' && !cycleParts.includes(id));
    if (!isStrange) return { clocks, noClocks: null };
    return {
      clocks: null,
      noClocks: 'the time-in-status service did not return the requested metrics',
    };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'bad-request') throw error;
    return {
      clocks: null,
      noClocks: `the time-in-status service refuses metrics between statuses: ${clauseOf(error)}`,
    };
  }
}

function withoutCategory(observed: readonly Pick<ObservedStatus, 'name' | 'kind'>[]): readonly string[] {
  return [...new Set(observed.flatMap(({ name, kind }) => (kind === 'unknown' ? [name] : [])))];
}

const nothing: Cells = {};

/** The cells of a table by issue; none of an issue that has no line, or without a table. */
export function cellsByKey(table: Table | null): (key: string) => Cells {
  const byKey = new Map(table?.rows.map(({ issueKey, cells }) => [issueKey, cells]));
  return (key) => byKey.get(key) ?? nothing;
}

/** The issues finished in a span. */
export function finishedIn({ start, end }: Span, outcomes: readonly IssueOutcome[]): IssueOutcome[] {
  return outcomes.filter(({ finish }) => {
    const at = finish?.at ?? null;
    return at !== null && at >= start && at < end;
  });
}

/** The issues that may have been finished in a span: unclear ones, and those done since an unknown time that reaches into it. */
export function mayBeFinishedIn<Issue extends DoubtfulIssue>(
  { start, end }: Span,
  outcomes: readonly Issue[],
): Issue[] {
  return outcomes.filter(({ facts: { created }, finish, countsFinish, unclear }) => {
    if (unclear !== null) return countsFinish && created < end;
    const since = finish?.unknown ?? null;
    return since !== null && since.from < end && since.until >= start;
  });
}

/** The doubts about some issues, for an answer. */
export function doubtsOf(outcomes: readonly DoubtfulIssue[]): Unknowns {
  return {
    doneSinceUnknown: outcomes.flatMap(({ facts: { key }, finish }) => {
      const since = finish?.unknown ?? null;
      return since === null ? [] : [{ key, reason: since.reason }];
    }),
    unclear: outcomes.flatMap(({ facts: { key }, unclear }) =>
      unclear === null ? [] : [{ key, reason: unclear }],
    ),
    statusesWithoutCategory: [...new Set(outcomes.flatMap((outcome) => outcome.withoutCategory))],
  };
}

/** The cycle times (working ms) of those of the issues that have one. */
export function cycleTimes(outcomes: readonly IssueOutcome[]): number[] {
  return outcomes.flatMap(({ finish }) => (finish !== null && 'ms' in finish.cycle ? finish.cycle.ms : []));
}

/** The issues that are finished and have no cycle time, and why. */
export function withoutCycleTime(
  outcomes: readonly IssueOutcome[],
): readonly (LeftOut & { readonly link?: string })[] {
  return outcomes.flatMap(({ facts: { key, link }, finish }) =>
    finish !== null && 'reason' in finish.cycle
      ? [{ key, reason: finish.cycle.reason, ...(link === null ? {} : { link }) }]
      : [],
  );
}

/** The time (working ms) in a status that is not done of those of the issues that were in it, as far as it is known whole. */
export function timesIn(status: string, outcomes: readonly IssueOutcome[]): number[] {
  return outcomes.flatMap(({ times, flow }) =>
    flow.kindOf(status) === 'done' ? [] : (times?.get(status) ?? []),
  );
}

/** Cycle times of issues by their keys, the same that weekly counts. */
export function createCycleTimes(reporting: ReportingApi): CycleTimeSource {
  return async ({ principal, calendar }, keys, asOf) => {
    const outcomesOf = async (wanted: readonly string[]): Promise<readonly IssueOutcome[]> => {
      const selection = { by: 'keys', keys: wanted } as const;
      try {
        return (await allOutcomes({ principal, selection, asOf, calendar }, reporting)).outcomes;
      } catch (error) {
        if (!(error instanceof AppError) || error.reason !== 'unknown-issue') throw error;
        // An issue that was deleted meanwhile takes no cycle time from the others.
        const { keys: gone } = error.data;
        const others = Array.isArray(gone) ? wanted.filter((key) => !gone.includes(key)) : [];
        return others.length === 0 || others.length === wanted.length ? [] : outcomesOf(others);
      }
    };
    return new Map(
      (await outcomesOf(keys)).map(({ facts, finish, unclear }) => [
        facts.key,
        finish?.cycle ?? { reason: unclear ?? 'it is not finished' },
      ]),
    );
  };
}
