import { millisecondsInDay } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import type { ReportingApi } from '../../../src/api/reporting/reporting-api.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { ask, type ReportRequest, type Statistic } from '../../../src/model/request.ts';
import { cellIn, type Table } from '../../../src/model/table.ts';
import { anIssue } from '../../support/issue-story.ts';
import { principalOf } from '../../support/principal-of.ts';
import { aStatus, smallWorld } from '../../support/small-world.ts';

const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString();
const asked = day(31);
const ada = principalOf('ada', 'admin');
const average: Statistic = { type: 'average', denominator: 'all', deviation: 'population', percentile: 85 };

const report = (reporting: ReportingApi, choices: Partial<ReportRequest> = {}) =>
  reporting.report(
    ask({ principal: ada, reportType: 'statusDuration', selection: { by: 'jql', jql: '' }, ...choices }),
  );

/** The lines of a table as titles and raw values. */
const linesOf = (table: Table) =>
  table.rows.map((row) =>
    Object.fromEntries(
      table.columns.flatMap((column) => {
        const cell = cellIn(row, column);
        return cell === undefined ? [] : [[column.title, cell.value]];
      }),
    ),
  );
const titlesOf = (table: Table) => table.columns.map(({ title }) => title);

/** Known from day 11 on only. */
const cut = (issue: Issue): Issue => ({
  ...issue,
  history: {
    complete: false,
    unknownFrom: null,
    unknownUntil: Date.parse(day(11)),
    reason: 'the export holds the newest changes only',
  },
});

describe('a visit that was under way when known time begins again', () => {
  const reporting = smallWorld(asked, [cut(anIssue('WEB-1', day(1), 'Doing').issue)]);

  test('has no date of entry and no age', async () => {
    const [entered] = linesOf(await report(reporting, { reportType: 'lastTransitionToStatusDate' }));
    expect(entered).toEqual({ Key: 'WEB-1', Summary: 'Summary of WEB-1' });
    const aged = await report(reporting, {
      reportType: 'currentStateAge',
      fields: ['calc:currentStatusAge'],
    });
    expect(linesOf(aged)[0]).toEqual({ Key: 'WEB-1', Summary: 'Summary of WEB-1' });
    expect(aged.issues[0]?.current).toMatchObject([{ since: null }]);
  });

  test('is no first, last or average visit, but its known time counts', async () => {
    for (const multiVisitBehavior of ['first', 'last', 'average'] as const) {
      expect(linesOf(await report(reporting, { multiVisitBehavior }))[0]).not.toHaveProperty('Doing');
    }
    expect(linesOf(await report(reporting))[0]).toMatchObject({ Doing: 20 * millisecondsInDay });
  });

  test('is no zero of an average over all issues', async () => {
    const whole = anIssue('WEB-2', day(1)).moves('Doing', day(23)).issue;
    const silent = anIssue('WEB-3', day(1), 'Doing').historyIs({
      complete: false,
      unknownFrom: null,
      unknownUntil: null,
      reason: 'the export has no changelog',
    }).issue;
    const table = await report(smallWorld(asked, [whole, silent]), { statistic: average });
    expect(linesOf(table)[0]).toMatchObject({ Doing: 8 * millisecondsInDay });
  });

  test('the time with people and the unknown time add up to the age', async () => {
    const story = anIssue('WEB-1', day(1))
      .changes('assignee', null, 'Ada', day(3))
      .moves('Doing', day(20))
      .historyIs({
        complete: false,
        unknownFrom: Date.parse(day(5)),
        unknownUntil: Date.parse(day(11)),
        reason: 'the export lost some changes',
      });
    for (const reportType of ['assigneeDuration', 'statusDurationByAssignee']) {
      const table = await report(smallWorld(asked, [story.issue]), { reportType });
      const line = linesOf(table)[0] ?? {};
      const told = table.columns
        .filter(({ part }) => part === 'value')
        .reduce((sum, { title }) => sum + Number(line[title] ?? 0), 0);
      expect(told + (table.issues[0]?.unknown?.ms ?? 0)).toBe(30 * millisecondsInDay);
    }
  });
});

test('as of the past an issue was resolved as it was then, though reopened since', async () => {
  const { issue } = anIssue('WEB-1', day(1))
    .changes('resolution', null, 'Fixed', day(5))
    .changes('resolution', 'Fixed', null, day(20));
  const choices = { fields: ['resolution', 'resolutiondate', 'calc:leadTime', 'calc:resolvedDay'] };
  const then = await report(smallWorld(asked, [issue]), { ...choices, asOf: Date.parse(day(15)) });
  expect(linesOf(then)[0]).toMatchObject({
    Resolution: 'Fixed',
    Resolved: Date.parse(day(5)),
    'Lead Time': 4 * millisecondsInDay,
    'Resolved Day': '2026-01-05',
  });
  expect(linesOf(await report(smallWorld(asked, [issue]), choices))[0]).not.toHaveProperty('Resolved');
});

