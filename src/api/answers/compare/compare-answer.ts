import { z } from 'zod';
import type { Provenance } from '../../../model/table.ts';
import { mapped } from '../../../output/encode.ts';
import { described, durationStatistics, statusOfWork, unknownMembers, type ValueOf } from '../document.ts';

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
export type ComparedStatus = Omit<ValueOf<typeof compareSchema>['statuses'][number], 'ids' | 'sides'> & {
  readonly ids?: readonly [string, string];
  readonly sides: readonly [ValueOf<typeof durationStatistics>, ValueOf<typeof durationStatistics>];
};
