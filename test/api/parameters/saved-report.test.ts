import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import {
  parametersOf,
  readParameters,
  savedKinds,
  savedNames,
  savedTexts,
} from '../../../src/api/parameters/saved-report.ts';
import type { SavedReport } from '../../../src/model/parameter-set.ts';
import { runs } from '../../support/soak.ts';

const project = { reportType: 'statusDuration', filterType: 'project', projectKey: 'WEB' };
const ofProject = { reportType: 'statusDuration', selection: { by: 'project', project: 'WEB' } };
const query = (customjql: string) => ({ filterType: 'customjql', customjql });

test('a report is told by our nouns, and its parameters are those that were given', () => {
  const parameters = {
    ...project,
    trimHistoryStartDate: '2026-03-01',
    asOf: '2026-03-02T10:00:00.000Z',
    calendar: 'Berlin',
    statuses: ['3', '10002'],
    consolidatedStatuses: [{ name: 'Active', statuses: ['3', '4'] }],
    includeDeletedStatuses: false,
    fields: ['priority', 'issuetype'],
    dbsMetrics: [
      { name: 'Lead time', startAt: { type: 'issueCreation' }, stopAt: { type: 'status', ids: ['5'] } },
      {
        name: 'Work',
        startAt: { type: 'status', ids: ['3'], visitType: 'last' },
        stopAt: { type: 'status', ids: ['5'], visitType: 'first' },
        pauseAt: { ids: ['4'] },
      },
    ],
    groupByFields: ['issuetype'],
    creditDelegates: ['Travel, hotels', 'general'],
    aggregationType: 'percentile',
    percentile: 90,
    viewFormat: 'hours',
    dayLength: 'businessDays',
    outputType: 'CSVSUM',
    pageSize: 3,
    async: true,
  };
  const report = readParameters(parameters);
  expect(parametersOf(report)).toEqual(parameters);
  expect(report).toMatchObject({
    ...ofProject,
    trim: { from: '2026-03-01' },
    asOf: Date.parse('2026-03-02T10:00:00Z'),
    statuses: ['3', '10002'],
    metrics: [
      { name: 'Lead time', from: { statuses: [] } },
      { pausedIn: ['4'], to: { visit: 'first' } },
    ],
    statistic: { type: 'percentile', percentile: 90 },
    look: { viewFormat: 'hours', outputType: 'CSVSUM', pageSize: 3, async: true },
  });
  expect(report).not.toHaveProperty('others');
});

test.each<[Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>]>([
  [
    { COLUMNSBY: ' statusCount', FilterType: 'Advanced', jqlFilterId: 7 },
    { reportType: 'statusCount', filterType: 'jqlfilter', jqlFilterID: '7' },
  ],
  [
    { fields: 'a, b,,a', statuses: [{ id: 3, type: 'std' }] },
    { statuses: ['3'], fields: ['a', 'b'] },
  ],
  [
    { pageSize: '3', includeDeletedStatuses: 'TRUE' },
    { includeDeletedStatuses: true, pageSize: 3 },
  ],
  [
    { dbsMetrics: '[{"name":"W","stopAt":{"value":"Done"}}]' },
    {
      dbsMetrics: [
        { name: 'W', startAt: { type: 'issueCreation' }, stopAt: { type: 'status', ids: ['Done'] } },
      ],
    },
  ],
  [{ creditDelegates: 'true' }, { creditDelegates: true }],
  [{ creditDelegates: '"true"' }, { creditDelegates: ['"true"'] }],
  [
    { dateRangeField: 'resolution', endDate: '2026-01-05' },
    { dateRangeField: 'resolved', endDate: '2026-01-05' },
  ],
  // Of a name that was given twice, the one that counts.
  [{ columnsBy: 'statusCount', reportType: 'statusDuration' }, { reportType: 'statusCount' }],
])('%j is %j', (given, canonical) => {
  const report = readParameters(given);
  expect(report).not.toHaveProperty('others');
  expect(parametersOf(report)).toEqual(canonical);
});

test.each<[Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>]>([
  [{ viewFormat: 'weeks' }, {}],
  [{ ownScreen: { a: [1, null] }, user: null, paramSetId: 'x', visitCounts: true }, {}],
  [{ outputType: 'tableList' }, {}],
  [{ filterType: 'sprint' }, {}],
  [{ startDate: '2026-03-01', dateRangeField: 'moved' }, {}],
  [{ dbsMetrics: [{ name: 'No end' }], percentile: 101, groups: [] }, {}],
  [{ ...project, user: 'bob' }, ofProject],
])('of %j what is no part of a report stays beside it', (given, read) => {
  const report = readParameters(given);
  const others = Object.entries(given).filter(([name]) => (read === ofProject ? name === 'user' : true));
  expect(report).toEqual({ ...read, others: Object.fromEntries(others) });
  expect(parametersOf(report)).toEqual(given);
});

