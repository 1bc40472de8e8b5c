import type { QuestionKind } from '../../../api/answers/question-kind.ts';
import type { Part } from '../../../model/answer.ts';
import type { Hours, MeasuredQuestion, MovingRange, Question } from '../../../model/question.ts';
import type { Selection, Statistic, TimePeriod } from '../../../model/request.ts';
import { hoursOf, parseOptions } from '../../ask/grammar/parse-options.ts';
import type { QuestionReader } from '../../ask/grammar/parser-context.ts';
import { type Filter, filterOrDefault } from '../../ask/grammar/read-filter.ts';
import type { AnswerPlace, AnswerSheet } from './answer-sheet.ts';

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

/** The fields of the report builder that a question fills; an absent one stays as it is. */
interface BuilderFields {
  readonly report: string;
  /** Null: the default projects. */
  readonly filter: Selection | null;
  readonly calendar: string;
  readonly week?: number | 'last' | 'this';
  readonly withBacklog?: boolean;
  /** Digits; empty: no number. */
  readonly count?: string;
  /** yyyy-MM-dd; empty: no day. */
  readonly until?: string;
  readonly range?: MovingRange | null;
  readonly groupBy?: readonly string[];
  /** Null: a list. */
  readonly statistic?: Statistic | null;
  readonly timePeriod?: TimePeriod;
  /** The statistic is the usual one of a summary of all issues, or of a trend. */
  readonly isSummary?: true;
}

/** The place, part and question that an answer is shown for. */
export interface ViewContext<Own extends Question = Question> {
  readonly place: AnswerPlace;
  readonly part: Part;
  readonly question: Own;
}

/**
 * One kind of question as Slack has it: the words that ask it, its form in the report builder, and its answer as a message.
 * A new one is a file beside these and a line in the list, which commands, the help and the builder go by.
 */
export interface QuestionView<Own extends Question = Question, Value = unknown> {
  /** The kind whose answers it shows. */
  readonly of: QuestionKind<Own, Value>;
  /** Its words after `/tis`; none for what is asked by keys alone. */
  readonly commands: readonly KindCommand[];
  /** The report builder can ask it, under this title beside the report types; null: it asks for these. */
  readonly builderTitle?: string | null;
  /** Reads what was typed after the word, or the keys. */
  readonly read: QuestionReader;
  /** The fields of the report builder that a question fills, where the builder can make it. */
  builder?(question: Own): BuilderFields;
  /** The question that filled-in fields make; of a kind with a title of its own in the builder. */
  ofBuilder?(
    fields: Hours &
      Required<Pick<BuilderFields, 'week' | 'withBacklog' | 'count' | 'until'>> & { readonly filter: Filter },
  ): Question;
  /** Why asking it again and again would always be about the same time, in a sentence; null: it moves along. */
  fixedProblem?(question: Own): string | null;
  /** The title of a question, in a few words and nothing escaped: `the week of project WEB`. */
  title(question: Own): string;
  view(value: Value, context: ViewContext<Own>): AnswerSheet;
  /** The words proposed to a person who shares an answer, nothing escaped; absent: none. */
  comment?(value: Value): string;
}

/** A question about the issues of a filter in a calendar, and nothing else. */
interface FilterQuestion<Kind extends string> extends MeasuredQuestion {
  readonly kind: Kind;
  readonly selection: Selection;
}

/** The reader of `[FILTER] [in CALENDAR]` and the form in the builder of a kind of such questions. */
export function filterQuestion<Kind extends string>(
  kind: Kind,
): Required<Pick<QuestionView<FilterQuestion<Kind>>, 'read' | 'builder' | 'ofBuilder'>> {
  return {
    async read(words, context) {
      const { left, tails } = await parseOptions(words, ['calendar', 'unit'], context);
      const { selection, remark } = await filterOrDefault(left, context);
      const question: FilterQuestion<Kind> = { kind, selection, ...hoursOf(tails, context) };
      await context.check(question);
      return { question, remark };
    },
    builder: ({ selection, calendar }) => ({ report: kind, filter: selection, calendar }),
    ofBuilder: ({ filter: { selection }, calendar, timeZone }): FilterQuestion<Kind> => ({
      kind,
      selection,
      calendar,
      timeZone,
    }),
  };
}
