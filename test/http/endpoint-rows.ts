import { type AnyRoute, goodStatus, type Method, takesBody } from '../../src/http/route.ts';
import { exportTypes } from '../../src/model/export.ts';

/** One thing to ask and what is answered; `send` says how it differs from the good request of its endpoint. */
export interface EndpointRow {
  readonly condition: string;
  readonly value: string;
  readonly status: number;
  readonly send: {
    readonly parameters?: Readonly<Record<string, string>>;
    readonly without?: string;
    readonly id?: string;
    readonly body?: unknown;
    readonly type?: string;
    readonly method?: string;
    readonly accept?: string;
    /** Asked of a Dwell that reads Jira. */
    readonly besideJira?: boolean;
    readonly signed?: 'well' | 'falsely';
    readonly principal?: 'nobody' | 'bob' | 'busy' | 'stranger';
  };
}

/** Values of a parameter that are taken and one that is not; `beside` is what they need to be asked with. */
interface Values {
  readonly good: readonly string[];
  readonly bad?: string;
  readonly badStatus?: number;
  readonly beside?: Readonly<Record<string, string>>;
}

const metrics =
  '[{"name":"Work","startAt":{"type":"status","ids":["3"]},"stopAt":{"type":"status","value":"Done"}}]';

/** Stands for something that is created when the rows are asked. */
export const created = {
  set: '<set>',
  spareSet: '<another set>',
  calendar: '<calendar>',
  token: '<token>',
  export: '<export>',
  running: '<running export>',
  ticket: '<ticket>',
  delegation: '<delegation>',
  category: '<category>',
  spareCategory: '<category no delegation names>',
  invitation: '<invitation>',
  takenInvitation: '<invitation of an account that an admin has linked>',
  userToken: '<token of bob>',
};

const delegationBase = '/rest/delegation/api/1.0';

/** Of a few months: what is asked for so often is not to be long. */
const list = {
  ...{ filterType: 'project', projectKey: 'WEB', startDate: '2026-01-05' },
  columnsBy: 'statusDuration',
};

/** A good request of each route, by its primary path, and where methods differ by the method as well. */
const goodRequests: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/rest/issue': { issueKey: 'WEB-1', columnsBy: 'statusDuration' },
  '/rest/issue/expanded': { issueKey: 'WEB-1' },
  '/rest/issues': { ...list, pageSize: '1' },
  '/rest/issues/v2': { ...list, pageSize: '1' },
  '/rest/issues/aggregation': { ...list, aggregationType: 'average' },
  '/rest/issue/summary': { issueKey: 'WEB-1' },
  '/rest/issues/weekly': { filterType: 'project', projectKey: 'WEB' },
  '/rest/issues/summary': { filterType: 'project', projectKey: 'WEB' },
  '/rest/issues/aging': { filterType: 'project', projectKey: 'WEB' },
  '/rest/issues/standup': { filterType: 'project', projectKey: 'WEB' },
  '/rest/forecast': { filterType: 'project', projectKey: 'WEB' },
  '/rest/issue/forecast': { issueKey: 'WEB-1' },
  '/rest/flow': { filterType: 'project', projectKey: 'WEB' },
  '/rest/export/status': { ...list, outputType: 'CSVSUM' },
  'post /rest/export': { ...list, outputType: 'CSVSUM' },
  '/rest/smallexport': { ...list, outputType: 'CSVSUM' },
  '/rest/export/download': { ticket: created.ticket },
  [`${delegationBase}/delegation/getDelegates`]: { delegator: 'ada', category: 'general' },
  [`${delegationBase}/delegation/getDelegators`]: { delegate: 'ada', category: 'general' },
  [`${delegationBase}/delegation/getChain`]: { delegator: 'ada', category: 'general' },
  'get /link': { ticket: created.invitation },
  'post /link': { ticket: created.invitation, token: created.userToken },
  '/jira/consent': { code: 'given', state: 'ours' },
};

