import type { MovingRange, Question, ReportQuestion, WeeklyQuestion } from '../../model/question.ts';
import type { Statistic } from '../../model/request.ts';
import { isoDay } from '../../time/iso-dates.ts';
import { periodAt } from '../../time/periods.ts';
import { dayAt } from '../../time/wall-clock.ts';
import type { BuilderForm } from './builder-form.ts';
import { filterText } from './filter-text.ts';

/** The form as far as a question that was asked fills it. */
export function formOfQuestion(question: Question, form: BuilderForm): BuilderForm {
  switch (question.kind) {
    case 'issue':
      return { ...form, filter: question.key, calendar: question.calendar, range: 'any', statistic: 'list' };
    case 'report':
      return { ...form, ...fieldsOfReport(question) };
    case 'weekly':
    case 'aging':
      return {
        ...form,
        report: question.kind,
        filter: filterText(question.selection),
        calendar: question.calendar,
        ...(question.kind === 'weekly' ? { week: weekText(question) } : {}),
      };
    case 'compare': {
      const [{ selection }] = question.sides;
      return { ...form, filter: filterText(selection), calendar: question.calendar };
    }
    case 'saved':
      return { ...form, saved: question.setId };
    case 'mine':
      return { ...form, report: 'aging', filter: 'assignee me', calendar: question.calendar };
  }
}

/** Its middle lies in the same week on every clock. */
function weekText({ week, timeZone }: WeeklyQuestion): BuilderForm['week'] {
  if (typeof week === 'string') return week;
  const { start, end } = periodAt(week, 'Week', timeZone);
  return (start + end) / 2;
}

function fieldsOfReport({ request, range, timeZone }: ReportQuestion): Partial<BuilderForm> {
  const { reportType, selection, groupBy, statistic, calendar } = request;
  return {
    report: reportType,
    filter: filterText(selection),
    groupBy,
    calendar,
    statistic: statistic === null ? 'list' : statisticText(statistic),
    ...(range === null ? { range: 'any' } : { dateField: range.field, ...rangeText(range, timeZone) }),
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
