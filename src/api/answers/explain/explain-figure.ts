import type { Explanation } from '../../../model/answer.ts';
import type { Instant } from '../../../model/issue.ts';
import type { Question } from '../../../model/question.ts';
import type { Asker } from '../../../model/request.ts';
import { type RequestParts, reportRequest } from '../request-of.ts';
import { explainAging } from './explain-aging.ts';
import { explainCompare } from './explain-compare.ts';
import { explainIssue } from './explain-issue.ts';
import { explainReport } from './explain-report.ts';
import { explainWeekly } from './explain-weekly.ts';
import { readFigureId } from './figure-id.ts';

/** Why a figure of an answer is what it is; `not-found` for one that the answer does not have. */
export async function explainFigure(
  id: string,
  question: Question,
  asker: Asker,
  asOf: Instant,
  parts: RequestParts,
): Promise<Explanation> {
  const figure = readFigureId(id);
  const { reporting } = parts;
  switch (question.kind) {
    case 'issue':
      return explainIssue(figure, question, asker, asOf, reporting);
    case 'report':
    case 'saved':
      return explainReport(figure, await reportRequest(question, asker, asOf, parts), reporting);
    case 'weekly':
      return explainWeekly(figure, question, asker, asOf, reporting);
    case 'aging':
    case 'mine':
      return explainAging(figure, question, asker, asOf, parts);
    case 'compare':
      return explainCompare(figure, question, asker, asOf, reporting);
  }
}
