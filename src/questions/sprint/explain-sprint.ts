import type { Explanation, FigureChoice } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import type { IssueLife } from '../figures/issue-lives.ts';
import type { AnswerContext } from '../kind.ts';
import { compose, partOf } from '../why/compose.ts';
import { explainLives, lifeName } from '../why/explain-lives.ts';
import { explainWithin } from '../why/explain-within.ts';
import { type FigureName, figureId, shortName, unknownFigure } from '../why/figure-id.ts';
import {
  findSprint,
  issuesOf,
  type SprintIssues,
  type SprintQuestion,
  type SprintReport,
} from './sprint-report.ts';

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
  const { span } = await findSprint(question, principal, asOf, reporting);
  const sprint = await issuesOf(span, question, principal, asOf, reporting);
  const { lives, finished, carriedOver, added, statuses, provenance, asked } = sprint;
  switch (figure.kind) {
    case 'within':
      return explainWithin(figure, { ...span, called: span.name, kind: 'sprint' }, asked, reporting);
    case 'carried':
      return listed(sprint, carriedOver, asOf, {
        title: span.isRunning ? `Not done yet in ${span.name}` : `Carried over from ${span.name}`,
        rule: 'An issue counts where it was in the sprint at its end (or is now, while it runs) and in a status that is not of category Done.',
      });
    case 'added':
      if (added === null) throw unknownFigure();
      return listed(sprint, added, asOf, {
        title: `Added to ${span.name} after the start`,
        rule: 'An issue counts where it was not in the sprint yet when the sprint started, and is in it at its end.',
      });
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

function listed(
  { lives, provenance }: SprintIssues,
  counted: readonly IssueLife[],
  asOf: Instant,
  { title, rule }: { readonly title: string; readonly rule: string },
): Explanation {
  return compose(
    {
      title,
      value: { kind: 'count', value: counted.length },
      rules: [rule],
      parts: counted.map((life) => partOf(lifeName(life))),
      adds: true,
      denominator: { counted: counted.length, of: lives.length },
    },
    provenance,
    asOf,
  );
}
