import { millisecondsInDay } from 'date-fns/constants';
import type { ReportingApi } from '../api/reporting/reporting-api.ts';
import { type Backing, createNamespace } from '../cache/namespace.ts';
import type { Answer, Part } from '../model/answer.ts';
import { AppError, badRequest } from '../model/error.ts';
import type { Instant } from '../model/issue.ts';
import type { Question, Run } from '../model/question.ts';
import {
  type AudienceScope,
  ask,
  type Principal,
  type ReportRequest,
  type Selection,
} from '../model/request.ts';
import type { Provenance } from '../model/table.ts';
import { agingKind } from './aging/aging-kind.ts';
import type { AnswersApi, AskedOnce } from './answers.ts';
import { compareKind } from './compare/compare-kind.ts';
import { createCyclePercentiles } from './figures/cycle-percentiles.ts';
import { createDwellPercentiles } from './figures/dwell-percentiles.ts';
import { mergeScopes, withAskedAt } from './figures/read-table.ts';
import { issueKind, readIssue } from './issue/issue-kind.ts';
import { issuesKind, readIssues } from './issue/issues-kind.ts';
import type { AnswerParts, QuestionKind } from './kind.ts';
import { countMine } from './mine/assigned-issues.ts';
import { mineKind } from './mine/mine-kind.ts';
import type { ParserContext, QuestionReader, ReadWords } from './parse/parser-context.ts';
import { wordsOf } from './parse/typed-words.ts';
import { interpret, overlooks, readAs, refuseWords, withLine, withoutOpposite } from './plain/interpret.ts';
import { readReport } from './report/read-report.ts';
import { reportKind, savedKind } from './report/report-kind.ts';
import { sprintKind } from './sprint/sprint-kind.ts';
import { weeklyKind } from './weekly/weekly-kind.ts';
import { readFigureId } from './why/explanation.ts';

/** Every kind of question, in the order of the help; a new one is a folder and a line here. */
export const questionKinds: readonly QuestionKind[] = [
  issueKind,
  issuesKind,
  reportKind,
  weeklyKind,
  sprintKind,
  agingKind,
  mineKind,
  compareKind,
  savedKind,
];

const byName = new Map(questionKinds.map((one) => [one.kind, one]));

/** The kind of a question. One that no kind answers is a bug. */
export function kindOf({ kind }: Pick<Question, 'kind'>): QuestionKind {
  const found = byName.get(kind);
  if (found === undefined) throw new Error(`There is no kind of question '${kind}'.`);
  return found;
}

/** Where the figures of an answer come from. */
export function provenancesOf({ question, value }: Answer): readonly Provenance[] {
  const found: Provenance[] = [];
  kindOf(question).withProvenance(value, (one) => {
    found.push(one);
    return one;
  });
  return found;
}

/** Whether the same question, asked by someone else, would be about other issues: its filter calls `currentUser()`. */
export function dependsOnPrincipal(answer: Answer): boolean {
  return provenancesOf(answer).some((one) => one.dependsOnPrincipal === true);
}

/** Requests that are right exactly where what was typed of a question is; its dates are for later. */
export function checksOf(question: Question, principal: Principal): readonly ReportRequest[] {
  const { checks, selections } = kindOf(question);
  const { timeZone, calendar = 'normalHours' } = question;
  return (
    checks?.(question, principal) ??
    selections(question).map((selection) =>
      ask({ principal, reportType: 'statusDuration', selection, calendar, timeZone }),
    )
  );
}

/** What others ask again of an answer that was given once. */
export function askedOnce(answer: Answer): AskedOnce {
  return kindOf(answer.question).asAnswered?.(answer) ?? answer;
}

/** Readers by the word that stands before a question; whatever begins otherwise is a filter, as is what begins with its kind. */
const readers: ReadonlyMap<string, QuestionReader> = new Map(
  questionKinds.flatMap(({ commands, read }) =>
    read === undefined || read === readReport ? [] : commands.map(({ word }) => [word, read] as const),
  ),
);

/**
 * Reads any question as it would stand after `/tis`: by the grammar, else by the grammar with the names of times at its end,
 * else in plain words. What is wrong is a `bad-request`.
 */
