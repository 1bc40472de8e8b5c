import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { z } from 'zod';
import { afterAll, beforeAll, expect, test } from '#jest';
import { memo } from '../../src/cache/namespace.ts';
import { tools } from '../../src/mcp/tools/index.ts';
import { fixture } from '../support/fixture.ts';
import { exportFile, jiraIssue } from '../support/jira-export.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';
import { type Assistant, assistantOf, type ToolResult } from './assistant.ts';

let dwell: TestDwell;
let ada: Assistant;
beforeAll(async () => {
  dwell = await startDwell();
  ada = await assistantOf(dwell, 'ada');
});
afterAll(async () => {
  await ada.close();
  await dwell.stop();
});

const raws = (columns: readonly { readonly id: string; readonly raw?: string }[]) =>
  Object.fromEntries(columns.flatMap(({ id, raw }) => (raw === undefined ? [] : [[id, Number(raw)]])));
const ms = (values: readonly { readonly id: string; readonly ms: number }[]) =>
  Object.fromEntries(values.map((value) => [value.id, value.ms]));

/** A call of every tool that is about measured time. */
const measured: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['time_in_status', { issueKeys: ['WEB-1'] }],
  ['issue_history', { issueKey: 'WEB-1' }],
  ['list_report', { project: 'WEB', pageSize: 3 }],
  ['aggregate_report', { project: 'WEB', aggregationType: 'average' }],
  ['weekly_summary', { project: 'WEB' }],
  ['sprint_report', {}],
  ['aging_issues', { project: 'WEB' }],
  ['standup', { project: 'WEB' }],
  ['forecast', { issueKey: 'WEB-1' }],
  ['compare', { left: { project: 'WEB' }, right: { project: 'APP' } }],
];

const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
(ajvFormats as never as (one: Ajv2020) => void)(ajv);
/** Members that are not described are refused. */
const validatorOf = memo((name: string) => {
  const output = tools.find((one) => one.name === name)?.output ?? z.never();
  return ajv.compile(z.toJSONSchema(output, { io: 'output' }));
}, tools.length);

/** The list of tools says once what several of them have alike: an answer is held against the whole schema here. */
function expectDescribed(name: string, content: ToolResult['content']): void {
  const validate = validatorOf(name);
  validate(content);
  expect([name, validate.errors]).toEqual([name, null]);
}

/** Tools whose durations are `ms` and a text; those of the others are numbers under a name that ends in `Ms`. */
const tables = ['time_in_status', 'issue_history', 'list_report', 'aggregate_report'];

/** A call of each of the others. */
const others: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['who_covers', { user: 'ada', category: 'Expense' }],
  ['coverage', {}],
  ['flow', { project: 'WEB' }],
  ['list_statuses', {}],
  ['list_calendars', { name: 'BER' }],
  ['list_report_types', {}],
];

test.each(measured)('%s says calendar, zone, as of, and that histories are complete', async (name, args) => {
  const { text, content, failure } = await ada.call(name, { calendar: 'Berlin', ...args });
  expect(failure).toBeNull();
  for (const said of [
    '1d = 7.45h of working time',
    'Calendar: Berlin',
    'Time zone of dates: Europe/Berlin',
    'As of: 2026-03-18 13:00 +01:00',
    'Histories: complete.',
  ]) {
    expect(text).toContain(said);
  }
  expect(content).toMatchObject({
    ...{ timeZone: 'Europe/Berlin', complete: true, undecided: 0 },
    calendar: { name: 'Berlin', is7x24Calendar: false },
    asOf: '2026-03-18T12:00:00.000Z',
  });
  const isTable = tables.includes(name);
  const json = JSON.stringify(content);
  expect([json.includes('"ms":'), json]).toEqual([
    isTable,
    expect.stringMatching(isTable ? /"ms":\d/ : /"\w+Ms":\d/),
  ]);
  expectDescribed(name, content);
});

test.each(others)('%s answers', async (name, args) => {
  const { text, content, failure } = await ada.call(name, args);
  expect(failure).toBeNull();
  expect(text.length).toBeGreaterThan(20);
  expectDescribed(name, content);
});

test('every tool is called here, and only reads', () => {
  const called = [...measured, ...others].map(([name]) => name);
  expect([...called, 'export_report', 'get_export'].sort()).toEqual(ada.tools.map(({ name }) => name).sort());
  for (const { annotations, inputSchema, outputSchema, description } of ada.tools) {
    expect(annotations?.readOnlyHint).toBe(true);
    expect(description).toMatch(/\.$/);
    expect([inputSchema.type, outputSchema?.type]).toEqual(['object', 'object']);
  }
});

