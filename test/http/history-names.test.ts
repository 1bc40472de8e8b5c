import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test } from '#jest';
import { fixture } from '../support/fixture.ts';
import { exportFile, searchResult } from '../support/jira-export.ts';
import { testOnSqlite } from '../support/on-sqlite.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { imported, onDataCenter, stopDwell, withEntries } from './imported-histories.ts';

afterEach(stopDwell);

describe('of two imports', () => {
  const item = { field: 'Flagged', fieldtype: 'custom', fieldId: 'customfield_1', from: null, to: null };
  const flagged = withEntries(onDataCenter('FLG-1'), {
    customfield_1: [{ id: '10019', value: 'Impediment' }],
  });
  const unflagged = withEntries(
    onDataCenter('FLG-2'),
    { customfield_1: null },
    { ...item, fromString: 'Impediment', toString: null },
  );
  const oneColumn = { 'FLG-1': { Impediment: 240 }, 'FLG-2': { Impediment: 24 } };

  test.each([
    ['the first', flagged, unflagged],
    ['the second', unflagged, flagged],
  ])('%s may be the one that says which id a name in histories has', async (_, first, second) => {
    const { types, hours } = await imported([exportFile(searchResult(first))]);
    await types('import', exportFile(searchResult(second)));
    expect(await hours('customfield_1')).toEqual(oneColumn);
  });

  testOnSqlite.each([
    ['the first', flagged, unflagged],
    ['the second', unflagged, flagged],
  ])('%s may be, also where an earlier version did the first', async (_, first, second) => {
    const dataDir = temporaryFolder();
    await imported([exportFile(searchResult(first))], dataDir);
    await stopDwell();
    const database = new DatabaseSync(join(dataDir, 'dwell.db'));
    database.exec("DELETE FROM document WHERE kind = 'facts file' AND id = 'history values'");
    database.close();
    const { hours } = await imported([exportFile(searchResult(second))], dataDir);
    expect(await hours('customfield_1')).toEqual(oneColumn);
  });
});

test('a field of which only changelogs have the title is named by the import, with what to export', async () => {
  const file = fixture('cases/c5-flagged-data-center.json');
  const { names, ...nameless } = JSON.parse(readFileSync(file, 'utf8'));
  const { types, hours, trust, asked } = await imported([]);
  const line =
    "  histories of unknown fields: Flagged; export the issues again with expand=changelog,names, or import Jira's list of fields (GET /rest/api/2/field)";
  const before = await types('import', exportFile(nameless));
  expect(before.code).toBe(0);
  expect(before.lines).toContain(line);
  const json = await types('import', '--json', exportFile(nameless));
  expect(JSON.parse(json.lines.join('\n'))).toMatchObject({ unmatched: ['Flagged'] });
  const unknown = expect.stringMatching(
    /^The changes of customfield_10021 are unknown, because the changelogs have titles/,
  );
  const historyFields = 'customfield_10021';
  expect(await trust({ historyFields })).toEqual({ complete: false, notes: [unknown] });
  const grouped = { columnsBy: 'statusDuration', groupByFields: historyFields, pageSize: '20' };
  expect(await trust(grouped)).toEqual({ complete: true, notes: [] });
  for (const jql of ['customfield_10021 changed', 'cf[10021] was Impediment']) {
    const { status, json } = await asked({ customjql: jql });
    expect([status, json.messages.join(' ')]).toEqual([
      400,
      expect.stringMatching(
        /at position 0 has changes that are unknown, .*Try: import Jira's list of fields/,
      ),
    ]);
  }
  const earlier = '2026-03-04T09:00:00.000Z';
  expect(await trust({ ...grouped, asOf: earlier })).toEqual({ complete: false, notes: [unknown] });

  const after = await types('import', exportFile({ ...nameless, names }));
  expect(after.lines.join('\n')).not.toContain('unknown fields');
  expect(await hours('customfield_10021')).toMatchObject({ 'FLG-2': { Impediment: 192 } });
  expect((await asked({ customjql: 'customfield_10021 changed' })).status).toBe(200);
  expect(await trust({ historyFields })).toEqual({ complete: true, notes: [] });
  expect(await trust({ ...grouped, asOf: earlier })).toEqual({ complete: true, notes: [] });
});

describe('a custom field that is called like a field of every site', () => {
  const status = {
    field: 'status',
    fieldtype: 'jira',
    from: '14',
    fromString: 'To Do',
    to: '15',
    toString: 'Doing',
  };
  const traffic = {
    field: 'status',
    fieldtype: 'custom',
    from: '1',
    fromString: 'Green',
    to: '2',
    toString: 'Red',
  };
  const part = {
    field: 'Component',
    fieldtype: 'custom',
    from: null,
    fromString: '',
    to: null,
    toString: 'Wheel',
  };
  const done = {
    field: 'resolution',
    fieldtype: 'custom',
    from: null,
    fromString: '',
    to: '7',
    toString: 'Split',
  };
  const issue = withEntries(
    onDataCenter('DAT-1'),
    {
      status: { id: '15', name: 'Doing', statusCategory: { key: 'indeterminate', name: 'In Progress' } },
      customfield_10200: { id: '2', value: 'Red' },
      customfield_10201: 'Wheel',
      components: [],
    },
    status,
    traffic,
    part,
    done,
  );

  test('is another field, as long as nothing tells its id', async () => {
    const { hours, keys } = await imported([exportFile(searchResult(issue))]);
    expect(await hours('status')).toEqual({ 'DAT-1': { 'To Do': 24, Doing: 216 } });
    expect(await hours('status (custom)')).toEqual({ 'DAT-1': { Green: 48, Red: 192 } });
    expect(await hours('components')).toEqual({ 'DAT-1': {} });
    expect(await hours('resolution')).toEqual({ 'DAT-1': {} });
    expect(await keys('status was "Red"')).toContain('Red');
    expect(await keys('status changed')).toEqual(['DAT-1']);
    expect(await keys('resolution changed')).toEqual([]);
    expect(await keys('assignee changed')).toEqual([]);
  });

  test('has its history under its id where that is known, before or after the issues', async () => {
    const fields = [
      { id: 'customfield_10200', name: 'status', custom: true },
      { id: 'customfield_10201', name: 'Component', custom: true },
      { id: 'status', name: 'Status', custom: false },
      { id: 'components', name: 'Component/s', custom: false },
    ];
    const { hours, types } = await imported([exportFile(searchResult(issue))]);
    await types('import', exportFile(fields));
    expect(await hours('customfield_10200')).toEqual({ 'DAT-1': { Green: 48, Red: 192 } });
    expect(await hours('customfield_10201')).toEqual({ 'DAT-1': { Wheel: 168 } });
    expect(await hours('status')).toEqual({ 'DAT-1': { 'To Do': 24, Doing: 216 } });
    expect(await hours('components')).toEqual({ 'DAT-1': {} });
  });
});
