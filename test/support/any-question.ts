import type { Answer } from '../../src/model/answer.ts';
import type { MeasuredQuestion, Question, ReportQuestion, SavedQuestion } from '../../src/model/question.ts';
import type { AgingQuestion } from '../../src/questions/aging/aging-view.ts';
import type { CompareQuestion } from '../../src/questions/compare/compare-sides.ts';
import type { IssueQuestion } from '../../src/questions/issue/issue-kind.ts';
import type { QuestionKind } from '../../src/questions/kind.ts';
import type { SprintQuestion } from '../../src/questions/sprint/find-sprint.ts';
import type { WeeklyQuestion } from '../../src/questions/weekly/nine-weeks.ts';

/** A question of any kind, with what is in it. */
export type AnyQuestion =
  | IssueQuestion
  | ReportQuestion
  | SavedQuestion
  | WeeklyQuestion
  | SprintQuestion
  | AgingQuestion
  | (MeasuredQuestion & { readonly kind: 'mine' })
  | CompareQuestion;

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
