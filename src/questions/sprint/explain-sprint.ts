import type { Explanation, FigureChoice } from '../../model/answer.ts';
import type { AnswerContext } from '../kind.ts';
import { explainCount, explainLives } from '../why/explain-lives.ts';
import { explainWithin } from '../why/explain-within.ts';
import { type FigureName, figureId, shortName, unknownFigure } from '../why/explanation.ts';
import { askedSprint, type SprintQuestion, type SprintReport } from './sprint-report.ts';

/** Finished, carried-over and added issues, the cycle times, and the time in each status within the sprint. */
export function sprintFigures({ own, statuses }: SprintReport): readonly FigureChoice[] {
  const { span, cycleTime, added } = own;
  return [
    { id: figureId('finished'), title: `Finished in ${span.name}` },
    { id: figureId('carried'), title: span.isRunning ? 'Not done yet' : 'Carried over' },
    ...(added === null ? [] : [{ id: figureId('added'), title: 'Added after the start' }]),
    ...(cycleTime.count === 0
      ? []
      : [
          { id: figureId('cycle', 'average'), title: 'Cycle time, average' },
          { id: figureId('cycle', 'median'), title: 'Cycle time, median' },
          { id: figureId('cycle', 'p85'), title: 'Cycle time, 85th percentile' },
        ]),
    ...statuses
      .filter(({ within }) => within > 0)
      .map(({ id, title }) => ({
        id: figureId('within', shortName(id)),
        title: `Time in ${title} within the sprint`,
      })),
  ];
}

/** Which issues a figure of a sprint is made of. */
export async function explainSprint(
  figure: FigureName,
  question: SprintQuestion,
  { principal, asOf, parts: { reporting } }: AnswerContext,
): Promise<Explanation> {
  const sprint = await askedSprint(question, principal, asOf, reporting);
  const { span, lives, finished, carriedOver, added, statuses, provenance, asked } = sprint;
  switch (figure.kind) {
    case 'within':
      return explainWithin(figure, { ...span, called: span.name, kind: 'sprint' }, asked, reporting);
    case 'carried':
      return explainCount(
        {
          title: span.isRunning ? `Not done yet in ${span.name}` : `Carried over from ${span.name}`,
          rules: [
            'An issue counts where it was in the sprint at its end (or is now, while it runs) and in a status that is not of category Done.',
          ],
        },
        carriedOver,
        { lives, provenance, asOf },
      );
    case 'added':
      if (added === null) throw unknownFigure();
      return explainCount(
        {
          title: `Added to ${span.name} after the start`,
          rules: [
            'An issue counts where it was not in the sprint yet when the sprint started, and is in it at its end.',
          ],
        },
        added,
        { lives, provenance, asOf },
      );
    default: {
      const earlier = new Set(lives.filter((life) => life.finish !== null && !finished.includes(life)));
      return explainLives(figure, {
        ...{ statuses, provenance, asOf },
        lives: figure.kind === 'finished' ? lives.filter((life) => !earlier.has(life)) : finished,
        maybe: lives.filter(({ unclear }) => unclear !== null),
        called: `issues finished in ${span.name}`,
        finishedCalled: `Finished in ${span.name}`,
      });
    }
  }
}
