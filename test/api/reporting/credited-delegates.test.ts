import { millisecondsInHour } from 'date-fns/constants';
import { beforeEach, describe, expect, test } from '#jest';
import { createLocalReporting } from '../../../src/api/reporting/create-local-reporting.ts';
import { createPageLists } from '../../../src/api/reporting/load-page.ts';
import type { ReportingApi } from '../../../src/api/reporting/reporting-api.ts';
import { inMemory } from '../../../src/cache/namespace.ts';
import { reports } from '../../../src/engine/reports/index.ts';
import { createMemoryMirror } from '../../../src/mirror/create-mirrors.ts';
import type { DelegateTime } from '../../../src/model/delegation.ts';
import { AppError } from '../../../src/model/error.ts';
import { ask, type ReportRequest, type Statistic } from '../../../src/model/request.ts';
import { cellIn, type IssueLines, type Table } from '../../../src/model/table.ts';
import { anIssue } from '../../support/issue-story.ts';
import { principalOf } from '../../support/principal-of.ts';
import { trackerOf } from './tracker-of.ts';

const now = () => Date.parse('2026-03-06T00:00:00Z');
const ada = principalOf('ada', 'admin');
const sum: Statistic = { type: 'sum', denominator: 'nonNull', deviation: 'population', percentile: 50 };

// Bob has WEB-1 from its creation on, Carl WEB-2 for a day and then Bob, Anna has WEB-3.
const issues = [
  anIssue('WEB-1', '2026-03-02T00:00:00Z').changes('assignee', 'bob', 'bob', '2026-03-02T00:00:00Z').issue,
  anIssue('WEB-2', '2026-03-03T00:00:00Z').changes('assignee', 'carl', 'bob', '2026-03-04T00:00:00Z').issue,
  anIssue('WEB-3', '2026-03-04T00:00:00Z').changes('assignee', 'anna', 'anna', '2026-03-04T00:00:00Z').issue,
];
const expense = { id: 7, name: 'Expense' };
const general = { id: null, name: 'general' };
const day = (date: string) => Date.parse(`2026-03-${date}T00:00:00Z`);
const times: Readonly<Record<string, readonly DelegateTime[]>> = {
  bob: [
    { start: day('03'), end: day('04'), delegate: 'zoe', category: general },
    { start: day('04'), end: day('05'), delegate: 'dora', category: expense },
    { start: day('05'), end: day('09'), delegate: 'gone', category: general },
  ],
  carl: [{ start: day('01'), end: day('20'), delegate: 'bob', category: general }],
};

let askedFor: unknown[];
let refusal: AppError | null;
let reporting: ReportingApi;
beforeEach(() => {
  askedFor = [];
  refusal = null;
  const people = [
    { id: 'anna', name: 'Anna' },
    { id: 'bob', name: 'Bob' },
    { id: 'carl', name: 'Carl' },
    { id: 'dora', name: 'Dora' },
    { id: 'zoe', name: 'Zoe' },
  ];
  const mirror = createMemoryMirror(trackerOf(issues, { kind: 'users', users: people }), now);
  reporting = createLocalReporting({
    mirror: async () => mirror,
    flows: async () => [],
    calendars: async () => [
      { id: null, name: 'normalHours', timeZone: 'UTC', workingTimes: [], holidays: [] },
    ],
    pages: createPageLists({ stored: inMemory, now }),
    delegateTimes: async (principal, categories) => {
      askedFor.push([principal, categories]);
      if (refusal !== null) throw refusal;
      return {
        times: (owner) => times[owner] ?? [],
        categories: ['general', 'Expense'],
        revision: () => '',
      };
    },
    now,
    newId: () => '00000000-0000-4000-8000-000000000001',
    timeZone: 'UTC',
  });
});

const about = (choices: Partial<ReportRequest> = {}) =>
  ask({
    principal: ada,
    reportType: 'assigneeDuration',
    selection: { by: 'jql', jql: 'order by key' },
    creditDelegates: [],
    ...choices,
  });
const report = (choices: Partial<ReportRequest> = {}) => reporting.report(about(choices));
const titlesOf = ({ columns }: Table) =>
  columns.filter(({ part }) => part === 'value').map(({ title }) => title);
const hoursOf = (table: Table) =>
  table.rows.map((row) =>
    Object.fromEntries(
      table.columns
        .filter(({ part, kind }) => part !== 'header' && (kind === 'duration' || part === 'group'))
        .flatMap((column) => {
          const value = cellIn(row, column)?.value;
          return value === undefined
            ? []
            : [[column.title, typeof value === 'number' ? value / millisecondsInHour : value]];
        }),
    ),
  );