const delegation = {
  delegator: 'bob',
  delegates: ['carl'],
  startDate: '2031-03-18T18:00Z',
  endDate: '2031-04-18T18:00+02:00',
};

const goodBodies: Readonly<Record<string, unknown>> = {
  'post /rest/webhooks/:tracker': { webhookEvent: 'jira:issue_updated', issue: '10001' },
  'post /rest/calendars': {
    name: 'A new calendar',
    timeZone: 'Europe/Berlin',
    workingTimes: [{ weekday: 'MONDAY', start: 32_400_000, end: 61_200_000 }],
  },
  'put /rest/calendars/:id': { holidays: [{ name: 'New Year', date: '2026-01-01', recurring: true }] },
  'post /rest/reportSettings': { name: 'A new set', parameters: { reportType: 'statusCount' } },
  'put /rest/reportSettings/:id': { public: true },
  'post /rest/reportSettings/validate': { reportType: 'statusDuration', filterType: 'project' },
  'put /rest/statuses/:id/category': { name: null },
  'put /rest/flows/:projectKey': { revision: 0, isDefault: true },
  'put /rest/formatSettings': { dateFormat: 'yyyy-MM-dd', dateTimeFormat: 'yyyy-MM-dd HH:mm' },
  [`post ${delegationBase}/delegation`]: delegation,
  [`put ${delegationBase}/delegation/:id`]: { ...delegation, notes: 'changed' },
  [`post ${delegationBase}/category`]: { name: 'A new category' },
  [`put ${delegationBase}/category/:id`]: { name: 'For the table', description: 'changed' },
};

const badBodies: Readonly<Record<string, readonly unknown[]>> = {
  'post /rest/webhooks/:tracker': [{}],
  'post /rest/calendars': [
    { name: 'No zone', workingTimes: [] },
    { name: 'x', timeZone: 'Mars/Base', workingTimes: [] },
  ],
  'put /rest/calendars/:id': [{ name: '' }],
  'post /rest/reportSettings': [{ name: 'No parameters' }],
  'put /rest/reportSettings/:id': [{ public: 'yes' }],
  'post /rest/reportSettings/validate': [[]],
  // The tracker gives it a category.
  'put /rest/statuses/:id/category': [{ name: 'Done' }, { name: 'Undefined' }, {}],
  'put /rest/flows/:projectKey': [
    {},
    { revision: 0 },
    { revision: 0, stages: [] },
    { revision: 0, isDefault: true, stagse: [] },
  ],
  'put /rest/formatSettings': [
    { dateFormat: 'yyyy-MM-dd' },
    { dateFormat: 'jj', dateTimeFormat: 'yyyy-MM-dd HH:mm' },
  ],
  [`post ${delegationBase}/delegation`]: [
    {},
    { ...delegation, delegates: [] },
    { ...delegation, delegates: ['nonsense'] },
    { ...delegation, categoryIds: [99_999] },
    { ...delegation, startDate: '2031-03-18' },
    { ...delegation, endDate: '2031-03-18T18:00Z' },
    { ...delegation, acitve: false },
  ],
  [`put ${delegationBase}/delegation/:id`]: [
    {},
    { ...delegation, delegator: 'dora' },
    { ...delegation, acitve: false },
  ],
  [`post ${delegationBase}/category`]: [{}, [], { name: 'A new category', descripton: 'x' }],
  [`put ${delegationBase}/category/:id`]: [
    {},
    { name: '' },
    { name: 'General' },
    { name: 'EXPENSE' },
    { nmae: 'x' },
  ],
};

const date = { good: ['2026-01-05', '2026-01-05 09:30'], bad: '5.1.2026' };
const minute = { good: [...date.good, '2026-01-05 09:30:00'], bad: '2026-01-05 09:30:01' };
const flag = { good: ['true', 'FALSE'], bad: 'yes' };
const anyField = { columnsBy: 'anyFieldDuration' };
const percentile = { aggregationType: 'percentile' };

