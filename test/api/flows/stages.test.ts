import { expect, test } from '#jest';
import type { Flow, ProjectFlow } from '../../../src/model/flow.ts';
import { ask, defaultStatistic, type Selection } from '../../../src/model/request.ts';
import { ada, end, start, teamReporting, through } from '../answers/a-team.ts';

const HOUR = 3_600_000;
/** An hour open, two in Doing, four in review, and done. */
const steps = [0, 1, 3, 7].map((hour, i) => [start + hour * HOUR, ['1', '3', '4', '5'][i] ?? '1'] as const);
const ofApp = { ...through(2, ...steps), key: 'APP-1', project: { id: 'APP', name: 'App' } };
const issues = [through(1, ...steps), ofApp];

const stage = (name: string, kind: 'queue' | 'active' | 'waiting' | 'done', ...ids: readonly string[]) => ({
  ...{ name, kind, statuses: ids.map((id) => ({ id, name: id })) },
});
const flow: Flow = {
  stages: [stage('Next', 'queue', '1'), stage('Work', 'active', '3', '4'), stage('Over', 'done', '6')],
  ...{ start: 'Work', end: 'Over', pauses: false, target: null, variants: [] },
  blockedBy: { flag: true, statuses: [], links: true },
  notCounted: { resolutions: [], issueTypes: [], subtasks: false },
};
const set: readonly ProjectFlow[] = [{ project: 'WEB', versions: [{ flow, at: 0, by: 'ada' }] }];

const project = (key: string): Selection => ({ by: 'project', project: key });

async function hours(flows: readonly ProjectFlow[], selection: Selection, isSum: boolean) {
  const asOf = start + 10 * HOUR;
  const { columns, rows } = await teamReporting(issues, end, flows).report(
    ask({
      ...{ principal: ada, reportType: 'statusDuration', selection, asOf, consolidated: 'stages' },
      statistic: isSum ? { ...defaultStatistic, type: 'sum' } : null,
    }),
  );
  return columns.flatMap(({ id, title, part }) =>
    part === 'value' ? [[title, Number(rows[0]?.cells[id]?.value) / HOUR]] : [],
  );
}

test.each([false, true])(
  'columns are the stages by category where no flow was set (sum: %s)',
  async (isSum) => {
    const expected = [
      ['To Do', 1],
      ['Doing', 2],
      ['Review', 4],
      ['Done', 3],
    ];
    expect(await hours([], project('WEB'), isSum)).toEqual(expected);
    expect(await hours(set, project('APP'), isSum)).toEqual(expected);
  },
);

test.each([false, true])(
  'columns are the stages of a flow, and statuses that it lacks (sum: %s)',
  async (isSum) => {
    const expected = [
      ['Next', 1],
      ['Work', 6],
      ['Done', 3],
    ];
    const columns = await hours(set, project('WEB'), isSum);
    expect(columns.toSorted()).toEqual(expected.toSorted());
    expect(await hours(set, { by: 'keys', keys: ['WEB-1'] }, isSum)).toEqual(expected);
  },
);

test('issues of projects with different flows have no stages in common', async () => {
  await expect(hours(set, { by: 'jql', jql: 'project in (WEB, APP)' }, false)).rejects.toMatchObject({
    reason: 'conflicting-values',
    fields: { consolidatedStatuses: expect.stringContaining('APP, WEB') },
  });
});
