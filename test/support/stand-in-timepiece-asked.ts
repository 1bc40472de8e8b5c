import { millisecondsInDay } from 'date-fns/constants';
import { type CaseIssue, caseWorld, storyPointsField } from './case-world.ts';
import { type StandInMetric, type StandInQuestion, standInKinds } from './stand-in-timepiece-measures.ts';
import { queryIssues, StandInRefusal, updatedAt, valueNow } from './stand-in-timepiece-query.ts';
import { instantAt } from './stand-in-timepiece-visits.ts';

/** Parameters by name in lower case. */
export type StandInParameters = Readonly<Record<string, string | undefined>>;

/** The fields the service knows, by id, under the titles it tells. */
export const standInFields: Readonly<Record<string, string>> = {
  assignee: 'Assignee',
  created: 'Created',
  duedate: 'Due Date',
  priority: 'Priority',
  resolutiondate: 'Resolved',
  status: 'Status',
  updated: 'Updated',
  'calc:projectKey': 'Project Key',
  [storyPointsField]: 'Story Points',
};

/** The part of a request that figures depend on; what is wrong is refused. */
export function readQuestion(asked: StandInParameters): StandInQuestion {
  const columnsBy = (asked.columnsby ?? '').toLowerCase();
  if (standInKinds[columnsBy] === undefined) throw new StandInRefusal(400, 'columnsBy is invalid.');
  const calendar = asked.calendar ?? 'normalHours';
  if (!['7', 'normalhours'].includes(calendar.toLowerCase())) {
    throw new StandInRefusal(400, `Calendar with id ${calendar} could not be found.`);
  }
  const metrics = columnsBy === 'durationbetweenstatuses' ? readMetrics(asked.dbsmetrics) : [];
  const historyFields = listOf(asked.historyfields) ?? [];
  if (columnsBy.startsWith('anyfield') && historyFields.length === 0) {
    throw new StandInRefusal(400, 'historyFields is required.');
  }
  return {
    columnsBy,
    window: { from: dateAt(asked.trimhistorystartdate), to: dateAt(asked.trimhistoryenddate) },
    calendar: calendar === '7' ? caseWorld.calendar : null,
    statuses: listOf(asked.statuses),
    includeDeleted: asked.includedeletedstatuses?.toLowerCase() === 'true',
    multiVisit: (asked.multivisitbehavior ?? 'total').toLowerCase(),
    historyFields,
    groups: listOf(asked.groups),
    timePeriod: (asked.timeperiod ?? 'Month').toLowerCase(),
    metrics,
  };
}

/** The fields of a parameter that lists some. */
export function readFields(text: string | undefined): string[] {
  return (listOf(text) ?? []).map((asked) => {
    const id = Object.keys(standInFields).find((one) => one.toLowerCase() === asked.toLowerCase());
    if (id === undefined) throw new StandInRefusal(400, `Field ${asked} could not be found.`);
    return id;
  });
}

/** The issues that the filter of a request chooses. */
export function readIssues(asked: StandInParameters, lenient: boolean): CaseIssue[] {
  const need = (name: string): string => {
    const value = asked[name.toLowerCase()];
    if (value === undefined || value === '') throw new StandInRefusal(400, `${name} is required.`);
    return value;
  };
  const chosen = (): CaseIssue[] => {
    switch (need('filterType').toLowerCase()) {
      case 'customjql':
        return queryIssues(need('customjql'), lenient);
      case 'jqlfilter':
      case 'advanced':
        if (need('jqlFilterID') === caseWorld.filter.id) return queryIssues(caseWorld.filter.jql, lenient);
        throw new StandInRefusal(400, 'The filter could not be found.');
      case 'sprint':
        return queryIssues(`sprint = ${need('sprintID')}`, lenient);
      case 'project':
        return queryIssues(`project = ${need('projectKey')}`, lenient);
      case 'user': {
        const user = need('user');
        const ever = ({ born, steps }: CaseIssue) =>
          born.assignee === user || steps.some(({ assignee }) => assignee === user);
        return queryIssues('', lenient).filter(ever);
      }
      default:
        throw new StandInRefusal(400, 'filterType is invalid.');
    }
  };
  const from = dateAt(asked.startdate);
  const to = dateAt(asked.enddate, true);
  const field = (asked.daterangefield ?? 'created').toLowerCase();
  return chosen().filter((issue) => {
    const told = field === 'created' ? issue.created : issue.resolved;
    const at = field === 'updated' ? updatedAt(issue) : Date.parse(told ?? '');
    if (from !== null && !(at >= from)) return false;
    return to === null || at < to;
  });
}

