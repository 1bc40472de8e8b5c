import type {
  Aging,
  Comparison,
  Explanation,
  FigureChoice,
  Mine,
  WeeklyAggregates,
} from '../model/answer.ts';
import type { Instant } from '../model/issue.ts';
import type { AudienceScope } from '../model/permissions.ts';
import type { Principal } from '../model/principal.ts';
import type { MineQuestion, Question, Run } from '../model/question.ts';
import type { ReportRequest } from '../model/request.ts';
import type { Table } from '../model/table.ts';
import type { IssueStory } from './tell-issue.ts';

/** What a question is answered with, neutral as to where it is read. `request` is what the table answers. */
export type Told =
  | { readonly kind: 'issue'; readonly story: IssueStory }
  | { readonly kind: 'report'; readonly table: Table; readonly request: ReportRequest }
  | { readonly kind: 'weekly'; readonly weekly: WeeklyAggregates }
  | { readonly kind: 'aging'; readonly aging: Aging }
  | { readonly kind: 'mine'; readonly mine: Mine }
  | { readonly kind: 'compare'; readonly comparison: Comparison };

/** An answer, and what is to be known about it before others read it. */
export interface Answer {
  readonly question: Question;
  /** The instant it speaks of. */
  readonly asOf: Instant;
  readonly told: Told;
  /** What issues are in it; null where that was not told beside the figures. */
  readonly contents: AudienceScope | null;
  /** There is nothing to say: no issue, nothing that waits, nothing finished and no time spent. */
  readonly isEmpty: boolean;
}

/** From the issue with this index on (0 is the first), so many issues of a list. */
export interface Part {
  readonly start: number;
  readonly size: number;
}

/** What waits on somebody, at a glance: nothing that is kept, shared or explained. */
export interface Glance {
  /** By age, held against nothing yet. */
  readonly ages: Mine;
  /** The same against what was usual at most five minutes before. */
  withUsual(): Promise<Mine>;
}

/**
 * The port of everything that can be asked in words. It stands on the reporting port alone, so it answers from our
 * engine and from a hosted service alike. Every call acts with the rights of the principal and fails with an AppError.
 */
export interface AnswersApi {
  /** Answers as of an instant (null: now). Of a list only the part asked for (the first ten issues) is told. */
  answer(principal: Principal, question: Question, asOf: Instant | null, part?: Part): Promise<Answer>;
  /** What issues are in an answer; null where nobody can tell, and then it is for its principal alone. */
  contents(principal: Principal, answer: Answer): Promise<AudienceScope | null>;
  /** What waits on the principal now, in two steps; fails as `answer` would. */
  glance(principal: Principal, question: MineQuestion): Promise<Glance>;
  /** Keeps what was asked, so that it can be shared, paged and explained later; its id is short and unguessable. */
  keep(account: string, question: Question, asOf: Instant): Promise<Run>;
  /** `not-found` for one that never was, or was asked more than 90 days ago. */
  run(id: string): Promise<Run>;
  /** Figures of an answer worth explaining, the most telling first, at most 100. */
  figures(answer: Answer): readonly FigureChoice[];
  /** Why a figure is what it is. */
  explain(principal: Principal, question: Question, asOf: Instant, figure: string): Promise<Explanation>;
  /** The list behind a question as a request for a file; null for what is no report over issues. */
  requestOf(principal: Principal, question: Question, asOf: Instant | null): Promise<ReportRequest | null>;
}
