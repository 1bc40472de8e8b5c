import { millisecondsInMinute } from 'date-fns/constants';
import type { Instant, Status } from '../../model/issue.ts';
import { reportIds } from '../../model/report-ids.ts';
import { ask, type Statistic } from '../../model/request.ts';
import type { IssueFacts, Provenance } from '../../model/table.ts';
import type { ReportingApi } from '../reporting/reporting-api.ts';
import type { IssuesInput, Span } from './outcomes-api.ts';
import { observedStatuses } from './read-table.ts';

const sum: Statistic = { type: 'sum', denominator: 'nonNull', deviation: 'population', percentile: 50 };

/** Working ms that these issues together spent in each status within a span, by status id: as far as it is known. */
export async function timeWithin(
  { start, end }: Span,
  issues: IssuesInput,
  reporting: Pick<ReportingApi, 'report'>,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await reporting.report(
    ask({
      ...issues,
      reportType: reportIds.statusDuration,
      includeDeletedStatuses: true,
      trim: { from: start, to: end },
      statistic: sum,
    }),
  );
  const [row] = rows;
  return new Map(Object.entries(row?.cells ?? {}).map(([id, { value }]) => [id, Number(value)]));
}

/** The last moment of a span, or of as much of it as is over. A hosted service has dates to the minute. */
export function lastMoment(
  { end }: Pick<Span, 'end'>,
  { asOf, tracker }: Pick<Provenance, 'asOf' | 'tracker'>,
): { readonly from: Instant; readonly to: Instant } {
  const ms = tracker === 'hosted' ? millisecondsInMinute : 1;
  const to = Math.floor(Math.min(end, asOf) / ms) * ms;
  return { from: to - ms, to };
}

/** The issues that were in a status of category In Progress for most of a moment, with its name, and how many there are. */
export async function issuesInProgress(
  moment: { readonly from: Instant; readonly to: Instant },
  { calendar: _calendar, ...issues }: IssuesInput,
  known: readonly Status[],
  reporting: Pick<ReportingApi, 'report'>,
): Promise<{
  readonly found: readonly { readonly facts: IssueFacts; readonly status: string }[];
  readonly of: number;
}> {
  const table = await reporting.report(
    ask({
      ...issues,
      reportType: reportIds.statusDuration,
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
  return { found, of: table.issues.length };
}
