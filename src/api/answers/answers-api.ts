import type { Answer, Explanation, FigureChoice, Part } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import type { MeasuredQuestion, Question, Run } from '../../model/question.ts';
import type { AudienceScope, Principal, ReportRequest } from '../../model/request.ts';
import type { Mine } from './aging/aging-answer.ts';
import type { QuestionKind } from './question-kind.ts';

/** The issues assigned to someone, in two steps: nothing that is stored, shared or explained. */
interface AssignedPreview {
  /** By age, without baselines. */
  readonly ages: Mine;
  /** The same with baselines that are at most five minutes old. */
  withBaseline(): Promise<Mine>;
}

/** A question, and the instant it was answered as of. */
export type AskedOnce = Pick<Answer, 'question' | 'asOf'>;

/**
 * The port of all kinds of questions. Figures come from the reporting port alone, so it answers from our engine and from a
 * hosted service alike. Every call acts with the rights of the principal and fails with an AppError.
 */
export interface AnswersApi {
  /**
   * Answers as of an instant (null: now); of a list only a part, its first ten issues where none is given. `linksWithin`: see the
   * request for a report.
   */
  answer(
    principal: Principal,
    question: Question,
    asOf: Instant | null,
    part?: Part,
    linksWithin?: ReportRequest['linksWithin'],
  ): Promise<Answer>;
  /** The same of a question whose kind is known, and so the figures it is answered with. */
  ask<Own extends Question, Value>(
    kind: QuestionKind<Own, Value>,
    principal: Principal,
    question: Own,
    asOf?: Instant | null,
    part?: Part,
    linksWithin?: ReportRequest['linksWithin'],
  ): Promise<Answer<Value>>;
  /** The scope of an answer; null where it is unknown, and then the answer is for its principal alone. */
  audienceScope(principal: Principal, answer: Answer): Promise<AudienceScope | null>;
  /** The issues assigned to the principal now; fails as `answer` would. */
  previewAssigned(principal: Principal, question: MeasuredQuestion): Promise<AssignedPreview>;
  /** Stores a question, so that its answer can be shared, paged and explained later; its id is short and unguessable. */
  storeRun(account: string, question: AskedOnce): Promise<Run>;
  /** `unknown-answer` for one that never was, or is older than 90 days. */
  run(id: string): Promise<Run>;
  /** Figures of an answer worth explaining, the most important first, at most 100. */
  figures(answer: Answer): readonly FigureChoice[];
  /** Why a figure is what it is. */
  explain(principal: Principal, question: Question, asOf: Instant, figure: string): Promise<Explanation>;
  /** The list behind a question as a request for a file; null for what is no report over issues. */
  requestOf(principal: Principal, question: Question, asOf: Instant | null): Promise<ReportRequest | null>;
}