describe('a time that moves', () => {
  test.each<[string, SavedReport]>([
    [
      '(project = "WEB") AND created >= -30d',
      {
        selection: { by: 'project', project: 'WEB' },
        range: { field: 'created', when: { by: 'days', days: 30 } },
      },
    ],
    [
      '(key in (WEB-1, WEB-2)) AND updated >= startOfQuarter("-1") AND updated < startOfQuarter()',
      {
        selection: { by: 'keys', keys: ['WEB-1', 'WEB-2'] },
        range: { field: 'updated', when: { by: 'period', period: 'quarter', back: 1 } },
      },
    ],
    [
      '(a = 1 OR b = ")") AND resolved >= startOfYear()',
      {
        selection: { by: 'jql', jql: 'a = 1 OR b = ")"' },
        range: { field: 'resolved', when: { by: 'period', period: 'year', back: 0 } },
      },
    ],
  ])('%s', (jql, report) => {
    expect(readParameters(query(jql))).toEqual(report);
    expect(parametersOf(report)).toEqual(query(jql));
  });

  test.each([
    '(a = 1) OR (b = 2) AND created >= -30d',
    '(a = 1) AND created >= -030d',
    '(a = 1) AND created >= -30d ORDER BY key',
    '(a = 1) AND created >= startOfMonth("-1")',
    '(a = 1) AND moved >= -30d',
    '() AND created >= -30d',
    'created >= -30d',
  ])('%s is a query like any other', (jql) => {
    expect(readParameters(query(jql))).toEqual({ selection: { by: 'jql', jql } });
  });
});

const values = [
  ...[
    '',
    ' ',
    'true',
    'FALSE',
    '1',
    '1000',
    '101',
    '-1',
    'a,b',
    'a, a',
    '"a,b",c',
    '"true"',
    'project',
    'advanced',
    'sprint',
    'customJQL',
  ],
  ...[
    '2026-03-01',
    '2026-02-30 10:00',
    '2026-03-01T10:00:00+02:00',
    'resolution',
    'created',
    'average',
    'allIssues',
    'sample',
    'hours',
  ],
  ...[
    'businessDays',
    'calendarDays',
    'yyyy',
    'qq',
    'CSV',
    'json',
    'jsonSimplified',
    'table',
    'WEB-1',
    'last',
    'Week',
    '[]',
    '[{"name":"A","statuses":["3",4]}]',
  ],
  ...[
    '[{"name":"A","startAt":{"ids":[3]},"stopAt":{"value":["Done","5"],"visitType":"first"},"pausedOn":[{"ids":["4"]}]}]',
  ],
  ...['(project = "WEB") AND created >= -7d', 'key in (WEB-1,WEB-2)'],
];
const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...values) },
  fc.constantFrom(null, true, false, 0, 3, 99.5),
  fc.array(
    fc.oneof(
      fc.constantFrom(...values.filter((one) => one !== '[]')),
      fc.record({ id: fc.constantFrom(3, 'a', 'true') }),
    ),
    {
      maxLength: 3,
    },
  ),
  fc.jsonValue(),
);
const names = [...savedNames.canonical.values()];
const spelled = fc
  .tuple(fc.constantFrom(...names, 'reportType', 'unknown', 'startIssueIndex'), fc.boolean())
  .map(([name, isLower]) => (isLower ? name.toLowerCase() : name));

/** Texts hold one category or several, with commas between. */
const categoriesOf = (texts: readonly string[]) =>
  texts.flatMap((text) => text.split(',')).flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));

test('what a set says to any request is not changed by being stored, nor by being read and saved once more', () => {
  const said = (parameters: Readonly<Record<string, unknown>>) =>
    Object.values(savedKinds).map((schema) => {
      const read = schema.safeParse(Object.fromEntries(savedTexts(parameters, savedNames)));
      if (!read.success) return read.error.issues.map(({ path, message }) => [path, message]);
      const delegates = 'creditDelegates' in read.data ? read.data.creditDelegates : null;
      return { ...read.data, creditDelegates: Array.isArray(delegates) ? categoriesOf(delegates) : null };
    });
  fc.assert(
    fc.property(fc.dictionary(spelled, value, { maxKeys: 8 }), (parameters) => {
      const report = readParameters(parameters);
      const stored: SavedReport = JSON.parse(JSON.stringify(report));
      const written = parametersOf(stored);
      expect(said(written)).toEqual(said(parameters));
      expect(readParameters(written)).toEqual(stored);
    }),
    { numRuns: runs(300) },
  );
});