const values: Readonly<Record<string, Values>> = {
  issueKey: { good: ['WEB-1', 'web-1'], bad: 'WEB 1' },
  columnsBy: {
    good: [
      'statusDuration',
      'assigneeDuration',
      'statusDurationByAssignee',
      'assigneeDurationByStatus',
      'groupDuration',
      'statusDurationByTimePeriod',
      'timePeriodDurationByStatus',
      'statusCount',
      'transitionCount',
      'currentStateAge',
    ],
    bad: 'nonsense',
  },
  outputType: { good: ['json', 'jsonSimplified', 'CSV', 'tableList'], bad: 'xml' },
  paramSetId: { good: [created.set], bad: 'nonsense', badStatus: 404 },
  calendar: { good: ['normalHours', '1', 'New York'], bad: 'nonsense' },
  fields: { good: ['priority,calc:age'], bad: 'nonsense' },
  historyFields: { good: ['assignee'], bad: 'nonsense', beside: anyField },
  trimHistoryStartDate: date,
  trimHistoryEndDate: date,
  asOf: { good: ['2026-03-01T09:30:00.000Z'], bad: '2026-03-01' },
  viewFormat: { good: ['days', 'hours', 'minutes', 'seconds', 'HUMANREADABLE'], bad: 'weeks' },
  dayLength: { good: ['24HourDays', 'businessDays', 'calendarDays'], bad: '7' },
  dateFormat: { good: ['dd/MMM/yy'], bad: 'jj' },
  dateTimeFormat: { good: ['dd/MMM/yy h:mm a'], bad: 'jj' },
  statuses: { good: ['3,10002'], bad: 'nonsense' },
  consolidatedStatuses: { good: ['[{"name":"Active","statuses":["3","10003"]}]'], bad: 'nonsense' },
  includeDeletedStatuses: flag,
  multiVisitBehavior: { good: ['total', 'first', 'last', 'average'], bad: 'second' },
  groups: { good: ['web-team'], bad: 'nonsense', beside: { columnsBy: 'groupDuration' } },
  timePeriod: {
    good: ['Day', 'Week', 'Month', 'Quarter', 'Year'],
    bad: 'Fortnight',
    beside: { columnsBy: 'timePeriodDurationByStatus', trimHistoryStartDate: '2026-01-05' },
  },
  dbsMetrics: { good: [metrics], bad: 'nonsense', beside: { columnsBy: 'durationBetweenStatuses' } },
  visitCounts: flag,
  includeTransitionedByColumns: flag,
  filterType: { good: ['project'], bad: 'team' },
  projectKey: { good: ['WEB', 'web'], bad: 'NOPE' },
  user: { good: ['bob'], bad: 'nonsense', beside: { filterType: 'user' } },
  jqlFilterID: { good: ['10001'], bad: 'nonsense', beside: { filterType: 'jqlfilter' } },
  customjql: { good: ['status = Done'], bad: 'status =', beside: { filterType: 'customjql' } },
  sprintID: { good: ['10'], bad: 'nonsense', beside: { filterType: 'sprint' } },
  startDate: date,
  endDate: date,
  dateRangeField: { good: ['created', 'resolved', 'resolution', 'updated'], bad: 'duedate' },
  groupByFields: { good: ['issuetype,calc:createdMonth'], bad: 'nonsense' },
  pageSize: { good: ['1', '1000'], bad: '1001' },
  startIssueIndex: { good: ['5'], bad: '-1' },
  nextPageToken: { good: [created.token], bad: 'nonsense' },
  aggregationType: { good: ['average', 'sum', 'median', 'standardDeviation', 'percentile'], bad: 'max' },
  percentile: { good: ['0', '99.9'], bad: '101', beside: percentile },
  averageDenominator: { good: ['nonNull', 'all', 'allIssues'], bad: 'some' },
  stddevType: { good: ['population', 'sample'], bad: 'other' },
  name: { good: ['e'] },
  searchType: { good: ['exact', 'contain'], bad: 'like' },
  pageNumber: { good: ['0', '3'], bad: '-1' },
  maxResults: { good: ['1', '100'], bad: '101' },
  week: { good: ['last', 'THIS', '2026-W01', '2026-w11'], bad: 'next' },
  timeZone: { good: ['Asia/Kolkata'], bad: 'Mars/Base' },
  count: { good: ['1', '20'], bad: '0' },
  until: { good: ['2026-12-24'], bad: '2026-02-30' },
  seed: { good: ['0', '7'], bad: '-1' },
  async: flag,
  byteOrderMark: flag,
  withProvenance: flag,
  startIndex: { good: ['0', '3'], bad: '-1' },
  ticket: { good: [created.ticket], bad: 'nonsense', badStatus: 404 },
  token: { good: [created.userToken], bad: 'nonsense', badStatus: 403 },
  creditDelegates: {
    good: ['true', 'FALSE', 'Expense,general'],
    bad: 'nonsense',
    beside: { columnsBy: 'assigneeDuration' },
  },
  delegator: { good: ['bob', 'BOB'], bad: 'nonsense', badStatus: 404 },
  delegate: { good: ['bob', 'BOB'], bad: 'nonsense', badStatus: 404 },
  category: { good: ['general', 'GENERAL', 'expense'], bad: 'nonsense', badStatus: 404 },
  datetime: { good: ['2024-02-29 18:00:00'], bad: '2024-02-29' },
  from: minute,
  to: minute,
  startAt: { good: ['0', '3'], bad: '-1' },
  includeExpired: flag,
  notes: { good: ['holiday'] },
};

