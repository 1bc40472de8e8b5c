import { describe, expect, test } from '#jest';
import { keysIn } from '../support/listed-keys.ts';
import { suiteDwell } from '../support/suite-dwell.ts';

const dwell = suiteDwell();

const question = { filterType: 'project', projectKey: 'WEB', columnsBy: 'statusDuration', pageSize: '3' };
const asForm = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('where parameters stand', () => {
  test('a query string, a form and both together are the same question', async () => {
    const { json } = await dwell.get('/rest/issues/v2', question);
    const form = await dwell.post('/rest/issues/v2', question);
    const { columnsBy, ...rest } = question;
    const mixed = await dwell.post(`/rest/issues/v2?columnsBy=${columnsBy}`, rest);
    expect(keysIn(json)).toHaveLength(3);
    expect(keysIn(form.json)).toEqual(keysIn(json));
    expect(keysIn(mixed.json)).toEqual(keysIn(json));
  });

  test('names and words are matched in any case', async () => {
    const { status, json } = await dwell.get('/rest/issues', {
      FILTERTYPE: 'PROJECT',
      projectkey: 'web',
      ColumnsBy: 'STATUSDURATION',
      PAGESIZE: '2',
      viewformat: 'Hours',
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({ columnsBy: 'statusDuration', viewFormat: 'hours', pageSize: 2 });
  });

  test('unknown parameters are ignored, and so are empty ones', async () => {
    const { status, json } = await dwell.get('/rest/issues', { ...question, colour: 'red', calendar: '' });
    expect(status).toBe(200);
    expect(json.calendar.name).toBe('normalHours');
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'a parameter called %s is one more unknown parameter',
    async (name) => {
      const { status } = await dwell.post(`/rest/issues?${name}=1&${name}[a]=2`, {
        ...question,
        [name]: '3',
      });
      expect(status).toBe(200);
    },
  );
});

describe('a JSON object', () => {
  const ask = (body: unknown, path = '/rest/issues/v2') => dwell.postJson(path, body);

  test('holds the same parameters as a form, numbers, flags and lists as they are', async () => {
    const form = await dwell.post('/rest/issues/v2', {
      ...question,
      fields: 'priority,issuetype',
      statuses: '3,10002',
      includeDeletedStatuses: 'true',
    });
    const { status, json } = await ask({
      ...question,
      PAGESIZE: 3,
      pageSize: undefined,
      fields: ['priority', 'issuetype'],
      statuses: [3, '10002'],
      includeDeletedStatuses: true,
      calendar: null,
      paramSetId: '',
      nextPageToken: [],
    });
    expect(status).toBe(200);
    expect({ ...json, nextPageToken: '' }).toEqual({ ...form.json, nextPageToken: '' });
    const { columnsBy, ...rest } = question;
    const mixed = await ask(rest, `/rest/issues?columnsBy=${columnsBy}`);
    expect(keysIn(mixed.json)).toEqual(keysIn(json));
  });

  test('holds what is JSON within a form as it is, or as its text', async () => {
    const metrics = [{ name: 'Work', startAt: { ids: [3] }, stopAt: { ids: ['10002'] } }];
    const asked = { ...question, columnsBy: 'durationBetweenStatuses' };
    const plain = await ask({ ...asked, dbsMetrics: metrics });
    expect(plain.json.table.header.valueColumns).toEqual([
      { id: 'Work', value: 'Work', isConsolidated: false },
    ]);
    const text = await ask({ ...asked, dbsMetrics: JSON.stringify(metrics) });
    expect(text.json.table).toEqual(plain.json.table);
    const merged = { name: 'Active', statuses: [3, 10000] };
    const consolidated = await ask({ ...question, consolidatedStatuses: [merged] });
    expect(consolidated.json.table.header.valueColumns).toContainEqual(
      expect.objectContaining({ value: 'Active', isConsolidated: true }),
    );
  });

  test('is taken by every report and export that takes a form', async () => {
    const asked = { filterType: 'project', projectKey: 'WEB', columnsBy: 'statusDuration' };
    for (const [path, more] of [
      ['/rest/issues', {}],
      ['/rest/list2', {}],
      ['/rest/aggregation', { aggregationType: 'median' }],
      ['/rest/issues/weekly', {}],
      ['/rest/smallexport', { outputType: 'CSV' }],
      ['/rest/export/status', { outputType: 'CSV', async: false }],
      ['/rest/export', { outputType: 'XLSX' }],
    ] as const) {
      const { columnsBy: _, ...weekly } = asked;
      const { status, json } = await ask({ ...(path.endsWith('weekly') ? weekly : asked), ...more }, path);
      expect([path, status, json?.messages]).toEqual([path, 200, undefined]);
    }
  });

  test('names what nobody reads, and may hold the token', async () => {
    const { json } = await ask({ ...question, calender: 'Berlin', colours: [] });
    expect(json.ignoredParameters).toEqual(['calender', 'colours']);
    const tisjwt = (await dwell.headerOf('ada')).Authorization.slice('TISJWT '.length);
    const asJson = { 'Content-Type': 'application/json; charset=utf-8' };
    const own = JSON.stringify({ ...question, tisjwt });
    expect((await dwell.send('POST', '/rest/issues', asJson, own)).status).toBe(200);
    const none = await dwell.send('POST', '/rest/issues', asJson, JSON.stringify(question));
    expect([none.status, none.json.messages[0]]).toEqual([401, 'tisjwt is required for authentication.']);
  });

  test.each([
    ['[1]', "The body '[1]' is of the wrong kind. Try: an object."],
    ['"x"', "The body 'x' is of the wrong kind. Try: an object."],
    ['null', "The body 'null' is of the wrong kind. Try: an object."],
    ['{"pageSize": 3', 'The body is not JSON.'],
    [
      '{"viewFormat": ["days", "hours"]}',
      "viewFormat is given twice, as 'days' and as 'hours'. Try: one value.",
    ],
    [
      '{"viewFormat": {"unit": "days"}}',
      `viewFormat '{"unit":"days"}' is not known. Try: days, hours, minutes, seconds, humanReadable.`,
    ],
    ['{"pageSize": "many"}', "pageSize 'many' is not allowed. Try: a whole number from 1 to 1000."],
  ])('%s is refused', async (body, sentence) => {
    const headers = { ...(await dwell.headerOf('ada')), 'Content-Type': 'application/json' };
    const { pageSize: _, ...rest } = question;
    const { status, json } = await dwell.send(
      'POST',
      `/rest/issues?${new URLSearchParams(rest)}`,
      headers,
      body,
    );
    expect([status, json.messages]).toEqual([400, [sentence]]);
  });
});

describe('what clients of the compatible product send', () => {
  test('a screen’s form is answered as the list it asks for', async () => {
    const { status, json } = await dwell.post('/rest/tis/report/1.0/api/list', {
      filterType: 'project',
      user: 'ada',
      projectKey: 'WEB',
      jqlFilterID: '',
      sprintID: '',
      boardID: '',
      customJql: '',
      columnsBy: 'statusDuration',
      calendar: '1',
      dayLength: 'calendarDays',
      viewFormat: 'days',
      pageSize: '3',
      dateType: 'period',
      startDate: '',
      dateRangeField: 'created',
      trimHistoryStartDate: '',
      startIssueIndex: '0',
      includeDeletedStatuses: 'true',
      outputType: 'tableList',
      dataBar: 'false',
      dbsMetrics: '[]',
      multiVisitBehavior: 'total',
      visitCounts: 'false',
      averageDenominator: 'nonNull',
    });
    expect(status).toBe(200);
    expect(json.ignoredParameters).toEqual([
      'boardID',
      'dateType',
      'dataBar',
      'averageDenominator',
      // The screen sends them whatever the filter and the dates are.
      'user',
      'dateRangeField',
    ]);
    const own = await dwell.get('/rest/issues', {
      ...question,
      calendar: '1',
      viewFormat: 'days',
      dayLength: '24HourDays',
      includeDeletedStatuses: 'true',
    });
    expect(json.table).toEqual(own.json.table);
  });

  test.each([
    ['issue', '/rest/issue', { issueKey: 'WEB-1', columnsBy: 'statusDuration', pageSize: '' }],
    ['list', '/rest/issues', question],
    ['list2', '/rest/issues/v2', { ...question, pageSize: '1000' }],
    ['aggregation', '/rest/issues/aggregation', { ...question, aggregationType: 'sum', pageSize: '' }],
  ])('/rest/tis/report/1.0/api/%s is %s', async (name, path, parameters) => {
    const alias = `/rest/tis/report/1.0/api/${name}`;
    const { json } = await dwell.get(path, parameters);
    const { status, json: told } = await dwell.get(alias, parameters);
    expect([status, told]).toEqual([200, json]);
    const posted = await dwell.post(alias, parameters);
    expect([posted.status, posted.json.table]).toEqual(
      name === 'issue' ? [405, undefined] : [200, json.table],
    );
  });

  test.each(['dbsMetrics', 'consolidatedStatuses', 'statuses', 'fields', 'groups', 'historyFields'])(
    'an empty list of %s is none',
    async (name) => {
      const { json } = await dwell.get('/rest/issues', question);
      for (const empty of ['[]', ' [ ] ']) {
        const { status, json: told } = await dwell.get('/rest/issues', { ...question, [name]: empty });
        expect([empty, status, told]).toEqual([empty, 200, json]);
      }
    },
  );

  test('is refused where the report needs the list', async () => {
    const needs = async (columnsBy: string, name: string) => {
      const { status, json } = await dwell.get('/rest/issues', { ...question, columnsBy, [name]: '[]' });
      return [status, json.messages];
    };
    expect(await needs('durationBetweenStatuses', 'dbsMetrics')).toEqual([
      400,
      ['dbsMetrics is required with columnsBy durationBetweenStatuses.'],
    ]);
    expect(await needs('anyFieldDuration', 'historyFields')).toEqual([
      400,
      ['historyFields is required with columnsBy anyFieldDuration.'],
    ]);
  });
});

describe('a parameter given twice', () => {
  const ask = (query: string) => dwell.get(`/rest/issues?${new URLSearchParams(question)}&${query}`);

  test('is a list where it is one', async () => {
    const { json } = await ask('fields=priority&fields=issuetype,labels&fields=priority');
    expect(json.table.header.fieldColumns.map((column: { id: string }) => column.id)).toEqual([
      'priority',
      'issuetype',
      'labels',
    ]);
  });

  test('may repeat itself, but not contradict itself', async () => {
    expect((await ask('viewFormat=days&VIEWFORMAT=days')).status).toBe(200);
    const { status, json } = await ask('viewFormat=days&viewformat=hours');
    expect(status).toBe(400);
    expect(json.messages).toEqual(["viewFormat is given twice, as 'days' and as 'hours'. Try: one value."]);
  });

  test('is also told when query string and form differ', async () => {
    const { json } = await dwell.post('/rest/issues?projectKey=APP', question);
    expect(json.messages).toEqual(["projectKey is given twice, as 'APP' and as 'WEB'. Try: one value."]);
  });
});

describe('statuses as screens of the compatible product send them', () => {
  const ask = (query: string) => dwell.get(`/rest/issues?${new URLSearchParams(question)}&${query}`);

  test('are a list of ids', async () => {
    const { json } = await ask(
      'statuses%5B0%5D.id=3&statuses%5B0%5D.type=std&statuses[1].id=10002&statuses[1].type=STD',
    );
    expect(json.table.header.valueColumns.map((column: { id: string }) => column.id)).toEqual(['3', '10002']);
  });

  test('of another type are refused', async () => {
    const { status, json } = await ask('statuses[0].id=3&statuses[0].type=consolidated');
    expect(status).toBe(400);
    expect(json.messages).toEqual(["statuses[0].type 'consolidated' is not known. Try: std."]);
  });
});

describe('what is wrong is also told by parameter', () => {
  const refused = async (parameters: Record<string, string>, path = '/rest/issues') => {
    const { status, json } = await dwell.get(path, { ...question, ...parameters });
    expect(Object.values(json.errors).join(' ')).toBe(json.messages.join(' '));
    return [status, json.errors];
  };

  test.each([
    [{ viewFormat: 'weeks', pageSize: '0' }, ['viewFormat', 'pageSize']],
    [{ projectKey: 'NOPE' }, ['projectKey']],
    [{ columnsBy: 'nonsense' }, ['columnsBy']],
    [{ columnsBy: 'durationBetweenStatuses' }, ['dbsMetrics']],
    [{ startDate: '2026-03-02', endDate: '2026-03-01' }, ['endDate']],
    [{ fields: 'colour' }, ['fields']],
    [{ calendar: 'Mars' }, ['calendar']],
    [{ filterType: 'customjql', customjql: 'status =' }, ['customjql']],
    [{ statuses: 'nonsense' }, ['statuses']],
    [{ viewFormat: 'days', dayLength: 'businessDays', calendar: '1' }, ['dayLength']],
  ])('%j', async (parameters, names) => {
    const [status, errors] = await refused(parameters as unknown as Record<string, string>);
    expect([status, Object.keys(errors)]).toEqual([400, names]);
  });

  test('where it is not found as well', async () => {
    const [status, errors] = await refused({ issueKey: 'WEB-0' }, '/rest/issue');
    expect([status, Object.keys(errors)]).toEqual([404, ['issueKey']]);
  });

  test('and by member of a JSON body, or of it all', async () => {
    const boss = dwell.as('ada', { admin: true });
    const formats = await boss.putJson('/rest/formatSettings', { dateFormat: 'jj', dateTimeFormat: 'yyyy' });
    expect(formats.json.errors).toEqual({ dateFormat: formats.json.messages[0] });
    const calendar = { name: '', timeZone: 'Mars', workingTimes: [{ weekday: 'MONDAY', start: -1, end: 1 }] };
    const wrong = await boss.postJson('/rest/calendars', calendar);
    expect(Object.keys(wrong.json.errors)).toEqual(['name', 'timeZone', 'workingTimes[0].start']);
    const { json } = await dwell.postJson('/rest/reportSettings', [1]);
    expect(json.errors).toEqual({ body: json.messages[0] });
  });

  test('and of nothing else', async () => {
    expect((await dwell.get('/rest/issue', {}, {})).json).not.toHaveProperty('errors');
    const { json } = await dwell.get('/rest/issues?%zz=1');
    expect([json.status, json.errors]).toEqual([400, undefined]);
  });
});

describe('what is not UTF-8 is refused where it stands', () => {
  test.each(['%zz', '%E0%A4%A', '%ff', '%'])('%s in a query string', async (text) => {
    const { status, json } = await dwell.get(`/rest/issues?columnsBy=${text}`);
    expect(status).toBe(400);
    expect(json.messages).toEqual([
      "columnsBy in the query string has a percent-encoding that is not UTF-8, such as '%zz'.",
    ]);
  });

  test('in a form', async () => {
    const { status, json } = await dwell.send(
      'POST',
      '/rest/issues',
      { ...asForm, ...(await dwell.headerOf('ada')) },
      'columnsBy=%ff',
    );
    expect(status).toBe(400);
    expect(json.messages).toEqual([
      "columnsBy in the form has a percent-encoding that is not UTF-8, such as '%zz'.",
    ]);
  });

  test('in a path', async () => {
    const { status, json } = await dwell.get('/rest/reportSettings/%zz');
    expect(status).toBe(400);
    expect(json.messages).toEqual(["The path has a percent-encoding that is not UTF-8, such as '%zz'."]);
  });
});

test('a huge value is not sent back whole', async () => {
  const { status, text } = await dwell.post('/rest/issues', { ...question, viewFormat: 'x'.repeat(900_000) });
  expect(status).toBe(400);
  expect(text.length).toBeLessThan(1000);
});

describe('the token', () => {
  const token = async () => (await dwell.headerOf('ada')).Authorization.slice('TISJWT '.length);

  test('may be a field of the form', async () => {
    const { status } = await dwell.post('/rest/issues', { ...question, TISJWT: await token() }, {});
    expect(status).toBe(200);
  });

  test('is needed whatever the type of the body', async () => {
    const bodies = [
      {},
      asForm,
      { 'Content-Type': 'application/json' },
      { 'Content-Type': 'text/plain' },
    ] as Record<string, string>[];
    for (const path of ['/rest/issues', '/rest/calendars', '/rest/reportSettings/validate']) {
      for (const headers of bodies) {
        for (const body of ['', '{}']) {
          const { status, json } = await dwell.send('POST', path, headers, body);
          expect({ path, headers, body, status }).toEqual({ path, headers, body, status: 401 });
          expect(json.messages[0]).toBe('tisjwt is required for authentication.');
        }
      }
    }
  });

  test('in the header goes first', async () => {
    const { status } = await dwell.post('/rest/issues?tisjwt=nonsense', { ...question, tisjwt: 'nonsense' });
    expect(status).toBe(200);
  });
});
