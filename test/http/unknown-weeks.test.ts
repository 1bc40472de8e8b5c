import { beforeAll, describe, expect, test } from '#jest';
import { fixture } from '../support/fixture.ts';
import { exportFile, jiraIssue, keepNewest, movesTo } from '../support/jira-export.ts';
import type { TestDwell } from '../support/start-dwell.ts';
import { suiteDwell } from '../support/suite-dwell.ts';

type Json = Awaited<ReturnType<TestDwell['get']>>['json'];

describe('a week of which nobody knows how many issues were finished', () => {
  const place = suiteDwell({ at: '2026-03-18T12:00:00Z' });
  beforeAll(async () => {
    const done = jiraIssue('KNOWN-1', { created: '2026-03-02T09:00:00Z' })
      .at('2026-03-04T09:00:00Z', movesTo('In Progress'))
      .at('2026-03-10T09:00:00Z', movesTo('Done'));
    const strange = jiraIssue('ODD-2', { status: 'Parked', created: '2026-02-20T09:00:00Z' }).onCloud();
    const cut = jiraIssue('CUT-3', { created: '2026-02-20T09:00:00Z' })
      .at('2026-03-10T09:00:00Z', movesTo('In Progress'))
      .at('2026-03-11T09:00:00Z', movesTo('Done'));
    await place.types(
      'import',
      exportFile([
        done.onCloud(),
        { ...strange, fields: { ...strange.fields, status: { id: '80', name: 'Parked' } } },
        keepNewest(cut.onCloud(), 0),
      ]),
      exportFile(
        ['To Do', 'In Progress', 'Done'].map((name) => ({
          ...{ id: { 'To Do': '7', 'In Progress': '8', Done: '10' }[name], name },
          statusCategory: { key: { 'To Do': 'new', Done: 'done' }[name] ?? 'indeterminate' },
        })),
        'statuses.json',
      ),
      // Made up by another project, of whose statuses no list tells.
      fixture('jira-agile-metrics.issues.json'),
    );
  });

  const week = (projectKey: string, more: Record<string, string> = {}) =>
    place.get('/rest/issues/weekly', { filterType: 'project', projectKey, timeZone: 'UTC', ...more });

  test('says so where the category of a status is not known', async () => {
    const { status: code, json } = await week('ODD');
    expect(code).toBe(200);
    const reason =
      "ODD-2 may have been finished then: the category of 'Parked' is not known; an admin can set it, or import the tracker's list of statuses";
    expect(json.finished).toEqual({ week: null, weekBefore: null, eightWeeks: null, reason });
    expect(json.weeks[0]).toMatchObject({ id: '2026-W03', finished: 0 });
    expect(json.weeks[0]).not.toHaveProperty('reason');
    expect(json.weeks[8]).toMatchObject({ id: '2026-W11', finished: null, reason });
    expect(json.unclear.map(({ issueKey }: Json) => issueKey)).toEqual(['ODD-2']);
  });

  test('says so of a real export without a list of statuses', async () => {
    const { json } = await week('I');
    expect(json.finished).toMatchObject({ week: null, reason: expect.stringContaining('is not known') });
    // Most issues were created in the one and moved on, and are resolved in the other.
    expect(json.assumedCategories).toEqual([
      { id: 'Backlog', name: 'Backlog', category: 'To Do' },
      { id: 'Done', name: 'Done', category: 'Done' },
    ]);
  });

  test('says so where a cut history does not tell', async () => {
    const { json } = await week('CUT');
    expect(json.finished).toMatchObject({
      week: null,
      reason: expect.stringMatching(/^CUT-3 may have been finished then: its history is not complete: /),
    });
  });

  test('says so in CSV by an empty cell, as of every figure that is not there', async () => {
    const { text } = await week('ODD', { outputType: 'csv' });
    expect(text.split('\r\n')[1]?.split(',').slice(1, 8)).toEqual([
      ...['all', '', 'finished', '', 'issues', '', ''],
    ]);
  });

  test('says so where the data ends before it, and counts what is known', async () => {
    const { json: known } = await week('KNOWN');
    expect(known.finished).toEqual({ week: 1, weekBefore: 0, eightWeeks: 0 });
    place.clock.now += 14 * 86_400_000;
    const { json: later } = await week('KNOWN');
    expect([later.week.id, later.finished]).toEqual([
      '2026-W13',
      { week: null, weekBefore: null, eightWeeks: null, reason: 'the data ends before the week begins' },
    ]);
    const { json: within } = await week('KNOWN', { week: '2026-W12' });
    expect(within.finished).toMatchObject({
      week: null,
      weekBefore: 1,
      reason: 'the data ends before the week does',
    });
    place.clock.now -= 14 * 86_400_000;
  });
});
