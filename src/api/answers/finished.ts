import { compareIds } from '../../model/compare-ids.ts';
import type { Instant, Status, StatusCategory } from '../../model/issue.ts';
import { type Asker, ask, type BetweenMetric, type DateRange, type Selection } from '../../model/request.ts';
import { type Cells, cellOf, type IssueFacts, type Provenance, type Table } from '../../model/table.ts';
import type { ReportingApi } from '../reporting.ts';

/** Of which issues, of which instant and in which calendar; `dateRange` null: all that are selected. */
export interface AskedIssues {
  readonly asker: Asker;
  readonly selection: Selection;
  readonly dateRange: DateRange | null;
  readonly asOf: Instant;
  readonly calendar: string;
}

/** A status that some issue was in, its title as the tracker calls it today. */
export interface MetStatus {
  readonly id: string;
  readonly title: string;
  readonly category: StatusCategory;
  /** Its place in the tracker's order. */
  readonly rank: number;
}

/** The end of the work on an issue: it is in a status of category Done. */
export interface Finish {
  /** When it last left a status that is not Done; null where it never did, or where a cut history does not tell. */
  readonly at: Instant | null;
  /** Working ms from the first entry into a status of category In Progress to `at`, or why there are none. */
  readonly cycle: { readonly ms: number } | { readonly reason: string };
}

/** What became of an issue up to the instant spoken of. */
export interface IssueLife {
  readonly facts: IssueFacts;
  readonly summary: string;
  /** Null where it is not finished, or where a cut history does not tell whether it is. */
  readonly finish: Finish | null;
  /** It is in a status that is not Done, as far as is known. */
  readonly open: boolean;
  /** Whole working ms in each status it was in, by status id; null where a cut history does not tell. */
  readonly times: ReadonlyMap<string, number> | null;
}

/** All issues asked for, and the statuses that are not Done they were in, in the tracker's order. */
export interface IssueLives {
  readonly lives: readonly IssueLife[];
  readonly statuses: readonly MetStatus[];
  /** Of the table of times in status: of all issues asked for. */
  readonly provenance: Provenance;
}

/**
 * Which issues are finished and since when, their cycle times and the time they spent in each status: four requests to
 * the port, whatever the number of issues. An issue that was reopened is not finished; one moved between statuses of
 * category Done finished when it came into the first of them.
 */
export async function finishedIssues(asked: AskedIssues, reporting: ReportingApi): Promise<IssueLives> {
  const request = { ...asked, includeDeletedStatuses: true };
  const [known, times, exits] = await Promise.all([
    reporting.statuses(asked.asker),
    reporting.report(ask({ ...request, reportType: 'statusDuration' })),
    reporting.report(ask({ ...request, reportType: 'lastTransitionFromStatusDate' })),
  ]);
  const met = metStatuses(times, known);
  const metrics = cycleMetrics(met);
  const clocks =
    metrics === null
      ? null
      : await reporting.report(ask({ ...request, reportType: 'durationBetweenStatuses', metrics }));
  const [exitsOf, clocksOf] = [cellsByKey(exits), cellsByKey(clocks)];
  const timesOf = cellsByKey(times);
  const done = new Set(met.filter(({ category }) => category === 'Done').map(({ id }) => id));
  return {
    lives: times.issues.map((facts): IssueLife => {
      const [current] = facts.current;
      const { key, unknown } = facts;
      const isDone = current !== undefined && done.has(current.columnId);
      const life = { facts, done, exits: exitsOf(key), clocks: clocksOf(key) };
      return {
        facts,
        summary: String(cellOf(facts.cells, 'summary')?.value ?? ''),
        finish: isDone ? finishOf(life) : null,
        open: current !== undefined && !isDone,
        times: unknown === null ? amounts(timesOf(key)) : null,
      };
    }),
    statuses: met.filter(({ id }) => !done.has(id)),
    provenance: times.provenance,
  };
}

/** In the tracker's order, whatever the order in which one issue alone met them. */
function metStatuses({ columns }: Table, known: readonly Status[]): MetStatus[] {
  const rank = new Map(known.map(({ id }, i) => [id, i]));
  const categories = new Map(known.map(({ id, category }) => [id, category]));
  return columns
    .filter(({ part }) => part === 'value')
    .map(({ id, title }): MetStatus => {
      const category = categories.get(id) ?? 'Undefined';
      return { id, title, category, rank: rank.get(id) ?? known.length };
    })
    .toSorted(compareStatuses);
}

/** In the tracker's order; what it does not tell of comes last. */
export function compareStatuses(a: MetStatus, b: MetStatus): number {
  return a.rank - b.rank || compareIds(a.id, b.id);
}

const toLast = 'to the last visit before the finish';
const ofLast = 'the last visit before the finish';

/**
 * The cycle time in two parts: up to the last visit of a status that is not Done, and that visit. A clock that stops at
 * the last visit of a Done status would run on while an issue is moved from one Done status to another.
 */
function cycleMetrics(met: readonly MetStatus[]): readonly BetweenMetric[] | null {
  const idsOf = (fits: (category: StatusCategory) => boolean) =>
    met.filter(({ category }) => fits(category)).map(({ id }) => id);
  const done = idsOf((category) => category === 'Done');
  const others = idsOf((category) => category !== 'Done');
  const progress = idsOf((category) => category === 'In Progress');
  // Without statuses a clock would run from the creation on.
  if (done.length === 0 || progress.length === 0) return null;
  return [
    {
      name: toLast,
      from: { statuses: progress, visit: 'first' },
      to: { statuses: others, visit: 'last' },
      pausedIn: [],
    },
    {
      name: ofLast,
      from: { statuses: others, visit: 'last' },
      to: { statuses: done, visit: 'first' },
      pausedIn: [],
    },
  ];
}

interface FinishedLife {
  readonly facts: IssueFacts;
  readonly done: ReadonlySet<string>;
  readonly exits: Cells;
  readonly clocks: Cells;
}

function finishOf({ facts: { history, unknown }, done, exits, clocks }: FinishedLife): Finish {
  const left = Object.entries(exits).flatMap(([id, { value }]) => (done.has(id) ? [] : [Number(value)]));
  const at = left.length === 0 ? null : left.reduce((a, b) => Math.max(a, b));
  if (unknown !== null) {
    const why = history.complete ? '' : `: ${history.reason}`;
    return { at, cycle: { reason: `its history is not complete${why}` } };
  }
  const [before, last] = [cellOf(clocks, toLast), cellOf(clocks, ofLast)];
  return {
    at,
    cycle:
      before === undefined || last === undefined
        ? { reason: 'it was never in a status of category In Progress' }
        : { ms: Number(before.value) + Number(last.value) },
  };
}

const nothing: Cells = {};

function cellsByKey(table: Table | null): (key: string) => Cells {
  const byKey = new Map(table?.rows.map(({ issueKey, cells }) => [issueKey, cells]));
  return (key) => byKey.get(key) ?? nothing;
}

function amounts(cells: Cells): ReadonlyMap<string, number> {
  return new Map(Object.entries(cells).map(([id, { value }]) => [id, Number(value)]));
}
