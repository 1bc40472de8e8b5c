import { z } from 'zod';
import type { Provenance } from '../../../model/table.ts';
import { isoInstant } from '../../../output/encode.ts';
import {
  countOrNull,
  described,
  durationStatistics,
  ms,
  statusOfWork,
  unknownMembers,
  type ValueOf,
} from '../document.ts';

const sprint = z
  .object({
    id: z.string(),
    name: z.string(),
    start: isoInstant,
    end: described(
      isoInstant,
      'When it was closed; asOf while it runs. While the sprint runs, a previous one ends as long after its start.',
      'When it was closed; asOf while it runs.',
    ),
    running: described(
      z.boolean(),
      'True while the sprint runs: its figures go to asOf and are not comparable to those of whole sprints.',
      'Not comparable to whole ones.',
    ),
    finished: described(
      countOrNull,
      'Throughput: issues that came to a status that is done within the sprint and were there at its end; null where of none it is known, and some may have been.',
      'Issues finished; null: unknown.',
    ),
    carriedOver: described(
      countOrNull,
      'Issues that were not done at its end; of a running one, not yet. Null where that is unknown.',
      'Not done at its end, or not yet.',
    ),
    added: described(
      countOrNull,
      'Issues that joined the sprint after its start; null where histories start too late to show it.',
      'Joined after its start.',
    ),
    cycleTime: described(durationStatistics, 'Of the issues finished.', ''),
    withinMs: described(
      z.record(z.string(), ms),
      'Time its issues spent in each status within it, by status id; those that are done are left out.',
      'Time its issues spent in it, by status id.',
    ),
  })
  .meta({ id: 'Sprint' });

/** A sprint beside those before it on its board. */
export const sprintSchema = z.object({
  sprint,
  previousSprints: described(
    z.array(sprint),
    'Up to five sprints before it on the same board, the newest first; while the sprint runs, up to the same time after their start.',
    'Up to five; the newest first.',
  ),
  statuses: z.array(
    statusOfWork.extend({
      withinMs: described(
        ms.nullable(),
        'Time its issues spent in the status within the sprint; null: none.',
        'Time its issues spent there.',
      ),
      previousMs: described(
        ms.nullable(),
        'Mean of the previous sprints; null: none.',
        'Mean of the previous sprints.',
      ),
    }),
  ),
  ...unknownMembers,
});

/** A sprint beside those before it; `provenance.issues` counts those in it at its end. */
export type SprintReport = ValueOf<typeof sprintSchema> & { readonly provenance: Provenance };
/** The figures of one sprint. */
export type SprintFigures = SprintReport['sprint'];
