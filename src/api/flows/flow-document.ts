import { z } from 'zod';
import { stageKinds } from '../../model/flow.ts';
import { isoInstant } from '../../output/encode.ts';
import { countOrNull, durationStatistics, type ValueOf } from '../answers/document.ts';

const named = z.object({ id: z.string(), name: z.string() });

/** A status of a stage: its id, or a name that one status of the project has. Answers have both. */
const statusInput = z
  .union([z.string(), z.object({ id: z.string() })])
  .transform((given) => (typeof given === 'string' ? given : given.id))
  .meta({ description: 'Id or name of a status; an object is known by its id.' });

const name = z.string().trim().min(1).max(60);

const kind = z.enum(stageKinds).meta({
  description: 'queue: before the start; active: worked on; waiting: for someone; done.',
});

const start = z.string().meta({ description: 'The stage whose first visit starts the clock.' });
const end = z.string().meta({ description: 'The stage that ends it; later stages count as done, too.' });
const pauses = z
  .boolean()
  .meta({ description: 'The clock stops while an issue is back in a stage before the start.' });

/** The stages of a flow as they are sent; without `start` the first started stage is it, without `end` the first that is done. */
const stagesInput = z.object({
  stages: z
    .array(z.object({ name, kind, statuses: z.array(statusInput) }))
    .min(2)
    .max(30)
    .meta({ description: 'In order. A status is in one of them at most.' }),
  start: start.optional(),
  end: end.optional(),
  pauses: pauses.default(false),
});

const names = z.array(z.string().trim().min(1)).max(50);

/** A flow as it is sent. */
export const flowInput = stagesInput
  .extend({
    blockedBy: z
      .object({
        flag: z.boolean().default(true),
        statuses: z.array(statusInput).default([]),
        links: z.boolean().default(true),
      })
      .prefault({}),
    notCounted: z
      .object({
        resolutions: names.default([]),
        issueTypes: names.default([]),
        subtasks: z.boolean().default(false),
      })
      .prefault({}),
    variants: z
      .array(stagesInput.extend({ issueTypes: names.min(1) }))
      .max(20)
      .default([])
      .meta({ description: 'Stages of their own for issues of some types.' }),
  })
  .meta({
    id: 'FlowInput',
    description: 'What a team calls started, waiting, blocked and finished.',
    examples: [
      {
        stages: [
          { name: 'To Do', kind: 'queue', statuses: ['To Do'] },
          { name: 'Doing', kind: 'active', statuses: ['In Progress'] },
          { name: 'Review', kind: 'waiting', statuses: ['In Review'] },
          { name: 'Done', kind: 'done', statuses: ['Done'] },
        ],
      },
    ],
  });

/** A flow as a door reads it: statuses are ids or names. */
export type FlowInput = z.output<typeof flowInput>;

const stagesOut = z.object({
  stages: z.array(z.object({ name: z.string(), kind, statuses: z.array(named) })),
  start: start.nullable(),
  end: end.nullable(),
  pauses,
});

/** The flow of a project. */
export const flowSchema = stagesOut
  .extend({
    projectKey: z.string(),
    revision: z.int().meta({ description: 'Rises with every change; 0: it never was changed.' }),
    isDefault: z.boolean().meta({ description: 'Derived from the categories of the statuses.' }),
    blockedBy: z
      .object({ flag: z.boolean(), statuses: z.array(named), links: z.boolean() })
      .meta({ description: 'The causes for which an issue counts as blocked.' }),
    notCounted: z
      .object({
        resolutions: z.array(z.string()),
        issueTypes: z.array(z.string()),
        subtasks: z.boolean(),
      })
      .meta({ description: 'Issues that do not count as work.' }),
    variants: z.array(stagesOut.extend({ issueTypes: z.array(z.string()) })),
    unplaced: z
      .array(named)
      .meta({ description: 'Statuses of the project that no stage has; their categories count.' }),
    changes: z
      .array(z.object({ at: isoInstant, by: z.string() }))
      .meta({ description: 'Its changes, the latest last; by: the user id.' }),
  })
  .meta({ id: 'Flow' });

/** The flow of a project, and what is known beside it. */
export type FlowOfProject = ValueOf<typeof flowSchema>;

/** The figures that show what a flow does. */
const flowFigures = z.object({
  finished: z.int(),
  cycleTime: durationStatistics,
  inProgress: z.int().meta({ description: 'Now.' }),
  flowEfficiency: countOrNull,
});
export type FlowFigures = ValueOf<typeof flowFigures>;
