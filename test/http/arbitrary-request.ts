import fc from 'fast-check';
import { routes } from '../../src/http/resources/index.ts';
import { anyCharacter } from '../support/any-character.ts';

/** A request as it is sent: its target is written as it stands. */
export interface AnyRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const good: Readonly<Record<string, string>> = {
  issueKey: 'EE-6',
  columnsBy: 'statusDuration',
  filterType: 'project',
  projectKey: 'EE',
  aggregationType: 'average',
  outputType: 'CSV',
  delegator: 'ada',
  delegate: 'bob',
  category: 'general',
};

const names = [...new Set(routes.flatMap(({ parameters }) => Object.keys(parameters.shape)))];

const oddNames = [
  '__proto__',
  'constructor',
  'toString',
  '',
  ' ',
  'statuses[0].id',
  'statuses[0].type',
  'tisjwt',
  'a[b][c]',
  'columnsBy\u0000',
];

const oddValues = [
  '',
  ' ',
  '0',
  '-1',
  '1e309',
  'NaN',
  '9'.repeat(400),
  '0x10',
  'true',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  '\u0000',
  '\ud83d\ude00',
  '\u202e\u200b',
  'a,b,,c,',
  ','.repeat(500),
  'x'.repeat(3000),
  '[]',
  '{}',
  '[{"name":"__proto__","stopAt":{"ids":["3"]}}]',
  '[{"name":"x","statuses":[]}]',
  `${'['.repeat(200)}${']'.repeat(200)}`,
  '[{"name":{"a":1}}]',
  '{"__proto__":{"a":1}}',
  '2026-02-30',
  '9999-12-31',
  '0000-01-01 00:00',
  '2026-01-05T09:30:00.000Z',
  '+275760-09-13T00:00:00.000Z',
  '0001-01-01T00:00:00Z',
  'status = Done',
  'status was "',
  'project = EE AND (((',
  `${'('.repeat(300)}status = Done${')'.repeat(300)}`,
  `status in (${'1,'.repeat(500)}1)`,
  'order by order by',
  'anyFieldDuration',
  'durationBetweenStatuses',
  'groupDuration',
  'timePeriodDurationByStatus',
  'statusDurationExpanded',
  'firstTransitionToStatusDate',
  'customjql',
  'jqlfilter',
  'sprint',
  'user',
  'Day',
  'percentile',
  'businessDays',
  'csv',
  'CSVSUM',
  'XLSX',
  'JSON',
  'XLS',
  "yyyy-MM-dd'",
  'y'.repeat(99),
  'calc:age,calc:leadTime',
  'assignee,status,summary,labels',
  'general',
  'GENERAL ',
  '2024-02-29 10:00:00',
  '2023-02-29 10:00:00',
  '0000-01-01 00:00:00',
  '0001-01-01 00:00:00',
  '9999-12-31 23:59:59',
  'true,false',
];

const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...oddValues) },
  { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.jsonValue().map((json) => JSON.stringify(json)) },
);

const name = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...names) },
  { weight: 1, arbitrary: fc.constantFrom(...oddNames) },
  { weight: 1, arbitrary: fc.string({ maxLength: 10 }) },
);

/** Percent-encodings as no sane client writes them; most pairs are written as they should be. */
const encoding = fc.constantFrom<(text: string) => string>(
  ...Array.from({ length: 20 }, () => encode),
  (text) => encode(text).replaceAll('%20', '+'),
  (text) => encode(text).toLowerCase(),
  (text) => `${encode(text)}%`,
  (text) => `%zz${encode(text)}`,
  (text) => `%C0%AF${encode(text)}`,
  (text) => `%ED%A0%80${encode(text)}`,
  (text) => encode(text).replaceAll('%', '%25'),
  (text) => `${encode(text)}=&=&&`,
);

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Mostly a good question with a few strange things in it, so that what lies behind the first check is reached. */
const pairs = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(name, value, encoding), { maxLength: 4 }), fc.boolean())
  .map(([startsGood, strange, twice]) => {
    const base = startsGood
      ? Object.entries(good).filter(([key]) => !strange.some(([own]) => own === key))
      : [];
    const odd = strange.map(([key, text, encoded]) => `${encode(key)}=${encoded(text)}`);
    return [...base.map(([key, text]) => `${key}=${text}`), ...odd, ...(twice ? odd.slice(0, 1) : [])].join(
      '&',
    );
  });

