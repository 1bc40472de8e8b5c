import type { DelegationApi } from '../api/delegations/delegation-api.ts';
import type { ReportingApi } from '../api/reporting/reporting-api.ts';
import type { Answer, Explanation, FigureChoice, Part } from '../model/answer.ts';
import type { Instant } from '../model/issue.ts';
import type { MovingRange, Question, SavedQuestion } from '../model/question.ts';
import type {
  AudienceScope,
  Principal,
  ReportRequest,
  Selection,
  Statistic,
  TimePeriod,
} from '../model/request.ts';
import type { Provenance } from '../model/table.ts';
import type { CyclePercentiles } from './figures/cycle-percentiles.ts';
import type { DwellPercentiles } from './figures/dwell-percentiles.ts';
import type { Hours, QuestionReader } from './parse/parser-context.ts';
import type { Filter } from './parse/read-filter.ts';
import type { AnswerPlace, Sheet } from './view/answer-sheet.ts';
import type { FigureName } from './why/explanation.ts';

/** What answers are made from. */
export interface AnswerParts {
  readonly reporting: ReportingApi;
  readonly delegations: DelegationApi;
  /** The name of the tracker's user with an id; null where there is none. */
  readonly userName: (id: string) => Promise<string | null>;
  /** Whether the tracker knows any user at all. */
  readonly knowsUsers: () => Promise<boolean>;
  /** Reads a saved parameter set as the REST door would, without a page; its words for dates mean `asOf`. */
  readonly readSaved: (
    principal: Principal,
    question: SavedQuestion,
    asOf: Instant,
  ) => Promise<ReportRequest>;
  readonly now: () => Instant;
  readonly dwellPercentiles: DwellPercentiles;
  readonly cyclePercentiles: CyclePercentiles;
  /** How many issues of a list are wanted at least. */
  readonly most: number;
}

/** With which rights a question is answered, as of when, and from what: dates are read in the question's zone. */
export interface AnswerContext {
  readonly principal: Principal;
  readonly asOf: Instant;
  readonly parts: AnswerParts;
}

/** A line of the help, and what can be tried when a typed line was wrong; `example` is an issue that can be seen. */
interface KindCommand {
  /** The word after `/tis`. */
  readonly word: string;
  readonly usage: string;
  readonly summary: string;
  readonly examples?: readonly string[];
  readonly details?: string;
  readonly tries: (example: { readonly key: string; readonly project: string }) => readonly string[];
}

/** What a question fills of the report builder; absent: what is there stays. */
interface BuilderFields {
  readonly report: string;
  /** Null: the default projects. */
  readonly filter: Selection | null;
  readonly calendar: string;
  readonly week?: number | 'last' | 'this';
  readonly withBacklog?: boolean;
  readonly range?: MovingRange | null;
  readonly groupBy?: readonly string[];
  /** Null: a list. */
  readonly statistic?: Statistic | null;
  readonly timePeriod?: TimePeriod;
  /** The statistic is the usual one of a summary of all issues, or of a trend. */
  readonly isSummary?: true;
}

/** How an answer is shown. */
export interface ViewContext {
  readonly place: AnswerPlace;
  readonly part: Part;
  readonly question: Question;
}

/** The figures of an answer, and what issues it is about; null where the service behind does not say. */
export interface Figures<Value> {
  readonly value: Value;
  readonly contents: AudienceScope | null;
}

/**
 * One kind of question: all that differs between kinds, so that a new one is a folder and a line in the list. Commands,
 * digests, *Why?* and exports iterate over the list. Some places ask one kind on purpose, such as the Home tab its week.
 */
export interface QuestionKind<Asked extends Question = Question, Value = unknown> {
  readonly kind: string;
  /** Its words after `/tis`; none for what is asked by a key alone. */
  readonly commands: readonly KindCommand[];
  /** An answer is for its principal alone, wherever it is asked. */
  readonly isPersonal?: true;
  /** The report builder can ask it, under this title beside the report types; null: it asks for these. */
  readonly builderTitle?: string | null;
  /** Reads what was typed after the word; absent where no word leads to it. */
  readonly read?: QuestionReader;
  /** What it fills of the report builder, where that can ask it. */
  builder?(question: Asked): BuilderFields;
  /** The question that filled-in fields make; of a kind with a title of its own in the builder. */
  ofBuilder?(
    fields: Hours & Required<Pick<BuilderFields, 'week' | 'withBacklog'>> & { readonly filter: Filter },
  ): Question;
  /** The issues it is about, as far as it names them itself. */
  selections(question: Asked): readonly Selection[];
  /** Its ranges of time. */
  ranges(question: Asked): readonly MovingRange[];
  /** Why asking it again and again would always be about the same time, in a sentence; null: it moves along. */
  whyFixed?(question: Asked): string | null;
  /** Requests that are right exactly where what was typed of it is; by default one for each selection. */
  checks?(question: Asked, principal: Principal): readonly ReportRequest[];
  /** Answers it; of a list only the part. */
  answer(question: Asked, context: AnswerContext & { readonly part: Part }): Promise<Figures<Value>>;
  /** There is nothing to say. */
  isEmpty(value: Value): boolean;
  /** The same figures with each provenance in them replaced. */
  withProvenance(value: Value, change: (provenance: Provenance) => Provenance): Value;
  /** How many issues the list has, whichever part is shown; absent for what is no list. */
  listLength?(value: Value): number | null;
  /** All issues that may be behind an answer, where that has to be asked for; by default those of its selections. */
  issuesBehind?(
    question: Asked,
    value: Value,
    about: (selection: Selection) => ReportRequest,
  ): readonly ReportRequest[];
  /** What it asks, in a few words and nothing escaped: `the week of project WEB`. */
  title(question: Asked): string;
  view(value: Value, context: ViewContext & { readonly question: Asked }): Sheet;
  /** Figures worth explaining, the most important first. */
  figures(value: Value): readonly FigureChoice[];
  explain(figure: FigureName, question: Asked, context: AnswerContext): Promise<Explanation>;
  /** The same answer without what other issues of their project taught; for places where not everyone sees all of these. */
  withoutBaseline?(value: Value): Figures<Value>;
  /** The list behind it, for a file; null where there is none. */
  file(question: Asked, context: AnswerContext): Promise<ReportRequest | null>;
  /** What a file of it is of, where that is known without asking for the list. */
  fileFacts?(question: Asked): { readonly selection: Selection; readonly reportType: string };
  /** The report type a file of it begins with; absent: that of `file`. */
  readonly fileReportType?: string;
  /** What stays askable for others after it was answered: a saved set becomes the report it was. */
  asAnswered?(answer: Answer<Value>): { readonly question: Question; readonly asOf: Instant };
}