test('the flow of a project is that of REST, and one that cannot be seen is refused', async () => {
  const { content, text } = await ada.call('flow', { project: 'web' });
  const { projectKey, isDefault, stages, start, end } = (await dwell.get('/rest/flows/WEB')).json;
  expect(content).toEqual({
    ...{ projectKey, isDefault, start, end },
    stages: stages.map(({ statuses, ...stage }: { statuses: { name: string }[] }) => ({
      ...{ ...stage, statuses: statuses.map(({ name }) => name) },
    })),
    rules: {
      Clock: 'from Analysis to Done, not paused while back before the start',
      'Blocked by': 'a flag, a link to an open issue',
      'Does not count': 'nothing',
    },
  });
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'Flow of WEB. Default: by the categories of its statuses.',
      '| In Progress | active | In Progress |',
      'Clock: from Analysis to Done, not paused while back before the start.',
      'Blocked by: a flag, a link to an open issue.',
    ]),
  );
  const { failure } = await ada.call('flow', { project: 'NOPE' });
  expect(failure).toMatchObject({ reason: 'unknown-project' });
});

test('who covers for a person is answered for every category, and says which', async () => {
  const { content, text } = await ada.call('who_covers', { user: 'ada' });
  expect([content.category, content.coveredBy]).toEqual([
    null,
    [{ user: 'bob', name: 'Bob', categories: ['Expense'] }],
  ]);
  expect(text).toContain('Covered by: Bob (bob) for Expense. Away: ');
  const general = await ada.call('who_covers', { user: 'ada', category: 'general' });
  expect([general.content.category, general.content.coveredBy]).toEqual(['general', []]);
  const bob = await assistantOf(dwell, 'bob');
  const { content: own } = await bob.call('who_covers', {});
  expect(own.covers).toEqual([{ user: 'ada', name: expect.any(String), categories: ['Expense'] }]);
  await bob.close();
});

test('what a person cannot see of cover is said in the answer, not in what the tool is', async () => {
  await dwell.types('delegates', '--view-all', 'ada', '--edit-all', 'ada');
  const [bob, boss] = [await assistantOf(dwell, 'bob'), await assistantOf(dwell, 'ada')];
  const limit =
    'You see only what concerns you: your own delegations, and those that name you as a delegate.';
  for (const tool of ['who_covers', 'coverage']) {
    const { content, text } = await bob.call(tool);
    expect([content.notes, text.includes(limit)]).toEqual([[limit], true]);
    expect((await boss.call(tool)).content.notes).toEqual([]);
    expect(boss.tools.find(({ name }) => name === tool)?.description).not.toMatch(/right/);
  }
  await Promise.all([bob.close(), boss.close()]);
});

test('figures are those of REST', async () => {
  const list = { filterType: 'project', projectKey: 'WEB', columnsBy: 'statusDuration', calendar: 'Berlin' };
  const rest = async (path: string, parameters: Record<string, string>) =>
    (await dwell.get(path, parameters)).json;
  const ours = { project: 'WEB', calendar: 'Berlin' };

  const one = await rest('/rest/issue', { issueKey: 'OPS-3', columnsBy: 'statusDuration' });
  const { content: issues } = await ada.call('time_in_status', { issueKeys: ['OPS-3'] });
  expect(ms(issues.issues[0].values)).toEqual(raws(one.table.body.rows[0].valueColumns));

  const visits = await rest('/rest/issue/expanded', { issueKey: 'WEB-1' });
  const { content: history } = await ada.call('issue_history', { issueKey: 'WEB-1' });
  const { rows } = visits.table.body.rows[0].expanded;
  expect(history.visits.map((visit: { duration: { ms: number } }) => visit.duration.ms)).toEqual(
    rows.map(({ duration }: { duration: number }) => duration),
  );

  const median = { aggregationType: 'median' };
  const condensed = await rest('/rest/issues/aggregation', { ...list, ...median });
  const { content: statistic } = await ada.call('aggregate_report', { ...ours, ...median });
  expect(ms(statistic.groups[0].values)).toEqual(raws(condensed.table.body.rows[0].valueColumns));

  const { columnsBy: _, ...filter } = list;
  const week = await rest('/rest/issues/weekly', filter);
  const { content: weekly } = await ada.call('weekly_summary', ours);
  expect(weekly.finished).toEqual(week.finished);
  expect(String(weekly.cycleTime.week.medianMs)).toBe(week.cycleTime.week.median.raw);
});

