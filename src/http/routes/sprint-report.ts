import { z } from 'zod';
import { AppError } from '../../model/error.ts';
import { sprintKind } from '../../questions/sprint/sprint-kind.ts';
import type { SprintFigures, SprintQuestion } from '../../questions/sprint/sprint-report.ts';
import { isoText } from '../../time/date-text.ts';
import { defineRoute } from '../define-route.ts';
import { answerFigures, figureParameters } from '../report/answer-figures.ts';
import {
  doubtsJson,
  durationJson,
  provenanceJson,
  statisticsJson,
  statusJson,
  type WeeklyFrame,
} from '../wire/weekly-json.ts';
import {
  aroundFigures,
  doubtsMembers,
  durationSchema,
  statisticsSchema,
  statusMembers,
} from '../wire/weekly-schema.ts';

const figures = z.object({
  id: z.string(),
  name: z.string(),
  start: z.iso.datetime(),
  end: z.iso.datetime().meta({ description: 'When it was closed; asOf while it runs.' }),
  running: z.boolean().meta({
    description:
      'True while the sprint runs: its figures go to asOf and are not comparable to those of whole sprints.',
  }),
  finished: z.int().nullable().meta({
    description:
      'Throughput: issues that came to a status of category Done within the sprint and were there at its end; null where of none it is known, and some may have been.',
  }),
  carriedOver: z.int().nullable().meta({
    description:
      'Issues that were not done at its end; of a running one, not yet. Null where that is unknown.',
  }),
  added: z.int().nullable().meta({
    description:
      'Issues that joined the sprint after its start; null where histories start too late to show it.',
  }),
  cycleTime: statisticsSchema.meta({ description: 'Of the issues finished.' }),
  within: z
    .array(z.object({ id: z.string(), ...durationSchema.shape }))
    .meta({ description: 'Time its issues spent in each status within it, by status id.' }),
});

const reportSchema = aroundFigures
  .extend({
    issueCount: z.int().meta({ description: 'Issues in the sprint at its end.' }),
    sprint: figures,
    previousSprints: z
      .array(figures)
      .meta({ description: 'Up to five sprints before it on the same board, the newest first.' }),
    statuses: z
      .array(
        z.object({
          ...statusMembers,
          within: durationSchema,
          previous: durationSchema.meta({ description: 'Mean of the previous sprints; "-" without one.' }),
        }),
      )
      .meta({ description: 'Those of category Done are left out.' }),
    ...doubtsMembers('sprint'),
  })
  .meta({ id: 'SprintReport' });

/** A sprint beside the sprints before it. */
export const sprintReport = defineRoute({
  methods: ['get'],
  paths: ['/rest/sprints/:id/report'],
  guarded: true,
  takesLong: true,
  section: 'Reports',
  summary:
    'A sprint: throughput, carried-over and added work, cycle time and time in status, vs. previous sprints',
  parameters: z.object({
    id: z
      .string()
      .regex(/^\d{1,15}$/, { error: 'is not the id of a sprint. Try: a number such as 44' })
      .meta({ description: 'Id of the sprint, a whole number.' }),
    ...figureParameters,
  }),
  answers: {
    description: 'The figures of the sprint and of up to five sprints before it on the same board.',
    content: { 'application/json': reportSchema },
    failures: [404],
  },
  async answer(asked, principal, parts) {
    const { value, frame } = await answerFigures(
      sprintKind,
      (measured): SprintQuestion => ({ kind: 'sprint', sprint: asked.id, selection: null, ...measured }),
      asked,
      principal,
      parts,
    ).catch((error: unknown) => {
      if (!(error instanceof AppError) || !('sprint' in error.fields)) throw error;
      const { reason, message, details, data } = error;
      throw new AppError(reason, message, details, { fields: { id: details.join(' ') }, data });
    });
    return {
      body: {
        ...provenanceJson(value.provenance, frame),
        sprint: figuresJson(value.own, frame),
        previousSprints: value.before.map((one) => figuresJson(one, frame)),
        statuses: value.statuses.map(({ within, before, ...status }) => ({
          ...statusJson(status),
          within: durationJson(unlessNone(within), frame),
          previous: durationJson(unlessNone(before), frame),
        })),
        ...doubtsJson(value.doubts),
      },
    };
  },
});

/** No time at all is no figure. */
function unlessNone(ms: number | null): number | null {
  return ms === 0 ? null : ms;
}

function figuresJson(
  { span, finished, carriedOver, added, cycleTime, within }: SprintFigures,
  frame: WeeklyFrame,
) {
  return {
    ...{ id: span.id, name: span.name, start: isoText(span.start), end: isoText(span.end) },
    running: span.isRunning,
    ...{ finished, carriedOver, added },
    cycleTime: statisticsJson(cycleTime, frame),
    within: [...within].map(([id, ms]) => ({ id, ...durationJson(ms, frame) })),
  };
}
