import type { Explanation, FigureChoice } from '../../../model/answer.ts';
import type { Instant } from '../../../model/issue.ts';
import type { Principal } from '../../../model/principal.ts';
import type { Question } from '../../../model/question.ts';
import type { Answer, Told } from '../../answers.ts';
import { type RequestParts, reportRequest } from '../request-of.ts';
import { agingFigures, explainAging } from './explain-aging.ts';
import { compareFigures, explainCompare } from './explain-compare.ts';
import { explainIssue, issueFigures } from './explain-issue.ts';
import { explainReport, reportFigures } from './explain-report.ts';
import { explainWeekly, weeklyFigures } from './explain-weekly.ts';
import { readFigureId } from './figure-id.ts';

/** Why a figure of an answer is what it is; `not-found` for one that the answer does not have. */
export async function explainFigure(
  id: string,
  question: Question,
  principal: Principal,
  asOf: Instant,
  parts: RequestParts,
): Promise<Explanation> {
  const figure = readFigureId(id);
  const { reporting } = parts;
  switch (question.kind) {
    case 'issue':
      return explainIssue(figure, question, principal, asOf, reporting);
    case 'report':
    case 'saved':
      return explainReport(figure, await reportRequest(question, principal, asOf, parts), reporting);
    case 'weekly':
      return explainWeekly(figure, question, principal, asOf, reporting);
    case 'aging':
    case 'mine':
      return explainAging(figure, question, principal, asOf, parts);
    case 'compare':
      return explainCompare(figure, question, principal, asOf, reporting);
  }
}

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
