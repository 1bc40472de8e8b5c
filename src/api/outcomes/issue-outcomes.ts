import type { Unknowns } from '../../model/answer.ts';
import { AppError, clauseOf } from '../../model/error.ts';
import type { Status } from '../../model/issue.ts';
import { reportIds } from '../../model/report-ids.ts';
import { ask, type ReportRequest } from '../../model/request.ts';
import { type Cells, cellOf, type Table } from '../../model/table.ts';
import type { CycleTimeSource } from '../exports/exports-api.ts';
import type { IssueSlice, ReportingApi } from '../reporting/reporting-api.ts';
import { categoryUnknown, cutReason, cycleMetrics, cycleParts, finishOf } from './finish-of.ts';
import type { DoubtfulIssue, IssueOutcome, IssueOutcomes, IssuesInput, Span } from './outcomes-api.ts';
import type { Passed } from './pass.ts';
import {
  joinProvenance,
  joinStatuses,
  type ObservedStatus,
  observedStatuses,
  statusNow,
} from './read-table.ts';

/** The outcomes of all issues of a question. */
export async function allOutcomes(
  issues: IssuesInput,
  reporting: Pick<ReportingApi, 'slices' | 'statuses'>,
): Promise<IssueOutcomes> {
  const outcomes: IssueOutcome[] = [];
  const rest = () => reporting.slices(outcomesRequest(issues));
  const add = (some: readonly IssueOutcome[]) => {
    for (const outcome of some) outcomes.push(outcome);
  };
  return { outcomes, ...(await readRest(issues, { columns: [], provenance: null, rest }, reporting, add)) };
}

/** The request for the issues that outcomes are of. */
export function outcomesRequest(issues: IssuesInput): ReportRequest {
  return ask({
    ...issues,
    reportType: reportIds.statusDuration,
    includeDeletedStatuses: true,
    fields: ['status'],
  });
}

/**
 * Reads the outcomes of the issues that a pass has left, slice by slice: what is done with one slice after the other needs
 * less memory. Statuses and provenance are of all issues of the pass.
 */
export async function readRest(
  issues: IssuesInput,
  { columns, provenance: ofAll, rest }: Pick<Passed<never, never>, 'columns' | 'provenance' | 'rest'>,
  reporting: Pick<ReportingApi, 'statuses'>,
  add: (outcomes: readonly IssueOutcome[]) => void,
): Promise<Omit<IssueOutcomes, 'outcomes'>> {
  const known = await reporting.statuses(issues.principal);
  const statuses = observedStatuses({ columns }, known).filter(isNotDone);
  const isObserved = new Set(statuses.map(({ id }) => id));
  let provenance = ofAll;
  for await (const slice of rest()) {
    const part = await outcomesIn(slice, issues, known);
    add(part.outcomes);
    statuses.push(...part.statuses.filter(({ id }) => !isObserved.has(id)));
    if (ofAll === null)
      provenance = provenance === null ? part.provenance : joinProvenance(provenance, part.provenance);
  }
  if (provenance === null) throw new Error('There is always a slice.');
  return { statuses: joinStatuses(statuses), provenance };
}

const isNotDone = ({ category }: Pick<ObservedStatus, 'category'>) => category !== 'Done';

/**
 * The outcomes of the issues of a slice: which are finished and since when, their cycle times and the time they spent in
 * each status, from three reports. Where an issue is now is what the tracker shows, whatever a cut history leaves out. An
 * issue that was reopened is not finished; one moved between statuses of category Done finished when it came into the first
 * of them.
 */
