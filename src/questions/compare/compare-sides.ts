import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
import { runFigures } from '../../kernels/run-kernel.ts';
import type { Comparison, DurationFigures } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import type { MeasuredQuestion, Side } from '../../model/question.ts';
import type { Principal } from '../../model/request.ts';
import { type GatheredLives, gatherLives } from '../figures/gather-lives.ts';
import { rangeOf } from '../figures/moving-range.ts';
import { joinStatuses } from '../figures/read-table.ts';

/** Two selections of issues, or two times of one, side by side. */
export interface CompareQuestion extends MeasuredQuestion {
  readonly kind: 'compare';
  readonly sides: readonly [Side, Side];
}

/**
 * Two selections side by side, as of an instant (null: now): issues, those finished, their cycle times, and the time
 * the issues of each side spent in each status that is not Done. `bad-request` for a zone or a calendar nobody knows.
 */
export async function compareSides(
  { sides: [left, right], calendar, timeZone }: CompareQuestion,
  principal: Principal,
  asked: Instant | null,
  { reporting, now }: { readonly reporting: ReportingApi; readonly now: () => Instant },
): Promise<Comparison> {
  const asOf = asked ?? now();
  const livesOf = ({ selection, range }: Side) => {
    const dateRange = rangeOf(range, { asOf, timeZone });
    return gatherLives({ principal, selection, dateRange, asOf, calendar }, reporting);
  };
  const both = await Promise.all([livesOf(left), livesOf(right)]);
  const met = joinStatuses(both.flatMap((side) => side.statuses));
  const figures = await runFigures(
    both.flatMap(({ cycleTimes: cycles, times }) => [cycles, ...met.map(({ id }) => times(id))]),
  );
  const ofBoth = (index: number) =>
    [figureAt(figures, index), figureAt(figures, met.length + 1 + index)] as const;
  const provenanceOf = ({ provenance, doubts }: GatheredLives) => ({
    ...provenance,
    reportType: 'compare',
    askedAt: asked === null ? asOf : provenance.askedAt,
    timeZone,
    complete: provenance.complete && doubts.withoutCategory.length === 0,
  });
  return {
    titles: [left.title, right.title],
    issues: [both[0].issues, both[1].issues],
    finished: [both[0].finished, both[1].finished],
    cycleTime: ofBoth(0),
    statuses: met.map(({ id, title, category }, i) => ({ id, title, category, sides: ofBoth(i + 1) })),
    doubts: [both[0].doubts, both[1].doubts],
    provenance: [provenanceOf(both[0]), provenanceOf(both[1])],
  };
}

function figureAt(figures: readonly DurationFigures[], index: number): DurationFigures {
  const found = figures[index];
  if (found === undefined) throw new Error('There is a figure of each set.');
  return found;
}
