import { AppError, badRequest } from '../../model/error.ts';
import type { MovingRange, Question } from '../../model/question.ts';
import type { Selection, Statistic } from '../../model/request.ts';
import { wordsOf } from '../exports/typed-words.ts';
import type { Asking } from '../questions/asking.ts';
import { filterOrUsual } from '../questions/filter-or-usual.ts';
import { readRange } from '../questions/read-range.ts';
import { reportQuestion } from '../questions/read-report.ts';
import { readStatistic } from '../questions/read-statistic.ts';
import { type BuilderForm, type Field, isReport, type Wrong } from './builder-form.ts';

/** What the form asks, or what is wrong with it by field. */
type Built = { readonly question: Question; readonly remark: string | null } | { readonly wrong: Wrong };

/** Reads the form with the words of `/tis`. `takesStatistic` false: the report is always a list. */
export async function questionOfForm(
  form: BuilderForm,
  takesStatistic: boolean,
  asking: Asking,
): Promise<Built> {
  const reading = await readFields(form, takesStatistic, asking);
  if ('wrong' in reading) return reading;
  const question = questionOf(form, reading, asking);
  try {
    await asking.check(question);
    return { question, remark: reading.remark };
  } catch (error) {
    const [sentence = '', ...others] = refusalsOf(error);
    return { wrong: { [fieldOf(sentence)]: [sentence, ...others].join(' ') } };
  }
}

interface Read {
  readonly selection: Selection;
  readonly range: MovingRange | null;
  readonly statistic: Statistic | null;
}

async function readFields(
  form: BuilderForm,
  takesStatistic: boolean,
  asking: Asking,
): Promise<{ readonly wrong: Wrong } | (Read & { readonly remark: string | null })> {
  const wrong: Partial<Record<Field, string>> = {};
  const kept = async <Value>(field: Field, read: () => Value | Promise<Value>): Promise<Value | null> => {
    try {
      return await read();
    } catch (error) {
      wrong[field] = refusalsOf(error).join(' ');
      return null;
    }
  };
  const filter = await kept('filter', () => filterOrUsual(wordsOf(form.filter), asking));
  const range = isReport(form)
    ? await kept(form.range === 'dates' ? 'from' : 'builder-range', () => rangeOf(form, asking))
    : null;
  const statistic = takesStatistic ? await kept('statistic', () => statisticOf(form)) : null;
  return filter === null || Object.keys(wrong).length > 0 ? { wrong } : { ...filter, range, statistic };
}

function questionOf(form: BuilderForm, read: Read, asking: Asking): Question {
  const { calendar, week } = form;
  const { selection } = read;
  const { timeZone } = asking.hours;
  if (form.report === 'weekly') return { kind: 'weekly', selection, week, calendar, timeZone };
  if (form.report === 'aging') return { kind: 'aging', selection, calendar, timeZone };
  return reportQuestion(
    selection,
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

function rangeOf({ range, dateField, from, to }: BuilderForm, asking: Asking): MovingRange | null {
  if (range === 'any') return null;
  const words = range === 'dates' ? daysText(from, to) : range;
  const read = readRange([dateField, ...words.split(' ')], asking);
  if (read === null) throw badRequest(`'${words}' is no time I know; allowed: one that the menu offers.`);
  return read;
}

function daysText(from: string, to: string): string {
  return to === '' ? `since ${from}` : `between ${from} and ${to}`;
}

function statisticOf({ statistic }: BuilderForm): Statistic | null {
  const read = readStatistic(statistic.split(' '));
  if (read === null)
    throw badRequest(`'${statistic}' is no statistic I know; allowed: one that the menu offers.`);
  return read === 'list' ? null : read;
}

/** What a refusal says; whatever else went wrong is no fault of the form. */
function refusalsOf(error: unknown): readonly string[] {
  if (!(error instanceof AppError) || !['bad-request', 'not-found'].includes(error.code)) throw error;
  return error.details.length > 0 ? error.details : [error.message];
}

/** Which field a sentence of the reporting port is about, in this door's words. */
function fieldOf(sentence: string): Field {
  if (sentence.startsWith('The field ')) return 'builder-group';
  if (sentence.startsWith('The report ')) return 'builder-report';
  if (sentence.startsWith('aggregationType') || sentence.startsWith('percentile')) return 'statistic';
  return sentence.startsWith('calendar ') ? 'builder-calendar' : 'filter';
}