describe('a report that credits delegates', () => {
  test('has everybody’s own column and behind it, by title, those of who stood in for them', async () => {
    const table = await report();
    expect(titlesOf(table)).toEqual([
      'Anna',
      'Bob',
      'Dora for Bob (Expense)',
      'gone for Bob',
      'Zoe for Bob',
      'Bob for Carl',
    ]);
    // WEB-1: Mon Bob, Tue Zoe, Wed Dora, Thu somebody whom no list of people has. WEB-2: Tue Carl's, from Wed on Bob's.
    expect(hoursOf(table)).toEqual([
      { Bob: 24, 'Zoe for Bob': 24, 'Dora for Bob (Expense)': 24, 'gone for Bob': 24 },
      { 'Bob for Carl': 24, 'Dora for Bob (Expense)': 24, 'gone for Bob': 24 },
      { Anna: 48 },
    ]);
  });

  test('about one issue has its columns as they were met, everybody’s together', async () => {
    const story = await report({ selection: { by: 'keys', keys: ['WEB-1'] } });
    expect(titlesOf(story)).toEqual(['Bob', 'Dora for Bob (Expense)', 'gone for Bob', 'Zoe for Bob']);
    const other = await report({ selection: { by: 'keys', keys: ['WEB-2'] } });
    expect(titlesOf(other)).toEqual(['Bob for Carl', 'Dora for Bob (Expense)', 'gone for Bob']);
  });

  test('tells the same hours as one that does not, person by person', async () => {
    const plain = await report({ creditDelegates: null });
    expect(hoursOf(plain)).toEqual([{ Bob: 96 }, { Carl: 24, Bob: 48 }, { Anna: 48 }]);
    expect(plain.columns.every(({ standIn }) => standIn === undefined)).toBe(true);
    expect(askedFor).toEqual([]);
  });

  test('can be condensed, in groups as well', async () => {
    expect(hoursOf(await report({ statistic: sum }))).toEqual([
      {
        Anna: 48,
        Bob: 24,
        'Dora for Bob (Expense)': 48,
        'gone for Bob': 48,
        'Zoe for Bob': 24,
        'Bob for Carl': 24,
      },
    ]);
    const grouped = await report({ statistic: sum, groupBy: ['assignee'] });
    expect(hoursOf(grouped)).toMatchObject([
      { Assignee: 'Anna', Anna: 48 },
      { Assignee: 'Bob', Bob: 24, 'Dora for Bob (Expense)': 48, 'Bob for Carl': 24 },
    ]);
  });

  test('read line by line is the same, of the same times, asked for once', async () => {
    const whole = await report();
    askedFor = [];
    const { list, statistics, lines } = await reporting.open(about(), [sum]);
    const read: IssueLines[] = [];
    for await (const part of lines()) read.push(...part);
    expect(askedFor).toHaveLength(1);
    expect(list.columns).toEqual(whole.columns);
    expect(read.flatMap(({ rows }) => rows)).toEqual(whole.rows);
    expect(statistics).toEqual([await report({ statistic: sum })]);
  });

  test('asks once for the categories that were named, in their order, or for all', async () => {
    await report();
    await report({ creditDelegates: ['expense', 'general'] });
    await reporting.count(about());
    await reporting.check(about({ creditDelegates: ['Travel'] }));
    expect(askedFor).toEqual([
      [ada, null],
      [ada, ['expense', 'general']],
      [ada, null],
      [ada, ['Travel']],
    ]);
  });

  test('says so where it tells where its figures come from', async () => {
    for (const creditDelegates of [[], ['EXPENSE,general']]) {
      const { provenance } = await report({ creditDelegates });
      expect(provenance.creditedCategories).toEqual(['general', 'Expense']);
    }
    expect((await report({ creditDelegates: null })).provenance).not.toHaveProperty('creditedCategories');
  });

  test('fails as the question of who stood in does, before anything is looked for', async () => {
    refusal = new AppError(
      'missing-right',
      'You do not have permission to query delegations of other users.',
    );
    const nowhere = about({ selection: { by: 'keys', keys: ['NO-1'] } });
    for (const call of [
      reporting.report(nowhere),
      reporting.open(nowhere, []),
      reporting.count(nowhere),
      reporting.check(nowhere),
    ]) {
      await expect(call).rejects.toBe(refusal);
    }
  });
});

test.each(
  reports.filter(({ id, shape }) => id !== 'assigneeDuration' && shape === 'issue').map(({ id }) => ({ id })),
)('columnsBy $id credits nobody, and says what does', async ({ id }) => {
  const metrics = [
    {
      name: 'Lead time',
      from: { statuses: [], visit: 'first' },
      to: { statuses: ['To Do'], visit: 'last' },
      pausedIn: [],
    },
  ] as const;
  const choices = { reportType: id, metrics, historyFields: ['priority'] };
  const refused = (creditDelegates: readonly string[]) =>
    report({ ...choices, creditDelegates }).catch((error) => error.details);
  expect(await refused([])).toEqual([
    `creditDelegates 'true' does not go with columnsBy '${id}'. Try: columnsBy assigneeDuration.`,
  ]);
  expect(await refused(['Expense', 'general'])).toEqual([
    `creditDelegates 'Expense, general' does not go with columnsBy '${id}'. Try: columnsBy assigneeDuration.`,
  ]);
  expect(askedFor).toEqual([]);
});
