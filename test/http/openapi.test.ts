import { beforeAll, describe, expect, test } from '#jest';
import { routes } from '../../src/http/resources/index.ts';
import { errorReasons } from '../../src/model/error.ts';
import type { TestDwell } from '../support/start-dwell.ts';
import { suiteDwell } from '../support/suite-dwell.ts';
import { describedAnswers } from './described-answers.ts';

type Json = Awaited<ReturnType<TestDwell['get']>>['json'];

const dwell = suiteDwell();
let document: Json;
let described: ReturnType<typeof describedAnswers>;
beforeAll(async () => {
  document = (await dwell.get('/openapi.json', {}, {})).json;
  described = describedAnswers(document);
});

const operations = () =>
  Object.entries<Record<string, Json>>(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );

test('every path of every route is described with its methods, and nothing else', () => {
  // OpenAPI cannot tell it from the download of an export called status.
  const ambiguous = ['get /rest/export/status/{exportId}', 'delete /rest/export/status/{exportId}'];
  const described = operations().map(({ path, method }) => `${method} ${path}`);
  const served = routes.flatMap(({ methods, paths }) =>
    paths.flatMap((path) => methods.map((method) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)),
  );
  expect([...described, ...ambiguous].toSorted()).toEqual(served.toSorted());
  expect(document.openapi).toBe('3.1.0');
});

test('it is made once', async () => {
  const route = routes.find(({ paths }) => paths.includes('/openapi.json'));
  let made = 0;
  const reporting = {
    get reportTypes() {
      made += 1;
      return [];
    },
  };
  const asked = { method: 'GET', originalUrl: '/openapi.json', params: {}, get: () => undefined };
  const parts = {
    routes,
    version: '1.2.3',
    baseUrl: 'http://localhost',
    reporting,
    tokens: { tenant: 'default' },
  };
  for (let i = 0; i < 3; i += 1) await route?.serve(asked as never, {} as never, parts as never);
  expect(made).toBe(1);
});

/** Of the linter what is called: all its types take the compiler seconds. */
interface Linter {
  createConfig(config: object): Promise<object>;
  lintFromString(asked: { source: string; config: object }): Promise<
    readonly {
      readonly ruleId: string;
      readonly message: string;
      readonly location: readonly { readonly pointer?: string }[];
    }[]
  >;
}
const linterName: string = '@redocly/openapi-core';
const { createConfig, lintFromString }: Linter = await import(linterName);

/** What the linter finds. Beside what it recommends, whatever a page shows is described. */
async function lint(source: string) {
  const rules = {
    'operation-description': 'error',
    'operation-tag-defined': 'error',
    'info-contact': 'error',
  };
  const config = await createConfig({ extends: ['recommended'], rules });
  const found = await lintFromString({ source, config });
  return found.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]);
}

test('a linter finds nothing to object to, and finds what is wrong', async () => {
  expect(await lint(JSON.stringify(document))).toEqual([]);
  const { '/rest/issue': issue } = document.paths;
  const wrong = structuredClone({ ...document, paths: { '/rest/issue': issue } });
  const { get } = wrong.paths['/rest/issue'];
  delete get.description;
  delete wrong.info.contact;
  get.tags = ['Nowhere'];
  get.responses['200'].content['application/json'].schema = { $ref: '#/components/schemas/Nothing' };
  const rules = (await lint(JSON.stringify(wrong))).map(([rule]) => rule);
  expect(rules).toEqual(
    expect.arrayContaining([
      ...['operation-description', 'info-contact', 'operation-tag-defined', 'no-unresolved-refs'],
    ]),
  );
});

test('every reason of a failure is described, in each of its shapes', () => {
  const { FailureReason, ...schemas } = document.components.schemas;
  const ofHttp = ['malformed-request', 'method-not-allowed', 'content-too-large', 'internal'];
  expect(FailureReason.enum).toEqual(expect.arrayContaining([...Object.keys(errorReasons), ...ofHttp]));
  const reason = { $ref: '#/components/schemas/FailureReason' };
  for (const { properties, required } of [schemas.Failure, schemas.RecordFailure]) {
    expect(properties.reason).toEqual(reason);
    expect(required).toContain('reason');
  }
  // Strict clients of the contract refuse a member more.
  expect(Object.keys(schemas.LookUpFailure.properties)).toEqual(['status', 'message', 'errors', 'timestamp']);
  for (const status of [400, 401, 403, 404, 503]) {
    const { headers } = document.components.responses[`LookUpFailure${status}`];
    expect(headers['X-Failure-Reason'].schema).toEqual(reason);
  }
});