/** Where a parameter has other values than elsewhere. */
const ownValues: Readonly<Record<string, Readonly<Record<string, Values>>>> = {
  '/rest/issue': { historyFields: { good: ['assignee'], bad: 'nonsense', beside: anyField } },
  '/rest/issue/expanded': {
    columnsBy: { good: ['statusDurationExpanded'], bad: 'statusDuration' },
    historyFields: {
      good: ['assignee'],
      bad: 'nonsense',
      beside: { columnsBy: 'anyFieldDurationExpanded' },
    },
  },
  '/rest/issues': { nextPageToken: { good: [], bad: created.token } },
  '/rest/issues/v2': { startIssueIndex: { good: [], bad: '0' } },
  '/rest/issues/aging': {
    withBacklog: { good: ['true', 'false'], bad: 'perhaps' },
    nextPageToken: { good: [], bad: created.token },
  },
  '/rest/issues/weekly': { outputType: { good: ['json', 'CSV'], bad: 'jsonSimplified' } },
  '/rest/audit': {
    since: { good: ['2026-03-01T09:30:00.000Z'], bad: '2026-03-01' },
    until: { good: ['2026-03-01T09:30:00.000Z'], bad: 'yesterday' },
    actor: { good: ['operator'] },
    action: { good: ['token', 'token.created'], bad: 'token.nonsense' },
    questions: { good: ['true', 'false'], bad: 'yes' },
    subject: { good: ['101'] },
    after: { good: ['0', '1796024711937'], bad: '-1' },
    limit: { good: ['1', '1000'], bad: '1001' },
    outputType: { good: ['json', 'jsonl', 'ndjson'], bad: 'CSV' },
  },
  '/rest/export/status': { outputType: fileTypes() },
  '/rest/export': { outputType: fileTypes(), maxResults: { good: ['1', '200'], bad: '201' } },
  '/rest/smallexport': { outputType: fileTypes() },
  [`${delegationBase}/delegation`]: { maxResults: { good: ['1', '1000'], bad: '0' } },
  '/link': { ticket: { good: [created.invitation], bad: 'nonsense', badStatus: 404 } },
  '/jira/consent': {
    code: { good: ['given'] },
    state: { good: ['ours'], bad: 'nonsense', badStatus: 403 },
    error: { good: [''], bad: 'access_denied', badStatus: 403 },
  },
};

