import { withDistinctTitles } from '../../../engine/select-columns.ts';
import type { Comparison } from '../../../model/comparison.ts';
import type { Instant } from '../../../model/issue.ts';
import type { CompareQuestion, Side } from '../../../model/question.ts';
import type { Asker } from '../../../model/request.ts';
import type { ReportingApi } from '../../reporting.ts';
import { cycleTimes, timesIn } from '../cycle-times.ts';
import { doubtsOf } from '../doubts-of.ts';
import { finishedIssues, type IssueLives } from '../finished.ts';
import { compareStatuses, type MetStatus } from '../met-statuses.ts';
import { rangeOf } from '../range-of.ts';
import { spreadOf } from '../spread-of.ts';

/**
 * Two selections side by side, as of an instant (null: now): issues, those finished, their cycle times, and the time
 * the issues of each side spent in each status that is not Done. Eight requests to the port, whatever the number of
 * issues. `bad-request` for a zone or a calendar nobody knows.
 */
export async function compareSides(
  { sides: [left, right], calendar, timeZone }: CompareQuestion,
  asker: Asker,
  asked: Instant | null,
  { reporting, now }: { readonly reporting: ReportingApi; readonly now: () => Instant },
): Promise<Comparison> {
  const asOf = asked ?? now();
  const livesOf = ({ selection, range }: Side) => {
    const dateRange = rangeOf(range, { asOf, timeZone });
    return finishedIssues({ asker, selection, dateRange, asOf, calendar }, reporting);
  };
  const both = await Promise.all([livesOf(left), livesOf(right)]);
  const ofBoth = <Figure>(figure: (side: IssueLives) => Figure): readonly [Figure, Figure] => [
    figure(both[0]),
    figure(both[1]),
  ];
  const doubts = ofBoth(({ lives }) => doubtsOf(lives));
  return {
    titles: [left.title, right.title],
    issues: ofBoth(({ lives }) => lives.length),
    finished: ofBoth(({ lives }) => lives.filter(({ finish }) => finish !== null).length),
    cycleTime: ofBoth(({ lives }) => spreadOf(cycleTimes(lives))),
    statuses: unite(both).map(({ id, title, category }) => ({
      id,
      title,
      category,
      sides: ofBoth(({ lives }) => spreadOf(timesIn(id, lives))),
    })),
    doubts,
    provenance: ofBoth(({ provenance, lives }) => ({
      ...provenance,
      reportType: 'compare',
      askedAt: asked === null ? asOf : provenance.askedAt,
      timeZone,
      complete: provenance.complete && doubtsOf(lives).withoutCategory.length === 0,
    })),
  };
}

/** The statuses of both sides, each once, in the tracker's order. */
function unite(sides: readonly IssueLives[]): MetStatus[] {
  const met = sides.flatMap(({ statuses }) => statuses);
  const united = [...new Map(met.map((status) => [status.id, status])).values()].toSorted(compareStatuses);
  // Each side tells its own statuses apart, and no others.
  const titled = withDistinctTitles(
    united.map(({ id, title }) => ({ id, title, kind: 'duration', part: 'value' })),
  );
  return united.map((status, i) => ({ ...status, title: titled[i]?.title ?? status.title }));
}