const id = fc.constantFrom(
  '1',
  '0',
  '99999999999999999999',
  '-1',
  'x',
  '00000000-0000-4000-8000-000000000000',
  '%00',
  '%zz',
  '__proto__',
  '..%2f..',
  '%2e%2e',
  'a'.repeat(2000),
);

const strayMethod = fc.constantFrom('HEAD', 'OPTIONS', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'M-SEARCH');

/** Mostly a method and a path that belong together. */
const target = fc.oneof(
  {
    weight: 16,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          ...routes.flatMap(({ methods, paths }) =>
            methods.flatMap((method) => paths.map((path) => ({ method: method.toUpperCase(), path }))),
          ),
        ),
        id,
      )
      .map(([{ method, path }, own]) => ({ method, path: path.replace(/:\w+/, own) })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      method: strayMethod,
      path: fc.constantFrom(...routes.flatMap(({ paths }) => paths)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      method: fc.constantFrom('GET', 'POST', 'PUT'),
      path: fc.constantFrom(
        '/rest',
        '/rest/',
        '//rest/issue',
        '/rest/issue/',
        '/REST/ISSUE',
        '/rest/%69ssue',
        '/rest/issue/../statuses',
        '/rest/issue%00',
        '/rest/%ff',
        '/%',
        '/__proto__',
        '/rest/calendars/1/2/3',
        `/rest/${'a/'.repeat(500)}`,
      ),
    }),
  },
);

const type = fc.oneof(
  { weight: 4, arbitrary: fc.constant('application/x-www-form-urlencoded') },
  { weight: 4, arbitrary: fc.constant('application/json') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '',
      'text/plain',
      'application/json; charset=utf-7',
      'application/json; charset="UTF-8"',
      'application/x-www-form-urlencoded;charset',
      'multipart/form-data; boundary=',
      ';;;',
      'application/json, text/html',
    ),
  },
);

const jsonBody = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc
    .record(
      {
        name: fc.oneof(fc.string({ unit: anyCharacter }), fc.jsonValue(), fc.constant('Office')),
        timeZone: fc.oneof(fc.string(), fc.constant('Europe/Berlin')),
        workingTimes: fc.array(
          fc.record({
            weekday: fc.constantFrom('MONDAY', 'funday', ''),
            start: fc.oneof(fc.double(), fc.integer({ min: 0, max: 86_400_000 })),
            end: fc.oneof(fc.double(), fc.integer({ min: 0, max: 86_400_000 })),
          }),
          { maxLength: 3 },
        ),
        holidays: fc.array(
          fc.record({ name: fc.string(), date: fc.constantFrom('2026-01-01', '2026-13-01', '') }),
          { maxLength: 2 },
        ),
        parameters: fc.oneof(fc.dictionary(name, fc.oneof(value, fc.jsonValue())), fc.jsonValue()),
        public: fc.oneof(fc.boolean(), fc.string()),
        ownerId: fc.constantFrom(null, 'ada', 'nobody', 1),
        dateFormat: value,
        dateTimeFormat: value,
      },
      { requiredKeys: [] },
    )
    .map((json) => JSON.stringify(json)),
  fc
    .record(
      {
        active: fc.oneof(fc.boolean(), fc.string()),
        delegator: fc.oneof(fc.constantFrom('ada', 'bob', 'ADA', 'nobody', '', '__proto__'), fc.jsonValue()),
        delegates: fc.oneof(
          fc.array(fc.constantFrom('bob', 'carl', 'nobody', '', '__proto__', 1, null), { maxLength: 3 }),
          fc.jsonValue(),
        ),
        categoryIds: fc.oneof(
          fc.array(fc.oneof(fc.integer(), fc.double()), { maxLength: 3 }),
          fc.jsonValue(),
        ),
        startDate: fc.constantFrom(
          '2026-12-18T18:00Z',
          '2026-12-18T18:00:00+0300',
          '2026-12-18',
          '',
          1,
          null,
        ),
        endDate: fc.constantFrom('2027-01-04T09:00+01:00', '9999-12-31T23:59-18:00', '2026-02-30T00:00Z'),
        notes: fc.oneof(fc.string({ unit: anyCharacter }), fc.jsonValue()),
        name: fc.constantFrom('Expense', 'General', '', ' ', 'x'.repeat(2000)),
        description: fc.oneof(fc.string(), fc.jsonValue()),
      },
      { requiredKeys: ['delegator', 'delegates', 'startDate', 'endDate'] },
    )
    .map((json) => JSON.stringify(json)),
  fc.constantFrom(
    '{',
    '[',
    '{"a":}',
    '\u0000',
    '{"__proto__":{"name":"x"}}',
    '['.repeat(5000),
    `{"name":${'9'.repeat(500)}}`,
  ),
);

