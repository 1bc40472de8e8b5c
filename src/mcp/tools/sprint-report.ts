import { z } from 'zod';
import type { SprintQuestion } from '../../api/answers/sprint/find-sprint.ts';
import { sprintKind } from '../../api/answers/sprint/sprint-kind.ts';
import type { SprintFigures } from '../../api/answers/sprint/sprint-report.ts';
import { text } from '../../api/parameters/parameter.ts';
import { about, badRequest } from '../../model/error.ts';
import { isoText } from '../../time/date-text.ts';
import {
  durationOf,
  durationOrNull,
  factLines,
  facts,
  factsOf,
  statistics,
  statisticsOf,
  unknownLines,
  unknowns,
  unknownsOf,
  type Wording,
  zonedText,
} from '../answer-facts.ts';
import { answerText } from '../answer-text.ts';
import { askFigures, countOrNull, countText, status } from '../ask-figures.ts';
import { filterParameters, measureParameters, readFilterIfAny } from '../inputs.ts';
import { defineTool } from '../tool.ts';

const sprintFigures = z.object({
  id: z.string(),
  name: z.string(),
  start: z.iso.datetime(),
  end: z.iso.datetime().meta({ description: 'When it was closed; asOf while it runs.' }),
  running: z.boolean(),
  finished: countOrNull,
  carriedOver: countOrNull.meta({ description: 'Not done at its end; of a running one, not yet.' }),
  added: countOrNull.meta({ description: 'Joined after its start.' }),
  cycleTime: statistics,
});

function sprintFiguresOf(sprint: SprintFigures, wording: Wording): z.output<typeof sprintFigures> {
  const { span, finished, carriedOver, added, cycleTime } = sprint;
  return {
    ...{ id: span.id, name: span.name, running: span.isRunning, finished, carriedOver, added },
    start: isoText(span.start),
    end: isoText(span.end),
    cycleTime: statisticsOf(cycleTime, wording),
  };
}

/** How a sprint went, compared with the sprints before. */
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
  output: z.object({
    ...facts.shape,
    sprint: sprintFigures,
    previousSprints: z.array(sprintFigures).meta({
      description: 'The newest first; while the sprint runs, up to the same time after their start.',
    }),
    statuses: z.array(
      status.extend({
        within: durationOrNull.meta({ description: 'Time its issues spent there within the sprint.' }),
        previous: durationOrNull.meta({ description: 'Mean of the previous sprints.' }),
      }),
    ),
    ...unknowns.shape,
  }),
  async answer({ sprint: named, project, jql, ...asked }, context) {
    const selection = readFilterIfAny({ project, jql });
    if (named !== undefined && selection !== null) {
      throw badRequest(about('sprint', 'cannot be used with project or jql. Try: one of them.'));
    }
    const { value, wording } = await askFigures(
      sprintKind,
      (measured): SprintQuestion => ({ kind: 'sprint', sprint: named ?? null, selection, ...measured }),
      asked,
      context,
    );
    const { provenance, doubts } = value;
    const sprint = sprintFiguresOf(value.own, wording);
    const previousSprints = value.before.map((one) => sprintFiguresOf(one, wording));
    const statuses = value.statuses.map(({ id, title, category, within, before }) => ({
      ...{ id, name: title, category, within: durationOf(within === 0 ? null : within, wording) },
      previous: durationOf(before === 0 ? null : before, wording),
    }));
    const content = {
      ...{ ...factsOf(provenance, wording), sprint, previousSprints, statuses },
      ...unknownsOf(doubts),
    };
    const { text: said } = answerText(
      [
        `Sprint ${sprint.name} (id ${sprint.id}), ${zonedText(value.own.span.start, wording)} to ${zonedText(value.own.span.end, wording)}${sprint.running ? ', STILL RUNNING: figures go up to now and are not comparable to whole sprints.' : ', closed.'}`,
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
            ...[one.cycleTime.median, one.cycleTime.p85, one.cycleTime.average].map(
              (figure) => figure?.text ?? null,
            ),
          ]),
        },
        {
          title: 'Time of all its issues in each status within the sprint',
          columns: ['Status', 'Category', 'This sprint', 'Mean of the previous sprints'],
          rows: statuses.map(({ name, category, within, previous }) => [
            ...[name, category, within?.text ?? null, previous?.text ?? null],
          ]),
        },
      ],
      [...unknownLines(doubts), ...factLines(provenance, wording)],
    );
    return { content, text: said };
  },
});