export async function readWords(typed: string, context: ParserContext): Promise<ReadWords> {
  // At the end of a query or of a project no bare word belongs to a name.
  const [first = ''] = typed.trim().toLowerCase().split(/\s+/);
  const isLoose = !['sprint', 'filter', 'assignee', 'aging', 'weekly', 'mine', 'compare'].includes(first);
  const byGrammar = await unlessRefused(() => readLine(typed, { ...context, isLoose }));
  if (!(byGrammar instanceof AppError)) return byGrammar;
  const line = (text: string) => unlessRefused(() => readLine(text, { ...context, isLoose: true }));
  const loosely = await line(typed);
  if (!(loosely instanceof AppError)) return loosely;
  // Part of the name of a sprint is asked back.
  if (byGrammar.data.kind === 'sprint' && (byGrammar.data.meant ?? []).length > 0) throw byGrammar;
  const plain = await interpret(typed, context);
  if (plain === null) throw byGrammar;
  const read = await line(plain.line);
  if (read instanceof AppError) {
    // If every word is understood, the problem is in the line they make.
    throw plain.leftover.length === 0 ? withLine(read, plain.line) : byGrammar;
  }
  if (overlooks(byGrammar, plain)) throw withoutOpposite(byGrammar, plain);
  if (plain.leftover.length > 0) throw refuseWords(byGrammar, plain);
  return { ...read, plain: { line: plain.line, readAs: readAs(plain) } };
}

/** What reading comes to, or why it is refused. */
async function unlessRefused(read: () => Promise<ReadWords>): Promise<ReadWords | AppError> {
  return read().catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'bad-request') return error;
    throw error;
  });
}

/** Reads a question by the grammar alone. */
async function readLine(typed: string, context: ParserContext): Promise<ReadWords> {
  const words = wordsOf(typed);
  const [first, ...others] = words;
  if (first === undefined) throw badRequest('Which report? Try: anything that works after /tis.');
  const reader = readers.get(first.plain.toLowerCase());
  // Words of commands begin a line only.
  const read = (await reader?.(others, { ...context, words: [] })) ?? null;
  if (read !== null) return read;
  const ofIssues = (await readIssue(words, context)) ?? (await readIssues(words, context));
  return ofIssues ?? readReport(words, context);
}

/** What answers are made from, and where what was asked is stored. */
interface AnswersParts extends Omit<AnswerParts, 'dwellPercentiles' | 'cyclePercentiles' | 'most'> {
  /** The name of the tracker the data comes from. */
  readonly tracker: () => Promise<string>;
  /** Where what outlives the process is stored. */
  readonly stored: Backing;
  /** A short unguessable word. */
  readonly newId: () => string;
}

/** So much of a list is answered where no part is asked for. */
const firstPart: Part = { start: 0, size: 10 };

/** A menu of Slack takes no more. */
const MOST_FIGURES = 100;

/**
 * Answers over the reporting port, by the kinds of questions. An answer is as of one instant however many reports it takes,
 * and asked again as of the same instant it is the same.
 */
export function createAnswers(parts: AnswersParts): AnswersApi {
  const { reporting, now } = parts;
  const percentiles = {
    dwellPercentiles: createDwellPercentiles(reporting, now),
    cyclePercentiles: createCyclePercentiles(reporting, now),
  };
  const runs = createRuns(parts);

  function contextOf(question: Question, principal: Principal, asOf: Instant, most = 0) {
    const onClocks = onClocksOf(question, reporting);
    const own = { ...parts, ...percentiles, most, reporting: onClocks };
    return { principal, asOf, parts: own };
  }

  async function answerOf<Asked extends Question, Value>(
    kind: QuestionKind<Asked, Value>,
    principal: Principal,
    question: Asked,
    asked: Instant | null = null,
    part: Part = firstPart,
  ): Promise<Answer<Value>> {
    const asOf = asked ?? now();
    const context = contextOf(question, principal, asOf, part.start + part.size);
    const { value: figures, contents } = await kind.answer(question, { ...context, part });
    const value = kind.withProvenance(figures, (one) => withAskedAt(one, asked));
    return { question, asOf, value, contents, isEmpty: kind.isEmpty(value) };
  }

  return {
    answer: (principal, question, asOf, part) => answerOf(kindOf(question), principal, question, asOf, part),
    ask: answerOf,
    audienceScope: (principal, answer) =>
      contentsOf(principal, answer, onClocksOf(answer.question, reporting)),
    async previewAssigned(principal, question) {
      const { asOf, parts: own } = contextOf(question, principal, now());
      const { ages, withBaseline } = await countMine(question, principal, asOf, own);
      return { ages, withBaseline: async () => (await withBaseline()).mine };
    },
    storeRun: runs.storeRun,
    async run(id) {
      const run = await runs.run(id);
      await refuseReinvented(run, parts);
      return run;
    },
    figures({ question, value }) {
      const choices = new Map(
        kindOf(question)
          .figures(value)
          .map((choice) => [choice.id, choice]),
      );
      return [...choices.values()].slice(0, MOST_FIGURES);
    },
    explain: async (principal, question, asOf, figure) =>
      kindOf(question).explain(readFigureId(figure), question, contextOf(question, principal, asOf)),
    async requestOf(principal, question, asOf) {
      const request = await kindOf(question).file(question, contextOf(question, principal, asOf ?? now()));
      return request === null ? null : requestInZone(request, question.timeZone);
    },
  };
}

