import type { LeftOut } from '../../../model/answer.ts';
import type { Instant } from '../../../model/issue.ts';
import { type Asker, ask } from '../../../model/request.ts';
import { cellOf } from '../../../model/table.ts';
import type { ReportingApi } from '../../reporting.ts';
import { cutReason } from '../cut-reason.ts';
import { statusNow } from '../status-now.ts';

/**
 * The issues, done ones apart, of which nobody can tell whom they were with at an instant: it lies in the unknown time
 * of a cut history. Whom an issue is with now the tracker shows, so there is none where nothing was changed since.
 */
export async function untoldAssignees(
  asker: Asker,
  asOf: Instant,
  reporting: ReportingApi,
): Promise<readonly LeftOut[]> {
  const issuesOf = (jql: string) =>
    reporting.report(
      ask({
        asker,
        reportType: 'statusCount',
        selection: { by: 'jql', jql },
        asOf,
        fields: ['status', 'assignee'],
      }),
    );
  const nobodys = await issuesOf('assignee is EMPTY');
  if (nobodys.provenance.undecided === 0) return [];
  const known = new Set(nobodys.issues.map(({ key }) => key));
  const statuses = new Map((await reporting.statuses(asker)).map((one) => [one.id, one]));
  // No query chooses what it cannot decide.
  const { issues } = await issuesOf('');
  return issues
    .filter(({ key, cells }) => cellOf(cells, 'assignee') === undefined && !known.has(key))
    .filter((facts) => statusNow(facts, statuses)?.category !== 'Done')
    .map((facts) => ({
      key: facts.key,
      reason: `nobody knows whom it was with then: ${cutReason(facts)}`,
    }));
}