function fileTypes(): Values {
  return { good: [...exportTypes, 'csv'], bad: 'PDF' };
}

/** What a path with an id is asked with, and an id nobody has. */
const ids: Readonly<
  Record<string, { readonly good: string; readonly unknown: string; readonly bad?: string }>
> = {
  '/rest/webhooks/:tracker': { good: 'jira', unknown: 'nonsense' },
  '/rest/sprints/:id/report': { good: '10', unknown: '99999', bad: 'nonsense' },
  '/rest/statuses/:id/category': { good: '3', unknown: 'nonsense' },
  '/rest/flows/:projectKey': { good: 'WEB', unknown: 'NOPE' },
  '/rest/calendars/:id': { good: created.calendar, unknown: '99999', bad: 'nonsense' },
  '/rest/reportSettings/:id': { good: created.set, unknown: 'nonsense' },
  'delete /rest/reportSettings/:id': { good: created.spareSet, unknown: 'nonsense' },
  '/rest/reportSettings/:id/validate': { good: created.set, unknown: 'nonsense' },
  '/rest/export/:exportId': { good: created.export, unknown: 'nonsense' },
  'delete /rest/export/:exportId': { good: created.running, unknown: 'nonsense' },
  '/rest/export/:exportId/download': { good: created.export, unknown: 'nonsense' },
  [`${delegationBase}/delegation/:id`]: { good: created.delegation, unknown: '99999999', bad: 'nonsense' },
  [`${delegationBase}/delegation/:id/versions`]: {
    good: created.delegation,
    unknown: '99999999',
    bad: 'nonsense',
  },
  [`${delegationBase}/category/:id`]: { good: created.category, unknown: '99999999', bad: 'nonsense' },
  [`delete ${delegationBase}/category/:id`]: {
    good: created.spareCategory,
    unknown: '99999999',
    bad: 'nonsense',
  },
};

/** What is told of a route's method, or of all its methods alike. */
function told<Value>(of: Readonly<Record<string, Value>>, path: string, method: Method): Value | undefined {
  return of[`${method} ${path}`] ?? of[path];
}

/** Names that stand in a path. */
export function isInPath(path: string, name: string): boolean {
  return path.split('/').includes(`:${name}`);
}

/** The good request of a route's method. */
export function goodRequest(route: AnyRoute, method: Method) {
  const [path] = route.paths;
  return {
    parameters: told(goodRequests, path, method) ?? {},
    body: goodBodies[`${method} ${path}`],
    id: told(ids, path, method)?.good,
  };
}

/** Everything there is to ask of a route by one method. */
export function rowsOf(route: AnyRoute, method: Method): EndpointRow[] {
  const [path] = route.paths;
  return besideJira(path, [
    { condition: 'as it should be', value: '', status: goodStatus(route.answers), send: {} },
    ...parameterRows(route, method),
    ...idRows(told(ids, path, method)),
    ...bodyRows(`${method} ${path}`),
    ...rightRows(route, method),
    ...methodRows(route, method),
    ...acceptRows(route),
  ]);
}

/** What good requests hold though they need not. */
const optional = [
  'pageSize',
  'startDate',
  'token',
  '/link ticket',
  '/jira/consent code',
  '/jira/consent state',
];

/** What Jira tells, and where it leads people, is only there where Jira is read. */
function besideJira(path: string, rows: readonly EndpointRow[]): EndpointRow[] {
  const own = jiraRows[path];
  if (own === undefined) return [...rows];
  return [
    ...rows.map((row) => ({ ...row, send: { signed: 'well' as const, ...row.send, besideJira: true } })),
    ...own.map(({ condition, status, send = {} }) => ({ condition, value: '', status, send })),
  ];
}

const jiraRows: Readonly<
  Record<
    string,
    readonly (Pick<EndpointRow, 'condition' | 'status'> & { readonly send?: EndpointRow['send'] })[]
  >
