import type { Instant } from '../model/issue.ts';
import type { SavedQuestion } from '../model/question.ts';
import type { Asker, ReportRequest } from '../model/request.ts';
import type { RunStore } from '../store/store.ts';
import { createUsualStays } from './answers/aging/create-usual-stays.ts';
import { explainFigure } from './answers/explain/explain-figure.ts';
import { figuresOf } from './answers/explain/figures-of.ts';
import { requestOf } from './answers/request-of.ts';
import { createRuns } from './answers/runs.ts';
import { tellAnswer } from './answers/tell-answer.ts';
import type { AnswersApi, Part } from './answers.ts';
import type { DelegationApi } from './delegation.ts';
import type { ReportingApi } from './reporting.ts';

/** What answers are made from. */
export interface AnswersParts {
  readonly reporting: ReportingApi;
  readonly delegations: DelegationApi;
  /** The name of the tracker's user with an id; null where there is none. */
  readonly userName: (id: string) => Promise<string | null>;
  /** Reads a saved parameter set as the REST door would, without a page; its words for dates mean `asOf`. */
  readonly readSaved: (asker: Asker, question: SavedQuestion, asOf: Instant) => Promise<ReportRequest>;
  readonly runs: RunStore;
  readonly now: () => Instant;
  /** A short unguessable word. */
  readonly newId: () => string;
}

/** Of a list so much is told where nobody says how much. */
const firstPart: Part = { start: 0, size: 10 };

/** Answers over the reporting port. */
export function createAnswers(parts: AnswersParts): AnswersApi {
  const { reporting, now } = parts;
  const all = { ...parts, usualStays: createUsualStays(reporting, now) };
  return {
    answer: (asker, question, asOf, part = firstPart) => tellAnswer(question, asker, asOf, { ...all, part }),
    ...createRuns(parts),
    figures: figuresOf,
    explain: (asker, question, asOf, figure) => explainFigure(figure, question, asker, asOf, all),
    requestOf: (asker, question, asOf) => requestOf(question, asker, asOf ?? now(), all),
  };
}
