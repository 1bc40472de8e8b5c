import { afterEach, describe, expect, test } from '#jest';
import type { FieldValue } from '../../src/model/issue.ts';
import { settleHistories } from '../../src/store/upgrades/packed-steps.ts';
import { migrations } from '../../src/store/upgrades/upgrade.ts';
import { fixture } from '../support/fixture.ts';
import { anIssue } from '../support/issue-story.ts';
import { exportFile, type RawIssue, searchResult } from '../support/jira-export.ts';
import { makeOlder } from '../support/older-store.ts';
import { testOnSqlite } from '../support/on-sqlite.ts';
import { openTestStore } from '../support/open-test-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ASOF, imported, onDataCenter, stopDwell, withEntries } from './imported-histories.ts';

afterEach(stopDwell);

describe('a field of several values', () => {
  test.each(['c4-flagged-two-columns', 'c5-flagged-data-center'])(
    'is one column whether a changelog or a field tells its value: %s',
    async (file) => {
      const { hours } = await imported([fixture(`cases/${file}.json`), fixture('cases/statuses.json')]);
      expect(await hours('customfield_10021')).toEqual({
        'FLG-1': { Impediment: 48 },
        'FLG-2': { Impediment: 192 },
        'FLG-3': { Impediment: 240 },
        'FLG-4': { Impediment: 48 },
      });
    },
  );

  test('is its set of values', async () => {
    const { hours } = await imported([fixture('cases/c5b-multi-select-history.json')]);
    expect(await hours('customfield_10060')).toEqual({
      'MUL-1': { North: 144, 'North, South': 48 },
      'MUL-2': { North: 240 },
      'MUL-3': { 'North, South': 240 },
    });
  });

  test('is the same set in whatever order a changelog names its values, and with commas in their names', async () => {
    const field = { field: 'Towns', fieldtype: 'custom', fieldId: 'customfield_1' };
    const both = [
      { id: '21', value: 'Bonn, Rhine' },
      { id: '20', value: 'Ulm' },
    ];
    const swapped = {
      from: '[21, 20]',
      fromString: 'Bonn, Rhine,Ulm',
      to: '[20, 21]',
      toString: 'Ulm,Bonn, Rhine',
    };
    const { hours } = await imported([
      exportFile(
        searchResult(
          withEntries(onDataCenter('TWN-1'), { customfield_1: both }, { ...field, ...swapped }),
          withEntries(onDataCenter('TWN-2'), { customfield_1: both.toReversed() }),
        ),
      ),
    ]);
    expect(await hours('customfield_1')).toEqual({
      'TWN-1': { 'Ulm, Bonn, Rhine': 240 },
      'TWN-2': { 'Ulm, Bonn, Rhine': 240 },
    });
  });

  test('is identified by the names of its values where a changelog has nothing else', async () => {
    const field = { field: 'Towns', fieldtype: 'custom', from: null, to: null };
    const { hours } = await imported([
      exportFile({
        ...searchResult(
          withEntries(
            onDataCenter('TWN-1'),
            { customfield_1: [{ id: '20', value: 'Ulm' }] },
            { ...field, fromString: null, toString: 'Ulm' },
          ),
        ),
        names: { customfield_1: 'Towns' },
      }),
    ]);
    expect(await hours('customfield_1')).toEqual({ 'TWN-1': { Ulm: 216 } });
  });

  test('is identified by names that hold commas themselves', async () => {
    const field = { field: 'Consent', fieldtype: 'custom', fieldId: 'customfield_1', from: null, to: null };
    const both = [
      { id: '20', value: 'Yes, always' },
      { id: '21', value: 'No' },
    ];
    const bare = (key: string, fromString: string) =>
      withEntries(onDataCenter(key), { customfield_1: null }, { ...field, fromString, toString: null });
    const { hours } = await imported([
      exportFile(
        searchResult(
          withEntries(onDataCenter('YES-1'), { customfield_1: both }),
          ...[bare('YES-2', 'Yes, always, No'), bare('YES-3', 'No,Yes, always'), bare('YES-4', 'Yes, No')],
        ),
      ),
    ]);
    expect(await hours('customfield_1')).toEqual({
      'YES-1': { 'Yes, always, No': 240 },
      'YES-2': { 'Yes, always, No': 24 },
      'YES-3': { 'Yes, always, No': 24 },
      'YES-4': { 'Yes, No': 24 },
    });
  });

  test('is one column over all issues, though an issue by itself does not say which ids its names have', async () => {
    const item = (from: string | null, to: string | null) => ({
      ...{ field: 'Towns', fieldtype: 'custom', from: null, fromString: from, to: null, toString: to },
    });
    const names = { customfield_1: 'Towns' };
    const nameless = [
      withEntries(
        onDataCenter('TWN-1'),
        { customfield_1: null },
        item(null, 'Ulm,Bonn'),
        item('Ulm,Bonn', null),
      ),
      withEntries(onDataCenter('TWN-2'), { customfield_1: null }, item('Ulm', null)),
    ];
    const both = [
      { id: '21', value: 'Bonn' },
      { id: '20', value: 'Ulm' },
    ];
    const { hours } = await imported([
      exportFile({
        ...searchResult(...nameless, withEntries(onDataCenter('TWN-3'), { customfield_1: both })),
        names,
      }),
    ]);
    expect(await hours('customfield_1')).toEqual({
      'TWN-1': { 'Ulm, Bonn': 24 },
      'TWN-2': { Ulm: 24 },
      'TWN-3': { 'Ulm, Bonn': 240 },
    });
  });
});

