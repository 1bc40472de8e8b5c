import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';

let dwell: TestDwell;
beforeAll(async () => {
  dwell = await startDwell();
});
afterAll(() => dwell.stop());

const question = { filterType: 'project', projectKey: 'WEB', columnsBy: 'statusDuration', pageSize: '3' };
const keysOf = (json: { table: { body: { rows: { headerColumns: { value: string }[] }[] } } }) =>
  json.table.body.rows.map((row) => row.headerColumns[0]?.value);
const asForm = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('where parameters stand', () => {
  test('a query string, a form and both together are the same question', async () => {
    const { json } = await dwell.get('/rest/issues/v2', question);
    const form = await dwell.post('/rest/issues/v2', question);
    const { columnsBy, ...rest } = question;
    const mixed = await dwell.post(`/rest/issues/v2?columnsBy=${columnsBy}`, rest);
    expect(keysOf(json)).toHaveLength(3);
    expect(keysOf(form.json)).toEqual(keysOf(json));
    expect(keysOf(mixed.json)).toEqual(keysOf(json));
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
    expect(json.messages).toEqual([
      "viewFormat is given twice, as 'days' and as 'hours'; allowed: one value.",
    ]);
  });

  test('is also told when query string and form differ', async () => {
    const { json } = await dwell.post('/rest/issues?projectKey=APP', question);
    expect(json.messages).toEqual(["projectKey is given twice, as 'APP' and as 'WEB'; allowed: one value."]);
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
    expect(json.messages).toEqual(["statuses[0].type 'consolidated' is not known; allowed: std."]);
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
