import { splitQuery } from '../../api/reporting/query-text.ts';
import { AppError, badRequest, sentencesOf } from '../../model/error.ts';
import type { MovingRange, Question } from '../../model/question.ts';
import type { Statistic } from '../../model/request.ts';
import { queryOf } from '../../parameters/rolling-range.ts';
import { questionKinds } from '../../questions/index.ts';
import type { ParserContext } from '../../questions/parse/parser-context.ts';
import { type Filter, filterOrDefault } from '../../questions/parse/read-filter.ts';
import { readRange } from '../../questions/parse/read-range.ts';
import { readStatistic } from '../../questions/parse/read-statistic.ts';
import { asLiteral, readIssueKeys, wordsOf } from '../../questions/parse/typed-words.ts';
import { reportQuestion } from '../../questions/report/read-report.ts';
import { type BuilderForm, type Field, isReport, isSprint, type Wrong } from './builder-form.ts';

/** What the form asks, or what is wrong with it by field. */
type Built = { readonly question: Question; readonly remark: string | null } | { readonly wrong: Wrong };

/** Reads the form with the words of `/tis`. `takesStatistic` false: the report is always a list. */
export async function questionOfForm(
  form: BuilderForm,
  takesStatistic: boolean,
  context: ParserContext,
): Promise<Built> {
  const wrong: Partial<Record<Field, string>> = {};
  const collect = async <Value>(field: Field, read: () => Value | Promise<Value>): Promise<Value | null> => {
    try {
      return await read();
    } catch (error) {
      wrong[field] = sentencesOf(refusalOf(error)).join(' ');
      return null;
    }
  };
  const lines = issueLines(form);
  const filters: ReadFilter[] = [];
  // Each on its own says best what is wrong with it.
  for (const [field, line] of lines) {
    const one = await collect(field, () => filterOrDefault(wordsOf(line), context));
    if (one !== null) filters.push(one);
  }
  const range = isReport(form)
    ? await collect(form.range === 'dates' ? 'from' : 'builder-range', () => rangeOf(form, context))
    : null;
  const statistic = takesStatistic ? await collect('statistic', () => statisticOf(form)) : null;
  if (Object.keys(wrong).length > 0) return { wrong };
  const first = lines[0]?.[0] ?? 'builder-projects';
  const filter = await collect(first, () => joined(filters) ?? filterOrDefault([], context));
  if (filter === null) return { wrong };
  const { remark, ...issues } = filter;
  const question = questionOf(form, { issues, range, statistic }, context);
  try {
    await context.check(question);
    return { question, remark };
  } catch (error) {
    const refused = refusalOf(error);
    return { wrong: { [fieldOf(refused) ?? first]: sentencesOf(refused).join(' ') } };
  }
}

type ReadFilter = Awaited<ReturnType<typeof filterOrDefault>>;

/** The issues that are in all of them; null where nothing chooses any. */
function joined(filters: readonly ReadFilter[]): ReadFilter | null {
  const [only = null, ...others] = filters;
  if (others.length === 0) return only;
  const queries = filters.map(({ selection }) => splitQuery(queryOf(selection)));
  const order = queries.map((one) => one.order).findLast((one) => one !== '') ?? '';
  const jql = `${queries.map((one) => `(${one.filter})`).join(' AND ')} ${order}`.trimEnd();
  const remarks = filters.flatMap(({ remark }) => remark ?? []);
  return {
    selection: { by: 'jql', jql },
    title: filters.map(({ title }) => title).join(', '),
    remark: remarks.length === 0 ? null : remarks.join(' '),
  };
}

type IssueLine = readonly [field: Field, line: string];

/** What chooses the issues, each as it would be typed after `/tis`. */
function issueLines(form: BuilderForm): readonly IssueLine[] {
  const { projects, sprint, savedFilter, people, jql } = form;
  const [project = '', ...more] = projects;
  const [person = '', ...others] = people;
  const ofSprint: readonly IssueLine[] = sprint === '' ? [] : [['builder-sprint', `sprint ${sprint}`]];
  const ofProjects: readonly IssueLine[] =
    project === ''
      ? []
      : [
          [
            'builder-projects',
            more.length === 0
              ? `project ${project}`
              : `jql project in (${projects.map(asLiteral).join(', ')})`,
          ],
        ];
  if (isSprint(form)) return ofSprint.length > 0 ? ofSprint : ofProjects;
  return [
    ...ofProjects,
    ...ofSprint,
    ...(savedFilter === '' ? [] : [['builder-filter', `filter ${savedFilter}`] as const]),
    ...(person === ''
      ? []
      : [
          [
            'builder-people',
            others.length === 0
              ? `assignee ${person}`
              : `jql assignee in (${people.map(asLiteral).join(', ')})`,
          ] as const,
        ]),
    ...(jql === '' ? [] : [['jql', queryLine(jql)] as const]),
  ];
}

/** Issue keys and what already says what it is stay; anything else is a query. */
function queryLine(typed: string): string {
  const { keys, others } = readIssueKeys(wordsOf(typed).map(({ plain }) => plain));
  return (keys.length > 0 && others.length === 0) || /^jql\s/i.test(typed) ? typed : `jql ${typed}`;
}

/** What was read of the form. */
interface Read {
  readonly issues: Filter;
  readonly range: MovingRange | null;
  readonly statistic: Statistic | null;
}

function questionOf(form: BuilderForm, { issues, range, statistic }: Read, context: ParserContext): Question {
  const { calendar, week, report: reportType, groupBy } = form;
  const own = questionKinds.find(({ kind }) => kind === reportType)?.ofBuilder;
  if (own !== undefined) return own({ filter: issues, week, calendar, timeZone: context.hours.timeZone });
  const tails = { ...(range === null ? {} : { range: { ...range, words: form.range } }), calendar };
  return reportQuestion(issues.selection, { ...tails, reportType, groupBy }, statistic, context);
}

function rangeOf({ range, dateField, from, to }: BuilderForm, context: ParserContext): MovingRange | null {
  if (range === 'any') return null;
  const days = to === '' ? `since ${from}` : `between ${from} and ${to}`;
  const words = range === 'dates' ? days : range;
  const read = readRange([dateField, ...words.split(' ')], context);
  if (read === null) throw badRequest(`I can’t read the time '${words}'. Choose one from the menu.`);
  return read;
}

function statisticOf({ statistic }: BuilderForm): Statistic | null {
  const read = readStatistic(statistic.split(' '));
  if (read === null) throw badRequest(`I can’t read the statistic '${statistic}'. Choose one from the menu.`);
  return read === 'list' ? null : read;
}

/** A refusal; whatever else went wrong is no fault of the form. */
function refusalOf(error: unknown): AppError {
  if (!(error instanceof AppError) || !['bad-request', 'not-found'].includes(error.code)) throw error;
  return error;
}

/** The fields of the form by what the reporting port calls them; what else it refuses is about the issues. */
const fieldsOfForm: ReadonlyMap<string | undefined, Field> = new Map([
  ['groupByFields', 'builder-group'],
  ['columnsBy', 'builder-report'],
  ['calendar', 'builder-calendar'],
]);

function fieldOf({ fields }: AppError): Field | undefined {
  return fieldsOfForm.get(Object.keys(fields)[0]);
}