test('an epic is one column, though a changelog has its id and a field its key', async () => {
  const item = { field: 'Epic Link', fieldtype: 'custom', fieldId: 'customfield_10014' };
  const steps = { from: null, fromString: null, to: '10073', toString: 'EPC-1' };
  const { hours } = await imported([
    exportFile(
      searchResult(
        withEntries(onDataCenter('EPC-2'), { customfield_10014: 'EPC-1' }, { ...item, ...steps }),
        withEntries(onDataCenter('EPC-3'), { customfield_10014: 'EPC-1' }),
      ),
    ),
  ]);
  expect(await hours('customfield_10014')).toEqual({ 'EPC-2': { 'EPC-1': 216 }, 'EPC-3': { 'EPC-1': 240 } });
});

describe('a field of several values without ids', () => {
  const item = (field: string, from: string | null, to: string | null) => ({
    ...{ field, fieldtype: 'custom', fieldId: 'customfield_1' },
    ...{ from: null, fromString: from, to: null, toString: to },
  });
  const group = (name: string) => ({ name, self: 'x' });

  test.each<[string, string, RawIssue['fields'][string], string, string]>([
    ['labels', 'reef coral', ['coral', 'reef'], 'coral, reef', 'labels'],
    [
      'groups',
      '[reef crew, divers]',
      [group('divers'), group('reef crew')],
      'divers, reef crew',
      'multigrouppicker',
    ],
  ])('is its set of %s in every issue, also where it is empty now', async (_, logged, now, title, kind) => {
    const emptied = withEntries(
      onDataCenter('SET-1'),
      { customfield_1: null },
      item('Words', null, logged),
      item('Words', logged, ''),
    );
    const filled = withEntries(onDataCenter('SET-2'), { customfield_1: now });
    const expected = { 'SET-1': { [title]: 24 }, 'SET-2': { [title]: 240 } };

    const first = await imported([exportFile(searchResult(emptied, filled))]);
    expect(await first.hours('customfield_1')).toEqual(expected);
    await stopDwell();

    // Where no issue shows it, Jira's list of fields says what it holds, whenever it comes.
    const alone = await imported([exportFile(searchResult(emptied))]);
    await alone.types(
      'import',
      exportFile([
        {
          ...{ id: 'customfield_1', name: 'Words', custom: true },
          schema: {
            type: 'array',
            items: 'string',
            custom: `com.atlassian.jira.plugin.system.customfieldtypes:${kind}`,
          },
        },
      ]),
    );
    expect(await alone.hours('customfield_1')).toEqual({ 'SET-1': { [title]: 24 } });
  });
});

test('a name with a blank stays whole though no other name of its field has one', async () => {
  const item = { field: 'Channels', fieldtype: 'custom', fieldId: 'customfield_1', from: null, to: null };
  const { hours } = await imported([
    exportFile(
      searchResult(
        withEntries(
          onDataCenter('CHA-1'),
          { customfield_1: null },
          { ...item, fromString: 'Mobile App', toString: null },
        ),
        withEntries(onDataCenter('CHA-2'), { customfield_1: [{ name: 'Web' }, { name: 'Mobile' }] }),
      ),
    ),
  ]);
  expect(await hours('customfield_1')).toEqual({
    'CHA-1': { 'Mobile App': 24 },
    'CHA-2': { 'Mobile, Web': 240 },
  });
});

testOnSqlite('histories that were stored before are told alike after an upgrade', async () => {
  const dataDir = temporaryFolder();
  const stored = (
    key: string,
    field: FieldValue | readonly FieldValue[],
    ...steps: [FieldValue | null, FieldValue | null][]
  ) => {
    const { issue } = anIssue(key, '2026-11-02T09:00:00Z');
    const changes = steps.map(([from, to], i) => ({
      ...{ entry: String(i), item: 0, field: 'customfield_1', from, to, by: null },
      at: Date.parse(`2026-11-0${3 + i}T09:00:00Z`),
    }));
    return {
      ...issue,
      updated: Date.parse(ASOF),
      fields: { ...issue.fields, customfield_1: field },
      changes,
    };
  };
  const [ulm, bonn] = [
    { id: '20', name: 'Ulm' },
    { id: '21', name: 'Bonn' },
  ];
  const levels = 'Parent values: Hardware(7)Level 1 values: Laptop(9)';
  const store = await openTestStore(dataDir);
  await store.issues('file').putIssues(
    [
      stored(
        'TWN-1',
        [ulm, bonn],
        [
          { id: '[20]', name: 'Ulm' },
          { id: '[21, 20]', name: 'Bonn,Ulm' },
        ],
      ),
      stored('TWN-2', [bonn, ulm]),
      stored('TWN-3', ulm, [null, { id: levels, name: levels }], [{ id: levels, name: levels }, ulm]),
      stored(
        'TWN-4',
        [],
        [
          { id: '[20]', name: 'Ulm' },
          { id: '[]', name: '' },
        ],
      ),
    ],
    (_, incoming) => incoming,
  );
  await store.issues('file').putFilledAt(Date.parse(ASOF));
  store.close();
  await makeOlder(dataDir, migrations.indexOf(settleHistories));

  const { hours } = await imported([], dataDir);
  expect(await hours('customfield_1')).toEqual({
    'TWN-1': { Ulm: 24, 'Ulm, Bonn': 216 },
    'TWN-2': { 'Ulm, Bonn': 240 },
    'TWN-3': { 'Hardware → Laptop': 24, Ulm: 192 },
    'TWN-4': { Ulm: 24 },
  });
});
