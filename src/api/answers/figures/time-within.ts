import type { Instant } from '../../../model/issue.ts';
import { ask, type Statistic } from '../../../model/request.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import type { AskedIssues } from './issue-outcomes.ts';

const sum: Statistic = { type: 'sum', denominator: 'nonNull', deviation: 'population', percentile: 50 };

/** Working ms that these issues together spent in each status within a span, by status id: as far as it is known. */
export async function timeWithin(
  { start, end }: { readonly start: Instant; readonly end: Instant },
  asked: AskedIssues,
  reporting: Pick<ReportingApi, 'report'>,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await reporting.report(
    ask({
      ...asked,
      reportType: 'statusDuration',
      includeDeletedStatuses: true,
      trim: { from: start, to: end },
      statistic: sum,
    }),
  );
  const [row] = rows;
  return new Map(Object.entries(row?.cells ?? {}).map(([id, { value }]) => [id, Number(value)]));
}
