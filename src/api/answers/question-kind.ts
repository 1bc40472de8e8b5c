import type { Answer, Explanation, FigureChoice, Part } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import type { MovingRange, Question, SavedQuestion } from '../../model/question.ts';
import { reportIds } from '../../model/report-ids.ts';
import {
  type AudienceScope,
  ask,
  type Principal,
  type ReportRequest,
  type Selection,
} from '../../model/request.ts';
import type { CalendarDefinition } from '../../model/settings.ts';
import type { Provenance } from '../../model/table.ts';
import type { DelegationApi } from '../delegations/delegation-api.ts';
import type { IssueReasons } from '../nudges/nudges-api.ts';
import type { ReportingApi } from '../reporting/reporting-api.ts';
import type { AnswerDocument } from './document.ts';
import type { CyclePercentiles, DwellPercentiles } from './figures/usual-times.ts';
import type { FigureName } from './why/explanation.ts';

/** The parts that answers are made from. */
export interface AnswerParts {
  readonly reporting: ReportingApi;
  readonly delegations: DelegationApi;
  /** The name of the tracker's user with an id; null where there is none. */
  readonly userName: (id: string) => Promise<string | null>;
  /** The zone (IANA) of the user with an id; null where it is unknown. */
  readonly userZone: (id: string) => Promise<string | null>;
  /** The tracker knows any user at all. */
  readonly knowsUsers: () => Promise<boolean>;
  /** Reads a saved parameter set as the REST door would, without a page; its words for dates mean `asOf`. */
  readonly readSaved: (
    principal: Principal,
    question: SavedQuestion,
    asOf: Instant,
  ) => Promise<ReportRequest>;
  /** The answers to nudges about issues. */
  readonly reasonsFor: IssueReasons['reasonsFor'];
  /** All calendars, as the principal can know them. */
  readonly calendars: (principal: Principal) => Promise<readonly CalendarDefinition[]>;
  readonly now: () => Instant;
  readonly dwellPercentiles: DwellPercentiles;
  readonly cyclePercentiles: CyclePercentiles;
  /** The part of a list that is answered. */
  readonly part: Part;
}

/** The principal and the instant of an answer, and what it is made from: dates are read in the zone of the question. */
export interface AnswerContext<Parts = AnswerParts> {
  readonly principal: Principal;
  readonly asOf: Instant;
  readonly parts: Parts;
}

/** The context of an answer that is made from the reporting port alone. */
export type ReportingContext = AnswerContext<Pick<AnswerParts, 'reporting'>>;

/** The figures of an answer, and the scope of its issues; null where it is unknown. */
export interface Figures<Value> {
  readonly value: Value;
  readonly contents: AudienceScope | null;
}

/** Figures with the scope that their provenance has. */
export function figuresOf<Value extends { readonly provenance: Provenance }>(value: Value): Figures<Value> {
  return { value, contents: value.provenance.contents ?? null };
}

/**
 * One kind of question: its figures, why they are what they are, and the list behind them. A new one is a folder here and
 * a line in the list, and a view in Slack. *Why?*, exports, REST and MCP go by the list or by one kind.
 */
export interface QuestionKind<Own extends Question = Question, Value = unknown> {
  readonly kind: string;
  /** Answers are for their principals alone, in every place. */
  readonly isPersonal?: true;
  /** The issues it is about, as far as it names them itself. */
  selections(question: Own): readonly Selection[];
  /** Its ranges of time; absent: it has none. */
  ranges?(question: Own): readonly MovingRange[];
  /** Requests that are valid exactly where the typed question is; by default one for each selection. */
  checks?(question: Own, principal: Principal): readonly ReportRequest[];
  /** Answers it; of a list only the part. */
  answer(question: Own, context: AnswerContext): Promise<Figures<Value>>;
  /** The answer has nothing to show. */
  isEmpty(value: Value): boolean;
  /** The same figures with each provenance in them replaced. */
  withProvenance(value: Value, change: (provenance: Provenance) => Provenance): Value;
  /** The number of issues of the list, whichever part is shown; absent for what is no list. */
  listLength?(value: Value): number | null;
  /** Requests for all issues that may be behind an answer; by default those of its selections. */
  issuesBehind?(
    question: Own,
    value: Value,
    about: (selection: Selection) => ReportRequest,
  ): readonly ReportRequest[];
  /** The JSON of its figures, the same over REST, for assistants and in files; absent for what is a table. */
  readonly document?: AnswerDocument<Value>;
  /** Figures worth explaining, the most important first. */
  figures(value: Value): readonly FigureChoice[];
  explain(figure: FigureName, question: Own, context: AnswerContext): Promise<Explanation>;
  /** The same answer without what other issues of their project taught; for places where not everyone sees all of these. */
  withoutBaseline?(value: Value): Figures<Value>;
  /**
   * The same answer without what not everyone can see who sees its issues; for posts in channels. `toOutsiders`: guests or people of other
   * workspaces may read it.
   */
  forPosts?(value: Value, readers: { readonly toOutsiders: boolean }): Value;
  /** The list behind it, for a file; null where there is none. */
  file(question: Own, context: AnswerContext): Promise<ReportRequest | null>;
  /** The selection and the report of a file of it, where they are known without the list. */
  fileFacts?(question: Own): { readonly selection: Selection; readonly reportType: string };
  /** The report type a file of it begins with; absent: that of `file`. */
  readonly fileReportType?: string;
  /** The question as others can ask it after it was answered: a saved set becomes the report it was. */
  asAnswered?(answer: Answer<Value>): { readonly question: Question; readonly asOf: Instant };
}

/** The time in each status of these issues, deleted statuses included, as a list for a file. `title` is what they are called. */
export function statusTimesOf(
  keys: readonly string[],
  { calendar, title }: Pick<ReportRequest, 'calendar'> & { readonly title?: string },
  { principal, asOf }: Pick<AnswerContext, 'principal' | 'asOf'>,
): ReportRequest {
  return ask({
    principal,
    asOf,
    reportType: reportIds.statusDuration,
    selection: { by: 'keys', keys, ...(title === undefined ? {} : { title }) },
    calendar,
    includeDeletedStatuses: true,
  });
}

/** The same of open issues, with where they are and since when. */
export function openTimesOf(...given: Parameters<typeof statusTimesOf>): ReportRequest {
  return { ...statusTimesOf(...given), fields: ['status', 'assignee', 'calc:currentStatusAge'] };
}

/** ` of WEB`; what else than a project chose issues stays out of a title: a query is not for everyone who reads the file. */
export function ofProject(selection: Selection): string {
  return selection.by === 'project' ? ` of ${selection.project}` : '';
}
