import { AppError, badRequest, sentencesOf } from '../../model/error.ts';
import type { MovingRange, Question } from '../../model/question.ts';
import type { Statistic } from '../../model/request.ts';
import { questionKinds } from '../../questions/index.ts';
import type { ParserContext } from '../../questions/parse/parser-context.ts';
import { type Filter, filterOrDefault } from '../../questions/parse/read-filter.ts';
import { readRange } from '../../questions/parse/read-range.ts';
import { readStatistic } from '../../questions/parse/read-statistic.ts';
import { wordsOf } from '../../questions/parse/typed-words.ts';
import { reportQuestion } from '../../questions/report/read-report.ts';
import { type BuilderForm, type Field, isReport, type Wrong } from './builder-form.ts';

/** What the form asks, or what is wrong with it by field. */
type Built = { readonly question: Question; readonly remark: string | null } | { readonly wrong: Wrong };

/** Reads the form with the words of `/tis`. `takesStatistic` false: the report is always a list. */
export async function questionOfForm(
  form: BuilderForm,
  takesStatistic: boolean,
  asking: ParserContext,
): Promise<Built> {
  const reading = await readFields(form, takesStatistic, asking);
  if ('wrong' in reading) return reading;
  const question = questionOf(form, reading, asking);
  try {
    await asking.check(question);
    return { question, remark: reading.remark };
  } catch (error) {
    const refused = refusalOf(error);
    return { wrong: { [fieldOf(refused)]: sentencesOf(refused).join(' ') } };
  }
}

interface Read {
  readonly filter: Filter;
  readonly range: MovingRange | null;
  readonly statistic: Statistic | null;
}

async function readFields(
  form: BuilderForm,
  takesStatistic: boolean,
  asking: ParserContext,
): Promise<{ readonly wrong: Wrong } | (Read & { readonly remark: string | null })> {
  const wrong: Partial<Record<Field, string>> = {};
  const kept = async <Value>(field: Field, read: () => Value | Promise<Value>): Promise<Value | null> => {
    try {
      return await read();
    } catch (error) {
      wrong[field] = sentencesOf(refusalOf(error)).join(' ');
      return null;
    }
  };
  const filter = await kept('filter', () => filterOrDefault(wordsOf(form.filter), asking));
  const range = isReport(form)
    ? await kept(form.range === 'dates' ? 'from' : 'builder-range', () => rangeOf(form, asking))
    : null;
  const statistic = takesStatistic ? await kept('statistic', () => statisticOf(form)) : null;
  if (filter === null || Object.keys(wrong).length > 0) return { wrong };
  const { remark, ...issues } = filter;
  return { filter: issues, remark, range, statistic };
}

function questionOf(form: BuilderForm, read: Read, asking: ParserContext): Question {
  const { calendar, week } = form;
  const own = questionKinds.find(({ kind }) => kind === form.report)?.ofBuilder;
  if (own !== undefined) return own({ filter: read.filter, week, calendar, timeZone: asking.hours.timeZone });
  return reportQuestion(
    read.filter.selection,
    {
      ...(read.range === null ? {} : { range: { ...read.range, words: form.range } }),
      calendar,
      reportType: form.report,
      groupBy: form.groupBy,
    },
    read.statistic,
    asking,
  );
}

function rangeOf({ range, dateField, from, to }: BuilderForm, asking: ParserContext): MovingRange | null {
  if (range === 'any') return null;
  const words = range === 'dates' ? daysText(from, to) : range;
  const read = readRange([dateField, ...words.split(' ')], asking);
  if (read === null) throw badRequest(`'${words}' is no time I know. Try: one that the menu offers.`);
  return read;
}

function daysText(from: string, to: string): string {
  return to === '' ? `since ${from}` : `between ${from} and ${to}`;
}

function statisticOf({ statistic }: BuilderForm): Statistic | null {
  const read = readStatistic(statistic.split(' '));
  if (read === null)
    throw badRequest(`'${statistic}' is no statistic I know. Try: one that the menu offers.`);
  return read === 'list' ? null : read;
}

/** A refusal; whatever else went wrong is no fault of the form. */
function refusalOf(error: unknown): AppError {
  if (!(error instanceof AppError) || !['bad-request', 'not-found'].includes(error.code)) throw error;
  return error;
}

/** The fields of the form by what the reporting port calls them; what else it refuses is about the filter. */
const fieldsOfForm: ReadonlyMap<string | undefined, Field> = new Map([
  ['groupByFields', 'builder-group'],
  ['columnsBy', 'builder-report'],
  ['calendar', 'builder-calendar'],
]);

function fieldOf({ fields }: AppError): Field {
  return fieldsOfForm.get(Object.keys(fields)[0]) ?? 'filter';
}
