import { afterAll, beforeAll, expect, test } from '#jest';
import type { Message } from '../../../playground/workspace.ts';
import { assistantOf } from '../../mcp/assistant.ts';
import {
  adds,
  exportFile,
  isLabelled,
  jiraIssue,
  movesTo,
  type RawIssue,
} from '../../support/jira-export.ts';
import { until } from '../../support/local-exports.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';

let place: Awaited<ReturnType<typeof startDwellInSlack>>;

const sprint = (id: number, start: string) => ({
  ...{ id, name: `Sprint ${id}`, state: 'closed', boardId: 1, startDate: `${start}T09:00:00.000Z` },
  ...{
    endDate: `${start.slice(0, 8)}28T09:00:00.000Z`,
    completeDate: `${start.slice(0, 8)}28T09:00:00.000Z`,
  },
});
const [first, second, third] = [
  sprint(2, '2026-01-05'),
  sprint(9, '2026-02-02'),
  sprint(10, '2026-03-02'),
] as const;

const inSprints = (issue: RawIssue, ...sprints: readonly object[]): RawIssue => ({
  ...issue,
  fields: { ...issue.fields, customfield_10020: sprints.length === 0 ? null : sprints },
});

/** In Progress from a day of March on, as long as it takes until it is done. */
const finished = (key: string, days: number) =>
  jiraIssue(key, { created: '2026-03-01T09:00:00.000Z' })
    .at('2026-03-02T09:00:00.000Z', movesTo('In Progress'))
    .at(`2026-03-${String(2 + days).padStart(2, '0')}T09:00:00.000Z`, movesTo('Done'));

beforeAll(async () => {
  place = await startDwellInSlack({ at: '2026-03-18T12:00:00Z', environment: { TIME_ZONE: 'UTC' } });
  await place.dwell.types(
    'import',
    exportFile([
      inSprints(
        finished('SET-1', 1)
          .at('2026-03-10T09:00:00.000Z', isLabelled('ui', 'slow'), adds('components', 'Web'))
          .onCloud(),
        first,
        second,
        third,
      ),
      inSprints(finished('SET-2', 3).at('2026-03-10T09:00:00.000Z', isLabelled('ui')).onCloud(), third),
      inSprints(finished('SET-3', 5).onCloud()),
      // By this one the category of In Progress is known.
      jiraIssue('OPEN-1').at('2026-03-02T09:00:00.000Z', movesTo('In Progress')).onCloud(),
    ]),
  );
});
afterAll(() => place.stop());

async function answerTo(line: string): Promise<Message> {
  return place.slack.answerTo(line);
}

const question = { filterType: 'project', projectKey: 'SET', columnsBy: 'statusDuration' };

const note = (field: string) =>
  `Issues with several values in ${field} count in each row, and once in the total.`;

test('an issue is in a row of each of its sprints, the newest first, and once in the total', async () => {
  const { text } = await answerTo('/tis SET last 30 days by sprint');
  expect(text).toContain('3 issues finished');
  expect(text).toMatch(
    /Sprint 10: Issues 2, .*; Sprint 9: Issues 1, .*; Sprint 2: Issues 1, .*; None: Issues 1, /,
  );
  expect(text).toContain(note('Sprint').slice(1, -1));
});

test('so it is with labels; where no issue has several values, nothing is said of them', async () => {
  const { text } = await answerTo('/tis SET by labels');
  expect(text).toMatch(/slow: Issues 1, .*; ui: Issues 2, .*; None: Issues 1, /);
  expect((await answerTo('/tis SET by components')).text).not.toContain('several values');
});

test('*Why?* finds the issues of a row among those with several values', async () => {
  const answer = await answerTo('/tis SET by labels sum');
  await place.slack.clicks('Why?', { on: answer });
  const opened = await until(() => {
    const view = place.slack.openModals().at(-1);
    return view !== undefined && JSON.stringify(view.blocks).includes('explain-figure') ? view : null;
  });
  const options: { value: string; text: { text: string } }[] = JSON.parse(
    JSON.stringify(opened.blocks.flatMap((block) => ('accessory' in block ? [block.accessory] : []))),
  ).flatMap((menu: { options?: [] }) => menu.options ?? []);
  const figure = options.find(({ text }) => text.text === 'In Progress · ui');
  await place.slack.clicks('explain-figure', { entry: figure?.value ?? '' });
  const explained = await until(() => {
    const view = place.slack.openModals().at(-1);
    const text = JSON.stringify(view?.blocks ?? []);
    return text.includes('*In Progress · ui*') ? text : null;
  });
  expect(explained).toContain('*4d* · from 2 of 2 issues');
  expect(explained).toContain('SET-1');
  expect(explained).toContain('SET-2');
});

test('REST and assistants count alike', async () => {
  const { dwell } = place;
  const { json } = await dwell.get('/rest/issues/aggregation', {
    ...question,
    ...{ groupByFields: 'customfield_10020', aggregationType: 'sum' },
  });
  const { table, notes } = json;
  const rows: { groupByColumns: { value: string }[]; issueCount: number }[] = table.body.rows;
  expect(rows.map(({ groupByColumns, issueCount }) => [groupByColumns[0]?.value, issueCount])).toEqual([
    ['Sprint 10', 2],
    ['Sprint 9', 1],
    ['Sprint 2', 1],
    ['-', 1],
  ]);
  expect(notes).toEqual([note('Sprint')]);
  const ada = await assistantOf(dwell, 'ada');
  const { text } = await ada.call('aggregate_report', {
    project: 'SET',
    aggregationType: 'sum',
    groupByFields: ['labels'],
  });
  expect(text).toContain(`Note: ${note('Labels')}`);
  await ada.close();
});

test('in a list an issue is there once, with all of its values', async () => {
  const { dwell } = place;
  const { json } = await dwell.get('/rest/issues/v2', { ...question, groupByFields: 'labels' });
  const { table } = json;
  const rows: { groupByColumns: { value: string }[] }[] = table.body.rows;
  expect(rows.map(({ groupByColumns }) => groupByColumns[0]?.value)).toEqual(['slow, ui', 'ui', '-']);
});
