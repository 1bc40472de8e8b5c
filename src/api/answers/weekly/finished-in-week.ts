import type { Instant } from '../../../model/issue.ts';
import { reportIds } from '../../../model/report-ids.ts';
import { ask, type Principal } from '../../../model/request.ts';
import { cellOf, type Provenance } from '../../../model/table.ts';
import { doubtsOf } from '../../outcomes/issue-outcomes.ts';
import type { DoubtfulIssue } from '../../outcomes/outcomes-api.ts';
import { dataEndsBefore } from '../../outcomes/read-table.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import type { ReportingContext } from '../question-kind.ts';
import { nineWeeks, type WeeklyQuestion } from './nine-weeks.ts';
import type { Week, WeekIssue } from './weekly-answer.ts';

/**
 * Why it is unknown how many issues were finished in a week; null where it is known. Issues that were finished are counted
 * whatever else is unknown, but none is only where none can have been.
 */
export function unknownReason(
  week: Week,
  finished: number,
  maybe: readonly DoubtfulIssue[],
  provenance: Pick<Provenance, 'asOf' | 'dataAsOf' | 'undecided' | 'unasked'>,
): string | null {
  if (finished > 0) return null;
  const dataEnd = dataEndsBefore(week.end, provenance);
  if (dataEnd !== null) return `the data ends before the week ${dataEnd < week.start ? 'begins' : 'does'}`;
  const { unclear, doneSinceUnknown } = doubtsOf(maybe);
  const [first, ...others] = [...unclear, ...doneSinceUnknown];
  if (first !== undefined) {
    const which =
      others.length === 0
        ? `${first.key} may have been finished then`
        : `${others.length + 1} issues may have been finished then, ${first.key} among them`;
    return `${which}: ${first.reason}`;
  }
  const { undecided, unasked = 0 } = provenance;
  if (undecided + unasked === 0) return null;
  const unsure = undecided + unasked;
  return `it is unknown whether ${unsure === 1 ? '1 issue belongs' : `${unsure} issues belong`} here`;
}

/**
 * Finds the issues finished in the week of a question, and why it is unknown how many they are (null: it is known). A running
 * week reaches to the instant of the answer.
 */
export async function finishedInWeek(
  { selection, calendar, week: which, timeZone }: WeeklyQuestion,
  { principal, asOf, parts: { reporting } }: ReportingContext,
) {
  const { week } = nineWeeks(which, { asOf, timeZone });
  const found = await reporting.finishedSpans({
    principal,
    selection,
    asOf,
    calendar,
    bounds: [week.start, week.end],
  });
  const [span] = found.spans;
  if (span === undefined) throw new Error('There is a span.');
  const unknown = unknownReason(week, span.finished, found.doubtful, found.provenance);
  return { week, found, span, unknown };
}

/** The issues finished in the week of a question, the first to be finished first. */
export async function weekIssues(
  question: WeeklyQuestion,
  principal: Principal,
  asOf: Instant,
  reporting: ReportingApi,
): Promise<readonly WeekIssue[]> {
  const outcomes = await (
    await finishedInWeek(question, { principal, asOf, parts: { reporting } })
  ).span.outcomes();
  const keys = outcomes.map(({ facts }) => facts.key);
  if (keys.length === 0) return [];
  const selection = { by: 'keys', keys } as const;
  const { calendar } = question;
  const request = ask({
    principal,
    selection,
    asOf,
    calendar,
    reportType: reportIds.statusCount,
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
