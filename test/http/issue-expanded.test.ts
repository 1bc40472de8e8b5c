import { beforeAll, describe, expect, test } from '#jest';
import { fixture } from '../support/fixture.ts';
import { suiteDwell } from '../support/suite-dwell.ts';

const dwell = suiteDwell({ at: '2022-08-01T00:00:00.000Z', environment: { TIME_ZONE: 'Asia/Shanghai' } });
beforeAll(async () => {
  await dwell.types(
    'import',
    fixture('devlake-jira-cloud.issues.json'),
    fixture('devlake-jira-cloud.statuses.json'),
  );
});

const ask = (parameters: Record<string, string> = {}) =>
  dwell.get('/rest/issue/expanded', { issueKey: 'EE-6', ...parameters });

test('a row is one visit, told in the contract’s members and in those existing clients read', async () => {
  const { json } = await ask();
  const { rows } = json.table.body.rows[0].expanded;
  expect(rows[0]).toEqual({
    uniqueDate: '12/Jun/20 8:17 AM',
    statusId: 10020,
    statusName: 'Inbox',
    value: rows[0].duration,
    start: '2020-06-12T00:17:26.986Z',
    end: rows[1].start,
    duration: Date.parse(rows[1].start) - Date.parse('2020-06-12T00:17:26.986Z'),
  });
  expect(rows[1].transitionedBy).toBe('User 2');
  expect(rows.at(-1).end).toBeNull();
});

test('the statistics are lists of whole milliseconds per status', async () => {
  const { json } = await ask();
  const { stats, rows } = json.table.body.rows[0].expanded;
  expect(stats.visitCounts.map(({ statusId }: { statusId: number }) => statusId)).toEqual([
    ...new Set(rows.map((row: { statusId: number }) => row.statusId)),
  ]);
  for (const { statusId, value } of stats.visitCounts) {
    const own = rows.filter((row: { statusId: number }) => row.statusId === statusId);
    const ms: number[] = own.map((row: { duration: number }) => row.duration);
    const total = ms.reduce((sum, one) => sum + one, 0);
    const of = (list: { statusId: number; value: number }[]) =>
      list.find((entry) => entry.statusId === statusId)?.value;
    expect(value).toBe(own.length);
    expect(of(stats.totalValues)).toBe(total);
    expect(of(stats.averageValues)).toBe(Math.round(total / own.length));
    expect(of(stats.minValues)).toBe(Math.min(...ms));
    expect(of(stats.maxValues)).toBe(Math.max(...ms));
  }
});

test('the header names every status that rows, statistics and the current state tell by id', async () => {
  const { json } = await ask();
  const [row] = json.table.body.rows;
  const columns: { id: string; value: string; isConsolidated: boolean }[] = json.table.header.valueColumns;
  expect(columns[0]).toEqual({ id: '10020', value: 'Inbox', isConsolidated: false });
  const names = new Map(columns.map(({ id, value }) => [id, value]));
  expect(names.size).toBe(columns.length);
  for (const { statusId, statusName } of row.expanded.rows) {
    expect([statusId, names.get(String(statusId))]).toEqual([statusId, statusName]);
  }
  const told: number[] = row.expanded.stats.visitCounts.map((one: { statusId: number }) => one.statusId);
  expect([...names.keys()]).toEqual(told.map(String));
  expect(names.has(row.currentState[0].id)).toBe(true);
});

test('the unit asked for changes nothing', async () => {
  const rows = async (viewFormat: string) =>
    (await ask({ viewFormat })).json.table.body.rows[0].expanded.rows;
  expect(await rows('days')).toEqual(await rows('seconds'));
});

test('statuses that no longer exist keep their visits and are told to be gone', async () => {
  const { json } = await ask();
  expect(json.deletedStatuses.map((status: { name: string }) => status.name)).toContain('Inbox');
  expect(json.includedStatuses).toContainEqual(expect.objectContaining({ name: 'Inbox', deleted: true }));
});

test('/rest/issue leaves deleted statuses out unless asked for, and says so', async () => {
  const columns = async (includeDeletedStatuses: string) => {
    const { json } = await dwell.get('/rest/issue', {
      issueKey: 'EE-6',
      columnsBy: 'statusDuration',
      includeDeletedStatuses,
    });
    const titles = json.table.header.valueColumns.map((column: { value: string }) => column.value);
    return { titles, deleted: json.deletedStatuses.map((status: { name: string }) => status.name) };
  };
  const left = await columns('false');
  const kept = await columns('true');
  expect(left.titles).not.toContain('Inbox');
  expect(left.deleted).toContain('Inbox');
  expect(kept.titles).toContain('Inbox');
  expect(kept.deleted).toContain('Inbox');
});