test('a week and a sprint have the same members and figures as over REST', async () => {
  const { json: document } = await dwell.get('/openapi.json');
  const { WeeklyAggregates, SprintReport } = document.components.schemas;
  const project = { filterType: 'project', projectKey: 'WEB', calendar: 'Berlin' };
  for (const [path, parameters, schema, tool, args] of [
    [
      '/rest/issues/weekly',
      project,
      WeeklyAggregates,
      'weekly_summary',
      { project: 'WEB', calendar: 'Berlin' },
    ],
    ['/rest/sprints/43/report', {}, SprintReport, 'sprint_report', { sprint: '43' }],
  ] as const) {
    const { version, ...rest } = withoutDeprecated(
      (await dwell.get(path, parameters)).json,
      schema,
      document,
    );
    const { more, ...figures } = (await ada.call(tool, args)).content;
    expect([typeof version, more]).toEqual(['string', {}]);
    expect(figures).toEqual(rest);
    expect(Object.keys(figures.statuses[0]).length).toBeGreaterThan(3);
  }
});

test.each([
  [{ count: 20 }, { count: '20' }, '85%'],
  [{ until: '2026-06-01' }, { until: '2026-06-01' }, 'Issues done by 2026-06-01'],
  [{}, {}, 'open issues of project WEB'],
])('a forecast of %j is that of REST', async (args, parameters, said) => {
  const { version: _, ...rest } = (
    await dwell.get('/rest/forecast', { filterType: 'project', projectKey: 'WEB', ...parameters })
  ).json;
  const { content, text } = await ada.call('forecast', { project: 'WEB', calendar: 'normalHours', ...args });
  const { more: __, ...figures } = content;
  expect(figures).toEqual(rest);
  expect(text).toContain(said);
});

test('an assistant is answered why there is no forecast, and refused what does not go together', async () => {
  const { text } = await ada.call('forecast', { issueKey: 'WEB-1' });
  expect(text).toContain('NO FORECAST, done');
  const { failure } = await ada.call('forecast', { issueKey: 'WEB-1', count: 5 });
  expect(JSON.stringify(failure)).toContain('count cannot be used with issueKey');
});

type Json = ToolResult['content'];

/** An answer over REST without the members that its schema calls deprecated. */
function withoutDeprecated(json: Json, { $ref, items, properties }: Json, document: Json): Json {
  if ($ref !== undefined) {
    return withoutDeprecated(json, document.components.schemas[$ref.split('/').at(-1)], document);
  }
  if (Array.isArray(json)) return json.map((one) => withoutDeprecated(one, items, document));
  if (typeof json !== 'object' || json === null || properties === undefined) return json;
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, value]) =>
      properties[name].deprecated ? [] : [[name, withoutDeprecated(value, properties[name], document)]],
    ),
  );
}

test('of the issues that are left out the first twenty are listed, and how many more there are', async () => {
  const office = await startDwell({ environment: { TRACKER: 'file' } });
  try {
    await office.types('import', fixture('titanium-daemon.issues.json.gz'));
    const assistant = await assistantOf(office, 'ada');
    const { doneSinceUnknown } = (await office.get('/rest/sprints/969/report')).json;
    expect(doneSinceUnknown.length).toBeGreaterThan(20);
    const { content } = await assistant.call('sprint_report', { sprint: '969' });
    expect(content.doneSinceUnknown).toEqual(doneSinceUnknown.slice(0, 20));
    expect(content.more).toEqual({ doneSinceUnknown: doneSinceUnknown.length - 20 });
    const side = { jql: 'project = DAEMON' };
    const { content: compared } = await assistant.call('compare', {
      ...{ left: side, right: { ...side, endDate: '2020-01-01' } },
    });
    expect(compared.sides.map((one: Json) => one.doneSinceUnknown.length <= 20)).toEqual([true, true]);
    await assistant.close();
  } finally {
    await office.stop();
  }
});

test('a cut history is marked, with the reason and the time that is unknown', async () => {
  const { text, content } = await ada.call('time_in_status', { issueKeys: ['OPS-3'] });
  expect(content).toMatchObject({ complete: false, cutHistories: 1 });
  const { history } = content.issues[0];
  expect(history).toMatchObject({ complete: false, reason: expect.stringContaining('last 3 changes') });
  expect(history.unknownMs).toBeGreaterThan(0);
  expect(text).toContain('NOT COMPLETE: 1 of 1 histories cut');
});

test('pages to the end hold every issue once, however short the answers have to be', async () => {
  const keys: string[] = [];
  let nextPageToken: string | null = null;
  do {
    const more: Readonly<Record<string, string>> = nextPageToken === null ? {} : { nextPageToken };
    const { content, text } = await ada.call('list_report', {
      ...{ project: 'WEB', columnsBy: 'assigneeDurationByStatus', pageSize: 100, ...more },
    });
    expect(text.length).toBeLessThanOrEqual(25_000);
    keys.push(...content.issues.map(({ key }: { key: string }) => key));
    nextPageToken = content.nextPageToken;
    if (nextPageToken === null) expect(content.total).toBe(keys.length);
    else expect(text).toContain(nextPageToken);
  } while (nextPageToken !== null);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.length).toBeGreaterThan(400);
});

