import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { fixture } from '../support/fixture.ts';
import { exportFile, jiraIssue, movesTo, type RawIssue, searchResult } from '../support/jira-export.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';

let dwell: TestDwell;
beforeEach(async () => {
  dwell = await startDwell({ at: '2026-11-12T09:00:00Z' });
});
afterEach(() => dwell.stop());

const hours = { viewFormat: 'hours', columnsBy: 'statusDuration' };

/** The hours of an answer by row and column title; groups have no key. */
async function table(path: string, parameters: Record<string, string>): Promise<Record<string, unknown>> {
  const { status, json } = await dwell.get(path, { ...hours, ...parameters });
  if (status !== 200) return { status, json };
  const titles: string[] = json.table.header.valueColumns.map(({ value }: { value: string }) => value);
  return Object.fromEntries(
    json.table.body.rows.map((row: Record<string, { value: string }[]>) => [
      row.headerColumns?.[0]?.value,
      Object.fromEntries(titles.map((title, i) => [title, row.valueColumns?.[i]?.value])),
    ]),
  );
}

/** A status list as Jira answers it. */
const list = (...statuses: readonly (readonly [id: string, name: string, category: string])[]) =>
  exportFile(
    statuses.map(([id, name, key]) => ({ id, name, statusCategory: { key } })),
    'statuses.json',
  );

describe('a status that is newer than the imported list', () => {
  const inStaging = jiraIssue('ST-1', { created: '2026-11-02T09:00:00Z' }).at(
    '2026-11-08T09:00:00Z',
    movesTo('Staging'),
  );
  const throughStaging = jiraIssue('ST-2', { created: '2026-11-02T09:00:00Z' })
    .at('2026-11-03T09:00:00Z', movesTo('Staging'))
    .at('2026-11-05T09:00:00Z', movesTo('In Progress'));
  const before = [
    ['7', 'To Do', 'new'],
    ['8', 'In Progress', 'indeterminate'],
    ['10', 'Done', 'done'],
  ] as const;
  const place = async (...issues: readonly RawIssue[]) =>
    dwell.types('import', list(...before), exportFile(searchResult(...issues)));

  test('is shown in every answer while an issue is in it, whichever issues are asked about', async () => {
    await place(inStaging.onCloud(), throughStaging.onCloud());
    const first = { 'ST-1': { 'To Do': '144', Staging: '96' } };
    const second = { 'ST-2': { 'To Do': '24', Staging: '48', 'In Progress': '168' } };
    expect(await table('/rest/issue', { issueKey: 'ST-1' })).toEqual(first);
    expect(await table('/rest/issue', { issueKey: 'ST-2' })).toEqual(second);
    expect(await table('/rest/issues', { filterType: 'project', projectKey: 'ST' })).toEqual({
      'ST-1': { 'To Do': '144', Staging: '96', 'In Progress': '-' },
      'ST-2': second['ST-2'],
    });
    const one = { filterType: 'customJql', customJql: 'key = ST-2' };
    expect(await table('/rest/issues', one)).toEqual(second);
    const { json } = await dwell.get('/rest/statuses');
    expect(json.map(({ name, deleted }: { name: string; deleted: boolean }) => [name, deleted])).toEqual([
      ...[
        ['To Do', false],
        ['Staging', false],
        ['In Progress', false],
        ['Done', false],
      ],
    ]);
  });

  test('is gone once no issue is in it, in every answer', async () => {
    const movedOn = inStaging.at('2026-11-10T09:00:00Z', movesTo('Done'));
    await place(movedOn.onCloud(), throughStaging.onCloud());
    expect(await table('/rest/issue', { issueKey: 'ST-2' })).toEqual({
      'ST-2': { 'To Do': '24', 'In Progress': '168' },
    });
    const { json } = await dwell.get('/rest/issues', { ...hours, filterType: 'project', projectKey: 'ST' });
    expect(json.table.deletedStatuses ?? json.deletedStatuses).toMatchObject([{ name: 'Staging' }]);
  });

  test('is named by the import, with what to do', async () => {
    const { lines, code } = await place(inStaging.onCloud(), throughStaging.onCloud());
    expect(code).toBe(0);
    expect(lines).toContain(
      '  in no list: Staging; if they still exist in Jira, export its list of statuses again',
    );
  });
});