test('every operation has an id of its own, a known headline, a summary, and its parameters once', () => {
  const ids = operations().map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const tags = document.tags.map(({ name }: { name: string }) => name);
  for (const { path, operation } of operations()) {
    expect(tags).toEqual(expect.arrayContaining(operation.tags));
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
    const names: string[] = operation.parameters.map((one: { name: string }) => one.name.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
    for (const parameter of operation.parameters) {
      expect(parameter.description).toMatch(/\.$/);
      const inPath = path.includes(`{${parameter.name}}`);
      expect([parameter.in, parameter.required]).toEqual(
        inPath ? ['path', true] : ['query', parameter.required],
      );
    }
  }
});

test('an operation is named by what it does, an alias names the operation it repeats', () => {
  const ids = new Set(routes.map(({ id }) => id));
  expect(ids.size).toBe(routes.length);
  for (const { operation } of operations()) {
    const { operationId, deprecated, 'x-alias-of': aliasOf, 'x-codeSamples': samples } = operation;
    const id = (aliasOf ?? operationId).replace(/ByForm$/, '');
    expect([operationId, ids.has(id)]).toEqual([operationId, true]);
    expect(id).toMatch(/^[a-z]+([A-Z][a-z]*)+$/);
    expect([deprecated === true, samples === undefined]).toEqual([
      aliasOf !== undefined,
      aliasOf !== undefined,
    ]);
  }
});

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, path = '']) => path,
  );
  expect(references.length).toBeGreaterThan(100);
  for (const reference of new Set(references)) {
    const found = reference.split('/').reduce((part: Json, step) => part?.[step], document);
    expect([reference, typeof found]).toEqual([reference, 'object']);
  }
});

test('a parameter is told with its words, default, bounds and kind', () => {
  const parameters = (path: string, method = 'get') =>
    Object.fromEntries(
      document.paths[path][method].parameters.map((one: { name: string }) => [one.name, one]),
    ) as Json;
  const list = parameters('/rest/issues/v2');
  expect(list.viewFormat.schema).toEqual({
    type: 'string',
    enum: ['days', 'hours', 'minutes', 'seconds', 'humanReadable'],
    default: 'minutes',
  });
  expect(list.pageSize.schema).toEqual({ type: 'integer', minimum: 1, maximum: 1000, default: 100 });
  expect(list.fields).toMatchObject({
    style: 'form',
    explode: false,
    schema: { type: 'array', items: { type: 'string' } },
  });
  expect(list.includeDeletedStatuses.schema).toEqual({ type: 'boolean', default: false });
  // A parameter set may have it.
  expect(list.columnsBy).toMatchObject({ required: false });
  expect(list.columnsBy.description).toMatch(/Required unless the parameter set has it/);
  expect(list.columnsBy.schema.enum).toContain('statusCount');
  expect(list.columnsBy.schema.enum).not.toContain('statusDurationExpanded');
  expect(list.filterType.schema.enum).toContain('advanced');
  expect(list).not.toHaveProperty('startIssueIndex');
  expect(parameters('/rest/issues')).not.toHaveProperty('nextPageToken');
  const expanded = parameters('/rest/issue/expanded');
  expect(expanded.columnsBy).toMatchObject({
    required: false,
    schema: {
      enum: ['statusDurationExpanded', 'anyFieldDurationExpanded', 'blockedDurationExpanded'],
      default: 'statusDurationExpanded',
    },
  });
});

test('a form has the same fields, and the token, and so has a JSON object', () => {
  const { get, post } = document.paths['/rest/list2'];
  const { content } = post.requestBody;
  const form = content['application/x-www-form-urlencoded'];
  const names = get.parameters.map((one: { name: string }) => one.name);
  expect(Object.keys(form.schema.properties)).toEqual([...names, 'tisjwt']);
  expect(form.encoding.statuses).toEqual({ style: 'form', explode: false });
  const { properties } = content['application/json'].schema;
  expect(Object.keys(properties)).toEqual([...names, 'tisjwt']);
  expect(properties.statuses).toMatchObject({ type: 'array', items: { type: ['string', 'number'] } });
  expect(properties.dbsMetrics).toMatchObject({ type: ['array', 'string'] });
  expect(Object.keys(document.paths['/link'].post.requestBody.content)).toEqual([
    'application/x-www-form-urlencoded',
  ]);
});

test('who asks too much at once is sent to a form where there is one', () => {
  const text = 'The request line and the headers are larger than 16 KiB.';
  const formsOf = new Set(
    operations()
      .filter(
        ({ operation }) => 'application/x-www-form-urlencoded' in (operation.requestBody?.content ?? {}),
      )
      .map(({ operation }) => operation.summary),
  );
  expect(formsOf.size).toBeGreaterThan(5);
  for (const { path, operation } of operations()) {
    const { description, $ref } = operation.responses[431];
    // The same question asked by another method has the same summary.
    const wanted = formsOf.has(operation.summary) ? `${text} Send the parameters as a form.` : undefined;
    expect([path, description]).toEqual([path, wanted]);
    expect(document.components.responses[$ref.split('/').at(-1)].description).toBe(text);
  }
});

