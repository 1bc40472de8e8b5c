import { type WeeksFound, weeksScan } from '../../../engine/measure/weeks-scan.ts';
import type { LeftOut } from '../../../model/answer.ts';
import type { Instant } from '../../../model/issue.ts';
import { ask, type Principal } from '../../../model/request.ts';
import { cellOf, type Provenance } from '../../../model/table.ts';
import type { ReportingApi, ScannedIssues } from '../../reporting/reporting-api.ts';
import {
  type AskedIssues,
  doubtsOf,
  finishedIn,
  finishedIssues,
  type IssueLives,
  type IssueOutcome,
  mayBeFinishedIn,
  outcomesRequest,
} from '../figures/issue-outcomes.ts';
import { dataEndsBefore } from '../figures/read-table.ts';
import { nineWeeks, type WeeklyQuestion } from './nine-weeks.ts';
import type { Week, WeekIssue } from './weekly-answer.ts';

/** The issues that may have been finished in a week: the first of them, and how many they are. */
export interface MaybeFinished {
  readonly first: LeftOut | null;
  readonly count: number;
}

/** Of some issues, added to those of others. */
export function maybeFinished(maybe: readonly IssueOutcome[], before: MaybeFinished = none): MaybeFinished {
  const { unclear, doneSinceUnknown: sinceUnknown } = doubtsOf(maybe);
  const first = before.first ?? unclear[0] ?? sinceUnknown[0] ?? null;
  return { first, count: before.count + unclear.length + sinceUnknown.length };
}

const none: MaybeFinished = { first: null, count: 0 };

/**
 * Why it is unknown how many issues were finished in a week; null where it is known. Issues that were finished are counted
 * whatever else is unknown, but none is only where none can have been.
 */
export function unknownReason(
  week: Week,
  finished: number,
  { first, count }: MaybeFinished,
  provenance: Pick<Provenance, 'asOf' | 'dataAsOf' | 'undecided' | 'unasked'>,
): string | null {
  if (finished > 0) return null;
  const dataEnd = dataEndsBefore(week.end, provenance);
  if (dataEnd !== null) return `the data ends before the week ${dataEnd < week.start ? 'begins' : 'does'}`;
  if (first !== null) {
    const which =
      count === 1
        ? `${first.key} may have been finished then`
        : `${count} issues may have been finished then, ${first.key} among them`;
    return `${which}: ${first.reason}`;
  }
  const { undecided, unasked = 0 } = provenance;
  if (undecided + unasked === 0) return null;
  const unsure = undecided + unasked;
  return `it is unknown whether ${unsure === 1 ? '1 issue belongs' : `${unsure} issues belong`} here`;
}

/** The issues finished in the week of a question, those that may have been, the week, and what all its issues are. */
interface FinishedInWeek {
  readonly week: Week;
  readonly outcomes: readonly IssueOutcome[];
  readonly maybe: readonly IssueOutcome[];
  /** Why it is unknown how many they are; null where it is known. */
  readonly unknown: string | null;
  /** Of all issues the question is about. */
  readonly all: Pick<IssueLives, 'statuses' | 'provenance'>;
}

/** Finds them; a running week reaches to the instant asked about. */
export async function finishedInWeek(
  question: WeeklyQuestion,
  principal: Principal,
  asOf: Instant,
  reporting: ReportingApi,
): Promise<FinishedInWeek> {
  const { week, issues, scanned } = await scanWeek(question, principal, asOf, reporting);
  const places = scanned === undefined ? [] : [...scanned.found.places, ...scanned.found.rest];
  const some = scanned && { ...scanned, places: places.sort((a, b) => a - b) };
  const all = await finishedIssues(issues, reporting, some);
  const outcomes = finishedIn(week, all.outcomes);
  const maybe = mayBeFinishedIn(week, all.outcomes);
  return {
    week,
    outcomes,
    maybe,
    all,
    unknown: unknownReason(week, outcomes.length, maybeFinished(maybe), all.provenance),
  };
}

/** The keys of the issues finished in the week of a question; where columns know them, no issue is looked at. */
export async function keysFinishedInWeek(
  question: WeeklyQuestion,
  principal: Principal,
  asOf: Instant,
  reporting: ReportingApi,
): Promise<{ readonly week: Week; readonly keys: readonly string[] }> {
  const { week, issues, scanned } = await scanWeek(question, principal, asOf, reporting);
  const some = scanned && { ...scanned, places: [...scanned.found.rest] };
  const { outcomes } = await finishedIssues(issues, reporting, some);
  const keys = finishedIn(week, outcomes).map(({ facts }) => facts.key);
  if (scanned === undefined) return { week, keys };
  const rest = new Map(scanned.keys(scanned.found.rest).map((key, i) => [key, scanned.found.rest[i] ?? 0]));
  const all = [
    ...scanned.keys(scanned.found.places).map((key, i) => ({ key, place: scanned.found.places[i] ?? 0 })),
    ...keys.map((key) => ({ key, place: rest.get(key) ?? 0 })),
  ];
  return { week, keys: all.sort((a, b) => a.place - b.place).map(({ key }) => key) };
}

/** One pass over the columns for the week, where there are some. */
async function scanWeek(
  { selection, calendar, week: asked, timeZone }: WeeklyQuestion,
  principal: Principal,
  asOf: Instant,
  { scan }: ReportingApi,
): Promise<{
  readonly week: Week;
  readonly issues: AskedIssues;
  readonly scanned: ScannedIssues<WeeksFound> | undefined;
}> {
  const { week } = nineWeeks(asked, { asOf, timeZone });
  const issues = { principal, selection, dateRange: null, asOf, calendar };
  const bounds = [week.start, week.end];
  const scanned = await scan?.(outcomesRequest(issues), weeksScan, (plan) => ({ ...plan, bounds }));
  return { week, issues, scanned };
}

/** The issues finished in the week of a question, the first to be finished first. */
export async function weekIssues(
  question: WeeklyQuestion,
  principal: Principal,
  asOf: Instant,
  reporting: ReportingApi,
): Promise<readonly WeekIssue[]> {
  const { outcomes } = await finishedInWeek(question, principal, asOf, reporting);
  const keys = outcomes.map(({ facts }) => facts.key);
  if (keys.length === 0) return [];
  const selection = { by: 'keys', keys } as const;
  const { calendar } = question;
  const request = ask({
    principal,
    selection,
    asOf,
    calendar,
    reportType: 'statusCount',
    fields: ['assignee'],
  });
  const { issues } = await reporting.report(request);
  const assignees = new Map(issues.map(({ key, cells }) => [key, cellOf(cells, 'assignee')?.value]));
  const found = outcomes.flatMap(({ facts: { key, link }, summary, finish }): WeekIssue[] => {
    if (finish === null || finish.at === null) return [];
    const assignee = assignees.get(key);
    const name = assignee === undefined ? null : String(assignee);
    const { cycle } = finish;
    return [
      {
        key,
        summary,
        link,
        assignee: name,
        finishedAt: finish.at,
        ...('ms' in cycle
          ? { cycleMs: cycle.ms, noCycleTime: null }
          : { cycleMs: null, noCycleTime: cycle.reason }),
      },
    ];
  });
  return found.sort((a, b) => a.finishedAt - b.finishedAt);
}
