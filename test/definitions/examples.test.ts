import { millisecondsInHour } from 'date-fns/constants';
import { expect, test } from '#jest';
import { ask, type Statistic } from '../../src/model/request.ts';
import { anIssue } from '../support/issue-story.ts';
import { principalOf } from '../support/principal-of.ts';
import { aStatus, smallWorld } from '../support/small-world.ts';

const hour = (n: number) => `2026-01-05T${String(n).padStart(2, '0')}:00:00Z`;
const at = (n: number) => Date.parse(hour(n));
const request = { principal: principalOf('ada', 'admin'), selection: { by: 'jql', jql: '' } } as const;
const cut = { complete: false, reason: 'the export holds some of the changes only' } as const;

test('the first visit of a status is known where its end is, although unknown time begins just then', async () => {
  const story = anIssue('WEB-1', hour(0)).moves('Doing', hour(2));
  const { issue } = story.historyIs({ ...cut, unknownFrom: at(2), unknownUntil: at(5) });
  const api = smallWorld(hour(9), [issue]);
  const { rows } = await api.report(
    ask({ ...request, reportType: 'statusDuration', multiVisitBehavior: 'first' }),
  );
  expect(rows[0]?.cells).toEqual({ 'To Do': { value: 2 * millisecondsInHour, visits: 1 } });
});

test('a window that starts with known time shows the visit under way as begun then', async () => {
  const { issue } = anIssue('WEB-1', hour(0)).historyIs({ ...cut, unknownFrom: null, unknownUntil: at(3) });
  const { rows, issues } = await smallWorld(hour(9), [issue]).report(
    ask({ ...request, reportType: 'currentStateAge', trim: { from: at(3), to: null } }),
  );
  expect(rows[0]?.cells).toEqual({ age: { value: 6 * millisecondsInHour, visits: 1 } });
  expect(issues[0]).toMatchObject({ unknown: null, current: [{ columnId: 'age', since: at(3) }] });
});

test('a clock does not start with a visit that began in unknown time', async () => {
  const { issue } = anIssue('WEB-1', hour(0))
    .changes('assignee', null, 'ada', hour(3))
    .moves('Done', hour(5), { from: 'Doing' })
    .historyIs({ ...cut, unknownFrom: null, unknownUntil: at(3) });
  const metric = {
    name: 'Work',
    from: { statuses: ['Doing'], visit: 'last' },
    to: { statuses: ['Done'], visit: 'first' },
    pausedIn: [],
  } as const;
  const api = smallWorld(hour(9), [issue]);
  const { rows } = await api.report(
    ask({ ...request, reportType: 'durationBetweenStatuses', metrics: [metric] }),
  );
  expect(rows).toMatchObject([{ cells: {}, states: { Work: 'unknown' } }]);
});

test('the visits of several fields have the time in which one of them is unknown', async () => {
  const { issue } = anIssue('WEB-1', hour(0))
    .moves('Doing', hour(2))
    .historyIs({ ...cut, unknownFrom: at(2), unknownUntil: at(5) });
  const { issues } = await smallWorld(hour(9), [issue]).report(
    ask({
      ...{ ...request, selection: { by: 'keys', keys: ['WEB-1'] } },
      ...{ reportType: 'anyFieldDurationExpanded', historyFields: ['status', 'assignee'] },
    }),
  );
  expect(issues[0]?.unknown).toEqual({ from: at(0), until: at(5), ms: 5 * millisecondsInHour });
});

test('the columns of visits are in the same order for several issues as for one', async () => {
  const issues = ['WEB-1', 'WEB-2'].map((key) => anIssue(key, hour(0)).moves('Doing', hour(2)).issue);
  const columnsFor = async (keys: readonly string[]) => {
    const selection = { by: 'keys', keys } as const;
    const api = smallWorld(hour(9), issues);
    const table = await api.report(ask({ ...request, selection, reportType: 'statusDurationExpanded' }));
    return table.columns.map(({ id }) => id);
  };
  expect(await columnsFor(['WEB-1', 'WEB-2'])).toEqual(await columnsFor(['WEB-1']));
});

test('time in a status that is gone counts for the assignee where a consolidated status names it', async () => {
  const { issue } = anIssue('WEB-1', hour(0)).moves('Old', hour(1)).moves('Done', hour(4));
  const api = smallWorld(hour(9), [issue], { statuses: [aStatus('To Do'), aStatus('Done')] });
  const timeOf = async (statuses: readonly string[]) => {
    const consolidated = [{ name: 'Open', statuses }];
    const { rows } = await api.report(ask({ ...request, reportType: 'assigneeDuration', consolidated }));
    return rows[0]?.cells[':unassigned']?.value;
  };
  expect(await timeOf(['To Do'])).toBe(6 * millisecondsInHour);
  expect(await timeOf(['To Do', 'Old'])).toBe(9 * millisecondsInHour);
});

test('a person with the id of a status keeps their name', async () => {
  const { issue } = anIssue('WEB-1', hour(0), '1').changes('assignee', null, '1', hour(0));
  const api = smallWorld(hour(9), [{ ...issue, status: { id: '1', name: 'Open' } }], {
    users: [{ id: '1', name: 'Ada' }],
    statuses: [aStatus('1', { name: 'Open' })],
  });
  const { columns } = await api.report(ask({ ...request, reportType: 'statusDurationByAssignee' }));
  expect(columns.map(({ title }) => title)).toContain('Ada: Open');
});

test('figures by status call it as a list does where the tracker’s statuses are those of another site', async () => {
  const stories = ['WEB-1', 'WEB-2'].map((key) => anIssue(key, hour(0), '1').moves('2', hour(4)));
  const status = { id: '2', name: 'Erledigt' };
  const issues = stories.map(({ issue }) => ({ ...issue, status, fields: { ...issue.fields, status } }));
  const api = smallWorld(hour(9), issues, { statuses: [aStatus('1', { name: 'Open' })] });
  const byStatus = ask({ ...request, reportType: 'anyFieldDuration', historyFields: ['status'] });
  const titlesOf = async (statistic: Statistic | null) =>
    (await api.report({ ...byStatus, statistic })).columns.flatMap(({ part, title }) =>
      part === 'value' ? [title] : [],
    );
  const average = {
    type: 'average',
    denominator: 'nonNull',
    deviation: 'population',
    percentile: 0,
  } as const;
  expect(await titlesOf(average)).toEqual(await titlesOf(null));
});
