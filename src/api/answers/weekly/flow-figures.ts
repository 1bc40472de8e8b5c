import { millisecondsInMinute } from 'date-fns/constants';
import type { Instant, Status } from '../../../model/issue.ts';
import { ask } from '../../../model/request.ts';
import type { IssueFacts, Provenance } from '../../../model/table.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import type { AskedIssues } from '../figures/issue-outcomes.ts';
import { observedStatuses } from '../figures/read-table.ts';
import type { Week, WeeklyAggregates, WeeklyStatus } from './weekly-answer.ts';

/** Words in the name of a status in which an issue waits until it can go on, or until another person looks at it. */
const waitingWords =
  /\b(?:wait|waiting|await|awaiting|blocked|impeded|on hold|paused|parked|stalled|pending|queue|queued|ready|review|reviewing)\b/i;

/** Whether issues wait in a status of category In Progress, by its name: it is all that trackers have of it. */
export function isWaiting({ name: title }: Pick<WeeklyStatus, 'name'>): boolean {
  return waitingWords.test(title);
}

/** The share of active time, of the week and of the week before. */
export function flowEfficiency(statuses: readonly WeeklyStatus[]): WeeklyAggregates['flowEfficiency'] {
  const started = statuses.filter(({ category }) => category === 'In Progress');
  const share = (which: 'week' | 'weekBefore') => {
    const [active, waiting] = [false, true].map((waits) =>
      started.reduce((sum, one) => sum + (isWaiting(one) === waits ? one.withinMs[which] : 0), 0),
    );
    const whole = (active ?? 0) + (waiting ?? 0);
    return whole === 0 || !started.some(isWaiting) ? null : (active ?? 0) / whole;
  };
  return { week: share('week'), weekBefore: share('weekBefore') };
}

/** The last moment of a week, or of what has passed of it. Of issues that are elsewhere dates are known to the minute. */
export function lastMoment(
  { end }: Pick<Week, 'end'>,
  { asOf, tracker }: Pick<Provenance, 'asOf' | 'tracker'>,
): { readonly from: Instant; readonly to: Instant } {
  const ms = tracker === 'hosted' ? millisecondsInMinute : 1;
  const to = Math.floor(Math.min(end, asOf) / ms) * ms;
  return { from: to - ms, to };
}

/** The issues that were in a status of category In Progress for most of a moment, with its name, and how many there are. */
export async function issuesInProgress(
  moment: { readonly from: Instant; readonly to: Instant },
  { principal, selection, dateRange, asOf }: AskedIssues,
  known: readonly Status[],
  reporting: Pick<ReportingApi, 'report'>,
): Promise<{
  readonly found: readonly { readonly facts: IssueFacts; readonly status: string }[];
  readonly of: number;
  readonly provenance: Provenance;
}> {
  const table = await reporting.report(
    ask({
      principal,
      selection,
      dateRange,
      asOf,
      reportType: 'statusDuration',
      trim: moment,
      includeDeletedStatuses: true,
    }),
  );
  const titles = new Map(
    observedStatuses(table, known).flatMap(({ id, name: title, category }) =>
      category === 'In Progress' ? [[id, title] as const] : [],
    ),
  );
  const found = table.issues.flatMap((facts, i) => {
    const row = table.rows[i];
    const cells = Object.entries(row?.issueKey === facts.key ? row.cells : {}).map(([id, { value }]) => ({
      title: titles.get(id),
      ms: Number(value),
    }));
    const started = cells.filter(({ title }) => title !== undefined).toSorted((a, b) => b.ms - a.ms);
    const ms = started.reduce((sum, one) => sum + one.ms, 0);
    return 2 * ms > moment.to - moment.from ? [{ facts, status: started[0]?.title ?? '' }] : [];
  });
  return { found, of: table.issues.length, provenance: table.provenance };
}
