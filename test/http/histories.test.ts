import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { exportFile, jiraIssue, movesTo, type RawIssue, searchResult } from '../support/jira-export.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';

let dwell: TestDwell;
beforeEach(async () => {
  dwell = await startDwell({ at: '2026-11-12T09:00:00Z' });
});
afterEach(() => dwell.stop());

const place = (...issues: readonly RawIssue[]) => dwell.types('import', exportFile(searchResult(...issues)));

describe('several changes at one instant right after the creation', () => {
  test('are in the order that agrees with the next change', async () => {
    const move = (id: string, created: string, from: string, to: string) => ({
      ...{ id, created, author: { accountId: 'a-1', displayName: 'Ada' } },
      items: [{ field: 'status', fieldId: 'status', from, fromString: from, to, toString: to }],
    });
    const issue = jiraIssue('TIE-1', { created: '2026-11-02T09:00:00.000Z', status: 'C' }).onCloud();
    const histories = [
      move('11', '2026-11-03T09:00:00.000+0000', 'B', 'A'),
      move('12', '2026-11-03T09:00:00.000+0000', 'A', 'B'),
      move('13', '2026-11-05T09:00:00.000+0000', 'A', 'C'),
    ];
    await place({ ...issue, changelog: { startAt: 0, maxResults: 3, total: 3, histories } });
    const { json } = await dwell.get('/rest/issue/expanded', { issueKey: 'TIE-1', viewFormat: 'hours' });
    const [row] = json.table.body.rows;
    expect(
      row.expanded.rows.map((visit: Record<string, string>) => [visit.statusName, visit.start?.slice(0, 10)]),
    ).toEqual([
      ['A', '2026-11-02'],
      ['B', '2026-11-03'],
      ['A', '2026-11-03'],
      ['C', '2026-11-05'],
    ]);
    expect(row.history.contradictions).toBe(0);
  });
});