/**
 * What issues are in an answer. A service elsewhere does not say it beside its figures and is asked for it: about all issues
 * that the question is about, which may be more than are in the answer, and never fewer. Null where it does not say.
 */
async function contentsOf(
  principal: Principal,
  answer: Answer,
  reporting: Pick<AnswerParts['reporting'], 'audienceScope'>,
): Promise<AudienceScope | null> {
  const { question, asOf, value, contents } = answer;
  if (contents !== null || provenancesOf(answer).some(({ tracker }) => tracker !== 'hosted')) return contents;
  const about = (selection: Selection) => ask({ principal, reportType: 'statusCount', selection, asOf });
  const kind = kindOf(question);
  const requests =
    kind.issuesBehind?.(question, value, about) ?? kind.selections(question).map((one) => about(one));
  const found: (AudienceScope | null)[] = [];
  for (const request of requests) found.push(await reporting.audienceScope(request));
  return found.length === 0 ? null : found.reduce(mergeScopes);
}

const KEPT_FOR_MS = 90 * millisecondsInDay;

/** What runs are kept with. */
interface RunsParts {
  readonly stored: Backing;
  readonly now: () => Instant;
  readonly newId: () => string;
}

/** Questions that were answered, for 90 days. */
export function createRuns({ stored, now, newId }: RunsParts): Pick<AnswersApi, 'storeRun' | 'run'> {
  const runs = createNamespace<Run>({
    name: 'run',
    // The last millisecond counts.
    ttlMs: KEPT_FOR_MS + 1,
    most: null,
    now,
    backing: stored,
    fromFuture: 'good',
  });
  return {
    async storeRun(account, { question, asOf }) {
      const run = { id: newId(), account, question, asOf, askedAt: now() };
      await runs.set(run.id, run);
      return run;
    },
    async run(id) {
      const run = await runs.get(id);
      if (run !== undefined) return run;
      throw new AppError(
        'unknown-answer',
        'This answer has expired (answers are stored for 90 days). Ask again.',
      );
    },
  };
}

/** Where the data comes from (the tracker's name), and what time it is. */
interface ReinventedParts {
  readonly tracker: () => Promise<string>;
  readonly now: () => Instant;
}

/**
 * The sample is invented up to the midnight (UTC) before it is asked, and so shows of an earlier day what it did not
 * know on that day: an answer of then cannot be shown again. `not-found` for one.
 */
export async function refuseReinvented({ asOf }: Run, { tracker, now }: ReinventedParts): Promise<void> {
  if (dayOf(asOf) >= dayOf(now()) || (await tracker()) !== 'sample') return;
  throw new AppError(
    'unknown-answer',
    "Sample data changes every day, so earlier answers can't be shown again. Ask again.",
  );
}

function dayOf(at: Instant): number {
  return Math.floor(at / millisecondsInDay);
}

/**
 * The reporting port for one question: dates are read in the zone of the question, whoever asks it again, unless a
 * request names another.
 */
export function onClocksOf(
  { timeZone }: { readonly timeZone: string },
  reporting: ReportingApi,
): ReportingApi {
  const inZone = (request: ReportRequest) => requestInZone(request, timeZone);
  const { scan } = reporting;
  return {
    ...reporting,
    ...(scan === undefined ? {} : { scan: (request, ...more) => scan(inZone(request), ...more) }),
    report: (request) => reporting.report(inZone(request)),
    open: (request, ...more) => reporting.open(inZone(request), ...more),
    slices: (request) => reporting.slices(inZone(request)),
    count: (request) => reporting.count(inZone(request)),
    audienceScope: (request) => reporting.audienceScope(inZone(request)),
    check: (request) => reporting.check(inZone(request)),
  };
}

/** A request whose dates are read in a zone, unless it names another. */
export function requestInZone(request: ReportRequest, timeZone: string): ReportRequest {
  return { ...request, timeZone: request.timeZone ?? timeZone };
}
