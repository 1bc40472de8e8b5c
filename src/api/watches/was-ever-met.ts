import { type Asker, ask } from '../../model/request.ts';
import type { WatchInput } from '../../model/watch.ts';
import type { WatchesParts } from './watches-parts.ts';

/** Whether any issue of a selection that the asker may see was ever in the status. */
export async function wasEverMet(
  { selection, status, timeZone }: Pick<WatchInput, 'selection' | 'status' | 'timeZone'>,
  asker: Asker,
  { reporting }: Pick<WatchesParts, 'reporting'>,
): Promise<boolean> {
  const { statuses } = await reporting.report(
    ask({
      asker,
      reportType: 'statusCount',
      selection,
      timeZone,
      statistic: { type: 'sum', denominator: 'nonNull', deviation: 'population', percentile: 85 },
    }),
  );
  const name = status.name.toLowerCase();
  return statuses.included.some((met) => met.id === status.id || met.name.toLowerCase() === name);
}
