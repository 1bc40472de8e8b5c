import type { Instant } from '../model/issue.ts';
import type { SavedQuestion } from '../model/question.ts';
import type { Asker, ReportRequest } from '../model/request.ts';
import type { RunStore } from '../store/store.ts';
import type { AnswersApi } from './answers.ts';
import type { DelegationApi } from './delegation.ts';
import type { ReportingApi } from './reporting.ts';
import type { SettingsApi } from './settings.ts';

/** What answers are made from. */
export interface AnswersParts {
  readonly reporting: ReportingApi;
  readonly settings: SettingsApi;
  readonly delegations: DelegationApi;
  /** Names of the tracker's users by id. */
  readonly userName: (id: string) => Promise<string>;
  /** Reads a saved parameter set as the REST door would, without a page; its words for dates mean `asOf`. */
  readonly readSaved: (asker: Asker, question: SavedQuestion, asOf: Instant) => Promise<ReportRequest>;
  readonly runs: RunStore;
  readonly now: () => Instant;
  /** A short unguessable word. */
  readonly newId: () => string;
}

/** Answers over the reporting port. */
export function createAnswers(_parts: AnswersParts): AnswersApi {
  return notBuilt('answers');
}

function notBuilt<T extends object>(name: string): T {
  return new Proxy({} as T, {
    get: () => () => {
      throw new Error(`${name} is not built`);
    },
  });
}
