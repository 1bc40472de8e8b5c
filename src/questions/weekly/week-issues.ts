import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
import type { WeekIssue } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import { ask, type Principal } from '../../model/request.ts';
import { cellOf } from '../../model/table.ts';
import { finishedInWeek } from './finished-in-week.ts';
import type { WeeklyQuestion } from './nine-weeks.ts';

/** The issues finished in the week of a question, the first to be finished first. */
export async function weekIssues(
  question: WeeklyQuestion,
  principal: Principal,
  asOf: Instant,
  reporting: ReportingApi,
): Promise<readonly WeekIssue[]> {
  const { lives } = await finishedInWeek(question, principal, asOf, reporting);
  const keys = lives.map(({ facts }) => facts.key);
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
  const found = lives.flatMap(({ facts: { key, link }, summary, finish }): WeekIssue[] => {
    if (finish === null || finish.at === null) return [];
    const assignee = assignees.get(key);
    const name = assignee === undefined ? null : String(assignee);
    return [{ key, link, summary, finishedAt: finish.at, cycle: finish.cycle, assignee: name }];
  });
  return found.sort((a, b) => a.finishedAt - b.finishedAt);
}
