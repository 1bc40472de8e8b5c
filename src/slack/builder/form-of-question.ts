import { limits } from '../../block-kit/limits.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { ParameterSet, SavedReport } from '../../model/parameter-set.ts';
import type { MovingRange, Question } from '../../model/question.ts';
import type { Selection, Statistic } from '../../model/request.ts';
import { selectionOf } from '../../parameters/rolling-range.ts';
import { parametersOf, present, requestSelection } from '../../parameters/saved-report.ts';
import { kindOf } from '../../questions/index.ts';
import { readCalendar } from '../../questions/parse/read-calendar.ts';
import { asLiteral } from '../../questions/parse/typed-words.ts';
import { isoDay, readIsoDay } from '../../time/iso-dates.ts';
import { dayAt } from '../../time/wall-clock.ts';
import { MOST_GROUPS, ranges } from './builder-choices.ts';
import type { BuilderFacts, BuilderForm } from './builder-form.ts';

/** The form as far as a question that was asked fills it. */
export function formOfQuestion(question: Question, form: BuilderForm): BuilderForm {
  const filled = kindOf(question).builder?.(question);
  if (filled === undefined) return form;
  const { filter, range, statistic, ...fields } = filled;
  return {
    ...form,
    ...fields,
    filter: filter === null ? '' : filterText(filter),
    ...(statistic === undefined ? {} : { statistic: statistic === null ? 'list' : statisticText(statistic) }),
    ...(range === undefined
      ? {}
      : range === null
        ? { range: 'any' }
        : { dateField: range.field, ...rangeText(range, question.timeZone) }),
  };
}

/** A statistic as `/tis` takes it. */
function statisticText({ type, percentile }: Pick<Statistic, 'type' | 'percentile'>): string {
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

/** What a modal carries is limited, and nobody reads more names than that. */
const MOST_UNTOLD = 8;
const UNTOLD_LENGTH = 40;

/** The form filled from a saved report; the parameters it has no field for are named in `untold`. */
export function formOfSaved(
  { id, report: saved }: Pick<ParameterSet, 'id' | 'report'>,
  form: BuilderForm,
  { calendars, reportTypes }: Pick<BuilderFacts, 'calendars' | 'reportTypes'>,
): BuilderForm {
  const { reportType, calendar, groupBy = [], statistic, includeDeletedStatuses, ...more } = saved;
  const { issueKey: _issueKey, selection, range: _range, ...others } = more;
  const { fields, left } = fieldsOfIssues(more);
  const report = reportTypes.find((one) => one.id.toLowerCase() === reportType?.toLowerCase())?.id;
  const calendarId = readCalendar(calendar ?? 'normalHours', calendars);
  const { type, percentile = 85, ...figures } = statistic ?? {};
  // Some of the fields would make other groups.
  const isGrouped =
    groupBy.length <= MOST_GROUPS && groupBy.every(({ length }) => length <= limits.option.value);
  const rest = parametersOf({
    ...others,
    ...left,
    ...(calendar === undefined || calendarId !== null ? {} : { calendar }),
    ...(isGrouped ? {} : { groupBy }),
    // Every statistic of ours says so, and every list.
    ...(includeDeletedStatuses === false ? { includeDeletedStatuses } : {}),
    statistic: figures,
  });
  // Without a choice of issues the form would ask for those that are usual here.
  const isNamed = (name: string) => selection === undefined || !/^filterType$/i.test(name);
  const names = Object.keys(rest).filter((name) => isNamed(name) && (rest[name] ?? '') !== '');
  const untold = [...(report === undefined ? ['reportType'] : []), ...names];
  return {
    ...form,
    ...fields,
    filled: form.filled + 1,
    report: report ?? form.report,
    calendar: calendarId ?? form.calendar,
    groupBy: isGrouped ? groupBy : [],
    statistic: type === undefined ? 'list' : statisticText({ type, percentile }),
    saved: id,
    untold: untold.slice(0, MOST_UNTOLD).map((name) => shorten(name, UNTOLD_LENGTH)),
    moreUntold: Math.max(0, untold.length - MOST_UNTOLD),
    filterLeftOut: false,
  };
}

type FieldsOfTime = Partial<Pick<BuilderForm, 'range' | 'dateField' | 'from' | 'to'>>;

/** Which issues a saved report is about, as far as the form has fields for it; and what it has none for. */
function fieldsOfIssues({ issueKey, selection, range }: SavedReport) {
  const time = issueKey !== undefined || range === undefined ? {} : fieldsOfTime(range);
  // A time that the form does not offer stays in the query, or is named.
  const chosen = requestSelection({ selection, range: time === null ? range : undefined });
  const filter = chosen && filterText(chosen.by === 'jql' ? selectionOf(chosen.jql) : chosen);
  const isNamed = time === null && range !== undefined && !('when' in range);
  return {
    fields: { filter: issueKey ?? filter ?? '', range: 'any', dateField: 'created', ...time } as const,
    left: issueKey !== undefined ? present({ selection, range }) : isNamed ? { range } : {},
  };
}

function fieldsOfTime(range: NonNullable<SavedReport['range']>): FieldsOfTime | null {
  if ('when' in range) {
    const { range: words } = rangeText(range, 'UTC');
    const isOffered = words !== 'any' && ranges.some(([, offered]) => offered === words);
    return isOffered ? { range: words, dateField: range.field } : null;
  }
  const { field: dateField = 'created', from = '', to = '' } = range;
  if (from === '' && to === '') return {};
  const areDays = [from, to === '' ? from : to].every((day) => readIsoDay(day) !== null);
  return areDays ? { range: 'dates', dateField, from, to } : null;
}

/** A choice of issues as it would stand behind `/tis`. */
function filterText(selection: Selection): string {
  switch (selection.by) {
    case 'keys':
      return selection.keys.join(', ');
    case 'project':
      return `project ${selection.project}`;
    case 'savedFilter':
      return `filter ${selection.id}`;
    case 'sprint':
      return `sprint ${selection.id}`;
    case 'jql':
      return `jql ${selection.jql}`;
    case 'user': {
      const user = asLiteral(selection.user);
      return `jql assignee = ${user} or assignee was ${user}`;
    }
  }
}