export async function outcomesIn(
  slice: IssueSlice,
  issues: IssuesInput,
  known: readonly Status[],
): Promise<IssueOutcomes> {
  const request = { ...issues, includeDeletedStatuses: true };
  const [times, exits] = await Promise.all([
    slice.report(outcomesRequest(issues)),
    slice.report(ask({ ...request, reportType: reportIds.lastTransitionFromStatusDate })),
  ]);
  const observed = observedStatuses(times, known);
  const metrics = cycleMetrics(observed);
  const { clocks, noClocks } =
    metrics === null
      ? { clocks: null, noClocks: null }
      : await clocksOf(
          slice.report(ask({ ...request, reportType: reportIds.durationBetweenStatuses, metrics })),
        );
  const [timesOf, exitsOf, clockTimesOf] = [cellsByKey(times), cellsByKey(exits), cellsByKey(clocks)];
  const all = new Map(known.map((status) => [status.id, status]));
  // A status that was left when known time began again has an exit and no time.
  const statuses = new Map(
    [...observedStatuses(exits, known), ...observed].map((status) => [status.id, status]),
  );
  return {
    outcomes: times.issues.map((facts): IssueOutcome => {
      const { key, link, created, history, unknown, cells } = facts;
      const here = statusNow(facts, all);
      const [spent, left] = [timesOf(key), exitsOf(key)];
      const outcome = { facts, asOf: issues.asOf, statuses, exits: left, times: spent };
      const unclear =
        here === null
          ? cutReason(facts)
          : here.category === 'Undefined'
            ? categoryUnknown(statuses.get(here.id)?.name ?? here.name)
            : null;
      return {
        // Issues may be many, so only the facts that are needed are kept.
        facts: { key, link, created, history, unknown },
        summary: String(cellOf(cells, 'summary')?.value ?? ''),
        finish:
          here?.category === 'Done'
            ? finishOf({ ...outcome, doneIn: here.id, clocks: clockTimesOf(key), noClocks })
            : null,
        open: unclear === null && here?.category !== 'Done',
        unclear,
        times: unknown === null ? amounts(spent) : null,
        withoutCategory: withoutCategory([
          ...Object.keys({ ...spent, ...left }).flatMap((id) => statuses.get(id) ?? []),
          ...(here === null ? [] : [{ name: here.name, ...statuses.get(here.id), category: here.category }]),
        ]),
      };
    }),
    statuses: observed.filter(isNotDone),
    provenance: times.provenance,
  };
}

/**
 * The clocks of the cycle times, or why there are none: a service elsewhere may not understand metrics, or name them so
 * that it is unknown which is which. Everything else about the issues is known all the same.
 */
async function clocksOf(
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

function withoutCategory(observed: readonly Pick<ObservedStatus, 'name' | 'category'>[]): readonly string[] {
  return [...new Set(observed.flatMap(({ name, category }) => (category === 'Undefined' ? [name] : [])))];
}

const nothing: Cells = {};

function cellsByKey(table: Table | null): (key: string) => Cells {
  const byKey = new Map(table?.rows.map(({ issueKey, cells }) => [issueKey, cells]));
  return (key) => byKey.get(key) ?? nothing;
}

function amounts(cells: Cells): ReadonlyMap<string, number> {
  return new Map(Object.entries(cells).map(([id, { value }]) => [id, Number(value)]));
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
  return outcomes.filter(({ facts: { created }, finish, unclear }) => {
    if (unclear !== null) return created < end;
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
  return outcomes.flatMap(({ finish }) => (finish !== null && 'ms' in finish.cycle ? [finish.cycle.ms] : []));
}

/** The time (working ms) in a status of those of the issues that were in it, as far as it is known whole. */
export function timesIn(status: string, outcomes: readonly IssueOutcome[]): number[] {
  return outcomes.flatMap(({ times }) => times?.get(status) ?? []);
}

/** Cycle times of issues by their keys, the same that weekly counts. */
export function createCycleTimes(reporting: ReportingApi): CycleTimeSource {
  return async ({ principal, calendar }, keys, asOf) => {
    const outcomesOf = async (wanted: readonly string[]): Promise<readonly IssueOutcome[]> => {
      const selection = { by: 'keys', keys: wanted } as const;
      try {
        return (await allOutcomes({ principal, selection, dateRange: null, asOf, calendar }, reporting))
          .outcomes;
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