test('a deleted status that is named is a column, and one left out is told in every output', async () => {
  const parameters = { issueKey: 'EE-6', columnsBy: 'statusDuration' };
  const named = await dwell.get('/rest/issue', { ...parameters, statuses: '10020' });
  expect(named.json.table.header.valueColumns).toEqual([
    { id: '10020', value: 'Inbox', isConsolidated: false },
  ]);
  const { text } = await dwell.get('/rest/issue', { ...parameters, outputType: 'csv' });
  expect(text).toMatch(/,"?complete; left out: .*Inbox.*\(deleted\)"?\r\n$/);
});

test('the current state is told with all the time spent in it', async () => {
  const { json } = await ask({ viewFormat: 'seconds' });
  const [row] = json.table.body.rows;
  const last = row.expanded.rows.at(-1);
  expect(row.currentState).toEqual([
    {
      id: String(last.statusId),
      value: String(last.duration / 1000),
      raw: String(last.duration),
      since: last.start,
    },
  ]);
});

test('asOf in the middle of the history leaves the visit of that moment open', async () => {
  const { json } = await ask({ asOf: '2020-06-13T00:00:00+08:00' });
  const { rows } = json.table.body.rows[0].expanded;
  expect(rows.at(-1).end).toBeNull();
  expect(Date.parse(rows.at(-1).start) + rows.at(-1).duration).toBe(Date.parse('2020-06-12T16:00:00.000Z'));
});

test('trimming reads its dates in the tracker server’s zone', async () => {
  const { json } = await ask({ trimHistoryStartDate: '2020-06-13', trimHistoryEndDate: '2020-06-14' });
  const { rows } = json.table.body.rows[0].expanded;
  expect(rows[0].start).toBe('2020-06-12T16:00:00.000Z');
  expect(rows.at(-1).end).toBe('2020-06-13T16:00:00.000Z');
});

test('csv has a line per visit', async () => {
  const { text } = await ask({ outputType: 'csv' });
  const lines = text.trimEnd().split('\r\n');
  const { json } = await ask();
  expect(lines[0]).toBe('Key,Summary,Status,Status ID,Start,End,Duration,Transitioned By,History');
  expect(lines).toHaveLength(1 + json.table.body.rows[0].expanded.rows.length);
  expect(lines.at(-1)).toMatch(/^EE-6,.*,已完成,10068,28\/Mar\/21 4:05 PM,-,706554\.05415,User 2,complete$/);
});

test('jsonSimplified has an object per visit', async () => {
  const { json } = await ask({ outputType: 'jsonSimplified' });
  expect(json.results[0]).toMatchObject({ Key: 'EE-6', Status: 'Inbox', Start: '12/Jun/20 8:17 AM' });
});

describe('any field', () => {
  test('tells the visits of the asked-for fields', async () => {
    const { status, json } = await ask({
      columnsBy: 'anyFieldDurationExpanded',
      historyFields: 'assignee,status',
    });
    expect(status).toBe(200);
    const { rows } = json.table.body.rows[0].expanded;
    const assignees = rows.filter((row: { fieldId?: string }) => row.fieldId === 'assignee');
    expect(assignees.length).toBeGreaterThan(0);
    expect(Object.keys(assignees[0])).toEqual(
      expect.arrayContaining(['fieldId', 'valueId', 'valueName', 'start', 'end', 'duration']),
    );
    const total = assignees.reduce((sum: number, row: { duration: number }) => sum + row.duration, 0);
    expect(total).toBe(Date.parse('2022-08-01T00:00:00.000Z') - Date.parse('2020-06-12T00:17:26.986Z'));
    // Of the fields asked for only statuses are told by an id without its name beside it.
    const statuses = rows.filter((row: { statusId?: number }) => row.statusId !== undefined);
    expect(json.table.header.valueColumns.map(({ id }: { id: string }) => Number(id))).toEqual([
      ...new Set(statuses.map((row: { statusId: number }) => row.statusId)),
    ]);
  });

  test('names a field that no issue has', async () => {
    const { status, json } = await ask({
      columnsBy: 'anyFieldDurationExpanded',
      historyFields: 'Assignee,colour',
    });
    expect(status).toBe(400);
    expect(json.messages).toEqual([
      expect.stringMatching(
        /^historyFields 'colour' is not a field of these issues. Try: .*Workflow, .*assignee/,
      ),
    ]);
  });

  test('needs historyFields', async () => {
    const { status, json } = await ask({ columnsBy: 'anyFieldDurationExpanded' });
    expect(status).toBe(400);
    expect(json.messages).toEqual(['historyFields is required with columnsBy anyFieldDurationExpanded.']);
  });
});
