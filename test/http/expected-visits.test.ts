import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '#jest';
import { fixture } from '../support/fixture.ts';
import { startDwell } from '../support/start-dwell.ts';
import { suiteDwell } from '../support/suite-dwell.ts';

interface ExpectedVisit {
  readonly statusId: string;
  readonly statusName: string;
  readonly start: string;
  readonly end: string;
  readonly ms: number;
}

const expected: Record<string, { asOf: string; issues: Record<string, ExpectedVisit[]> }> = JSON.parse(
  readFileSync(fixture('expected.visits.json'), 'utf8'),
);

describe.each(Object.entries(expected))('%s', (file, { asOf, issues }) => {
  const dwell = suiteDwell({ at: asOf });
  beforeAll(async () => {
    expect((await dwell.types('import', fixture(file))).code).toBe(0);
  });

  test.each(Object.entries(issues))(
    'the visits of %s come out to the millisecond',
    async (issueKey, visits) => {
      for (const parameters of [{ issueKey }, { issueKey, asOf }] as Record<string, string>[]) {
        const { json } = await dwell.get('/rest/issue/expanded', parameters);
        const [row] = json.table.body.rows;
        expect(row.history.complete).toBe(true);
        expect(row.expanded.rows).toMatchObject(
          visits.map(({ statusId, statusName, start, end, ms }, i) => ({
            statusId: Number(statusId),
            statusName,
            start,
            end: i === visits.length - 1 ? null : end,
            duration: ms,
            value: ms,
          })),
        );
      }
    },
  );

  test.each(Object.entries(issues))(
    'the time of %s per status is the sum of its visits',
    async (issueKey, visits) => {
      const { json } = await dwell.get('/rest/issue', { issueKey, columnsBy: 'statusDuration' });
      const sums = new Map<string, { ms: number; count: number }>();
      for (const { statusId, ms } of visits) {
        const before = sums.get(statusId) ?? { ms: 0, count: 0 };
        sums.set(statusId, { ms: before.ms + ms, count: before.count + 1 });
      }
      expect(json.table.body.rows[0].valueColumns).toMatchObject(
        [...sums].map(([id, { ms, count }]) => ({ id, raw: String(ms), count: String(count) })),
      );
    },
  );
});

describe('the two sites in one store, with the lists of statuses of both', () => {
  test.each([
    [['devlake-jira-cloud.statuses.json', 'jirametrics.statuses.json']],
    [['jirametrics.statuses.json', 'devlake-jira-cloud.statuses.json']],
    [['jirametrics.statuses.json']],
    [['devlake-jira-cloud.statuses.json']],
  ])('neither renames nor hides what the other has: %j', async (lists) => {
    const dwell = await startDwell({ at: '2022-08-01T00:00:00.000Z' });
    const files = ['devlake-jira-cloud.issues.json', 'jirametrics-complete-sample.issues.json', ...lists];
    await dwell.types('import', ...files.map(fixture));
    for (const file of files.slice(0, 2)) {
      const { asOf, issues } = expected[file] ?? { asOf: '', issues: {} };
      for (const [issueKey, visits] of Object.entries(issues)) {
        const { json } = await dwell.get('/rest/issue/expanded', { issueKey, asOf });
        const { rows } = json.table.body.rows[0].expanded;
        expect(rows.map(({ statusName }: { statusName: string }) => statusName)).toEqual(
          visits.map(({ statusName }) => statusName),
        );
        expect(json.includedStatuses.map(({ name }: { name: string }) => name)).toEqual([
          ...new Set(visits.map(({ statusName }) => statusName)),
        ]);
      }
    }
    const { json } = await dwell.get('/rest/issue', { issueKey: 'SP-5', columnsBy: 'statusDuration' });
    expect(json.deletedStatuses).toEqual([]);
    await dwell.stop();
  });
});

describe('issues without a changelog', () => {
  const dwell = suiteDwell();
  beforeAll(async () => {
    await dwell.types('import', fixture('titanium-daemon.issues.json.gz'));
  });

  test('import as such', async () => {
    const { lines, code } = await dwell.types('import', fixture('titanium-daemon.issues.json.gz'));
    expect(code).toBe(0);
    expect(lines.slice(0, 4)).toEqual([
      'Issues           317',
      'Changes          0',
      'Cut histories    317',
      expect.stringContaining('the import carried no changelog for this issue: DAEMON-'),
    ]);
  });

  test('say that their history is unknown rather than empty', async () => {
    const { json } = await dwell.get('/rest/issue/expanded', { issueKey: 'DAEMON-1' });
    expect(json.complete).toBe(false);
    expect(json.table.body.rows[0]).toMatchObject({
      history: {
        complete: false,
        unknownFrom: null,
        unknownUntil: null,
        reason: 'the import carried no changelog for this issue',
      },
      expanded: { rows: [] },
    });
    const { text } = await dwell.get('/rest/issue', {
      issueKey: 'DAEMON-1',
      columnsBy: 'statusDuration',
      outputType: 'csv',
    });
    expect(text.split('\r\n')[1]).toContain('unknown: the import carried no changelog');
  });

  test('no other issue of the site is told to be complete either', async () => {
    const { json } = await dwell.get('/rest/issue', { issueKey: 'DAEMON-317', columnsBy: 'statusDuration' });
    expect(json.table.body.rows[0].history.complete).toBe(false);
    expect(json.table.body.rows[0].valueColumns).toEqual([]);
  });
});
