import type { MovingRange, Question } from '../../model/question.ts';
import type { Statistic } from '../../model/request.ts';
import { kindOf } from '../../questions/index.ts';
import { isoDay } from '../../time/iso-dates.ts';
import { dayAt } from '../../time/wall-clock.ts';
import type { BuilderForm } from './builder-form.ts';
import { filterText } from './filter-text.ts';

/** The form as far as a question that was asked fills it. */
export function formOfQuestion(question: Question, form: BuilderForm): BuilderForm {
  const { filter, range, statistic, setId, ...fields } = kindOf(question).builder?.(question) ?? {};
  return {
    ...form,
    ...fields,
    ...(filter === undefined ? {} : { filter: typeof filter === 'string' ? filter : filterText(filter) }),
    ...(statistic === undefined ? {} : { statistic: statistic === null ? 'list' : statisticText(statistic) }),
    ...(range === undefined
      ? {}
      : range === null
        ? { range: 'any' }
        : { dateField: range.field, ...rangeText(range, question.timeZone) }),
    ...(setId === undefined ? {} : { saved: setId }),
  };
}

/** A statistic as `/tis` takes it. */
export function statisticText({ type, percentile }: Pick<Statistic, 'type' | 'percentile'>): string {
  if (type === 'percentile') return `p${percentile}`;
  return type === 'standardDeviation' ? 'spread' : type;
}

function rangeText(
  { when }: MovingRange,
  timeZone: string,
): Pick<BuilderForm, 'range'> & Partial<Pick<BuilderForm, 'from' | 'to'>> {
  switch (when.by) {
    case 'days':
      return { range: `last ${when.days} days` };
    case 'period':
      return when.back < 2
        ? { range: `${when.back === 0 ? 'this' : 'last'} ${when.period}` }
        : { range: 'any' };
    case 'dates': {
      const day = (at: number) => isoDay(dayAt(at, timeZone));
      return {
        range: 'dates',
        from: when.from === null ? '' : day(when.from),
        to: when.to === null ? '' : day(when.to - 1),
      };
    }
  }
}