> = {
  '/rest/webhooks/:tracker': [
    {
      condition: 'X-Hub-Signature made with another secret',
      status: 403,
      send: { besideJira: true, signed: 'falsely' },
    },
    { condition: 'no X-Hub-Signature', status: 403, send: { besideJira: true } },
    { condition: 'JIRA_WEBHOOK_SECRET is not set', status: 404 },
  ],
  '/jira/consent': [
    { condition: 'no state', status: 403, send: { besideJira: true, without: 'state' } },
    { condition: 'JIRA_CLIENT_ID is not set', status: 404 },
  ],
};

function parameterRows({ paths: [path], parameters }: AnyRoute, method: Method): EndpointRow[] {
  const names = Object.keys(parameters.shape).filter((name) => !isInPath(path, name));
  return names.flatMap((name): EndpointRow[] => {
    const own = ownValues[path]?.[name] ?? values[name];
    if (own === undefined) throw new Error(`No values are told for ${name} of ${path}`);
    const { good, bad, badStatus = 400, beside = {} } = own;
    const row = (value: string, status: number): EndpointRow => ({
      condition: `${name}${besides(beside)}`,
      value,
      status,
      send: { parameters: { ...beside, [name]: value } },
    });
    return [
      ...good.map((value) => row(value, 200)),
      ...(bad === undefined ? [] : [row(bad, badStatus)]),
      ...(name in (told(goodRequests, path, method) ?? {}) &&
      ![name, `${path} ${name}`].some((one) => optional.includes(one))
        ? [{ condition: `no ${name}`, value: '', status: 400, send: { without: name } }]
        : []),
      ...special(path, name),
    ];
  });
}

function besides(beside: Readonly<Record<string, string>>): string {
  const told = Object.entries(beside).map(([name, value]) => `${name} ${value}`);
  return told.length === 0 ? '' : ` (with ${told.join(', ')})`;
}

/** Conditions of single parameters that no list of values tells. */
function special(path: string, name: string): EndpointRow[] {
  const row = (condition: string, value: string, status: number, parameters: Record<string, string>) => ({
    condition,
    value,
    status,
    send: { parameters },
  });
  switch (name) {
    case 'issueKey':
      return [row('issueKey of no issue', 'WEB-0', 404, { issueKey: 'WEB-0' })];
    case 'dayLength':
      return [
        row('dayLength (with calendar 1, whose days differ)', 'businessDays', 400, {
          calendar: '1',
          dayLength: 'businessDays',
        }),
      ];
    case 'columnsBy':
      return path === '/rest/issue/expanded'
        ? []
        : [
            row(
              'columnsBy, dates',
              'firstTransitionToStatusDate',
              path.endsWith('aggregation') || path.includes('export') ? 400 : 200,
              {
                columnsBy: 'firstTransitionToStatusDate',
              },
            ),
            row('columnsBy, visits', 'statusDurationExpanded', 400, { columnsBy: 'statusDurationExpanded' }),
          ];
    case 'dbsMetrics':
      return [row('dbsMetrics (with columnsBy statusDuration)', '[]', 200, { dbsMetrics: '[]' })];
    case 'creditDelegates':
      return [
        row('creditDelegates (with columnsBy statusDuration)', 'true', 400, { creditDelegates: 'true' }),
        {
          condition: 'creditDelegates (with columnsBy assigneeDuration), without the right',
          value: 'true',
          status: 403,
          send: { principal: 'bob', parameters: { columnsBy: 'assigneeDuration', creditDelegates: 'true' } },
        },
      ];
    case 'week':
      return [
        row('week no year has', '2025-W53', 400, { week: '2025-W53' }),
        row('week that has not begun', '2199-W01', 400, { week: '2199-W01' }),
      ];
    case 'byteOrderMark':
      return [
        row('byteOrderMark (with outputType XLSX)', 'true', 400, {
          outputType: 'XLSX',
          byteOrderMark: 'true',
        }),
      ];
    case 'ticket':
      return path === '/link'
        ? [
            row('ticket', created.takenInvitation, 403, { ticket: created.takenInvitation }),
            { condition: 'no ticket', value: '', status: 404, send: { without: 'ticket' } },
          ]
        : [];
    default:
      return [];
  }
}

