import type { Unknowns } from '../../../model/answer.ts';
import { AppError, clauseOf } from '../../../model/error.ts';
import type { Instant, Status } from '../../../model/issue.ts';
import {
  ask,
  type DateRange,
  type Principal,
  type ReportRequest,
  type Selection,
} from '../../../model/request.ts';
import { type Cells, cellOf, type IssueFacts, type Provenance, type Table } from '../../../model/table.ts';
import type { CycleTimeSource } from '../../exports/exports-api.ts';
import type { IssueSlice, ReportingApi, ScannedIssues } from '../../reporting/reporting-api.ts';
import { categoryUnknown, cutReason, cycleMetrics, cycleParts, type Finish, finishOf } from './finish-of.ts';
import {
  joinProvenance,
  joinStatuses,
  type ObservedStatus,
  observedStatuses,
  statusNow,
} from './read-table.ts';

/** Of which issues, of which instant and in which calendar; `dateRange` null: all that are selected. */
export interface AskedIssues {
  readonly principal: Principal;
  readonly selection: Selection;
  readonly dateRange: DateRange | null;
  readonly asOf: Instant;
  readonly calendar: string;
}

/** What became of an issue up to the instant spoken of. */
export interface IssueOutcome {
  readonly facts: Pick<IssueFacts, 'key' | 'link' | 'created' | 'history' | 'unknown'>;
  readonly summary: string;
  /** Null where it is not finished, or where nobody can tell whether it is. */
  readonly finish: Finish | null;
  /** It is in a status that is not Done, as far as is known. */
  readonly open: boolean;
  /** Why nobody can tell whether it is open or finished; null where it is known. */
  readonly unclear: string | null;
  /** Whole working ms in each status it was in, by status id; null where a cut history does not tell. */
  readonly times: ReadonlyMap<string, number> | null;
  /** Titles of the statuses it is known to have been in whose category nobody knows. */
  readonly withoutCategory: readonly string[];
}

/** All issues asked for, and the statuses that are not Done they were in, in workflow order. */
export interface IssueLives {
  readonly outcomes: readonly IssueOutcome[];
  readonly statuses: readonly ObservedStatus[];
  /** Of the table of times in status: of all issues asked for. */
  readonly provenance: Provenance;
}

/** Some of the issues asked for. */
interface SliceOfLives extends IssueLives {
  /** The same issues, for other reports over them. */
  readonly slice: IssueSlice;
}

/** Issues to look at themselves, of all that a pass over columns has seen. */
interface LookedAt extends Pick<ScannedIssues<unknown>, 'columns' | 'provenance' | 'slices'> {
  readonly places: readonly number[];
}

/**
 * Which issues are finished and since when, all at once: what takes one slice after the other needs less memory. With
 * `some` of those asked for, statuses and provenance are of all of them still.
 */
export async function finishedIssues(
  asked: AskedIssues,
  reporting: ReportingApi,
  some?: LookedAt,
): Promise<IssueLives> {
  const outcomes: IssueOutcome[] = [];
  const statuses: ObservedStatus[] = [];
  if (some !== undefined) statuses.push(...(await openStatuses(some, asked.principal, reporting)));
  const isScanned = new Set(statuses.map(({ id }) => id));
  let provenance = some?.provenance ?? null;
  for await (const part of outcomesInSlices(asked, reporting, some?.slices(some.places))) {
    for (const outcome of part.outcomes) outcomes.push(outcome);
    statuses.push(...part.statuses.filter(({ id }) => !isScanned.has(id)));
    if (some === undefined) {
      provenance = provenance === null ? part.provenance : joinProvenance(provenance, part.provenance);
    }
  }
  if (provenance === null) throw new Error('There is always a slice.');
  return { outcomes, statuses: joinStatuses(statuses), provenance };
}

/** The request for the issues that lives are of. */
export function outcomesRequest(asked: AskedIssues): ReportRequest {
  return ask({ ...asked, reportType: 'statusDuration', includeDeletedStatuses: true, fields: ['status'] });
}

/** The statuses that are not Done in which a pass over columns found issues. */
export async function openStatuses(
  scanned: Pick<ScannedIssues<unknown>, 'columns'>,
  principal: Principal,
  reporting: Pick<ReportingApi, 'statuses'>,
): Promise<ObservedStatus[]> {
  const met = observedStatuses(scanned, await reporting.statuses(principal));
  return met.filter(({ category }) => category !== 'Done');
}

/**
 * Which issues are finished and since when, their cycle times and the time they spent in each status: three reports over
 * each slice of them. Where an issue is now is what the tracker shows, whatever a cut history leaves out. An issue that
 * was reopened is not finished; one moved between statuses of category Done finished when it came into the first of them.
 */
export async function* outcomesInSlices(
  asked: AskedIssues,
  reporting: ReportingApi,
  slices = reporting.slices(outcomesRequest(asked)),
): AsyncGenerator<SliceOfLives> {
  const known = await reporting.statuses(asked.principal);
  for await (const slice of slices) yield { ...(await livesOf(slice, asked, known)), slice };
}

