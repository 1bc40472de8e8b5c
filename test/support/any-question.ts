import type { AgingQuestion } from '../../src/api/answers/aging/aging-kind.ts';
import type { CompareQuestion } from '../../src/api/answers/compare/compare-answer.ts';
import type { FlowQuestion } from '../../src/api/answers/flow/flow-kind.ts';
import type { ForecastQuestion } from '../../src/api/answers/forecast/forecast-answer.ts';
import type { IssueQuestion } from '../../src/api/answers/issue/issue-kind.ts';
import type { QuestionKind } from '../../src/api/answers/question-kind.ts';
import type { SprintQuestion } from '../../src/api/answers/sprint/find-sprint.ts';
import type { StandupQuestion } from '../../src/api/answers/standup/standup-kind.ts';
import type { WeeklyQuestion } from '../../src/api/answers/weekly/nine-weeks.ts';
import type { Answer } from '../../src/model/answer.ts';
import type { MeasuredQuestion, Question, ReportQuestion, SavedQuestion } from '../../src/model/question.ts';

/** A question of any kind, with what is in it. */
export type AnyQuestion =
  | IssueQuestion
  | ReportQuestion
  | SavedQuestion
  | WeeklyQuestion
  | SprintQuestion
  | AgingQuestion
  | StandupQuestion
  | FlowQuestion
  | (MeasuredQuestion & { readonly kind: 'mine' })
  | CompareQuestion
  | ForecastQuestion;

/** An answer to one. */
export interface AnyAnswer<Value> extends Answer<Value> {
  readonly question: AnyQuestion;
}

/** What a question of a kind was answered with. */
export function figuresOf<SlashInvocation extends Question, Value>(
  { kind }: QuestionKind<SlashInvocation, Value>,
  { question, value }: Answer,
): Value {
  if (question.kind !== kind) throw new Error(`An answer of the kind ${question.kind}`);
  return value as Value;
}
