import type { Backing } from '../cache/backing.ts';
import type { Instant } from '../model/issue.ts';
import type { Principal } from '../model/principal.ts';
import type { Question, SavedQuestion } from '../model/question.ts';
import type { ReportRequest } from '../model/request.ts';
import { createUsualStays } from './answers/aging/usual-stays.ts';
import { contentsOfAnswer } from './answers/contents-of-answer.ts';
import { explainFigure, figuresOf } from './answers/explain/explain-figure.ts';
import { countMine } from './answers/mine.ts';
import { onClocksOf, requestInZone } from './answers/range-of.ts';
import { requestOf } from './answers/request-of.ts';
import { createRuns, refuseReinvented } from './answers/runs.ts';
import { tellAnswer } from './answers/tell-answer.ts';
import type { AnswersApi, Part } from './answers.ts';
import type { DelegationApi } from './delegation.ts';
import type { ReportingApi } from './reporting/reporting-api.ts';

/** What answers are made from. */
interface AnswersParts {
  readonly reporting: ReportingApi;
  readonly delegations: DelegationApi;
  /** The name of the tracker's user with an id; null where there is none. */
  readonly userName: (id: string) => Promise<string | null>;
  /** Whether anybody of the tracker is known at all. */
  readonly knowsUsers: () => Promise<boolean>;
  /** Reads a saved parameter set as the REST door would, without a page; its words for dates mean `asOf`. */
  readonly readSaved: (
    principal: Principal,
    question: SavedQuestion,
    asOf: Instant,
  ) => Promise<ReportRequest>;
  /** The name of the tracker the data comes from. */
  readonly tracker: () => Promise<string>;
  /** Where what outlives the process is kept. */
  readonly stored: Backing;
  readonly now: () => Instant;
  /** A short unguessable word. */
  readonly newId: () => string;
}

/** Of a list so much is told where nobody says how much. */
const firstPart: Part = { start: 0, size: 10 };

/** Answers over the reporting port. */
export function createAnswers(parts: AnswersParts): AnswersApi {
  const { reporting, now } = parts;
  const usualStays = createUsualStays(reporting, now);
  const partsFor = (question: Question) => ({
    ...parts,
    usualStays: usualStays.exactly,
    most: 0,
    reporting: onClocksOf(question, reporting),
  });
  const runs = createRuns(parts);
  return {
    answer: (principal, question, asOf, part = firstPart) =>
      tellAnswer(question, principal, asOf, { ...partsFor(question), part }),
    contents: (principal, answer) =>
      contentsOfAnswer(principal, answer, onClocksOf(answer.question, reporting)),
    async glance(principal, question) {
      const glanced = { ...partsFor(question), usualStays: usualStays.lately };
      const { ages, withUsual } = await countMine(question, principal, now(), glanced);
      return { ages, withUsual: async () => (await withUsual()).mine };
    },
    keep: runs.keep,
    async run(id) {
      const run = await runs.run(id);
      await refuseReinvented(run, parts);
      return run;
    },
    figures: figuresOf,
    explain: (principal, question, asOf, figure) =>
      explainFigure(figure, question, principal, asOf, partsFor(question)),
    async requestOf(principal, question, asOf) {
      const request = await requestOf(question, principal, asOf ?? now(), partsFor(question));
      return request === null ? null : requestInZone(request, question.timeZone);
    },
  };
}
