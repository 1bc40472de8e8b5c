import type { Week } from '../../../model/answer.ts';
import { ask, type Statistic } from '../../../model/request.ts';
import type { ReportingApi } from '../../reporting.ts';
import type { AskedIssues } from '../finished.ts';

const sum: Statistic = { type: 'sum', denominator: 'nonNull', deviation: 'population', percentile: 50 };

/** Working ms that these issues together spent in each status within a week, by status id: as far as it is known. */
export async function timeWithin(
  week: Week,
  asked: AskedIssues,
  reporting: Pick<ReportingApi, 'report'>,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await reporting.report(
    ask({
      ...asked,
      reportType: 'statusDuration',
      includeDeletedStatuses: true,
      trim: { from: week.start, to: week.end },
      statistic: sum,
    }),
  );
  const [row] = rows;
  return new Map(Object.entries(row?.cells ?? {}).map(([id, { value }]) => [id, Number(value)]));
}
