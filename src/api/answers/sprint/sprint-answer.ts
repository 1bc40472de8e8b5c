import { z } from 'zod';
import type { Provenance } from '../../../model/table.ts';
import { isoInstant } from '../../../output/encode.ts';
import { countOrNull, durationFigures, ms, status, unknownMembers, type ValueOf } from '../document.ts';

const sprint = z
  .object({
    id: z.string(),
    name: z.string(),
    start: isoInstant,
    end: isoInstant.meta({
      description: 'When it was closed; asOf while it runs.',
    }),
    running: z.boolean().meta({
      description: 'Not comparable to whole ones.',
    }),
    finished: countOrNull.meta({
      description: 'Issues finished; null: unknown.',
    }),
    carriedOver: countOrNull.meta({
      description: 'Not done at its end, or not yet.',
    }),
    added: countOrNull.meta({
      description: 'Joined after its start.',
    }),
    cycleTime: durationFigures,
    withinMs: z.record(z.string(), ms).meta({
      description: 'Time its issues spent in it, by status id.',
    }),
  })
  .meta({ id: 'Sprint' });

/** A sprint beside those before it on its board. */
export const sprintSchema = z.object({
  sprint,
  previousSprints: z.array(sprint).meta({
    description: 'Up to five; the newest first.',
  }),
  statuses: z.array(
    status.extend({
      withinMs: ms.nullable().meta({ description: 'Time its issues spent there.' }),
      previousMs: ms.nullable().meta({ description: 'Mean of the previous sprints.' }),
    }),
  ),
  ...unknownMembers,
});

/** A sprint beside those before it; `provenance.issues` counts those in it at its end. */
export type SprintReport = ValueOf<typeof sprintSchema> & { readonly provenance: Provenance };
/** The figures of one sprint. */
export type SprintFigures = SprintReport['sprint'];
