import { describe, expect, test } from '#jest';
import { suiteDwell } from '../support/suite-dwell.ts';

const dwell = suiteDwell();

const office = (name: string) => ({
  name,
  timeZone: 'UTC',
  workingTimes: [{ weekday: 'MONDAY', start: 0, end: 3_600_000 }],
  holidays: [],
});

test('a calendar cannot be called like the id of another one', async () => {
  const root = dwell.as('root', { admin: true });
  const answer = await root.postJson('/rest/calendars', office('105'));
  expect(answer.status).toBe(400);
  expect(answer.json.messages[0]).toMatch(/^name '105' reads like the id of a calendar/);
});

test('a member of a body that nobody reads is named, one of the answer itself is not', async () => {
  const root = dwell.as('root', { admin: true });
  const made = await root.postJson('/rest/calendars', office('Office'));
  expect(made.headers.get('x-ignored-parameters')).toBeNull();
  const path = `/rest/calendars/${made.json.id}`;
  const wrong = await root.putJson(path, { workingtimes: [], Name: 'New' });
  expect(wrong.headers.get('x-ignored-parameters')).toBe('workingtimes, Name');
  const same = await root.putJson(path, made.json);
  expect(same.headers.get('x-ignored-parameters')).toBeNull();
  expect(same.json).toEqual(made.json);
});

test('names of parameters nobody could quote do no harm', async () => {
  const name = `${'a'.repeat(199)}😀b`;
  expect((await dwell.get('/healthz', { [name]: '1' })).status).toBe(200);
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${i}${'漢'.repeat(198)}`, '1']));
  const { headers } = await dwell.post('/rest/issues', {
    ...many,
    filterType: 'project',
    projectKey: 'WEB',
    columnsBy: 'statusCount',
  });
  expect(headers.get('x-ignored-parameters')?.length).toBeLessThanOrEqual(1000);
});

describe('validating a parameter set', () => {
  const validate = async (parameters: Record<string, unknown>) =>
    (await dwell.postJson('/rest/parameterSets/validate', { parameters })).json;
  const good = { reportType: 'statusDuration', filterType: 'project', projectKey: 'WEB' };

  test.each([
    [{ calender: '3' }, "'calender' is not a parameter that a report takes."],
    [{ outputType: 'nonsense' }, "outputType 'nonsense' is not known"],
    [{ pageSize: 5000 }, "pageSize '5000' is not allowed"],
  ])('%j is refused as its use would be', async (more, sentence) => {
    const { valid, messages } = await validate({ ...good, ...more });
    expect(valid).toBe(false);
    expect(messages[0]).toContain(sentence);
  });

  test('what any report or export takes is valid', async () => {
    for (const more of [{}, { outputType: 'XLSX' }, { pageSize: 20 }, { aggregationType: 'sum' }]) {
      expect(await validate({ ...good, ...more })).toEqual({ valid: true, messages: [] });
    }
  });
});

test('dates no query can write are refused under the name they came with', async () => {
  const { status, json } = await dwell.get('/rest/issues', {
    filterType: 'project',
    projectKey: 'WEB',
    columnsBy: 'statusCount',
    startDate: '0001-01-01',
  });
  expect(status).toBe(400);
  expect(json.messages).toEqual(["startDate '0001-01-01' is out of reach. Try: dates from 1900 to 2999."]);
});