describe('an issue that is done with a date beside its changelog', () => {
  /** An issue of which nothing but its creation as done is known. */
  const made = (key: string, fields: Record<string, unknown>, steps = jiraIssue(key, created)) => {
    const issue = steps.onCloud();
    return { ...issue, fields: { ...issue.fields, ...fields } };
  };
  const created = { status: 'Done', created: '2026-09-01T09:00:00.000Z' };
  const worked = (key: string) =>
    jiraIssue(key, { created: '2026-09-01T09:00:00.000Z' })
      .at('2026-09-03T09:00:00.000Z', movesTo('In Progress'))
      .at('2026-10-05T09:00:00.000Z', movesTo('Done'));
  const history = async (issueKey: string) => {
    const { json } = await dwell.get('/rest/issue', { issueKey, columnsBy: 'statusDuration' });
    return json.table.body.rows[0].history;
  };

  test('long after the last change has a gap, is done without a cycle time, and makes answers incomplete', async () => {
    await place(
      made('EV-1', { resolutiondate: '2026-10-20T10:00:00.000+0000' }),
      made('EV-2', { statuscategorychangedate: '2026-10-21T10:00:00.000+0000' }),
      made('EV-3', {}),
    );
    expect(await history('EV-1')).toMatchObject({
      ...{ complete: false, unknownFrom: null, unknownUntil: '2026-10-20T10:00:00.000Z' },
      reason: 'it was resolved on 2026-10-20, and its changelog has no change of status then',
    });
    expect(await history('EV-2')).toMatchObject({
      ...{ complete: false, unknownFrom: null, unknownUntil: '2026-10-21T10:00:00.000Z' },
      reason: 'its status category changed on 2026-10-21, and its changelog has no change of status then',
    });
    expect(await history('EV-3')).toMatchObject({ complete: true });
    const { json } = await dwell.get('/rest/issues/weekly', {
      ...{ filterType: 'project', projectKey: 'EV', week: '2026-W43', timeZone: 'UTC' },
    });
    expect(json).toMatchObject({ complete: false, cutHistories: 2, finished: { week: null } });
    expect(json.doneSinceUnknown.map(({ issueKey }: { issueKey: string }) => issueKey).sort()).toEqual([
      'EV-1',
      'EV-2',
    ]);
  });

  test('after known changes has the gap behind them', async () => {
    const reopened = worked('EV-1').at('2026-10-06T09:00:00.000Z', movesTo('In Progress')).onCloud();
    const { fields } = worked('EV-1').onCloud();
    await place({
      ...reopened,
      fields: { ...fields, statuscategorychangedate: '2026-10-20T10:00:00.000+0000' },
    });
    expect(await history('EV-1')).toMatchObject({
      ...{ complete: false, unknownFrom: '2026-10-06T09:00:00.000Z' },
      unknownUntil: '2026-10-20T10:00:00.000Z',
    });
  });

  test.each([
    ['within a day of the last change', { resolutiondate: '2026-10-06T08:00:00.000+0000' }],
    ['before it, kept from an earlier round', { resolutiondate: '2026-09-20T09:00:00.000+0000' }],
    ['at it', { statuscategorychangedate: '2026-10-05T09:00:01.000+0000' }],
  ])('%s is no contradiction', async (_what, fields) => {
    await place(made('EV-1', fields, worked('EV-1')));
    expect(await history('EV-1')).toMatchObject({ complete: true });
  });

  test('that the changelog explains is no contradiction: a resolution that was set later', async () => {
    const issue = made('EV-1', { resolutiondate: '2026-11-01T09:00:00.000+0000' }, worked('EV-1'));
    const histories = [
      ...(issue.changelog?.histories ?? []),
      {
        ...{ id: '99', created: '2026-11-01T09:00:00.000+0000' },
        items: [{ field: 'resolution', fieldId: 'resolution', from: null, to: '1', toString: 'Fixed' }],
      },
    ];
    await place({ ...issue, changelog: { startAt: 0, maxResults: 9, total: histories.length, histories } });
    expect(await history('EV-1')).toMatchObject({ complete: true });
  });

  test.each([
    [
      'the resolution agrees, the category has another date since a migration',
      {
        resolutiondate: '2026-10-05T09:00:00.000+0000',
        statuscategorychangedate: '2026-11-10T09:00:00.000+0000',
      },
    ],
    [
      'the category agrees, the resolution was edited later',
      {
        resolutiondate: '2026-10-20T09:00:00.000+0000',
        statuscategorychangedate: '2026-10-05T09:00:00.000+0000',
      },
    ],
  ])('is no contradiction where one of two dates agrees with the last change: %s', async (_what, fields) => {
    const statuses = [
      { id: '7', name: 'To Do', statusCategory: { key: 'new' } },
      { id: '8', name: 'In Progress', statusCategory: { key: 'indeterminate' } },
      { id: '10', name: 'Done', statusCategory: { key: 'done' } },
    ];
    await dwell.types('import', exportFile(statuses, 'statuses.json'));
    await place(made('EV-1', fields, worked('EV-1')));
    expect(await history('EV-1')).toMatchObject({ complete: true });
    const { json } = await dwell.get('/rest/issues/weekly', {
      ...{ filterType: 'project', projectKey: 'EV', week: '2026-W41', timeZone: 'UTC' },
    });
    expect(json).toMatchObject({ complete: true, finished: { week: 1 } });
  });

  test('is a contradiction where both dates are long after the last change', async () => {
    const fields = {
      resolutiondate: '2026-10-20T09:00:00.000+0000',
      statuscategorychangedate: '2026-10-20T09:00:01.000+0000',
    };
    await place(made('EV-1', fields, worked('EV-1')));
    expect(await history('EV-1')).toMatchObject({ complete: false });
  });

  test('is not heard of an issue that is not done', async () => {
    const open = { status: 'In Progress', created: '2026-09-01T09:00:00.000Z' };
    const fields = { statuscategorychangedate: '2026-10-20T10:00:00.000+0000' };
    await place(made('EV-1', fields, jiraIssue('EV-1', open)));
    expect(await history('EV-1')).toMatchObject({ complete: true });
  });
});
