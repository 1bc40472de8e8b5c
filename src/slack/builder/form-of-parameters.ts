import { limits } from '../../block-kit/limits.ts';
import { shorten } from '../../block-kit/shorten.ts';
import { aggregationTypes, dateRangeFields } from '../../model/request.ts';
import type { ParameterSet } from '../../model/settings.ts';
import { readCalendar } from '../../questions/parse/read-calendar.ts';
import { readRange } from '../../questions/parse/read-range.ts';
import { oneOf } from '../../questions/parse/typed-words.ts';
import { readIsoDay } from '../../time/iso-dates.ts';
import { MOST_GROUPS, ranges } from './builder-choices.ts';
import type { BuilderFacts } from './builder-facts.ts';
import type { BuilderForm } from './builder-form.ts';
import { statisticText } from './form-of-question.ts';
import { isClosed } from './is-closed.ts';
import { clauseOf } from './parameters-of-form.ts';

/** What a modal carries is limited; more names than that nobody reads. */
const MOST_UNTOLD = 8;
const UNTOLD_LENGTH = 40;

/** The form filled from a saved parameter set; what it has no field for is named in `untold`. */
export function formOfParameters(
  { id, parameters }: ParameterSet,
  form: BuilderForm,
  { calendars, reportTypes }: Pick<BuilderFacts, 'calendars' | 'reportTypes'>,
): BuilderForm {
  const left = new Map(
    Object.entries(parameters).flatMap(([name, value]): [string, { name: string; text: string }][] =>
      value === null || value === undefined || value === ''
        ? []
        : [[name.toLowerCase(), { name, text: Array.isArray(value) ? value.join(',') : String(value) }]],
    ),
  );
  const take = (name: string) => {
    const found = left.get(name);
    left.delete(name);
    return found?.text.trim();
  };
  const wanted = (take('columnsby') ?? take('reporttype') ?? '').toLowerCase();
  left.delete('reporttype');
  const report = reportTypes.find((one) => one.id.toLowerCase() === wanted)?.id;
  const selected = selectedBy(take);
  // Every statistic of ours says so, and every list.
  if (left.get('includedeletedstatuses')?.text === 'true') left.delete('includedeletedstatuses');
  const calendar = readCalendar(left.get('calendar')?.text ?? 'normalHours', calendars);
  if (calendar !== null) left.delete('calendar');
  const aggregation = left.get('aggregationtype')?.text.trim().toLowerCase();
  const type = aggregationTypes.find((one) => one.toLowerCase() === aggregation);
  if (type !== undefined) left.delete('aggregationtype');
  const percentile = Number(take('percentile') ?? 85);
  const days = daysOf(selected.range, left, take);
  const groups = (left.get('groupbyfields')?.text ?? '').split(',').map((one) => one.trim());
  const groupBy = groups.filter((one) => one !== '');
  // Some of the fields would make other groups.
  const isHeld =
    groupBy.length <= MOST_GROUPS && groupBy.every(({ length }) => length <= limits.option.value);
  if (isHeld) left.delete('groupbyfields');
  const untold = [
    ...(report === undefined ? ['reportType'] : []),
    ...[...left.values()].map(({ name }) => name),
  ];
  return {
    ...form,
    ...selected,
    ...days,
    filled: form.filled + 1,
    report: report ?? form.report,
    calendar: calendar ?? form.calendar,
    groupBy: isHeld ? groupBy : [],
    statistic: type === undefined ? 'list' : statisticText({ type, percentile }),
    saved: id,
    untold: untold.slice(0, MOST_UNTOLD).map((name) => shorten(name, UNTOLD_LENGTH)),
    moreUntold: Math.max(0, untold.length - MOST_UNTOLD),
    filterLeftOut: false,
  };
}

type Take = (name: string) => string | undefined;
type Selected = Pick<BuilderForm, 'filter' | 'range' | 'dateField'>;

/** The issues, by what the type of filter asks for. */
function selectedBy(take: Take): Selected {
  const filterType = take('filtertype')?.toLowerCase();
  const whole = (filter: string): Selected => ({ filter, range: 'any', dateField: 'created' });
  const key = take('issuekey');
  if (key !== undefined) return whole(key);
  switch (filterType) {
    case 'project':
      return whole(`project ${take('projectkey') ?? ''}`);
    case 'jqlfilter':
    case 'advanced':
      return whole(`filter ${take('jqlfilterid') ?? ''}`);
    case 'sprint':
      return whole(`sprint ${take('sprintid') ?? ''}`);
    case 'customjql':
      return withoutClause(take('customjql') ?? '');
    default:
      return whole('');
  }
}

/** A query that ends with a time as we save it is the query before it, and that time. */
function withoutClause(query: string): Selected {
  for (const [, words] of ranges) {
    const read = readRange(words.split(' '), { now: 0, hours: { calendar: '', timeZone: 'UTC' } });
    for (const dateField of read === null ? [] : dateRangeFields) {
      const clause = read === null ? null : clauseOf(dateField, read.when);
      if (clause === null) continue;
      const filter = before(query, clause);
      if (filter !== null) return { filter, range: words, dateField };
    }
  }
  return { filter: filterOf(query), range: 'any', dateField: 'created' };
}

/** What stands before a clause; null where a query does not end with it. */
function before(query: string, clause: string): string | null {
  const behind = `) AND ${clause}`;
  if (!query.startsWith('(') || !query.endsWith(behind)) return null;
  const inner = query.slice(1, -behind.length);
  // `(A) OR (B) AND …` only looks like ours.
  return isClosed(inner) ? filterOf(inner) : null;
}

function filterOf(query: string): string {
  const [, project] = /^project = "([^"\\]+)"$/.exec(query) ?? [];
  const [, kind, id] = /^(filter|sprint) = (\d+)$/.exec(query) ?? [];
  const [, keys] = /^key in \(([^)"]+)\)$/.exec(query) ?? [];
  if (project !== undefined) return `project ${project}`;
  return kind === undefined ? (keys ?? `jql ${query}`) : `${kind} ${id}`;
}

/** Whole days that the form has fields for; any others are left. */
function daysOf(
  range: string,
  left: ReadonlyMap<string, { readonly text: string }>,
  take: Take,
): Partial<Pick<BuilderForm, 'range' | 'dateField' | 'from' | 'to'>> {
  const [from = '', to = ''] = ['startdate', 'enddate'].map((name) => left.get(name)?.text.trim());
  if (from === '' && to === '') take('daterangefield');
  if (range !== 'any' || readIsoDay(from) === null || (to !== '' && readIsoDay(to) === null)) return {};
  const field = left.get('daterangefield')?.text.trim().toLowerCase() ?? 'created';
  const dateField = field.startsWith('resol') ? 'resolved' : oneOf(dateRangeFields, field);
  // Days of something else would choose other issues.
  if (dateField === undefined) return {};
  for (const name of ['startdate', 'enddate', 'daterangefield']) take(name);
  return { range: 'dates', dateField, from, to };
}
