import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import type { ConsentApi } from '../../src/api/tracker/sync-api.ts';
import { failuresOf } from '../../src/http/described-failures.ts';
import { describeParameters } from '../../src/http/openapi.ts';
import { routes } from '../../src/http/resources/index.ts';
import { type AnyRoute, type Method, takesBody } from '../../src/http/route.ts';
import { AppError } from '../../src/model/error.ts';
import { withGenerated } from '../support/generated-page.ts';
import { heldExports } from '../support/held-exports.ts';
import { principalOf } from '../support/principal-of.ts';
import { soaking } from '../support/soak.ts';
import { standInSync } from '../support/stand-in-sync.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { anInvitation } from './delegation/an-invitation.ts';
import { describedAnswers } from './described-answers.ts';
import { created, type EndpointRow, goodRequest, isInPath, rowsOf } from './endpoint-rows.ts';
import { ended } from './exports/ended.ts';
import { signatureOf } from './signature-of.ts';

const page = fileURLToPath(new URL('../../docs/rest-reference.md', import.meta.url));

const endpoints = routes.flatMap((route) => route.methods.map((method) => ({ route, method })));
const titleOf = ({ route, method }: { route: AnyRoute; method: Method }) =>
  `${method.toUpperCase()} ${route.paths.join(', ')}`;

const goodExport = {
  filterType: 'project',
  projectKey: 'WEB',
  columnsBy: 'statusDuration',
  outputType: 'CSV',
};

/** An admin agreed to what the state `ours` was asked with. */
const consenting: ConsentApi = {
  url: async () => '',
  async accept({ state, error }) {
    if (state !== 'ours') throw new AppError('missing-right', 'This is no answer to a question of ours.');
    if (error !== null) throw new AppError('invalid-value', 'The answer was no.');
    return { site: 'https://example.atlassian.net' };
  },
};

let dwell: TestDwell;
/** One that reads Jira, and lets itself be told by it. */
let besideJira: TestDwell;
/** What is wrong with an answer by the description of the interface. */
let described: ReturnType<typeof describedAnswers>;
let real: Readonly<Record<string, string>>;
/** Exports of busy that another process seems to work on: each can be aborted once, and ten are left in the end. */
let running: Iterator<string>;
beforeAll(async () => {
  const dataDir = temporaryFolder();
  const held = await heldExports(dataDir, principalOf('busy', 'admin'), 20);
  running = held.values();
  dwell = await startDwell({ dataDir });
  described = describedAnswers((await dwell.get('/openapi.json', {}, {})).json);
  besideJira = await startDwell({
    trackerBuilder: standInSync({ consent: consenting }).trackerBuilder,
  });
  const boss = dwell.as('ada', { admin: true });
  const set = await boss.postJson('/rest/reportSettings', {
    name: 'For the table',
    public: true,
    parameters: { reportType: 'statusDuration', filterType: 'project', projectKey: 'WEB' },
  });
  const calendar = await boss.postJson('/rest/calendars', {
    name: 'For the table',
    timeZone: 'UTC',
    workingTimes: [{ weekday: 'MONDAY', start: 0, end: 3_600_000 }],
  });
  const { json } = await boss.post('/rest/export', goodExport);
  const { exportId, downloadLink } = await ended(boss, json.exportId);
  const ticket = new URL(downloadLink).searchParams.get('ticket') ?? '';
  const delegation = await boss.postJson('/rest/delegation/api/1.0/delegation', {
    delegator: 'bob',
    delegates: ['carl'],
    startDate: '2030-03-18T18:00Z',
    endDate: '2030-04-18T18:00Z',
  });
  const category = await boss.postJson('/rest/delegation/api/1.0/category', { name: 'For the table' });
  const { Authorization } = await dwell.headerOf('bob');
  await dwell.types('people', '--link', 'U0CARL', '--to', 'carl');
  real = {
    [created.set]: set.json.id,
    [created.calendar]: String(calendar.json.id),
    [created.export]: exportId,
    [created.ticket]: ticket,
    [created.delegation]: String(delegation.json.delegationId),
    [created.category]: String(category.json.id),
    [created.takenInvitation]: await invitationOf('U0CARL'),
    [created.userToken]: Authorization.slice('TISJWT '.length),
  };
});
afterAll(async () => {
  await dwell.stop();
  await besideJira.stop();
});

