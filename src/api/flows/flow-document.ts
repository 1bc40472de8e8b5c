import { z } from 'zod';
import { stageKinds } from '../../model/flow.ts';
import { isoInstant } from '../../output/encode.ts';
import { calendarUsed, countOrNull, durationStatistics, type ValueOf } from '../answers/document.ts';
import { checkJson, closedObject } from '../parameters/check-parameters.ts';

const named = z.object({ id: z.string(), name: z.string() });

/** A status of a stage: its id, or a name that one status of the project has. Answers have both. */
const statusInput = z
  .union([z.string(), closedObject({ id: z.string(), name: z.string().optional() })], {
    error: 'is not a status. Try: its id, or its name',
  })
  .transform((given) => (typeof given === 'string' ? given : given.id))
  .meta({ description: 'Id or name of a status; an object is known by its id.' });

const MAX_NAME = 60;
const name = z
  .string()
  .trim()
  .min(1, { error: 'is empty. Try: a name' })
  .max(MAX_NAME, { error: `is too long. Try: up to ${MAX_NAME} characters` });

const kind = z.enum(stageKinds).meta({
  description: 'queue: before the start; active: worked on; waiting: for someone; done.',
});

const startOut = z.string().meta({ description: 'The stage whose first visit starts the clock.' });
const endOut = z.string().meta({ description: 'The stage that ends it; later stages count as done, too.' });
const pauses = z
  .boolean()
  .meta({ description: 'The clock stops while an issue is back in a stage before the start.' });

/** The most days of a target: ten years. */
const MAX_DAYS = 3_650;

const target = closedObject({
  percent: z
    .int()
    .min(1, { error: 'is too small. Try: 1 to 99' })
    .max(99, { error: 'is too large. Try: 1 to 99' })
    .meta({ description: 'The share of the finished issues.' }),
  days: z
    .number()
    .positive({ error: 'is not more than 0. Try: 8' })
    .max(MAX_DAYS, { error: `is too large. Try: up to ${MAX_DAYS}` })
    .meta({ description: 'Working days of the calendar that figures go by; days of 24 hours with 24/7.' }),
}).meta({
  id: 'FlowTarget',
  description: 'The cycle time within which this share of the issues is to be finished.',
});

/** The most stages, the most names in a list, and the most variants. */
const MAX_STAGES = 30;
const MAX_NAMES = 50;
const MAX_VARIANTS = 20;

function upTo(max: number) {
  return { error: `has too many entries. Try: up to ${max}` };
}

const names = z
  .array(z.string().trim().min(1, { error: 'is empty. Try: a name' }))
  .max(MAX_NAMES, upTo(MAX_NAMES));
const issueTypes = names.min(1, { error: 'is empty. Try: the name of an issue type' });

const stages = z
  .array(closedObject({ name, kind, statuses: z.array(statusInput) }))
  .min(2, { error: 'has too few entries. Try: a stage that is active, and one that is done' })
  .max(MAX_STAGES, upTo(MAX_STAGES))
  .meta({ description: 'In order. A status is in one of them at most.' });

/** Answers have null for a stage that is not there; as it is sent, that is left out. */
const orNone = (stage: z.ZodString) => stage.nullish().transform((given) => given ?? undefined);

const clock = {
  start: orNone(startOut).meta({
    description:
      'The stage whose first visit starts the clock; left out: the first that is active or waiting.',
  }),
  end: orNone(endOut).meta({
    description: 'The stage that ends it; left out: the first that is done. Later stages count as done, too.',
  }),
  pauses: pauses.default(false),
  target: target.nullable().default(null).meta({
    description:
      'Null: the 85th percentile of the cycle times of the last 90 days; in a variant, the target of the flow.',
  }),
};

/** The members that all issues of a project have in common, and the stages of some. */
const beside = {
  blockedBy: closedObject({
    flag: z.boolean().default(true),
    statuses: z.array(statusInput).default([]),
    links: z.boolean().default(true),
  })
    .prefault({})
    .meta({ description: 'The causes for which an issue counts as blocked.' }),
  notCounted: closedObject({
    resolutions: names.default([]),
    issueTypes: names.default([]),
    subtasks: z.boolean().default(false),
  })
    .prefault({})
    .meta({ description: 'Issues that do not count as work.' }),
  variants: z
    .array(closedObject({ issueTypes, stages, ...clock }))
    .max(MAX_VARIANTS, upTo(MAX_VARIANTS))
    .default([])
    .meta({ description: 'Stages of their own for issues of some types.' }),
};

const revision = z.int().meta({ description: 'Rises with every change; 0: it never was changed.' });
const asAnswered = z.unknown().optional().meta({ description: 'As it was answered; it changes nothing.' });

/** A change of a flow, as it is sent: what was answered, with something else in it. */
export const flowChange = closedObject({
  revision: revision.meta({ description: 'The one that was read.' }),
  isDefault: z.boolean().optional().meta({
    description: 'True where it was not: back to the default, whatever the stages are.',
  }),
  stages: stages.optional(),
  ...clock,
  ...beside,
  projectKey: asAnswered,
  unplaced: asAnswered,
  changes: asAnswered,
}).meta({
  id: 'FlowInput',
  description: 'The meaning of started, waiting, blocked and finished for a team.',
  examples: [
    {
      revision: 0,
      stages: [
        { name: 'To Do', kind: 'queue', statuses: ['To Do'] },
        { name: 'Doing', kind: 'active', statuses: ['In Progress'] },
        { name: 'Review', kind: 'waiting', statuses: ['In Review'] },
        { name: 'Done', kind: 'done', statuses: ['Done'] },
      ],
    },
  ],
});

/** A change as a door reads it. */
export type FlowChange = z.output<typeof flowChange>;

/** A change with stages: statuses are ids or names. */
export type FlowInput = Omit<FlowChange, 'stages'> & { readonly stages: NonNullable<FlowChange['stages']> };

/** Reads a change that was written as JSON elsewhere than in a request; fails with what is wrong, by member. */
export function readFlowChange(json: unknown): FlowChange {
  return checkJson(flowChange, json);
}

const stagesOut = z.object({
  stages: z.array(z.object({ name: z.string(), kind, statuses: z.array(named) })),
  start: startOut.nullable(),
  end: endOut.nullable(),
  pauses,
  target: target.nullable().meta({ description: 'Null: none was set.' }),
});

/** The flow of a project. */
export const flowSchema = stagesOut
  .extend({
    projectKey: z.string(),
    revision,
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
  .meta({ id: 'Flow', description: 'The flow of a project.' });

/** The flow of a project, and what is known beside it. */
export type FlowOfProject = ValueOf<typeof flowSchema>;

/** The figures that show what a flow does. */
const flowFigures = z.object({
  finished: z.int(),
  cycleTime: durationStatistics,
  inProgress: z.int(),
  flowEfficiency: countOrNull,
  /** Issues that may have been finished, which is unknown. */
  doubtful: z.int(),
});
export type FlowFigures = ValueOf<typeof flowFigures>;

/** The figures of a project in the last eight weeks, `inProgress` now, by its flow of now and by another one. */
export const flowPreviewSchema = z.object({ now: flowFigures, draft: flowFigures, calendar: calendarUsed });
export type FlowPreview = ValueOf<typeof flowPreviewSchema>;
