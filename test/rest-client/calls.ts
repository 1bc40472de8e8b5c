import createClient from 'openapi-fetch';
import type { paths } from './schema.ts';

/** Where to send, and what a client has to know beforehand. */
export interface Service {
  readonly url: string;
  readonly token: string;
  readonly sprint: string;
}

/** One call, and the status that came back. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** Calls every operation that is no alias, with types generated from the description alone, and reads what it answers. */
export async function callEverything({ url, token, sprint }: Service): Promise<readonly Call[]> {
  const calls: Call[] = [];
  const client = createClient<paths, 'application/json'>({
    baseUrl: url,
    headers: { Authorization: `TISJWT ${token}` },
    redirect: 'manual',
  });
  client.use({
    onResponse({ request, response, schemaPath }) {
      calls.push({ method: request.method.toLowerCase(), path: schemaPath, status: response.status });
    },
  });
  const got = <Data>({ data, error }: { data?: Data; error?: unknown }): Data => {
    if (data === undefined) throw new Error(`No answer: ${JSON.stringify(error)}`);
    return data;
  };
  const text = { parseAs: 'text' } as const;
  const list = { filterType: 'project', projectKey: 'OPS', columnsBy: 'statusDuration' } as const;
  const form = {
    body: list,
    bodySerializer: (body: object = {}) => new URLSearchParams(Object.entries(body)),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  };

  const one = got(
    await client.GET('/rest/issue', {
      params: { query: { issueKey: 'APP-350', columnsBy: 'statusDuration' } },
    }),
  );
  const figures = one.table.body.rows.flatMap((row) => row.valueColumns.map(({ id, raw }) => ({ id, raw })));
  if (figures.length !== one.table.header.valueColumns.length) throw new Error('A row has other columns.');
  const visits = got(
    await client.GET('/rest/issue/expanded', { params: { query: { issueKey: 'APP-350' } } }),
  );
  if (visits.table.body.rows[0]?.expanded.rows[0]?.start === undefined) throw new Error('No visit.');
  const page = got(await client.GET('/rest/issues', { params: { query: { ...list, pageSize: 2 } } }));
  if (page.table.body.rows.length !== 2 || page.total < 2) throw new Error('No page.');
  got(await client.POST('/rest/issues', form));
  const first = got(await client.GET('/rest/issues/v2', { params: { query: { ...list, pageSize: 2 } } }));
  if (first.nextPageToken === undefined) throw new Error('No next page.');
  got(await client.POST('/rest/issues/v2', form));
  const statistic = { ...list, aggregationType: 'median' } as const;
  const groups = got(await client.GET('/rest/issues/aggregation', { params: { query: statistic } }));
  if (groups.table.body.rows[0]?.issueCount === undefined) throw new Error('No group.');
  got(await client.POST('/rest/issues/aggregation', { ...form, body: statistic }));
  const { columnsBy: _, ...issues } = list;
  const week = got(await client.GET('/rest/issues/weekly', { params: { query: issues } }));
  if (week.week.id === '' || week.finished.week === undefined) throw new Error('No week.');
  got(await client.POST('/rest/issues/weekly', { ...form, body: issues }));
  const story = got(await client.GET('/rest/issue/summary', { params: { query: { issueKey: 'APP-350' } } }));
  if (story.key !== 'APP-350' || story.tookMs === undefined) throw new Error('Another issue.');
  const summary = got(await client.GET('/rest/issues/summary', { params: { query: issues } }));
  if (summary.issues === 0 || summary.statuses[0]?.medianMs === undefined) throw new Error('No summary.');
  got(await client.POST('/rest/issues/summary', { ...form, body: issues }));
  const aging = got(await client.GET('/rest/issues/aging', { params: { query: issues } }));
  if (aging.issues[0]?.ageMs === undefined) throw new Error('No age.');
  got(await client.POST('/rest/issues/aging', { ...form, body: issues }));
  const standup = got(await client.GET('/rest/issues/standup', { params: { query: issues } }));
  if (standup.away.people.length > standup.away.count) throw new Error('No count of people away.');
  got(await client.POST('/rest/issues/standup', { ...form, body: issues }));
  const flow = got(await client.GET('/rest/flow', { params: { query: issues } }));
  if (flow.stages[0]?.counts.length !== flow.instants.length) throw new Error('No stage.');
  got(await client.POST('/rest/flow', { ...form, body: issues }));
  if (got(await client.GET('/rest/issues/mine')).own.total === undefined)
    throw new Error('Nothing assigned.');
  const pace = { filterType: 'project', projectKey: 'WEB', count: 20 } as const;
  const forecast = got(await client.GET('/rest/forecast', { params: { query: pace } }));
  if (forecast.percentiles.length !== 3) throw new Error('No forecast.');
  got(await client.POST('/rest/forecast', { ...form, body: pace }));
  got(await client.GET('/rest/issue/forecast', { params: { query: { issueKey: 'WEB-370' } } }));
  const ofProject = { params: { path: { projectKey: 'WEB' } } };
  const flows = got(await client.GET('/rest/flows/{projectKey}', ofProject));
  if (got(await client.PUT('/rest/flows/{projectKey}', { ...ofProject, body: flows })).stages.length === 0)
    throw new Error('No stage.');
  const report = got(await client.GET('/rest/sprints/{id}/report', { params: { path: { id: sprint } } }));
  if (report.sprint.id !== sprint) throw new Error('Another sprint.');

  const file = { ...list, outputType: 'CSV' } as const;
  await client.POST('/rest/export/status', { params: { query: file }, ...text });
  await client.GET('/rest/smallexport', { params: { query: file }, ...text });
  await client.POST('/rest/smallexport', { params: { query: file }, ...text });
  const queue = async () => got(await client.POST('/rest/export', { params: { query: file } })).exportId;
  const exportId = await queue();
  let state = got(await client.GET('/rest/export/{exportId}', { params: { path: { exportId } } }));
  while (state.status === 'Queued' || state.status === 'Running') {
    await new Promise((resolve) => setTimeout(resolve, 20));
    state = got(await client.GET('/rest/export/{exportId}', { params: { path: { exportId } } }));
  }
  await client.GET('/rest/export/{exportId}/download', { params: { path: { exportId } }, ...text });
  const ticket = new URL(state.downloadLink ?? '').searchParams.get('ticket') ?? '';
  await client.GET('/rest/export/download', { params: { query: { ticket } }, ...text });
  await client.DELETE('/rest/export/{exportId}', { params: { path: { exportId: await queue() } } });
  if (got(await client.GET('/rest/export')).exports.length < 2) throw new Error('Exports are missing.');

  const [status] = got(await client.GET('/rest/statuses'));
  if (status === undefined || status.statusCategory.name === '') throw new Error('No status.');
  const ofStatus = { params: { path: { id: status.id } } };
  got(await client.PUT('/rest/statuses/{id}/category', { ...ofStatus, body: { name: null } }));
  const calendar = got(
    await client.POST('/rest/calendars', {
      body: {
        name: 'Generated',
        timeZone: 'UTC',
        workingTimes: [{ weekday: 'MONDAY', start: 0, end: 3_600_000 }],
      },
    }),
  );
  const ofCalendar = { params: { path: { id: calendar.id ?? 0 } } };
  got(await client.PUT('/rest/calendars/{id}', { ...ofCalendar, body: { name: 'Generated again' } }));
  got(await client.GET('/rest/calendars/{id}', { params: { path: { id: String(calendar.id) } } }));
  got(await client.GET('/rest/calendars'));
  const audited = await client.GET('/rest/audit', { params: { query: { action: 'calendar.created' } } });
  if (got(audited).entries.length === 0) throw new Error('No entry of the calendar.');
  if (
    got(await client.GET('/rest/calendars/search', { params: { query: { name: 'generated' } } })).total !== 1
  )
    throw new Error('No calendar found.');

  const parameters = { reportType: 'statusDuration' };
  const set = got(await client.POST('/rest/reportSettings', { body: { name: 'Generated', parameters } }));
  const ofSet = { params: { path: { id: set.id } } };
  got(await client.PUT('/rest/reportSettings/{id}', { ...ofSet, body: { public: true } }));
  got(await client.GET('/rest/reportSettings/{id}', ofSet));
  got(await client.GET('/rest/reportSettings'));
  got(await client.GET('/rest/reportSettings/search'));
  got(await client.GET('/rest/reportSettings/{id}/validate', ofSet));
  got(await client.POST('/rest/reportSettings/validate', { body: parameters }));
  await client.DELETE('/rest/reportSettings/{id}', ofSet);
  const formats = got(await client.GET('/rest/formatSettings'));
  got(await client.PUT('/rest/formatSettings', { body: formats }));

  const lookUp = { category: 'general' };
  got(await client.GET(`${delegation}/getDelegates`, { params: { query: { delegator: 'ada', ...lookUp } } }))
    .delegates;
  got(await client.GET(`${delegation}/getDelegators`, { params: { query: { delegate: 'ada', ...lookUp } } }))
    .delegators;
  got(await client.GET(`${delegation}/getChain`, { params: { query: { delegator: 'ada', ...lookUp } } }))
    .paths;
  got(await client.GET(`${delegation}/getCoverage`)).uncovered;
  const input = {
    delegator: 'bob',
    delegates: ['carl'],
    startDate: '2030-03-18T18:00Z',
    endDate: '2030-04-18T18:00Z',
  };
  const made = got(await client.POST(delegation, { body: input }));
  const ofDelegation = { params: { path: { id: made.delegationId } } };
  got(await client.PUT(`${delegation}/{id}`, { ...ofDelegation, body: { ...input, notes: 'Again' } }));
  got(await client.GET(`${delegation}/{id}`, ofDelegation));
  got(await client.GET(`${delegation}/{id}/versions`, ofDelegation));
  got(await client.GET(delegation));
  const category = got(await client.POST(categories, { body: { name: 'Generated' } }));
  const ofCategory = { params: { path: { id: category.id } } };
  got(await client.PUT(`${categories}/{id}`, { ...ofCategory, body: { name: 'Generated again' } }));
  got(await client.GET(categories));
  await client.DELETE(`${categories}/{id}`, ofCategory);

  await client.GET('/link', text);
  await client.POST('/link', { ...form, body: {}, ...text });
  await client.GET('/jira/consent', text);
  await client.POST('/rest/webhooks/{tracker}', {
    params: { path: { tracker: 'jira' } },
    body: { webhookEvent: 'jira:issue_updated' },
  });
  got(await client.GET('/openapi.json')).paths;
  await client.GET('/docs', text);
  if (got(await client.GET('/healthz')).status !== 'ok') throw new Error('Not alive.');
  got(await client.GET('/readyz'));
  return calls;
}

const delegation = '/rest/delegation/api/1.0/delegation';
const categories = '/rest/delegation/api/1.0/category';
