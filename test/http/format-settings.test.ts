import { expect, test } from '#jest';
import { suiteDwell } from '../support/suite-dwell.ts';

const dwell = suiteDwell();

const boss = () => dwell.as('ada', { admin: true });
const defaults = { dateFormat: 'dd/MMM/yy', dateTimeFormat: 'dd/MMM/yy h:mm a' };

test('the patterns are told, replaced, and used by every report', async () => {
  await boss().putJson('/rest/formatSettings', defaults);
  expect((await dwell.get('/rest/formatSettings')).json).toEqual(defaults);
  const wanted = { dateFormat: 'yyyy.MM.dd', dateTimeFormat: "yyyy.MM.dd HH'h'mm" };
  const { status, json } = await boss().putJson('/rest/formatSettings', wanted);
  expect([status, json]).toEqual([200, wanted]);
  expect((await dwell.get('/rest/formatSettings')).json).toEqual(wanted);
  const report = (more: Record<string, string> = {}) =>
    dwell.get('/rest/issue', { issueKey: 'WEB-1', columnsBy: 'statusDuration', fields: 'created', ...more });
  const told = (await report()).json;
  expect(told).toMatchObject({ ...wanted, reportDate: '2026.03.18 13h00' });
  expect(told.table.body.rows[0].fieldColumns[0].value).toMatch(/^\d{4}\.\d\d\.\d\d \d\dh\d\d$/);
  const once = (await report({ dateTimeFormat: 'yyyy' })).json;
  expect(once).toMatchObject({ dateFormat: 'yyyy.MM.dd', dateTimeFormat: 'yyyy', reportDate: '2026' });
});

test.each([
  [{ dateFormat: 'yyyy' }, 'dateTimeFormat is required. Try: a text.'],
  [{ dateFormat: 1, dateTimeFormat: 'yyyy' }, "dateFormat '1' is of the wrong kind. Try: a text."],
] as [object, string][])('%j is refused', async (body, sentence) => {
  const { status, json } = await boss().putJson('/rest/formatSettings', body);
  expect([status, json.messages]).toEqual([400, [sentence]]);
});
