import { z } from 'zod';
import { factMembers } from '../../api/answers/document.ts';
import type { SprintQuestion } from '../../api/answers/sprint/find-sprint.ts';
import { sprintSchema } from '../../api/answers/sprint/sprint-answer.ts';
import { sprintKind } from '../../api/answers/sprint/sprint-kind.ts';
import { AppError } from '../../model/error.ts';
import { defineRoute, json } from '../define-route.ts';
import { answerParameters, askKind, frameMembers } from '../report/figures.ts';

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
    ...answerParameters,
  }),
  answers: json(
    'The figures of the sprint and of up to five sprints before it on the same board.',
    z
      .object({ ...frameMembers, ...factMembers, ...sprintSchema.shape })
      .meta({ id: 'SprintReport', description: 'A sprint vs. previous sprints.' }),
    404,
  ),
  async answer(input, principal, parts) {
    const question = (measured: Pick<SprintQuestion, 'calendar' | 'timeZone'>): SprintQuestion => ({
      kind: 'sprint',
      sprint: input.id,
      selection: null,
      ...measured,
    });
    const { body } = await askKind(sprintKind, question, input, principal, parts).catch((error: unknown) => {
      if (!(error instanceof AppError) || !('sprint' in error.fields)) throw error;
      const { reason, message, details, data } = error;
      throw new AppError(reason, message, details, { fields: { id: details.join(' ') }, data });
    });
    return { body };
  },
});
