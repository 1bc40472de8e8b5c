import type { MeasuredQuestion } from '../../model/question.ts';
import { type AudienceScope, ask, type Statistic, type TimePeriod } from '../../model/request.ts';
import { whenReadable } from '../figures/cycle-percentiles.ts';
import { statusTimesOf } from '../figures/list-request.ts';
import { mergeScopes } from '../figures/read-table.ts';
import type { AnswerContext, QuestionKind } from '../kind.ts';
import { unknownWord } from '../parse/names-meant.ts';
import type { Hours, ParserContext, QuestionReader } from '../parse/parser-context.ts';
import { takeTails, unitOf } from '../parse/take-tails.ts';
import { oneOf, plainText, readIssueKeys, unquoted } from '../parse/typed-words.ts';
import { explainIssue, issueFigures } from './explain-issue.ts';
import { HISTORY } from './issue-history.ts';
import { type IssueAnswer, type IssueSummary, summarizeIssue, type UsualTime } from './issue-summary.ts';
import { issueView } from './issue-view.ts';

/** Where the time of one issue went; `by` absent: by status. `to`: the moves to a status alone, of all that have its name. */
export interface IssueQuestion extends MeasuredQuestion {
  readonly kind: 'issue';
  readonly key: string;
  readonly by?: {
    readonly reportType: string;
    readonly timePeriod?: TimePeriod;
    readonly to?: { readonly name: string; readonly ids: readonly string[] };
  };
}

/** The question where the time of an issue went, by the hours of here. */
export function issueQuestion(key: string, { calendar, timeZone }: Hours): IssueQuestion {
  return { kind: 'issue', key, calendar, timeZone };
}

/** `/tis WEB-350 [by assignee|week|month|REPORT] [in CALENDAR] [in hours]`. */
export const issueKind: QuestionKind<IssueQuestion, IssueAnswer> = {
  kind: 'issue',
  commands: [],
  selections: ({ key }) => [{ by: 'keys', keys: [key] }],
  ranges: () => [],
  async answer(question, context) {
    const value = await answerIssue(question, context);
    return { value, contents: value.provenance.contents ?? null };
  },
  isEmpty: () => false,
  withProvenance: (value, change) => ({
    ...value,
    provenance: change(value.provenance),
    by:
      value.by === null
        ? null
        : { ...value.by, table: { ...value.by.table, provenance: change(value.by.table.provenance) } },
  }),
  withoutBaseline: (value) => ({ value: { ...value, usual: null }, contents: value.ownScope }),
  title: ({ key, by }) => `the time of ${key}${by === undefined ? '' : ` by ${byWords(by)}`}`,
  view: issueView,
  figures: issueFigures,
  explain: (figure, question, { principal, asOf, parts }) =>
    explainIssue(figure, question, principal, asOf, parts.reporting),
  fileFacts: ({ key, by }) => ({
    selection: { by: 'keys', keys: [key] },
    reportType: by?.reportType ?? 'statusDuration',
  }),
  file: async ({ key, calendar, by }, context) => ({
    ...statusTimesOf([key.toUpperCase()], { calendar }, context),
    ...(by === undefined ? {} : reportBy(by)),
  }),
};

/** One issue with what is usual for it; the same with or without `by`. */
export async function answerIssue(
  { key, calendar, by }: IssueQuestion,
  { principal, asOf, parts }: AnswerContext,
): Promise<IssueAnswer> {
  const { reporting } = parts;
  const issue = await summarizeIssue(reporting, principal, key, { calendar, asOf });
  const ownScope = issue.provenance.contents ?? null;
  const { usual, contents } = await usualOf(issue, calendar, { principal, asOf, parts });
  const both = usual === null ? ownScope : mergeScopes(ownScope, contents);
  const { contents: _, ...provenance } = issue.provenance;
  const request =
    by === undefined
      ? null
      : ask({
          ...{ principal, asOf, calendar, selection: { by: 'keys', keys: [issue.key] } },
          ...{ ...reportBy(by), includeDeletedStatuses: true },
          statistic: by.reportType === HISTORY ? null : total,
        });
  return {
    ...issue,
    provenance: both === null ? provenance : { ...provenance, contents: both },
    usual,
    isOwn: issue.assignee?.id === principal.account,
    by: request === null ? null : { request, table: await reporting.report(request), to: by?.to ?? null },
    ownScope,
  };
}

