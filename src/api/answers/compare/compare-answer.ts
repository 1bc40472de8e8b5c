import { z } from 'zod';
import { runFigures } from '../../../engine/measure/kernels/run-kernel.ts';
import { foldedName } from '../../../model/issues/ids-and-names.ts';
import type { MeasuredQuestion, Side } from '../../../model/question.ts';
import type { Provenance } from '../../../model/table.ts';
import { mapped } from '../../../output/encode.ts';
import type { OutcomeTotals } from '../../outcomes/outcomes-api.ts';
import { joinStatuses } from '../../outcomes/read-table.ts';
import { described, durationStatistics, statusOfWork, unknownMembers, type ValueOf } from '../document.ts';
import { rangeOf } from '../figures/moving-range.ts';
import type { ReportingContext } from '../question-kind.ts';

const sideMembers = {
  title: z.string(),
  issues: z.int(),
  finished: described(z.int(), 'Done, whether or not since when is known.', ''),
  cycleTime: durationStatistics,
  inStatus: described(
    durationStatistics.nullable(),
    'Time in the statuses that are compared first; null: none were named.',
    'Time in the named statuses.',
  ),
  ...unknownMembers,
};
const sideShape = z.object(sideMembers);

/** One of two selections that stand side by side, and where its figures come from. */
export type ComparedSide = ValueOf<typeof sideShape> & { readonly provenance: Provenance };

const side = mapped(
  ({ provenance: { complete, query }, ...figures }: ComparedSide) => ({ ...figures, complete, query }),
  z
    .object({ ...sideMembers, complete: z.boolean(), query: z.string().nullable() })
    .meta({ id: 'ComparedSide' }),
);

/** Two selections side by side. */
export const compareSchema = z.object({
  sides: z.tuple([side, side]).meta({ description: 'Left, right.' }),
  statuses: described(
    z.array(
      statusOfWork.extend({
        // Projects can have a status each of one name.
        ids: z.tuple([z.string(), z.string()]).optional().meta({
          description: 'The id on each side, where it differs.',
        }),
        sides: z.tuple([durationStatistics, durationStatistics]),
      }),
    ),
    'Time in each status that is not done, of the issues that were there.',
    'Time there, of the issues that were there.',
  ),
});

/** Two selections side by side. */
export interface Comparison {
  readonly sides: readonly [ComparedSide, ComparedSide];
  readonly statuses: readonly ComparedStatus[];
}

/** Time in one status on both sides, over the issues of each that were in it; visits that last count as far as they came. */
type ComparedStatus = Omit<ValueOf<typeof compareSchema>['statuses'][number], 'ids' | 'sides'> & {
  readonly ids?: readonly [string, string];
  readonly sides: readonly [ValueOf<typeof durationStatistics>, ValueOf<typeof durationStatistics>];
};

/** Two selections of issues, or two times of one, side by side. */
export interface CompareQuestion extends MeasuredQuestion {
  readonly kind: 'compare';
  readonly sides: readonly [Side, Side];
  /** The figure that is compared first; absent: the median cycle time. */
  readonly measure?: ComparedMeasure;
}

/** A figure of the cycle time, or of the time in the statuses of one name. */
interface ComparedMeasure {
  readonly figure: 'median' | 'p85' | 'average';
  readonly status?: { readonly name: string; readonly ids: readonly string[] };
}

/**
 * Two selections side by side: issues, those finished, their cycle times, and the time
 * the issues of each side spent in each status that is not done. `bad-request` for an unknown zone or calendar.
 */
export async function compareSides(
  { sides: [left, right], calendar, timeZone, measure }: CompareQuestion,
  { principal, asOf, parts: { reporting } }: ReportingContext,
): Promise<Comparison> {
  const outcomesOf = ({ selection, range }: Side) => {
    const dateRange = rangeOf(range, { asOf, timeZone });
    return reporting.outcomes({ principal, selection, dateRange, asOf, calendar });
  };
  const both = await Promise.all([outcomesOf(left), outcomesOf(right)]);
  const observed = joinStatuses(both.flatMap((side) => side.statuses));
  const names = new Map((await reporting.statuses(principal)).map(({ id, name }) => [id, name]));
  const named = measure?.status?.ids ?? [];
  const sets = both.map(({ cycleTimes: cycles, times }) => [
    cycles,
    named.flatMap((id) => times(id)),
    ...observed.map(({ id }) => times(id)),
  ]);
  const figures = await runFigures(sets.flat());
  const figureOf = (side: 0 | 1, index: number) => {
    const figure = figures[side * (observed.length + 2) + index];
    if (figure === undefined) throw new Error('There is a figure of each set.');
    return figure;
  };
  const sideOf = (side: 0 | 1, { title }: Side): ComparedSide => ({
    title,
    issues: both[side].issues,
    finished: both[side].finished,
    cycleTime: figureOf(side, 0),
    inStatus: named.length === 0 ? null : figureOf(side, 1),
    ...both[side].doubts,
    provenance: provenanceOf(both[side]),
  });
  const provenanceOf = ({ provenance, doubts }: OutcomeTotals) => ({
    ...provenance,
    reportType: 'compare',
    timeZone,
    complete: provenance.complete && doubts.statusesWithoutCategory.length === 0,
  });
  return {
    sides: [sideOf(0, left), sideOf(1, right)],
    statuses: joinByName(
      observed.map(({ id, name, category, kind }, i) => ({
        id,
        name,
        category,
        kind,
        sides: [figureOf(0, i + 2), figureOf(1, i + 2)] as const,
      })),
      names,
    ),
  };
}

/**
 * Statuses of one name and kind are one row where no side has issues in two of them: projects often have their own
 * status of a name that others have as well.
 */
function joinByName(
  statuses: readonly ComparedStatus[],
  names: ReadonlyMap<string, string>,
): readonly ComparedStatus[] {
  const nameOf = ({ id, name: title }: ComparedStatus) => names.get(id) ?? title;
  const groups = Map.groupBy(statuses, (one) => `${one.kind} ${foldedName(nameOf(one))}`);
  return statuses.flatMap((status) => {
    const group = groups.get(`${status.kind} ${foldedName(nameOf(status))}`) ?? [status];
    const [first, ...others] = group;
    const having = ([0, 1] as const).map((side) => group.filter((one) => one.sides[side].count > 0));
    if (others.length === 0 || having.some(({ length }) => length > 1)) return [status];
    if (status !== first) return [];
    const [left, right] = [having[0]?.[0] ?? first, having[1]?.[0] ?? first];
    return [
      {
        id: left.id,
        ids: [left.id, right.id],
        name: nameOf(status),
        category: status.category,
        kind: status.kind,
        sides: [left.sides[0], right.sides[1]],
      },
    ];
  });
}
