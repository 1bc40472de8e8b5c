import { z } from 'zod';
import type { SprintQuestion } from '../../api/answers/sprint/find-sprint.ts';
import { sprintKind } from '../../api/answers/sprint/sprint-kind.ts';
import type { SprintFigures } from '../../api/answers/sprint/sprint-report.ts';
import { AppError } from '../../model/error.ts';
import { defineRoute, json } from '../define-route.ts';
import {
  answerFigures,
  duration,
  durationIn,
  durationStatistics,
  type FigureFrame,
  figureMembers,
  figureParameters,
  figuresFrom,
  statisticsIn,
  statusMembers,
  statusOf,
  unknownMembers,
  unknownsOf,
} from '../report/figures.ts';
import { isoInstant } from '../wire.ts';

const sprint = z
  .object({
    id: z.string(),
    name: z.string(),
    start: isoInstant,
    end: isoInstant.describe('When it was closed; asOf while it runs.'),
    running: z
      .boolean()
      .describe(
        'True while the sprint runs: its figures go to asOf and are not comparable to those of whole sprints.',
      ),
    finished: z
      .int()
      .nullable()
      .describe(
        'Throughput: issues that came to a status of category Done within the sprint and were there at its end; null where of none it is known, and some may have been.',
      ),
    carriedOver: z
      .int()
      .nullable()
      .describe(
        'Issues that were not done at its end; of a running one, not yet. Null where that is unknown.',
      ),
    added: z
      .int()
      .nullable()
      .describe(
        'Issues that joined the sprint after its start; null where histories start too late to show it.',
      ),
    cycleTime: durationStatistics.describe('Of the issues finished.'),
    within: z
      .array(z.object({ id: z.string(), ...duration.shape }))
      .describe('Time its issues spent in each status within it, by status id.'),
  })
  .meta({ id: 'Sprint', description: 'The figures of one sprint.' });

const report = z
  .object({
    ...figureMembers,
    issueCount: z.int().describe('Issues in the sprint at its end.'),
    sprint,
    previousSprints: z
      .array(sprint)
      .describe(
        'Up to five sprints before it on the same board, the newest first; while the sprint runs, up to the same time after their start.',
      ),
    statuses: z
      .array(
        z.object({
          ...statusMembers,
          within: duration,
          previous: duration.describe('Mean of the previous sprints; "-" without one.'),
        }),
      )
      .describe('Those of category Done are left out.'),
    ...unknownMembers('sprint'),
  })
  .meta({ id: 'SprintReport', description: 'A sprint vs. previous sprints.' });

/** A sprint, compared with previous sprints. */
export const sprintReport = defineRoute({
  id: 'getSprintReport',
  methods: ['get'],
  paths: ['/rest/sprints/:id/report'],
  takesLong: true,
  section: 'Reports',
  summary:
    'A sprint: throughput, carried-over and added work, cycle time and time in status, vs. previous sprints',
  parameters: z.object({
    id: z
      .string()
      .regex(/^\d{1,15}$/, { error: 'is not the id of a sprint. Try: a number such as 44' })
      .describe('Id of the sprint, a whole number.'),
    ...figureParameters,
  }),
  answers: json(
    'The figures of the sprint and of up to five sprints before it on the same board.',
    report,
    404,
  ),
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
    const inUnit = durationIn(frame);
    return {
      body: {
        ...figuresFrom(value.provenance, frame),
        sprint: sprintOf(value.own, frame),
        previousSprints: value.before.map((one) => sprintOf(one, frame)),
        statuses: value.statuses.map(({ within, before, ...status }) => ({
          ...statusOf(status),
          within: inUnit(unlessNone(within)),
          previous: inUnit(unlessNone(before)),
        })),
        ...unknownsOf(value.doubts),
      },
    };
  },
});

/** No time at all is no figure. */
function unlessNone(ms: number | null): number | null {
  return ms === 0 ? null : ms;
}

function sprintOf(
  { span, finished, carriedOver, added, cycleTime, within }: SprintFigures,
  frame: FigureFrame,
) {
  const { id, name, start, end, isRunning: running } = span;
  return {
    ...{ id, name, start, end, running, finished, carriedOver, added },
    cycleTime: statisticsIn(frame)(cycleTime),
    within: [...within].map(([status, ms]) => ({ id: status, ...durationIn(frame)(ms) })),
  };
}
