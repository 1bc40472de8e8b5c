import { z } from 'zod';
import { factMembers } from '../../api/answers/document.ts';
import type { SprintQuestion } from '../../api/answers/sprint/find-sprint.ts';
import { sprintSchema } from '../../api/answers/sprint/sprint-answer.ts';
import { sprintKind } from '../../api/answers/sprint/sprint-kind.ts';
import { text } from '../../api/parameters/parameter.ts';
import { about, badRequest } from '../../model/error.ts';
import { durationWord, factLines, more, unknownLines, zonedText } from '../answer-facts.ts';
import { answerText } from '../answer-text.ts';
import { askFigures, countText } from '../ask-figures.ts';
import { filterParameters, measureParameters, readFilterIfAny } from '../inputs.ts';
import { defineTool } from '../tool.ts';

const output = z.object({ ...factMembers, ...sprintSchema.shape, more });

/** The figures of a sprint, compared with the sprints before. */
export const sprintReport = defineTool({
  name: 'sprint_report',
  title: 'Sprint report',
  description:
    'A sprint compared with up to five sprints before it on its board: issues finished, carried over and added, cycle time and time in status. Without a sprint, the last one that began; with project or jql, the last one with issues of that filter.',
  takesLong: true,
  parameters: z.object({
    sprint: text.optional().meta({ description: 'Id or name of the sprint; without it the latest.' }),
    project: filterParameters.project,
    jql: filterParameters.jql,
    ...measureParameters,
  }),
  output,
  async answer({ sprint: named, project, jql, ...input }, context) {
    const selection = readFilterIfAny({ project, jql });
    if (named !== undefined && selection !== null) {
      throw badRequest(about('sprint', 'cannot be used with project or jql. Try: one of them.'));
    }
    const { value, body, wording } = await askFigures(
      sprintKind,
      (measured): SprintQuestion => ({ kind: 'sprint', sprint: named ?? null, selection, ...measured }),
      input,
      context,
    );
    const { provenance, sprint, previousSprints, statuses } = value;
    const word = (ms: number | null) => durationWord(ms, wording);
    const { text } = answerText(
      [
        `Sprint ${sprint.name} (id ${sprint.id}), ${zonedText(sprint.start, wording)} to ${zonedText(sprint.end, wording)}${sprint.running ? ', STILL RUNNING: figures go up to now and are not comparable to whole sprints.' : ', closed.'}`,
      ],
      [
        {
          columns: [
            ...['Sprint', 'Issues finished', 'Carried over', 'Added after the start'],
            ...['Cycle time: median', 'p85', 'average'],
          ],
          rows: [sprint, ...previousSprints].map((one) => [
            `${one.name}${one.running ? ' (running)' : ''}`,
            ...[one.finished, one.carriedOver, one.added].map(countText),
            ...[one.cycleTime.medianMs, one.cycleTime.p85Ms, one.cycleTime.averageMs].map(word),
          ]),
        },
        {
          title: 'Time of all its issues in each status within the sprint',
          columns: ['Status', 'Category', 'This sprint', 'Mean of the previous sprints'],
          rows: statuses.map(({ name, category, withinMs, previousMs }) => [
            ...[name, category, word(withinMs), word(previousMs)],
          ]),
        },
      ],
      [...unknownLines(value), ...factLines(provenance, wording)],
    );
    return { content: output.parse(body), text };
  },
});
