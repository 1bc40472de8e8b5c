import { asLiteral } from '../../api/reporting/query-text.ts';
import { AppError, badRequest, sentencesOf } from '../../model/error.ts';
import { straightLiterals } from '../../model/issues/straight-literals.ts';
import type { MovingRange, Question } from '../../model/question.ts';
import type { Selection, Statistic } from '../../model/request.ts';
import { questionViews } from '../answers/index.ts';
import { reportQuestion, USUAL_REPORT } from '../answers/report/read-report.ts';
import { readStatistic } from '../ask/grammar/parse-options.ts';
import type { ParserContext } from '../ask/grammar/parser-context.ts';
import { type Filter, filterOrDefault, type JoinedFilter, joinFilters } from '../ask/grammar/read-filter.ts';
import { readRange } from '../ask/grammar/read-range.ts';
import { readIssueKeys, wordsOf } from '../ask/grammar/typed-words.ts';
import { type BuilderField, type BuilderForm, isReport, type Wrong } from './builder-form.ts';

type Built = { readonly question: Question; readonly remark: string | null } | { readonly wrong: Wrong };

/** Reads the form with the words of `/tis`. `takesStatistic` false: the report is always a list. */
export async function questionOfForm(
  form: BuilderForm,
  takesStatistic: boolean,
  context: ParserContext,
): Promise<Built> {
  const wrong: Partial<Record<BuilderField, string>> = {};
  const collect = <Value>(field: BuilderField, read: () => Promise<Value>): Promise<Value | null> =>
    read().catch((error: unknown) => {
      wrong[field] = sentencesOf(refusalOf(error)).join(' ');
      return null;
    });
  const lines = issueLines(form);
  const filters: JoinedFilter[] = [];
  // Each filter is checked on its own: positions in the joined query would count words that were not typed.
  for (const [field, line] of lines) {
    const one = await collect(field, async () => {
      const filter = await filterOrDefault(wordsOf(line), context);
      const [, typed] = /^jql\s+(.+)$/s.exec(line) ?? [];
      const selection: Selection =
        typed === undefined ? filter.selection : { by: 'jql', jql: straightLiterals(typed) };
      if (lines.length > 1) await context.check(reportQuestion(selection, {}, null, context));
      return filter;
    });
    if (one !== null) filters.push(one);
  }
  const range = isReport(form)
    ? await collect(form.range === 'dates' ? 'from' : 'builder-range', async () => rangeOf(form, context))
    : null;
  const statistic = takesStatistic ? await collect('statistic', async () => statisticOf(form)) : null;
  if (Object.keys(wrong).length > 0) return { wrong };
  const first = lines[0]?.[0] ?? 'builder-projects';
  const filter = await collect(first, async () => joinFilters(filters) ?? filterOrDefault([], context));
  if (filter === null) return { wrong };
  const { remark, ...issues } = filter;
  const question = questionOf(form, { issues, range, statistic }, context);
  const refused = await context.check(question).then(() => null, refusalOf);
  if (refused === null) return { question, remark };
  const field = fieldsOfForm.get(Object.keys(refused.fields)[0]) ?? first;
  return { wrong: { [field]: sentencesOf(refused).join(' ') } };
}

type IssueLine = readonly [field: BuilderField, line: string];

/** The lines of the fields that choose the issues, each as it would be typed after `/tis`. */
function issueLines({ report, projects, sprint, savedFilter, people, jql }: BuilderForm) {
  const isSprint = report === 'sprint';
  const lines: readonly IssueLine[] = [
    ['builder-projects', isSprint && sprint !== '' ? '' : ofSome('project', projects)],
    ['builder-sprint', sprint && `sprint ${sprint}`],
    ['builder-filter', isSprint ? '' : savedFilter && `filter ${savedFilter}`],
    ['builder-people', isSprint ? '' : ofSome('assignee', people)],
    ['jql', isSprint ? '' : jql && queryLine(jql)],
  ];
  return lines.filter(([, line]) => line !== '');
}

/** Issues by one value of a field, or by several; empty for none. */
function ofSome(field: 'project' | 'assignee', [first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return first && `${field} ${first}`;
  return `jql ${field} in (${[first, ...others].map(asLiteral).join(', ')})`;
}

/** Issue keys and what already says what it is stay; anything else is a query. */
function queryLine(typed: string): string {
  const { keys, others } = readIssueKeys(wordsOf(typed).map(({ plain }) => plain));
  return (keys.length > 0 && others.length === 0) || /^jql\s/i.test(typed) ? typed : `jql ${typed}`;
}

function questionOf(
  form: BuilderForm,
  read: { readonly issues: Filter; readonly range: MovingRange | null; readonly statistic: Statistic | null },
  context: ParserContext,
): Question {
  const { calendar, week, withBacklog, count, until, report: reportType, groupBy } = form;
  const { issues, range, statistic } = read;
  const { timeZone } = context.hours;
  const own = questionViews.find(({ of }) => of.kind === reportType)?.ofBuilder;
  if (own !== undefined) return own({ filter: issues, week, withBacklog, count, until, calendar, timeZone });
  const isUntouched = form.statistic === form.summaryWith;
  const isSummary = reportType === USUAL_REPORT && groupBy.length === 0 && isUntouched;
  const chosen = isUntouched ? {} : { statistic: statistic ?? ('list' as const) };
  const tails = {
    ...(range && { range: { ...range, words: form.range } }),
    calendar,
    ...(isSummary ? {} : { reportType, groupBy, timePeriod: form.timePeriod, ...chosen }),
  };
  return reportQuestion(issues.selection, tails, statistic, context);
}

function rangeOf({ range, dateField, from, to }: BuilderForm, context: ParserContext): MovingRange | null {
  if (range === 'any') return null;
  const days = to === '' ? `since ${from}` : `between ${from} and ${to}`;
  const words = range === 'dates' ? days : range;
  const read = readRange([dateField, ...words.split(' ')], context);
  if (read === null) throw badRequest(`I can't read the time "${words}". Choose one from the menu.`);
  return read;
}

function statisticOf({ statistic }: BuilderForm): Statistic | null {
  const read = readStatistic(statistic.split(' '));
  if (read === null) throw badRequest(`I can't read the statistic "${statistic}". Choose one from the menu.`);
  return read === 'list' ? null : read;
}

/** A refusal; whatever else went wrong is no fault of the form. */
function refusalOf(error: unknown): AppError {
  if (!(error instanceof AppError) || !['bad-request', 'not-found'].includes(error.code)) throw error;
  return error;
}

/** The fields of the form by what the reporting port calls them; what else it refuses is about the issues. */
const fieldsOfForm: ReadonlyMap<string | undefined, BuilderField> = new Map([
  ['groupByFields', 'builder-group'],
  ['columnsBy', 'builder-report'],
  ['calendar', 'builder-calendar'],
  ['until', 'until'],
]);