describe('columns', () => {
  const { issue } = anIssue('WEB-1', day(1), 'Doing')
    .changes('priority', null, 'High', day(1))
    .moves('Review', day(2))
    .moves('Doing', day(3))
    .moves('Done', day(4));
  const reporting = smallWorld(asked, [issue], {
    statuses: [aStatus('Doing'), aStatus('Done')],
  });

  test('of a metric named like a field leave the field alone', async () => {
    const from = { statuses: [], visit: 'first' } as const;
    const to = { statuses: ['Done'], visit: 'first' } as const;
    const metrics = ['priority', 'summary'].map((name) => ({ name, from, to, pausedIn: [] }));
    const table = await report(reporting, {
      reportType: 'durationBetweenStatuses',
      metrics,
      fields: ['priority'],
    });
    expect(linesOf(table)[0]).toEqual({
      Key: 'WEB-1',
      Summary: 'Summary of WEB-1',
      Priority: 'High',
      priority: 3 * millisecondsInDay,
      summary: 3 * millisecondsInDay,
    });
  });

  test('of a consolidated status replace those of its members on every level, and add them up', async () => {
    const consolidated = [{ name: 'Work', statuses: ['Doing', 'Review'] }];
    for (const reportType of ['statusDuration', 'statusDurationByAssignee', 'statusDurationByTimePeriod']) {
      const titles = titlesOf(await report(reporting, { reportType, consolidated })).join();
      expect(titles).toMatch(/Work/);
      expect(titles).not.toMatch(/Doing|Review/);
    }
    const first = await report(reporting, { consolidated, multiVisitBehavior: 'first' });
    expect(linesOf(first)[0]).toMatchObject({ Work: 2 * millisecondsInDay });
    expect(first.statuses.included.map(({ name }) => name)).toEqual(['Doing', 'Review', 'Done']);
    expect(first.issues[0]?.leftOut).toEqual([]);
  });

  test('left out are told as the statuses they are about', async () => {
    const table = await report(reporting, { reportType: 'statusDurationByAssignee' });
    expect(table.issues[0]?.leftOut).toEqual(['Review']);
    expect(titlesOf(table).join()).not.toMatch(/Review/);
  });

  test('asked for twice come once, and columns of one title can be told apart', async () => {
    const table = await report(reporting, {
      statuses: ['Done', 'Done', 'Doing'],
      fields: ['priority'],
      groupBy: ['priority'],
    });
    expect(titlesOf(table)).toEqual([
      'Key',
      'Summary',
      'Priority (priority)',
      'Priority (priority) (2)',
      'Done',
      'Doing',
    ]);
  });

  test('of a status that no list has are shown while another issue is in it', async () => {
    const there = anIssue('WEB-2', day(1), 'Review').issue;
    const table = await report(
      smallWorld(asked, [issue, there], { statuses: [aStatus('Doing'), aStatus('Done')] }),
    );
    expect(titlesOf(table)).toContain('Review');
    expect(table.statuses.deleted).toEqual([]);
  });
});

describe('a choice of issues', () => {
  const assigned = (key: string, id: string, name: string): Issue => {
    const { issue } = anIssue(key, day(1));
    return { ...issue, assignee: { id, name }, fields: { ...issue.fields, assignee: { id, name } } };
  };
  const keys = (table: Table) => table.issues.map(({ key }) => key);

  test('by user takes the id, whoever is called like it', async () => {
    const users = [
      { id: 'u1', name: 'Ann' },
      { id: 'u2', name: 'U1' },
    ];
    const reporting = smallWorld(asked, [assigned('WEB-1', 'u1', 'Ann'), assigned('WEB-2', 'u2', 'U1')], {
      users,
    });
    expect(keys(await report(reporting, { selection: { by: 'user', user: 'u1' } }))).toEqual(['WEB-1']);
  });

  test('by project takes the key before a name, and refuses a name of two', async () => {
    const named = (key: string, name: string): Issue => ({
      ...anIssue(key, day(1)).issue,
      project: { id: key, name },
    });
    const reporting = smallWorld(asked, [
      named('WEB-1', 'OPS'),
      named('OPS-1', 'Shop'),
      named('APP-1', 'Shop'),
    ]);
    expect(keys(await report(reporting, { selection: { by: 'project', project: 'OPS' } }))).toEqual([
      'OPS-1',
    ]);
    await expect(report(reporting, { selection: { by: 'project', project: 'shop' } })).rejects.toMatchObject({
      reason: 'ambiguous-name',
      details: [expect.stringMatching(/is the name of several projects. Try: one of the keys/)],
    });
  });

  test('by key counts an issue once, however often it is named', async () => {
    const reporting = smallWorld(asked, [anIssue('WEB-1', day(1)).issue]);
    const table = await report(reporting, { selection: { by: 'keys', keys: ['WEB-1', 'web-1'] } });
    expect(keys(table)).toEqual(['WEB-1']);
  });

  test('grouped by a person who was renamed is one group, under the name of today', async () => {
    const reporting = smallWorld(
      asked,
      [assigned('WEB-1', 'u1', 'Ada Smith'), assigned('WEB-2', 'u1', 'Ada Jones')],
      { users: [{ id: 'u1', name: 'Ada Jones' }] },
    );
    const table = await report(reporting, { groupBy: ['assignee'], statistic: average });
    expect(linesOf(table)).toMatchObject([{ Assignee: 'Ada Jones', 'To Do': 30 * millisecondsInDay }]);
    expect(table.rows[0]?.issueCount).toBe(2);
  });
});
