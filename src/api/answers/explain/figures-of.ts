import type { FigureChoice } from '../../../model/answer.ts';
import type { Answer, Told } from '../../answers.ts';
import { agingFigures } from './explain-aging.ts';
import { compareFigures } from './explain-compare.ts';
import { issueFigures } from './explain-issue.ts';
import { reportFigures } from './explain-report.ts';
import { weeklyFigures } from './explain-weekly.ts';

/** A menu of Slack takes no more. */
const MOST_FIGURES = 100;

/** The figures of an answer that can be explained, the most telling first. */
export function figuresOf({ told }: Pick<Answer, 'told'>): readonly FigureChoice[] {
  const choices = new Map(figuresIn(told).map((choice) => [choice.id, choice]));
  return [...choices.values()].slice(0, MOST_FIGURES);
}

function figuresIn(told: Told): readonly FigureChoice[] {
  switch (told.kind) {
    case 'issue':
      return issueFigures(told.story);
    case 'report':
      return reportFigures(told.table);
    case 'weekly':
      return weeklyFigures(told.weekly);
    case 'aging':
      return agingFigures(told.aging);
    case 'mine':
      return [told.mine.own, ...told.mine.covered.map(({ aging }) => aging)].flatMap(agingFigures);
    case 'compare':
      return compareFigures(told.comparison);
  }
}