/** Sends a row to one of the paths of its endpoint; the answer's status, and its sentences where it is a failure. */
async function ask(route: AnyRoute, method: Method, path: string, { send, condition }: EndpointRow) {
  const good = goodRequest(route, method);
  const asked = new Map(Object.entries({ ...good.parameters, ...send.parameters }));
  if (send.without !== undefined) asked.delete(send.without);
  const broken = asked.delete('%zz') ? '%zz' : '';
  for (const [name, value] of asked) {
    asked.set(name, await sentFor(value, good.parameters));
  }
  const pairs = String(new URLSearchParams([...asked]));
  const id = send.id ?? good.id ?? '';
  const ownId = await idOf(id);
  const target = path.replace(/:\w+/, encodeURIComponent(ownId));
  const isForm = takesBody(method) && route.body === undefined;
  const query = [isForm ? '' : pairs, broken].filter((part) => part !== '').join('&');
  const body = bodyOf(route, method, send.body ?? good.body, pairs);
  const principal = send.principal ?? (id === created.running ? 'busy' : 'ada');
  const headers: Record<string, string> =
    principal === 'nobody'
      ? {}
      : await dwell.headerOf(principal, { admin: principal === 'ada' || principal === 'busy' });
  if (body !== undefined) {
    headers['Content-Type'] =
      send.type ?? (isForm ? 'application/x-www-form-urlencoded' : 'application/json');
  }
  if (send.accept !== undefined) headers.Accept = send.accept;
  if (send.signed !== undefined) headers['X-Hub-Signature'] = signatureOf(body ?? '', send.signed);
  const sent = send.method ?? method.toUpperCase();
  const { status, type, json } = await (send.besideJira === true ? besideJira : dwell).send(
    sent,
    query === '' ? target : `${target}?${query}`,
    headers,
    send.method === undefined ? body : undefined,
  );
  // The rows are more than anybody may have queued.
  if (status === 200 && json?.statusLink !== undefined) {
    await dwell.send('DELETE', `/rest/export/${json.exportId}`, headers);
  }
  return {
    condition,
    path,
    status,
    messages: status === 200 ? undefined : (json?.messages ?? json?.message),
    wrong:
      status === 204 || sent !== method.toUpperCase()
        ? []
        : described(templateOf(path), method, { status, type, json }),
  };
}

/** The path as the description has it; one alias is described as another path. */
function templateOf(path: string): string {
  const described = path === '/rest/export/status/:exportId' ? '/rest/export/:exportId' : path;
  return described.replaceAll(/:(\w+)/g, '{$1}');
}

/** A row as its table has it. */
const lineOf = ({ condition, value, status }: EndpointRow) => JSON.stringify([condition, value, status]);

/** A row that several methods of a route have is asked by these in turn; by each where there is time. */
function rowsInTurn(route: AnyRoute, method: Method): EndpointRow[] {
  const lines = new Map(route.methods.map((one) => [one, rowsOf(route, one).map(lineOf)]));
  return rowsOf(route, method).filter((row) => {
    const line = lineOf(row);
    const sharing = route.methods.filter((one) => lines.get(one)?.includes(line));
    const [first = method] = sharing;
    const turn = lines.get(first)?.indexOf(line) ?? 0;
    return soaking || sharing[turn % sharing.length] === method;
  });
}

/** All paths of a route lead to the same, so a row is asked at the next of them; at each where there is time. */
const pathsFor = (row: number, { paths }: AnyRoute) =>
  soaking ? paths : paths.filter((_, i) => i === row % paths.length);

/** What stands in a path: a thing that can be done away with once is another one each time. */
async function idOf(id: string): Promise<string> {
  if (id === created.running) return running.next().value ?? '';
  const boss = dwell.as('ada', { admin: true });
  if (id === created.spareSet) {
    const wish = { name: `Spare ${++saved}`, public: true, parameters: {} };
    return (await boss.postJson('/rest/reportSettings', wish)).json.id;
  }
  if (id !== created.spareCategory) return real[id] ?? id;
  const { json } = await boss.postJson('/rest/delegation/api/1.0/category', { name: `Spare ${++saved}` });
  return String(json.id);
}

/** What stands in a parameter: a token of a page, or an invitation, is another one each time. */
async function sentFor(value: string, parameters: Readonly<Record<string, string>>): Promise<string> {
  if (value === created.token) return freshToken(parameters);
  return value === created.invitation ? invitationOf('U0BOB') : (real[value] ?? value);
}

/** An invitation links once. */
function invitationOf(account: string): Promise<string> {
  return anInvitation(dwell.dataDir, dwell.clock.now, { account, name: account });
}

/** Opens the second page of a list; only the newest questions of a principal can be continued. */
async function freshToken(parameters: Readonly<Record<string, string>>): Promise<string> {
  const { json } = await dwell.as('ada', { admin: true }).get('/rest/issues/v2', parameters);
  return json.nextPageToken;
}

