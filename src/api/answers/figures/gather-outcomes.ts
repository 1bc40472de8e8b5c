import { livesScan } from '../../../engine/measure/life-scans.ts';
import type { Unknowns } from '../../../model/answer.ts';
import type { Provenance } from '../../../model/table.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import { neverInProgress } from './finish-of.ts';
import {
  type AskedIssues,
  cycleTimes,
  doubtsOf,
  finishedIssues,
  type IssueOutcome,
  mayBeFinishedIn,
  outcomesRequest,
  timesIn,
} from './issue-outcomes.ts';
import type { ObservedStatus } from './read-table.ts';

/** What the lives of issues come to. All times are working ms, in lists. */
export interface GatheredOutcomes {
  readonly issues: number;
  /** Those of them whose time in each status is known whole. */
  readonly known: number;
  readonly finished: number;
  readonly cycleTimes: readonly Float64Array[];
  /** Why the other finished ones have no cycle time, and how many they are. */
  readonly withoutCycleTime: ReadonlyMap<string, number>;
  /** The whole time in a status (its id) of each issue that was in it. */
  readonly times: (statusId: string) => readonly Float64Array[];
  /** Those that are not Done, in workflow order. */
  readonly statuses: readonly ObservedStatus[];
  readonly doubts: Unknowns;
  readonly provenance: Provenance;
}

/** In one pass over the columns where there are some, and issue by issue where columns cannot speak. */
export async function gatherOutcomes(asked: AskedIssues, reporting: ReportingApi): Promise<GatheredOutcomes> {
  const scanned = await reporting.scan?.(outcomesRequest(asked), livesScan, (plan) => plan);
  const found = scanned?.found;
  const looked = scanned && { ...scanned, places: [...scanned.found.rest] };
  const { outcomes, statuses, provenance } = await finishedIssues(asked, reporting, looked);
  const issues = found === undefined ? outcomes.length : provenance.issues;
  return {
    issues,
    known: issues - outcomes.filter(({ times }) => times === null).length,
    finished: (found?.finished ?? 0) + outcomes.filter(({ finish }) => finish !== null).length,
    cycleTimes: [...(found?.cycleMs ?? []), Float64Array.from(cycleTimes(outcomes))],
    withoutCycleTime: reasonsOf(outcomes, found === undefined ? 0 : found.finished - countOf(found.cycleMs)),
    times(id) {
      const slot = scanned?.statusIds.indexOf(id) ?? -1;
      return [...(found?.times[slot] ?? []), Float64Array.from(timesIn(id, outcomes))];
    },
    statuses,
    provenance,
    doubts: doubtsOf([...outcomes, ...(await mayBelong(asked, provenance, reporting))]),
  };
}

/** Of finished issues without a cycle time; `never` more were never in progress. */
function reasonsOf(outcomes: readonly IssueOutcome[], never: number): ReadonlyMap<string, number> {
  const reasons = new Map<string, number>(never === 0 ? [] : [[neverInProgress, never]]);
  for (const { finish } of outcomes) {
    if (finish === null || 'ms' in finish.cycle) continue;
    const { reason } = finish.cycle;
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return reasons;
}

function countOf(lists: readonly Float64Array[]): number {
  return lists.reduce((sum, { length }) => sum + length, 0);
}

/** The issues that may have been finished in the time asked about, for which it is unknown when they were: none is selected. */
async function mayBelong(
  { dateRange, ...asked }: AskedIssues,
  { undecided }: Provenance,
  reporting: ReportingApi,
): Promise<readonly IssueOutcome[]> {
  if (dateRange?.field !== 'finished' || undecided === 0) return [];
  const all = { ...asked, dateRange: null };
  const scanned = await reporting.scan?.(outcomesRequest(all), livesScan, (plan) => plan);
  const looked = scanned && { ...scanned, places: [...scanned.found.rest] };
  const { outcomes } = await finishedIssues(all, reporting, looked);
  const { from, to } = dateRange;
  return mayBeFinishedIn(
    { start: from ?? Number.NEGATIVE_INFINITY, end: to ?? Number.POSITIVE_INFINITY },
    outcomes,
  );
}
