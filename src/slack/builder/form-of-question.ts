import { queryOf, selectionOfQuery } from '../../api/parameters/rolling-range.ts';
import { parametersOf, present, requestSelection } from '../../api/parameters/saved-report.ts';
import type { ParameterSet, SavedReport } from '../../model/parameter-set.ts';
import type { MovingRange, Question } from '../../model/question.ts';
import type { Selection, Statistic } from '../../model/request.ts';
import { isoDay, readIsoDay } from '../../time/date-text.ts';
import { dayAt } from '../../time/wall-clock.ts';
import { viewOf } from '../answers/index.ts';
import type { ParserContext } from '../ask/grammar/parser-context.ts';
import { readCalendar } from '../ask/grammar/read-calendar.ts';
import { unquoted } from '../ask/grammar/typed-words.ts';
import { limits } from '../blocks/limits.ts';
import {
  type BuilderForm,
  type IssueFields,
  MAX_CHOSEN,
  MAX_GROUPS,
  noIssues,
  ranges,
} from './builder-form.ts';

/** The form as far as a question that was asked fills it. */
export function formOfQuestion(question: Question, form: BuilderForm): BuilderForm {
  const filled = viewOf(question).builder?.(question);
  if (filled === undefined) return form;
  const { filter, range, statistic, isSummary = false, ...fields } = filled;
  return {
    ...form,
    ...fields,
    ...(filter === null ? noIssues : issueFields(filter)),
    ...(statistic !== undefined && {
      statistic: statisticText(statistic),
      summaryWith: isSummary ? statisticText(statistic) : '',
    }),
    ...(range === null && { range: 'any' }),
    ...(range && { dateField: range.field, ...rangeText(range, question.timeZone) }),
  };
}

/** A statistic as `/tis` takes it. */
function statisticText(statistic: Pick<Statistic, 'type' | 'percentile'> | null): string {
  if (statistic === null) return 'list';
  const { type, percentile } = statistic;
  if (type === 'percentile') return `p${percentile}`;
  return type === 'standardDeviation' ? 'standard deviation' : type;
}

function rangeText({ when }: MovingRange, timeZone: string): FieldsOfTime & Pick<BuilderForm, 'range'> {
  switch (when.by) {
    case 'days':
      return { range: `last ${when.days} days` };
    case 'period':
      return { range: when.back < 2 ? `${when.back === 0 ? 'this' : 'last'} ${when.period}` : 'any' };
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

/** The form filled from a saved report; `leavesOut`: it has parameters that the form has no field for. */
export function formOfSaved(
  { id, report: saved }: Pick<ParameterSet, 'id' | 'report'>,
  form: BuilderForm,
  { calendars, reportTypes }: Pick<ParserContext, 'calendars' | 'reportTypes'>,
): BuilderForm {
  const { reportType, calendar, groupBy = [], statistic, includeDeletedStatuses, ...more } = saved;
  const { issueKey: _issueKey, selection, range: _range, ...others } = more;
  const { fields, left } = fieldsOfIssues(more);
  const report = reportTypes.find((one) => one.id.toLowerCase() === reportType?.toLowerCase())?.id;
  const calendarId = readCalendar(calendar ?? 'normalHours', calendars);
  const { type, percentile = 85, ...figures } = statistic ?? {};
  // Some of the fields would make other groups.
  const isGrouped =
    groupBy.length <= MAX_GROUPS && groupBy.every(({ length }) => length <= limits.option.value);
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
  const hasMore = Object.keys(rest).some((name) => isNamed(name) && (rest[name] ?? '') !== '');
  return {
    ...form,
    ...fields,
    filled: form.filled + 1,
    report: report ?? form.report,
    calendar: calendarId ?? form.calendar,
    groupBy: isGrouped ? groupBy : [],
    timePeriod: 'Month',
    statistic: statisticText(type === undefined ? null : { type, percentile }),
    summaryWith: '',
    saved: id,
    leavesOut: hasMore || report === undefined,
    isJqlLeftOut: false,
  };
}

type FieldsOfTime = Partial<Pick<BuilderForm, 'range' | 'dateField' | 'from' | 'to'>>;

/** Which issues a saved report is about, as far as the form has fields for it; and what it has none for. */
function fieldsOfIssues({ issueKey, selection, range }: SavedReport) {
  const time = issueKey !== undefined || range === undefined ? {} : fieldsOfTime(range);
  // A time that the form does not offer stays in the query, or is named.
  const chosen = requestSelection({ selection, range: time === null ? range : undefined });
  const issues = chosen && issueFields(chosen.by === 'jql' ? selectionOfQuery(chosen.jql) : chosen);
  const isNamed = time === null && range !== undefined && !('when' in range);
  return {
    fields: {
      ...(issueKey === undefined ? (issues ?? noIssues) : { ...noIssues, jql: issueKey }),
      ...({ range: 'any', dateField: 'created' } as const),
      ...time,
    },
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

/** A choice of issues in the fields of the form: a query that they can show is shown by them. */
function issueFields(selection: Selection): IssueFields {
  switch (selection.by) {
    case 'keys':
      return { ...noIssues, jql: selection.keys.join(', ') };
    case 'project':
      return { ...noIssues, projects: [selection.project] };
    case 'savedFilter':
      return { ...noIssues, savedFilter: selection.id };
    case 'sprint':
      return { ...noIssues, sprint: selection.id };
    case 'jql':
      return fieldsOfQuery(selection.jql) ?? { ...noIssues, jql: selection.jql };
    case 'user':
      return { ...noIssues, jql: queryOf(selection) };
  }
}

const literal = '"[^"\\\\]+"';
const clause = new RegExp(
  `^\\(?(project|sprint|filter|assignee) (?:= (${literal}|(?!(?:empty|null)\\b)[\\w-]+)|in \\((${literal}(?:, ${literal})*)\\))\\)?$`,
  'i',
);

/** Null: the query says more than the fields hold. */
function fieldsOfQuery(jql: string): IssueFields | null {
  const chosen = new Map<string, readonly string[]>();
  for (const piece of jql.split(' AND ')) {
    const [, name = '', one, several = ''] = clause.exec(piece) ?? [];
    const field = name.toLowerCase();
    const values = (one ?? several).split(/, (?=")/).map(unquoted);
    const most = field === 'sprint' || field === 'filter' ? 1 : MAX_CHOSEN;
    if (field === '' || chosen.has(field) || values.length > most) return null;
    chosen.set(field, values);
  }
  return {
    ...noIssues,
    projects: chosen.get('project') ?? [],
    people: chosen.get('assignee') ?? [],
    sprint: chosen.get('sprint')?.[0] ?? '',
    savedFilter: chosen.get('filter')?.[0] ?? '',
  };
}