const header = fc.constantFrom<Readonly<Record<string, string>>>(
  {},
  {},
  {},
  {},
  { authorization: 'TISJWT' },
  { authorization: 'TISJWT a.b.c' },
  { authorization: 'Bearer x' },
  { authorization: 'Basic' },
  { authorization: 'Basic YWRh' },
  { authorization: 'Basic YWRhOmEuYi5j' },
  { authorization: 'Basic /////w==' },
  { authorization: `TISJWT ${'x'.repeat(4000)}` },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'gzip, br' },
  { accept: 'application/xml' },
  { 'if-none-match': '*' },
  { range: 'bytes=0-10' },
  { cookie: '__proto__=1' },
  { 'x-http-method-override': 'DELETE' },
);

/** Any request that an HTTP client can send. */
export const anyRequest: fc.Arbitrary<AnyRequest> = fc
  .record({ at: target, query: pairs, form: pairs, json: jsonBody, type, header, which: fc.nat(3) })
  .map(({ at: { method, path }, query, form, json, type: mime, header: more, which }) => ({
    method,
    // Longer ones never get as far as a handler.
    target: `${path}${query === '' ? '' : `?${query}`}`.slice(0, 14_000),
    headers: { ...(mime === '' ? {} : { 'content-type': mime }), ...more },
    body: method !== 'POST' && method !== 'PUT' ? null : bodyOf(which, form, json),
  }));

function bodyOf(which: number, form: string, json: string): string {
  if (which === 0) return '';
  return which === 1 ? json : form;
}

const fine = 'GET /rest/statuses HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

/** Bytes that are hardly HTTP. */
export const anyBytes: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc
    .tuple(fc.nat(fine.length - 1), fc.uint8Array({ minLength: 1, maxLength: 4 }))
    .map(([at, bytes]) =>
      Buffer.concat([Buffer.from(fine.slice(0, at)), Buffer.from(bytes), Buffer.from(fine.slice(at))]),
    ),
  fc.nat(fine.length - 1).map((length) => Buffer.from(fine.slice(0, length))),
  fc
    .constantFrom(
      'GET / HTTP/9.9\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      'get /rest/statuses http/1.1\r\nHost: a\r\n\r\n',
      'GET  /rest/statuses  HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET /rest/ statuses HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET http://[::1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      'GET /rest/statuses HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
      'GET * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      'GET /\u00ff\u00fe HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      'POST /rest/issues HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
      'POST /rest/issues HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      'POST /rest/issues HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'POST /rest/issues HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      'POST /rest/issues HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: nonsense\r\n\r\n',
      'POST /rest/issues HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nshort',
      'GET /rest/statuses HTTP/1.1\r\nHost: a\r\nA: \u0000\r\n\r\n',
      'GET /rest/statuses HTTP/1.1\r\nHost: a\r\n : b\r\n\r\n',
      `GET /rest/statuses HTTP/1.1\r\nHost: a\r\nA: ${'b'.repeat(20_000)}\r\n\r\n`,
      `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: a\r\n${'A: b\r\n'.repeat(3000)}\r\n`,
      'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n',
      '\u0016\u0003\u0001\u0002\u0000\u0001\u0000',
    )
    .map((text) => Buffer.from(text, 'latin1')),
);