/** The value of `by` in a request. */
function reportBy({ reportType, timePeriod }: NonNullable<IssueQuestion['by']>) {
  return { reportType, ...(timePeriod === undefined ? {} : { timePeriod }) };
}

/** Of one issue every statistic is its own figure. */
const total: Statistic = { type: 'sum', denominator: 'nonNull', deviation: 'population', percentile: 50 };

/** Nothing is usual for what was not begun, and a service elsewhere would be asked for all of its issues. */
async function usualOf(
  { project, current, finish, begun }: IssueSummary,
  calendar: string,
  { principal, asOf, parts }: AnswerContext,
): Promise<{ readonly usual: UsualTime | null; readonly contents: AudienceScope | null }> {
  const nothing = { usual: null, contents: null };
  if (parts.reporting.scan === undefined || current === null) return nothing;
  if (current.category === 'Done') {
    if (finish === null || begun === null) return nothing;
    const found = await whenReadable(() => parts.cyclePercentiles(principal, project, calendar, asOf));
    const p85 = found?.p85 ?? null;
    return p85 === null ? nothing : { usual: { p85 }, contents: found?.contents ?? null };
  }
  const found = await whenReadable(() => parts.dwellPercentiles(principal, [project], calendar, asOf));
  const usual = found?.get(project)?.byStatus.get(current.id) ?? null;
  return usual === null ? nothing : { usual, contents: found?.get(project)?.contents ?? null };
}

/**
 * Reads `KEY [by …] [in CALENDAR] [in hours]` and `KEY by history [to STATUS]`, the ends in any order; null where the words are no question about one issue.
 */
export const readIssue: QuestionReader = async (words, context) => {
  const [first, ...others] = words;
  const { keys, others: noKeys } = readIssueKeys(first === undefined ? [] : [first.plain]);
  const [key] = keys;
  if (key === undefined || keys.length > 1 || noKeys.length > 0) return null;
  const { rest, tails } = await takeTails(others, ['calendar', 'unit', 'reportType', 'groupBy'], context);
  const { groupBy, timePeriod } = tails;
  const isAssignee = groupBy?.length === 1 && oneOf(['assignee'], groupBy[0]) !== undefined;
  const history = await readHistory(plainText(rest), context);
  if ((rest.length > 0 && history === null) || (groupBy !== undefined && !isAssignee)) return null;
  const reportType = isAssignee ? 'assigneeDuration' : tails.reportType;
  const by =
    history ??
    (reportType === undefined ? null : { reportType, ...(timePeriod === undefined ? {} : { timePeriod }) });
  const question: IssueQuestion = {
    ...issueQuestion(key, { ...context.hours, calendar: tails.calendar ?? context.hours.calendar }),
    ...(by === null ? {} : { by }),
    ...unitOf(tails),
  };
  return { question, remark: null };
};

/** Reads `by history` and `by history to STATUS`; null for other text. */
async function readHistory(
  text: string,
  { statuses }: ParserContext,
): Promise<NonNullable<IssueQuestion['by']> | null> {
  const [history, typed = ''] = /^by history(?: to (.+))?$/i.exec(text) ?? [];
  if (history === undefined) return null;
  if (typed === '') return { reportType: HISTORY };
  const all = await statuses();
  const named = all.filter(({ name }) => name.toLowerCase() === unquoted(typed).toLowerCase());
  const [first] = named;
  if (first === undefined)
    throw unknownWord('status', unquoted(typed), [...new Set(all.map(({ name }) => name))]);
  return { reportType: HISTORY, to: { name: first.name, ids: named.map(({ id }) => id) } };
}

function byWords({ reportType, timePeriod }: NonNullable<IssueQuestion['by']>): string {
  if (reportType === HISTORY) return 'history';
  if (timePeriod !== undefined) return timePeriod.toLowerCase();
  return reportType === 'assigneeDuration' ? 'assignee' : reportType;
}