/** Where a report has several forms, the header Accept chooses one. */
function acceptRows({ parameters, answers }: AnyRoute): EndpointRow[] {
  const isChosen = parameters.shape.outputType?.safeParse(undefined).success === true;
  if (!isChosen || !('text/csv' in answers.content)) return [];
  const accepted = [
    'text/csv',
    'application/json;q=0.5, text/csv',
    'text/html, */*;q=0.1',
    'application/xml',
  ];
  return accepted.map((accept) => ({
    condition: 'Accept, without outputType',
    value: accept,
    status: 200,
    send: { accept },
  }));
}

function idRows(id: (typeof ids)[string] | undefined): EndpointRow[] {
  if (id === undefined) return [];
  return [
    { condition: 'id of nothing', value: id.unknown, status: 404, send: { id: id.unknown } },
    ...(id.bad === undefined ? [] : [{ condition: 'id', value: id.bad, status: 400, send: { id: id.bad } }]),
  ];
}

function bodyRows(key: string): EndpointRow[] {
  const bodies = badBodies[key] ?? [];
  return bodies.map((body) => ({
    condition: 'body',
    value: JSON.stringify(body),
    status: 400,
    send: { body },
  }));
}

function rightRows(
  { guarded, answers, dialect = 'reporting', paths: [path] }: AnyRoute,
  method: Method,
): EndpointRow[] {
  const nobody: EndpointRow = {
    condition: 'no token',
    value: '',
    status: 401,
    send: { principal: 'nobody' },
  };
  const forbidden: EndpointRow =
    path === '/rest/reportSettings'
      ? {
          condition: 'ownerId of another user, without being an administrator',
          value: 'carl',
          status: 403,
          send: { principal: 'bob', body: { name: 'For carl', ownerId: 'carl', parameters: {} } },
        }
      : {
          condition: 'without the right',
          value: '',
          status: 403,
          send: { principal: dialect === 'reporting' ? 'bob' : 'stranger' },
        };
  const isForbidden =
    guarded &&
    answers.failures?.includes(403) === true &&
    (method !== 'get' || dialect !== 'reporting' || path === '/rest/audit');
  const tooMany: EndpointRow = {
    condition: 'ten exports of the user are unfinished',
    value: '',
    status: 429,
    send: { principal: 'busy', parameters: path === '/rest/export' ? {} : { async: 'true' } },
  };
  const outdated: EndpointRow = {
    condition: 'revision that is not the latest',
    value: '7',
    status: 409,
    send: { body: { revision: 7, isDefault: true } },
  };
  const unknown: EndpointRow = {
    condition: 'with the token of an account that the tracker does not know',
    value: '',
    status: 404,
    send: { principal: 'stranger' },
  };
  return [
    ...(guarded ? [nobody] : []),
    ...(path === '/rest/issues/mine' ? [unknown] : []),
    ...(isForbidden ? [forbidden] : []),
    ...(answers.failures?.includes(409) === true ? [outdated] : []),
    ...(answers.failures?.includes(429) === true ? [tooMany] : []),
  ];
}

function methodRows({ maxBytes = 1_000_000 }: AnyRoute, method: Method): EndpointRow[] {
  return [
    { condition: 'another method', value: 'PATCH', status: 405, send: { method: 'PATCH' } },
    { condition: 'broken percent-encoding', value: '%zz', status: 400, send: { parameters: { '%zz': '' } } },
    ...(takesBody(method)
      ? [
          {
            condition: 'body',
            value: `of ${(maxBytes + 1).toLocaleString('en-US')} bytes`,
            status: 413,
            send: { body: 'a'.repeat(maxBytes + 1) },
          },
          { condition: 'Content-Type', value: 'text/xml', status: 415, send: { type: 'text/xml' } },
        ]
      : []),
  ];
}
