import type { ReportTypeFacts } from '../../api/reporting.ts';
import type { Instant } from '../../model/issue.ts';
import type { ParameterSet } from '../../model/parameter-set.ts';
import type { Principal } from '../../model/principal.ts';
import type { Question } from '../../model/question.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import type { Word } from '../exports/typed-words.ts';
import type { Hours } from '../hours-here.ts';
import type { KnownNames } from './known-names.ts';

/** What is asked about where no filter was typed, and the sentence (mrkdwn) that says so. */
export interface UsualProjects {
  /** Keys, at least one. */
  readonly projects: readonly string[];
  readonly remark: string;
}

/** A user of the tracker. */
interface Named {
  readonly id: string;
  readonly name: string;
}

/** Who asks, here and now, and what their words can mean. */
export interface Asking {
  readonly principal: Principal;
  readonly hours: Hours;
  readonly now: Instant;
  /** The report types that can be asked for with nothing but their name. */
  readonly reportTypes: readonly ReportTypeFacts[];
  readonly calendars: readonly CalendarDefinition[];
  /** What may stand behind `/tis` to say what is wanted. */
  readonly words: readonly string[];
  isProject(name: string): Promise<boolean>;
  /** What else there is beside a name that is none; null: it is one. */
  knownBeside(kind: 'sprint' | 'project', name: string): Promise<KnownNames | null>;
  isField(name: string): Promise<boolean>;
  /** Id of the tracker's user behind an account; a `bad-request` where nobody knows. */
  userOf(account: string): Promise<string>;
  /** What a user of the tracker is called; the id where nobody knows. */
  nameOf(user: string): Promise<string>;
  /** The tracker's user who asks; a `bad-request` where nobody knows. */
  self(): Promise<Named>;
  /** Null: there is nothing to go by. */
  usualProjects(): Promise<UsualProjects | null>;
  parameterSets(): Promise<readonly ParameterSet[]>;
  /** Fails as the reporting port does for a question that is a report's, in this door's words. */
  check(question: Question): Promise<void>;
}

/** What some words turned out to mean. `remark` (mrkdwn) tells what was taken for granted; null: nothing. */
export interface ReadWords {
  readonly question: Question;
  readonly remark: string | null;
}

/** Reads what stands behind the word of a kind of question. What is wrong is a `bad-request`. */
export type QuestionReader = (words: readonly Word[], asking: Asking) => Promise<ReadWords>;