/** What a field holds as the service shows it; null where it is empty. */
export function shownField(issue: CaseIssue, field: string): string | null {
  switch (field) {
    case 'calc:projectKey':
      return issue.project;
    case 'created':
      return dateTimeText(Date.parse(issue.created));
    case 'updated':
      return dateTimeText(updatedAt(issue));
    case 'resolutiondate':
      return issue.resolved === null ? null : dateTimeText(Date.parse(issue.resolved));
    case 'duedate':
      return issue.due === null ? null : dateText(Date.parse(`${issue.due}T00:00:00Z`), 'UTC');
    case 'priority': {
      const priorities: Readonly<Record<string, string>> = caseWorld.priorities;
      return priorities[valueNow(issue, 'priority') ?? ''] ?? null;
    }
    case 'assignee':
      return caseWorld.users.find(({ id }) => id === valueNow(issue, 'assignee'))?.name ?? null;
    case 'status':
      return caseWorld.statuses.find(({ id }) => id === valueNow(issue, 'status'))?.name ?? null;
    default:
      return issue.storyPoints === null ? null : String(issue.storyPoints);
  }
}

/** An instant as `dd/MMM/yy h:mm a` on the clocks of the principal. */
export function dateTimeText(instant: number): string {
  const time = new Date(instant).toLocaleTimeString('en-US', {
    timeZone: caseWorld.timeZone,
    hour: 'numeric',
    minute: '2-digit',
  });
  return `${dateText(instant, caseWorld.timeZone)} ${time.replace(/\s/, ' ')}`;
}

/** An instant as `dd/MMM/yy` on the clocks of a zone. */
export function dateText(instant: number, timeZone: string): string {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Date(instant).toLocaleDateString('en-US', { timeZone, ...options });
  return `${part({ day: '2-digit' })}/${part({ month: 'short' })}/${part({ year: '2-digit' })}`;
}

function dateAt(text: string | undefined, wholeDay = false): number | null {
  if (text === undefined || text === '') return null;
  const [, date, time] = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d))?$/.exec(text) ?? [];
  if (date === undefined) throw new StandInRefusal(400, `Date ${text} is invalid.`);
  const wall = Date.parse(`${date}T${time ?? '00:00'}:00Z`);
  return instantAt(wholeDay && time === undefined ? wall + millisecondsInDay : wall, caseWorld.timeZone);
}

function listOf(text: string | undefined): string[] | null {
  if (text === undefined || text === '') return null;
  return text.split(',').map((part) => part.trim());
}

/** Every parameter that a document of the vendor or a client tried on the live service names, in lower case. */
const documented = new Set(
  [
    'issueKey paramSetId filterType user projectKey jqlFilterID customjql sprintID boardID columnsBy timePeriod',
    'multiVisitBehavior fields historyFields statuses groups includeDeletedStatuses startDate endDate dateRangeField',
    'trimHistoryStartDate trimHistoryEndDate calendar dayLength viewFormat outputType groupByFields aggregationType',
    'averageDenominator dbsMetrics visitCounts includeTransitionedByColumns pageSize startIssueIndex nextPageToken',
    'tisjwt name searchType pageNumber maxResults',
  ].flatMap((names) => names.toLowerCase().split(' ')),
);

/** Refuses what no document names. */
export function checkParameters(asked: StandInParameters): void {
  for (const name of Object.keys(asked)) {
    if (!documented.has(name)) throw new StandInRefusal(400, `Parameter ${name} is not known.`);
  }
}

/** How points of metrics are told: by a list of `ids`, or by the name that is their `value`. */
export type StandInMetricSpelling = 'either' | 'ids' | 'none';

/** Refuses metrics in a spelling that is not understood, as if they were not there. */
export function checkMetricSpelling(text: string | undefined, spelling: StandInMetricSpelling): void {
  if (text === undefined || spelling === 'either') return;
  const other = spelling === 'ids' ? '"value"' : '"stopAt"';
  if (text.includes(other)) throw new StandInRefusal(400, 'dbsMetrics is invalid.');
}

function readMetrics(text: string | undefined): StandInMetric[] {
  if (text === undefined) throw new StandInRefusal(400, 'dbsMetrics is required.');
  const parsed: unknown = JSON.parse(text);
  return (Array.isArray(parsed) ? parsed : []).map(
    (metric): StandInMetric => ({
      name: String(metric.name),
      from: metric.startAt?.type === 'issueCreation' ? [] : statusesAt(metric.startAt),
      fromVisit: metric.startAt?.visitType === 'last' ? 'last' : 'first',
      to: statusesAt(metric.stopAt),
      toVisit: metric.stopAt?.visitType === 'first' ? 'first' : 'last',
      paused: [metric.pauseAt ?? [], metric.pausedOn ?? []].flat().flatMap(statusesAt),
    }),
  );
}

/** Both forms that clients send: `ids`, or `value` with an id or a name. */
function statusesAt(
  point: { readonly ids?: readonly unknown[]; readonly value?: unknown } | undefined,
): string[] {
  const named = [...(point?.ids ?? []), ...(point?.value === undefined ? [] : [point.value].flat())];
  return named.map((one) => caseWorld.statuses.find(({ name }) => name === one)?.id ?? String(one));
}