test('a project that is closed to a person is absent from every answer', async () => {
  const office = await startDwell();
  try {
    const issues = ['OPEN-1', 'SHUT-1'].map((key) => jiraIssue(key).onCloud());
    await office.types('import', exportFile(issues));
    await office.types('access', 'SHUT', '--to', 'eve');
    const [bob, eve] = [await assistantOf(office, 'bob'), await assistantOf(office, 'eve')];
    const keys = ({ content }: ToolResult) => content.issues.map(({ key }: { key: string }) => key);

    const one = await bob.call('time_in_status', { issueKeys: ['SHUT-1'] });
    expect(one.failure).toMatchObject({
      reason: 'unknown-issue',
      errors: { issueKeys: "issueKeys 'SHUT-1' could not be found." },
    });
    const both = { issueKeys: ['SHUT-1', 'OPEN-1'] };
    const some = await bob.call('time_in_status', both);
    expect(some.content).toMatchObject({ notFound: ['SHUT-1'], issueCount: 1 });
    expect(keys(await eve.call('time_in_status', both))).toEqual(['SHUT-1', 'OPEN-1']);

    const jql = { jql: 'created > -9999d' };
    expect(keys(await bob.call('list_report', jql))).toEqual(['OPEN-1']);
    expect(keys(await eve.call('list_report', jql)).sort()).toEqual(['OPEN-1', 'SHUT-1']);
    expect((await bob.call('list_report', { project: 'SHUT' })).failure.reason).toBe('unknown-name');
    await Promise.all([bob.close(), eve.close()]);
  } finally {
    await office.stop();
  }
});

test.each([
  ['list_report', {}, 'project'],
  ['list_report', { project: 'NOPE' }, 'project'],
  ['list_report', { project: 'WEB', jql: 'status = Done' }, 'jql'],
  ['list_report', { project: 'WEB', pageSize: 101 }, 'pageSize'],
  ['list_report', { project: 'WEB', colums: 1 }, 'colums'],
  ['list_report', { project: 'WEB', columnsBy: 'nonsense' }, 'columnsBy'],
  ['aggregate_report', { project: 'WEB' }, 'aggregationType'],
  ['time_in_status', { issueKeys: ['WEB'] }, 'issueKeys'],
  ['weekly_summary', { project: 'WEB', week: '2026-W99' }, 'week'],
  ['sprint_report', { sprint: 'nowhere' }, 'sprint'],
  ['compare', { left: { project: 'WEB', startDate: 'x' }, right: { project: 'APP' } }, 'left.startDate'],
  ['coverage', { from: 'x' }, 'from'],
] as const)('%s with %j names the argument', async (name, args, field) => {
  const { failure, text } = await ada.call(name, args);
  expect(Object.keys(failure.errors)).toContain(field);
  expect(text).toContain(field);
  expect(failure.messages.join(' ')).not.toMatch(/projectKey|customjql|sprintID/);
});

test('a file is waited for, and its link opens it', async () => {
  const { content, text } = await ada.call('export_report', { project: 'WEB', outputType: 'CSV' });
  expect(content).toMatchObject({ status: 'Successful', total: 509, complete: true });
  expect(text).toContain(content.downloadLink);
  const file = await fetch(content.downloadLink);
  expect((await file.text()).split('\n').length).toBeGreaterThan(509);
  const queued = await ada.call('export_report', { project: 'WEB', outputType: 'XLSX', waitSeconds: 0 });
  expect(queued.content.exportId).toMatch(/^[\w-]{36}$/);
  const later = await ada.call('get_export', { exportId: queued.content.exportId });
  expect(later.content.exportId).toBe(queued.content.exportId);
});

test('docs/mcp.md has every tool (UPDATE=1 writes the table)', () => {
  const page = fileURLToPath(new URL('../../docs/mcp.md', import.meta.url));
  const [start, end] = ['<!-- tools: begin -->', '<!-- tools: end -->'];
  const rows = tools.map(({ name, description }) => `| \`${name}\` | ${description} |`);
  const table = ['| Tool | What it answers |', '|---|---|', ...rows].join('\n');
  const [before = '', rest = ''] = readFileSync(page, 'utf8').split(start);
  const [, after = ''] = rest.split(end);
  const wanted = `${before}${start}\n\n${table}\n\n${end}${after}`;
  if (process.env.UPDATE === '1') writeFileSync(page, wanted);
  expect(readFileSync(page, 'utf8')).toBe(wanted);
});