describe('a status that was deleted in Jira', () => {
  const deleted = ['c11-deleted-status.json', 'statuses.json'].map((name) => fixture(`cases/${name}`));
  const week = { filterType: 'project', projectKey: 'DEL', week: '2026-W46', timeZone: 'UTC' };

  test('has the category that its name or the histories imply', async () => {
    await dwell.types('import', ...deleted);
    const { json: statuses } = await dwell.get('/rest/statuses');
    expect(
      statuses.map(({ id, statusCategory, categorySource }: Record<string, { name: string }>) => [
        id,
        statusCategory?.name,
        categorySource,
      ]),
    ).toEqual([
      ['1', 'To Do', undefined],
      ['3', 'In Progress', undefined],
      ['901', 'In Progress', 'neighbors'],
      ['900', 'In Progress', 'same name'],
      ['4', 'In Progress', undefined],
      ['5', 'Done', undefined],
    ]);
    const { json } = await dwell.get('/rest/issues/weekly', week);
    expect(json.finished.week).toBe(3);
    expect(json).toMatchObject({ statusesWithoutCategory: [], complete: true });
  });

  test('is said to be assumed wherever it counts', async () => {
    await dwell.types('import', ...deleted);
    const assumed = [
      { id: '901', name: 'QA', category: 'In Progress' },
      { id: '900', name: 'Review', category: 'In Progress' },
    ];
    const { json } = await dwell.get('/rest/issues/weekly', week);
    expect(json.assumedCategories.toSorted(byName)).toEqual(assumed);
    const { json: issue } = await dwell.get('/rest/issue', { ...hours, issueKey: 'DEL-2', statuses: '901' });
    expect(issue.includedStatuses).toMatchObject([{ id: '901', categorySource: 'neighbors' }]);
  });

  test('has the category that an admin sets, from the next question on, until it is taken back', async () => {
    await dwell.types('import', ...deleted);
    const category = async () => {
      const { json } = await dwell.get('/rest/statuses');
      const found = json.find(({ id }: { id: string }) => id === '901');
      return [found.statusCategory.name, found.categorySource];
    };
    const cycleTimes = async () => (await dwell.get('/rest/issues/weekly', week)).json.cycleTime.week.count;
    expect(await cycleTimes()).toBe(3);
    const listed = await dwell.types('statuses', '--set', 'qa', '--to', 'to do');
    expect(listed.lines).toContain(
      '901  QA           To Do (set by command line, 2026-11-12T09:00:00.000Z), deleted',
    );
    expect(await category()).toEqual(['To Do', 'admin']);
    // DEL-3 went from To Do to QA to Done.
    expect(await cycleTimes()).toBe(2);
    const admin = dwell.as('boss', { admin: true });
    const { status, json } = await admin.putJson('/rest/statuses/901/category', { name: 'Done' });
    expect([status, json.statusCategory, json.categorySource]).toEqual([200, { name: 'Done' }, 'admin']);
    expect(await category()).toEqual(['Done', 'admin']);
    expect((await admin.putJson('/rest/statuses/901/category', { name: null })).json.categorySource).toBe(
      'neighbors',
    );
    expect(await cycleTimes()).toBe(3);
  });

  test('cannot be given a category by others, nor another than the tracker gives', async () => {
    await dwell.types('import', ...deleted);
    const user = await dwell.as('ada').putJson('/rest/statuses/901/category', { name: 'Done' });
    expect(user.status).toBe(403);
    const admin = dwell.as('boss', { admin: true });
    const put = async (id: string, name: string) => {
      const { status, json } = await admin.putJson(`/rest/statuses/${id}/category`, { name });
      return [status, ...Object.values(json.errors ?? json)];
    };
    expect(await put('5', 'To Do')).toEqual([400, "status 'Done' is Done in the tracker. Change it there."]);
    expect(await put('77', 'To Do')).toEqual([
      404,
      "status '77' is not a status. Try: the id or name of one that is listed.",
    ]);
    expect(await put('Review', 'To Do')).toEqual([
      ...[400, "status 'Review' is the name of several statuses. Try: one of the ids 900, 4."],
    ]);
  });
});

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
