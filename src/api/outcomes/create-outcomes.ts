import { outcomesScan } from '../../engine/measure/outcome-scans.ts';
import { numbersAt } from '../../engine/measure/scan-rows.ts';
import type { ReportingApi } from '../reporting/reporting-api.ts';
import { blockedSpans } from './blocked-spans.ts';
import { endedByProject } from './ended-visits.ts';
import { neverInProgress } from './finish-of.ts';
import { finishedSpans } from './finished-spans.ts';
import {
  cycleTimes,
  doubtsOf,
  flowsFor,
  mayBeFinishedIn,
  outcomesRequest,
  readRemaining,
  timesIn,
  withoutCycleTime,
} from './issue-outcomes.ts';
import { movedSince } from './moved-since.ts';
import { openIssues } from './open-issues.ts';
import type { IssueOutcome, IssuesInput, OutcomesApi, OutcomeTotals } from './outcomes-api.ts';
import { type PassOver, passOverLists } from './pass.ts';
import { sprintOutcomes } from './sprint-outcomes.ts';
import { stagesOverTime } from './stages-over-time.ts';

/** The port for questions about many issues, over reports alone or with a pass over rows before. */
export function createOutcomes(
  reporting: Pick<ReportingApi, 'report' | 'slices' | 'statuses' | 'audienceScope' | 'flows' | 'reportTypes'>,
  passOver: PassOver = passOverLists(reporting),
): OutcomesApi {
  return {
    flows: (...given) => reporting.flows(...given),
    outcomes: (issues) => outcomeTotals(issues, reporting, passOver),
    finishedSpans: (input) => finishedSpans(input, reporting, passOver),
    stagesOverTime: (input) => stagesOverTime(input, reporting, passOver),
    openIssues: (input) => openIssues(input, reporting, passOver),
    endedVisits: (input) => endedByProject(input, reporting, passOver),
    blockedSpans: (input) => blockedSpans(input, reporting, passOver),
    movedSince: (input) => movedSince(input, reporting, passOver),
    sprintOutcomes: (input) => sprintOutcomes(input, reporting, passOver),
  };
}

async function outcomeTotals(
  issues: IssuesInput,
  reporting: Pick<ReportingApi, 'statuses' | 'flows'>,
  passOver: PassOver,
): Promise<OutcomeTotals> {
  const { passed, remaining, statuses, provenance } = await passAndRead(issues, reporting, passOver);
  const { lists, sums, statusIds } = passed;
  const { dateRange: range } = issues;
  const finished = sums.finished[0] ?? 0;
  const cycleMs = numbersAt(lists.cycleMs);
  // None of the issues that may have been finished in the time of the question is selected.
  const mayBelong =
    range?.field !== 'finished' || provenance.undecided === 0
      ? []
      : mayBeFinishedIn(
          { start: range.from ?? Number.NEGATIVE_INFINITY, end: range.to ?? Number.POSITIVE_INFINITY },
          (await passAndRead({ ...issues, dateRange: null }, reporting, passOver)).remaining,
        );
  return {
    issues: provenance.issues,
    known: provenance.issues - remaining.filter(({ times }) => times === null).length,
    finished: finished + remaining.filter(({ finish }) => finish !== null).length,
    cycleTimes: [cycleMs, Float64Array.from(cycleTimes(remaining))],
    withoutCycleTime: reasonsOf(remaining, finished - cycleMs.length),
    times: (id) => [
      ...(lists.times.get(statusIds.indexOf(id)) ?? []),
      Float64Array.from(timesIn(id, remaining)),
    ],
    statuses,
    doubts: doubtsOf([...remaining, ...mayBelong]),
    provenance,
  };
}

/** One pass over all issues, and the outcomes of those that rows cannot speak for. */
async function passAndRead(
  issues: IssuesInput,
  reporting: Pick<ReportingApi, 'statuses' | 'flows'>,
  passOver: PassOver,
) {
  const flows = await flowsFor(issues, reporting);
  const request = outcomesRequest(issues, flows);
  const passed = await passOver(request, outcomesScan, (plan) => plan, { flows });
  const remaining: IssueOutcome[] = [];
  const ofAll = await readRemaining({ ...issues, flows }, passed, reporting, (outcomes) => {
    for (const outcome of outcomes) remaining.push(outcome);
  });
  return { passed, remaining, ...ofAll };
}

/**
 * The reasons why finished issues have no cycle time, with their counts; `never` more issues were never in progress.
 */
function reasonsOf(outcomes: readonly IssueOutcome[], never: number): ReadonlyMap<string, number> {
  const reasons = new Map<string, number>(never === 0 ? [] : [[neverInProgress, never]]);
  for (const { reason } of withoutCycleTime(outcomes)) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  return reasons;
}
