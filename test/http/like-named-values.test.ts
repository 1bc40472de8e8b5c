import { read as readWorkbook, utils } from '@e965/xlsx';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { exportFile, jiraIssue } from '../support/jira-export.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';

type Json = Awaited<ReturnType<TestDwell['get']>>['json'];

describe('values of one name', () => {
  let place: TestDwell;
  const person = (accountId: string) => ({ accountId, displayName: 'Kim Lee' });
  const twin = (number: number, id: string, fields: object) => {
    const issue = jiraIssue(`TWIN-${number}`, { created: '2026-03-02T09:00:00Z' }).onCloud();
    const working = { id, name: 'Review', statusCategory: { key: 'indeterminate' } };
    return { ...issue, fields: { ...issue.fields, status: working, ...fields } };
  };
  beforeAll(async () => {
    place = await startDwell({ at: '2026-03-18T12:00:00Z' });
    await place.types(
      'import',
      exportFile([
        twin(1, '31', { assignee: person('kim-1'), fixVersions: [{ id: '901', name: '1.0' }] }),
        twin(2, '32', { assignee: person('kim-2'), fixVersions: [{ id: '902', name: '1.0' }] }),
        twin(3, '32', { assignee: person('kim-2'), fixVersions: [{ id: '903', name: '2.0' }] }),
        twin(4, '32', { assignee: { accountId: 'bo', displayName: 'Bo' }, fixVersions: [] }),
      ]),
    );
  });
  afterAll(() => place.stop());

  const asked = (groupByFields: string) => ({
    ...{ filterType: 'project', projectKey: 'TWIN', columnsBy: 'statusDuration' },
    ...{ groupByFields, aggregationType: 'average' },
  });
  const groupsIn = (json: Json) =>
    json.table.body.rows.map(({ groupByColumns }: Json) => groupByColumns[0].value);

  test.each([
    ['status', ['Review (31)', 'Review (32)']],
    ['assignee', ['Bo', 'Kim Lee (kim-1)', 'Kim Lee (kim-2)']],
    ['fixVersions', ['1.0 (901)', '1.0 (902)', '2.0', '-']],
  ])('are told apart as groups by %s', async (field, groups) => {
    const { json } = await place.get('/rest/issues/aggregation', asked(field));
    expect(groupsIn(json)).toEqual(groups);
    const { text } = await place.get('/rest/issues/aggregation', { ...asked(field), outputType: 'csv' });
    const lines = text.trim().split('\r\n').slice(1);
    expect(lines.map((line) => line.split(',')[0]?.replaceAll('"', ''))).toEqual(groups);
    expect(json.table.header.valueColumns.map(({ value }: Json) => value)).toEqual([
      'Review (31)',
      'Review (32)',
    ]);
  });

  test('are told apart in grouped lists', async () => {
    const { aggregationType: _, ...list } = asked('assignee');
    for (const path of ['/rest/issues', '/rest/issues/v2']) {
      const { json } = await place.get(path, list);
      const groups = ['Bo', 'Kim Lee (kim-1)', 'Kim Lee (kim-2)', 'Kim Lee (kim-2)'];
      expect(groupsIn(json)).toEqual(groups);
      const { json: first } = await place.get(path, { ...list, pageSize: '2' });
      expect(groupsIn(first)).toEqual(groups.slice(0, 2));
      const { nextPageToken = '' } = first;
      const next = nextPageToken === '' ? { startIssueIndex: '2' } : { nextPageToken };
      const { json: second } = await place.get(path, { ...list, pageSize: '2', ...next });
      expect(groupsIn(second)).toEqual(groups.slice(2));
    }
  });

  test.each(['XLSX', 'XLS'])('are told apart in every sheet of an export as %s', async (outputType) => {
    const { aggregationType: _, ...list } = asked('assignee');
    const query = new URLSearchParams({ ...list, outputType });
    const answer = await fetch(`${place.url}/rest/smallexport?${query}`, {
      headers: await place.headerOf('ada'),
    });
    const { SheetNames, Sheets } = readWorkbook(Buffer.from(await answer.arrayBuffer()));
    const valuesOf = (name: string) => {
      const [titles = [], ...rows] = utils.sheet_to_json<string[]>(Sheets[name] ?? {}, { header: 1 });
      return rows.map((row) => row[titles.indexOf('Assignee')]);
    };
    const groups = ['Bo', 'Kim Lee (kim-1)', 'Kim Lee (kim-2)'];
    expect(valuesOf('Average')).toEqual(groups);
    expect(valuesOf('Sum')).toEqual(groups);
    expect(valuesOf('List')).toEqual([...groups, 'Kim Lee (kim-2)']);
    expect(SheetNames).toEqual(expect.arrayContaining(['List', 'Average', 'Sum']));
  });

  test('are told apart in a week', async () => {
    const { json } = await place.get('/rest/issues/weekly', {
      ...{ filterType: 'project', projectKey: 'TWIN', timeZone: 'UTC' },
    });
    expect(json.statuses.map(({ name }: Json) => name)).toEqual(['Review (31)', 'Review (32)']);
  });
});