test('limits are described wherever requests count, with the headers that name them and say when to come back', () => {
  for (const [path, status] of [
    ['/rest/issue', '429'],
    ['/rest/issue', '503'],
    ['/openapi.json', '429'],
  ] as const) {
    const name = document.paths[path].get.responses[status].$ref.split('/').at(-1);
    const headers = Object.keys(document.components.responses[name].headers);
    const limits = status === '429' ? ['RateLimit-Policy', 'RateLimit'] : [];
    expect([path, status, headers]).toEqual([path, status, ['Retry-After', ...limits]]);
  }
  const { '200': good } = document.paths['/rest/issue'].get.responses;
  expect(good.headers.RateLimit).toEqual({ $ref: '#/components/headers/RateLimit' });
  expect(Object.keys(document.paths['/healthz'].get.responses)).not.toContain('429');
});

test('whoever needs a token is told how to send it, and what is answered without', () => {
  expect(document.components.securitySchemes).toMatchObject({
    header: { in: 'header', name: 'Authorization' },
    query: { in: 'query', name: 'tisjwt' },
    basic: { type: 'http', scheme: 'basic' },
    bearer: { type: 'http', scheme: 'bearer' },
  });
  for (const { path, operation } of operations()) {
    // The ticket of a link, or a signature, stands for the token.
    const proved = ['/rest/export/download', '/rest/webhooks/{tracker}'];
    const guarded = path.startsWith('/rest/') && !proved.includes(path);
    const ways = path.startsWith('/rest/delegation/')
      ? ['basic', 'bearer', 'header']
      : ['header', 'query', 'bearer', 'basic'];
    expect(operation.security).toEqual(guarded ? ways.map((way) => ({ [way]: [] })) : []);
    expect('401' in operation.responses).toBe(guarded);
  }
});

describe('answers are what is described', () => {
  const expectDescribed = (...given: Parameters<typeof described>) => expect(described(...given)).toEqual([]);
  const list = { filterType: 'project', projectKey: 'OPS', columnsBy: 'statusDuration', pageSize: '5' };
  const metric = '[{"name":"Work","startAt":{"ids":["3"]},"stopAt":{"value":"Done"}}]';

  test.each([
    ['/rest/issue', { issueKey: 'OPS-3', columnsBy: 'statusDuration', fields: 'created' }],
    ['/rest/issue', { issueKey: 'WEB-1', columnsBy: 'durationBetweenStatuses', dbsMetrics: metric }],
    ['/rest/issue/expanded', { issueKey: 'OPS-3' }],
    [
      '/rest/issue/expanded',
      { issueKey: 'WEB-1', columnsBy: 'anyFieldDurationExpanded', historyFields: 'assignee,status' },
    ],
    ['/rest/issues', { ...list, groupByFields: 'priority' }],
    ['/rest/issues', { ...list, columnsBy: 'statusDurationByAssignee' }],
    ['/rest/issues/v2', list],
    ['/rest/issues/v2', { ...list, outputType: 'jsonSimplified' }],
    ['/rest/issues/aggregation', { ...list, aggregationType: 'percentile' }],
    [
      '/rest/issues/aggregation',
      { ...list, aggregationType: 'standardDeviation', groupByFields: 'priority' },
    ],
    ['/rest/issues/weekly', { filterType: 'project', projectKey: 'WEB' }],
    ['/rest/statuses', {}],
    ['/rest/calendars', {}],
    ['/rest/calendars/search', {}],
    ['/rest/parameterSets', {}],
    ['/rest/formatSettings', {}],
    ['/rest/smallexport', { ...list, outputType: 'JSON' }],
    ['/rest/export', {}],
    ['/rest/delegation/api/1.0/delegation/getDelegates', { delegator: 'ada', category: 'general' }],
    ['/rest/delegation/api/1.0/delegation/getDelegators', { delegate: 'ada', category: 'general' }],
    ['/rest/delegation/api/1.0/delegation/getCoverage', {}],
    ['/rest/delegation/api/1.0/delegation', { includeExpired: 'true' }],
    ['/rest/delegation/api/1.0/category', {}],
    ['/healthz', {}],
    ['/readyz', {}],
  ] as [string, Record<string, string>][])('%s %j', async (path, parameters) => {
    const answer = await dwell.get(path, parameters);
    expect(answer.status).toBe(200);
    expectDescribed(path, 'get', answer);
  });

  test('of what is saved, too', async () => {
    const parameters = { reportType: 'statusDuration' };
    const saved = await dwell.postJson('/rest/parameterSets', { name: 'Described', parameters });
    expectDescribed('/rest/parameterSets', 'post', saved);
    const verdict = await dwell.postJson('/rest/parameterSets/validate', parameters);
    expectDescribed('/rest/parameterSets/validate', 'post', verdict);
  });

  test('and of failures', async () => {
    expectDescribed('/rest/issue', 'get', await dwell.get('/rest/issue'));
    expectDescribed('/rest/issue', 'get', await dwell.get('/rest/issue', {}, {}));
    const base = '/rest/delegation/api/1.0';
    for (const headers of [undefined, {}]) {
      const path = `${base}/delegation/getDelegates`;
      expectDescribed(path, 'get', await dwell.get(path, {}, headers));
      const record = await dwell.get(`${base}/delegation/x`, {}, headers);
      expectDescribed(`${base}/delegation/{id}`, 'get', record);
    }
  });
});
