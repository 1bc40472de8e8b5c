import type { ReportTypeFacts } from '../../../api/reporting/reporting-api.ts';
import type { Instant, Status } from '../../../model/issue.ts';
import type { ParameterSet } from '../../../model/parameter-set.ts';
import type { Hours, Question } from '../../../model/question.ts';
import type { Principal, Selection } from '../../../model/request.ts';
import type { CalendarDefinition } from '../../../model/settings.ts';
import type { Word } from './typed-words.ts';

/** Words that name the kind of the filter that follows. */
export const filterKinds = ['project', 'sprint', 'filter', 'assignee', 'jql'] as const;
/** The kind of a filter. */
export type FilterKind = (typeof filterKinds)[number];

/** Names that a word could have been, and how many more there are. */
interface KnownNames {
  readonly names: readonly string[];
  readonly unlisted: number;
}

/** The projects of a question without a filter, and the sentence (mrkdwn) that says so. */
export interface DefaultProjects {
  /** Keys, at least one. */
  readonly projects: readonly string[];
  readonly remark: string;
}

/** A user of the tracker. */
interface Named {
  readonly id: string;
  readonly name: string;
}

/** A time with a name. */
interface NamedSpan {
  readonly name: string;
  readonly start: Instant;
  readonly end: Instant;
}

/** The account that types, its place and time, and everything that its words can mean. */
export interface ParserContext {
  readonly principal: Principal;
  readonly hours: Hours;
  readonly now: Instant;
  /** The report types that can be asked for with nothing but their name. */
  readonly reportTypes: readonly ReportTypeFacts[];
  readonly calendars: readonly CalendarDefinition[];
  /** The commands of `/tis`. */
  readonly words: readonly string[];
  /** Bare names of times, `cycle time` and `time in STATUS` are read at the end of a line; else they may belong to a name. */
  readonly isLoose?: boolean;
  isProject(name: string): Promise<boolean>;
  /** The known names beside a name that is none; null: the name is known. */
  knownBeside(kind: 'sprint' | 'project', name: string): Promise<KnownNames | null>;
  /** Names of all sprints, the last to begin first; none where the service behind has no list of them. */
  sprintNames(): Promise<readonly string[]>;
  isField(name: string): Promise<boolean>;
  /** True if a query can be run here. */
  isQuery(jql: string): Promise<boolean>;
  /** Values of a field that are known here, as far as they are listed: types, priorities, components … */
  valuesOf(field: string): Promise<readonly string[]>;
  statuses(): Promise<readonly Status[]>;
  /** People whose issues can be seen. */
  people(): Promise<readonly Named[]>;
  /** The sprint that runs, or the last one that was closed, of some issues; null where there is none. */
  sprintNow(which: 'this' | 'last', selection: Selection | null): Promise<NamedSpan | null>;
  /** Id of the tracker's user behind an account; a `bad-request` where it is unknown. */
  userOf(account: string): Promise<string>;
  /** The name of a user of the tracker; the id where the name is unknown. */
  nameOf(user: string): Promise<string>;
  /** The tracker's user who asks; a `bad-request` where it is unknown. */
  self(): Promise<Named>;
  /** Null: there is nothing to go by. */
  defaultProjects(): Promise<DefaultProjects | null>;
  parameterSets(): Promise<readonly ParameterSet[]>;
  /** Fails as the reporting port does for a question that is a report's, in this door's words. */
  check(question: Question): Promise<void>;
}

/** The question that words mean. `remark` (mrkdwn) says what was taken for granted; null: nothing. */
export interface ReadWords {
  readonly question: Question;
  readonly remark: string | null;
  /**
   * For a question in plain words: its line, and a text (mrkdwn) on how it was read, null where its answer says that.
   */
  readonly plain?: { readonly line: string; readonly readAs: string | null };
}

/**
 * Reads what was typed after the word of a kind of question; null where it is no such question after all, but the filter of a
 * report. What is wrong is a `bad-request`.
 */
export type QuestionReader = (words: readonly Word[], context: ParserContext) => Promise<ReadWords | null>;