async function livesOf(slice: IssueSlice, asked: AskedIssues, known: readonly Status[]): Promise<IssueLives> {
  const request = { ...asked, includeDeletedStatuses: true };
  const [times, exits] = await Promise.all([
    slice.report(outcomesRequest(asked)),
    slice.report(ask({ ...request, reportType: 'lastTransitionFromStatusDate' })),
  ]);
  const met = observedStatuses(times, known);
  const metrics = cycleMetrics(met);
  const { clocks, noClocks } =
    metrics === null
      ? { clocks: null, noClocks: null }
      : await clocksOf(slice.report(ask({ ...request, reportType: 'durationBetweenStatuses', metrics })));
  const [timesOf, exitsOf, clockTimesOf] = [cellsByKey(times), cellsByKey(exits), cellsByKey(clocks)];
  const all = new Map(known.map((status) => [status.id, status]));
  // Of a status that was left when known time began again there is an exit, and no time.
  const statuses = new Map([...observedStatuses(exits, known), ...met].map((status) => [status.id, status]));
  return {
    outcomes: times.issues.map((facts): IssueOutcome => {
      const { key, link, created, history, unknown, cells } = facts;
      const here = statusNow(facts, all);
      const [spent, left] = [timesOf(key), exitsOf(key)];
      const outcome = { facts, asOf: asked.asOf, statuses, exits: left, times: spent };
      const unclear =
        here === null
          ? cutReason(facts)
          : here.category === 'Undefined'
            ? categoryUnknown(statuses.get(here.id)?.name ?? here.name)
            : null;
      return {
        // Of many issues no more is kept than is needed.
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
    statuses: met.filter(({ category }) => category !== 'Done'),
    provenance: times.provenance,
  };
}

/**
 * The clocks of the cycle times, or why there are none: a service elsewhere may not understand metrics, or name them so
 * that nobody can tell which is which. Everything else about the issues is known all the same.
 */
async function clocksOf(
  asked: Promise<Table>,
): Promise<{ readonly clocks: Table | null; readonly noClocks: string | null }> {
  try {
    const clocks = await asked;
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

function withoutCategory(met: readonly Pick<ObservedStatus, 'name' | 'category'>[]): readonly string[] {
  return [...new Set(met.flatMap(({ name, category }) => (category === 'Undefined' ? [name] : [])))];
}

const nothing: Cells = {};

function cellsByKey(table: Table | null): (key: string) => Cells {
  const byKey = new Map(table?.rows.map(({ issueKey, cells }) => [issueKey, cells]));
  return (key) => byKey.get(key) ?? nothing;
}

function amounts(cells: Cells): ReadonlyMap<string, number> {
  return new Map(Object.entries(cells).map(([id, { value }]) => [id, Number(value)]));
}

/** From `start` on and before `end`. */
interface Span {
  readonly start: Instant;
  readonly end: Instant;
}

/** The issues finished in a span. */
export function finishedIn({ start, end }: Span, outcomes: readonly IssueOutcome[]): IssueOutcome[] {
  return outcomes.filter(({ finish }) => {
    const at = finish?.at ?? null;
    return at !== null && at >= start && at < end;
  });
}

/** The issues that may have been finished in a span: unclear ones, and those done since an unknown time that reaches into it. */
export function mayBeFinishedIn({ start, end }: Span, outcomes: readonly IssueOutcome[]): IssueOutcome[] {
  return outcomes.filter(({ facts: { created }, finish, unclear }) => {
    if (unclear !== null) return created < end;
    const untold = finish?.unknown ?? null;
    return untold !== null && untold.from < end && untold.until >= start;
  });
}

/** What nobody can tell of some issues. */
export function doubtsOf(outcomes: readonly IssueOutcome[]): Unknowns {
  return {
    doneSinceUnknown: outcomes.flatMap(({ facts: { key }, finish }) => {
      const untold = finish?.unknown ?? null;
      return untold === null ? [] : [{ key, reason: untold.reason }];
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
    const livesOfKeys = async (wanted: readonly string[]): Promise<readonly IssueOutcome[]> => {
      const selection = { by: 'keys', keys: wanted } as const;
      try {
        return (await finishedIssues({ principal, selection, dateRange: null, asOf, calendar }, reporting))
          .outcomes;
      } catch (error) {
        if (!(error instanceof AppError) || error.reason !== 'unknown-issue') throw error;
        // An issue that was deleted meanwhile takes no cycle time from the others.
        const { keys: gone } = error.data;
        const others = Array.isArray(gone) ? wanted.filter((key) => !gone.includes(key)) : [];
        return others.length === 0 || others.length === wanted.length ? [] : livesOfKeys(others);
      }
    };
    return new Map(
      (await livesOfKeys(keys)).map(({ facts, finish, unclear }) => [
        facts.key,
        finish?.cycle ?? { reason: unclear ?? 'it is not finished' },
      ]),
    );
  };
}
