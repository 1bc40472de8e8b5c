import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '#jest';
import { exportFile, jiraIssue, movesTo, searchResult } from './support/jira-export.ts';
import { startDwell, type TestDwell } from './support/start-dwell.ts';

const page = readFileSync(new URL('../docs/flow.md', import.meta.url), 'utf8');
const [, example = ''] = page.split('## A worked example\n');
const [moves = [], figures = []] = [...example.matchAll(/^\|[-|]+\|\n((?:\|.*\|\n)+)/gm)].map(
  ([, rows = '']) =>
    rows
      .trim()
      .split('\n')
      .map((row) =>
        row
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
);
const [, flow = ''] = /```json\n([\s\S]*?)```/.exec(example) ?? [];

let dwell: TestDwell;
beforeAll(async () => {
  dwell = await startDwell({ at: '2026-01-20T00:00:00Z' });
  const issues = ['DEMO-1', 'DEMO-2'].map((key) =>
    moves
      .filter(([name]) => name === key)
      .reduce(
        (story, [, when = '', to = '']) =>
          story.at(new Date(`${when.slice(4)} UTC`).toISOString(), movesTo(to)),
        jiraIssue(key, { created: '2026-01-05T09:00:00.000Z', status: 'To Do' }),
      )
      .onCloud(),
  );
  const statuses = [
    ['7', 'To Do', 'new'],
    ['8', 'In Progress', 'indeterminate'],
    ['Review', 'Review', 'indeterminate'],
    ['10', 'Done', 'done'],
  ].map(([id, name, key]) => ({ id, name, statusCategory: { key } }));
  await dwell.types('import', exportFile(statuses, 'statuses.json'), exportFile(searchResult(...issues)));
});
afterAll(() => dwell.stop());

/** The figures of the week as the page writes them. */
async function week() {
  const { json } = await dwell.get('/rest/issues/weekly', {
    ...{ filterType: 'project', projectKey: 'DEMO', week: '2026-W02', timeZone: 'UTC' },
  });
  const { finished, cycleTime, flowEfficiency } = json;
  return [
    String(finished.week),
    String(cycleTime.week.medianMs / 3_600_000),
    flowEfficiency.week === null ? 'none' : `${Math.round(flowEfficiency.week * 100)}%`,
  ];
}

test('the worked example of docs/flow.md has the figures that Dwell answers, before and after', async () => {
  expect(await week()).toEqual(figures.map(([, before]) => before));
  const { status } = await dwell.as('boss', { admin: true }).putJson('/rest/flows/DEMO', JSON.parse(flow));
  expect(status).toBe(200);
  expect(await week()).toEqual(figures.map(([, , after]) => after));
});

test('docs/flow.md names every member of a flow', async () => {
  const { json } = await dwell.get('/rest/flows/DEMO');
  const named = Object.keys(json).filter((name) => !['projectKey', 'revision'].includes(name));
  expect(named.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