/** Names are unique, so each saving gets one of its own. */
function bodyOf(route: AnyRoute, method: Method, body: unknown, pairs: string): string | undefined {
  if (!takesBody(method)) return undefined;
  if (typeof body === 'string') return body;
  if (route.body === undefined) return pairs;
  const isNew = method === 'post' && body !== null && typeof body === 'object' && 'name' in body;
  return JSON.stringify(isNew ? { ...body, name: `${body.name} ${++saved}` } : body);
}
let saved = 0;

describe.each(endpoints.map((endpoint) => [titleOf(endpoint), endpoint] as const))(
  '%s',
  (_, { route, method }) => {
    test('answers every row of the table as it says, its methods and paths in turn', async () => {
      for (const [i, row] of rowsInTurn(route, method).entries()) {
        for (const path of pathsFor(i, route)) {
          const answer = await ask(route, method, path, row);
          expect({ ...answer, value: row.value }).toEqual({
            ...answer,
            value: row.value,
            status: row.status,
            wrong: [],
          });
        }
      }
    });

    test('has a row for every parameter, and for every failure it is described with', () => {
      const rows = rowsOf(route, method);
      for (const { name, required } of describeParameters(route.parameters, [])) {
        if (isInPath(route.paths[0], name)) continue;
        const own = rows.filter(({ send }) => send.parameters !== undefined && name in send.parameters);
        expect([name, own.some(({ status }) => status < 300)]).toEqual([name, true]);
        if (required) expect(rows).toContainEqual(expect.objectContaining({ condition: `no ${name}` }));
      }
      const shown = new Set(rows.map(({ status }) => status).filter((status) => status >= 300));
      // A request that is too large never gets as far as a route.
      const others = Object.keys(route.answers.others ?? {}).map(Number);
      const told = [...failuresOf({ ...route, methods: [method] }), ...others].filter(
        // No parameter brings about a request too large to be read, a failure of ours, or too many requests in a minute.
        (status) => status < 431 && (status !== 429 || route.answers.failures?.includes(429)),
      );
      expect([...shown].toSorted()).toEqual([...told].toSorted());
    });
  },
);

test('the contract’s endpoints are there', () => {
  const contract = [
    'GET /rest/issue',
    'GET /rest/issue/expanded',
    'GET /rest/issues',
    'GET /rest/issues/v2',
    'GET /rest/issues/aggregation',
    'POST /rest/export/status',
    'GET /rest/statuses',
    'GET /rest/calendars',
    'GET /rest/reportSettings',
    'GET /rest/reportSettings/:id',
    'GET /rest/formatSettings',
    'PUT /rest/formatSettings',
    'GET /rest/delegation/api/1.0/delegation/getDelegates',
    'GET /rest/delegation/api/1.0/delegation/getDelegators',
  ];
  const primary = endpoints.map(({ route, method }) => `${method.toUpperCase()} ${route.paths[0]}`);
  expect(primary).toEqual(expect.arrayContaining(contract));
});

test('docs/rest-reference.md has these rows (UPDATE=1 writes them)', () => {
  const table = routes.map(sectionOf).join('\n');
  const text = readFileSync(page, 'utf8');
  const wanted = withGenerated(text, 'endpoints', table);
  if (process.env.UPDATE === '1') writeFileSync(page, wanted);
  expect(readFileSync(page, 'utf8')).toBe(wanted);
});

/** One section per route; values that are answered alike share a line, and what not every method has says so. */
function sectionOf(route: AnyRoute): string {
  const lines = new Map<string, { values: Set<string>; methods: Set<Method> }>();
  for (const method of route.methods) {
    for (const { condition, value, status } of rowsOf(route, method)) {
      const key = JSON.stringify([condition, status]);
      const line = lines.get(key) ?? { values: new Set(), methods: new Set() };
      lines.set(key, line);
      line.methods.add(method);
      if (value !== '') line.values.add(`\`${value.replaceAll('|', '\\|')}\``);
    }
  }
  const told = [...lines].map(([key, { values, methods }]) => {
    const [condition, status] = JSON.parse(key);
    const only = methods.size < route.methods.length ? ` (${[...methods].join(', ').toUpperCase()})` : '';
    return `| ${condition}${only} | ${[...values].join(', ')} | ${status} |`;
  });
  const methods = route.methods.join(', ').toUpperCase();
  const paths = route.paths.map((path) => `\`${path}\``).join(', ');
  return [
    `### ${methods} ${paths}`,
    '',
    '| Asked with | Value | Status |',
    '|---|---|---|',
    ...told,
    '',
  ].join('\n');
}
