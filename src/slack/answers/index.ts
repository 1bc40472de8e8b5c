import type { Question } from '../../model/question.ts';
import { agingView } from './aging/aging-view.ts';
import { compareView } from './compare/compare-view.ts';
import { flowView } from './flow/flow-view.ts';
import { forecastView } from './forecast/forecast-view.ts';
import { issueView } from './issue/issue-view.ts';
import { issuesView } from './issue/issues-view.ts';
import { mineView } from './mine/mine-view.ts';
import { reportView, savedView } from './report/report-view.ts';
import { sprintView } from './sprint/sprint-view.ts';
import { standupView } from './standup/standup-view.ts';
import type { QuestionView } from './view/question-view.ts';
import { weeklyView } from './weekly/weekly-view.ts';

/** Every kind of question as Slack has it, in the order of the help; a new one is a line here. */
export const questionViews: readonly QuestionView[] = [
  issueView,
  issuesView,
  reportView,
  weeklyView,
  sprintView,
  agingView,
  standupView,
  flowView,
  mineView,
  compareView,
  forecastView,
  savedView,
];

const byKind = new Map(questionViews.map((view) => [view.of.kind, view]));

/** The view of the kind of a question. A kind without one is a bug. */
export function viewOf({ kind }: Pick<Question, 'kind'>): QuestionView {
  const found = byKind.get(kind);
  if (found === undefined) throw new Error(`There is no view of the kind of question '${kind}'.`);
  return found;
}
