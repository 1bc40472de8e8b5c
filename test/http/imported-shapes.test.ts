import { afterEach, describe, expect, test } from '#jest';
import { fixture } from '../support/fixture.ts';
import { exportFile, jiraIssue, movesTo, type RawIssue, searchResult } from '../support/jira-export.ts';
import { keysIn } from '../support/listed-keys.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';

let dwell: TestDwell | null = null;
afterEach(async () => {
  await dwell?.stop();
  dwell = null;
});

/** A Dwell that has imported these files, and what it answers ada. */
async function imported(...contents: unknown[]) {
  const { types, get } = await start();
  await types('import', ...contents.map((one) => (typeof one === 'string' ? one : exportFile(one))));
  const list = (parameters: Record<string, string>) =>
    get('/rest/issues', { columnsBy: 'statusDuration', pageSize: '1000', ...parameters });
  return {
    types,
    list,
    /** Keys of the issues for which a query holds, in their order; a refusal is told as its text. */
    async keys(customjql: string, asOf?: string): Promise<readonly string[]> {
      const at: Record<string, string> = asOf === undefined ? {} : { asOf };
      const { status, json, text } = await list({ filterType: 'customjql', customjql, ...at });
      return status === 200 ? keysIn(json) : [text];
    },
    /** How many issues there are by the title of their group. */
    async groups(field: string): Promise<Readonly<Record<string, number>>> {
      const { json, text } = await get('/rest/issues/aggregation', {
        ...{ filterType: 'customjql', customjql: 'key is not EMPTY', columnsBy: 'statusDuration' },
        ...{ aggregationType: 'sum', groupByFields: field },
      });
      const rows: readonly {
        readonly issueCount: number;
        readonly groupByColumns: readonly { readonly value: string }[];
      }[] = json?.table?.body?.rows ?? [];
      if (rows.length === 0) return { [text]: 0 };
      return Object.fromEntries(
        rows.map(({ groupByColumns, issueCount }) => [groupByColumns[0]?.value ?? '', issueCount]),
      );
    },
  };
}

async function start(): Promise<TestDwell> {
  dwell = await startDwell({ environment: { TRACKER: 'file' } });
  return dwell;
}

describe('sprints', () => {
  const sprint = (id: number, state: string) => ({
    ...{ id, self: `https://demo.example/rest/agile/1.0/sprint/${id}`, state, name: `Sprint ${id}` },
    ...{ startDate: '2026-03-02T08:30:00.000Z', endDate: '2026-03-16T08:30:00.000Z', originBoardId: 4 },
  });
  const text = (id: number, state: string) =>
    `com.atlassian.greenhopper.service.sprint.Sprint@1f${id}[id=${id},rapidViewId=4,state=${state},name=Sprint ${id},startDate=<null>,endDate=<null>,completeDate=<null>]`;
  const [one, two, three] = [sprint(1057, 'closed'), sprint(1058, 'closed'), sprint(1059, 'active')];
  const issue = (number: number, fields: Record<string, unknown>): RawIssue => {
    const raw = jiraIssue(`SEED-${number}`, {
      created: `2026-03-0${number}T09:00:00.000Z`,
    }).onCloud();
    return { ...raw, fields: { ...raw.fields, ...fields } };
  };

  /** The same four issues in every shape: in no sprint, in one, in two that are over, and in one after another. */
  const shapes: readonly [string, readonly RawIssue[]][] = [
    [
      'as the agile API answers them',
      [
        issue(1, { sprint: null, closedSprints: [] }),
        issue(2, { sprint: three }),
        issue(3, { sprint: null, closedSprints: [one, two] }),
        issue(4, { sprint: three, closedSprints: [two] }),
      ],
    ],
    [
      'as it answers them beside the custom field',
      [
        issue(1, { sprint: null, customfield_10020: null }),
        issue(2, { sprint: three, customfield_10020: [three] }),
        issue(3, { closedSprints: [one, two], customfield_10020: [two, one] }),
        issue(4, { sprint: three, closedSprints: [two], customfield_10020: [two, three] }),
      ],
    ],
    [
      'as Cloud has them in a custom field',
      [
        issue(1, { customfield_10020: null }),
        issue(2, { customfield_10020: [three] }),
        issue(3, { customfield_10020: [one, two] }),
        issue(4, { customfield_10020: [two, three] }),
      ],
    ],
    [
      'as Data Center has them in a custom field',
      [
        issue(1, { customfield_10104: null }),
        issue(2, { customfield_10104: [text(1059, 'ACTIVE')] }),
        issue(3, { customfield_10104: [text(1057, 'CLOSED'), text(1058, 'CLOSED')] }),
        issue(4, { customfield_10104: [text(1058, 'CLOSED'), text(1059, 'ACTIVE')] }),
      ],
    ],
  ];

  test.each(shapes)('%s are found, filtered and grouped by', async (_shape, issues) => {
    const { keys, list, groups } = await imported(searchResult(...issues));
    expect(await keys('sprint = 1058')).toEqual(['SEED-4', 'SEED-3']);
    expect(await keys('sprint = "Sprint 1059"')).toEqual(['SEED-4', 'SEED-2']);
    expect(await keys('sprint in (1057, 1059)')).toEqual(['SEED-4', 'SEED-3', 'SEED-2']);
    expect(await keys('sprint != 1058')).toEqual(['SEED-2']);
    expect(await keys('sprint is EMPTY')).toEqual(['SEED-1']);
    expect(await keys('sprint is not EMPTY')).toEqual(['SEED-4', 'SEED-3', 'SEED-2']);
    expect(await keys('sprint in openSprints()')).toEqual(['SEED-4', 'SEED-2']);
    expect(await keys('sprint in closedSprints()')).toEqual(['SEED-4', 'SEED-3']);
    for (const [sprintID, count] of [
      ['1057', 1],
      ['1058', 2],
      ['1059', 2],
    ] as const) {
      const { json, status } = await list({ filterType: 'sprint', sprintID });
      expect([sprintID, status, json.total]).toEqual([sprintID, 200, count]);
    }
    expect(await groups('sprint')).toEqual({
      '-': 1,
      'Sprint 1057': 1,
      'Sprint 1058': 2,
      'Sprint 1059': 2,
    });
  });

  test('of which nothing but id and name is told are found all the same', async () => {
    const brief = ({ id, name }: { id: number; name: string }) => ({ id, name });
    const { keys } = await imported(
      searchResult(
        issue(1, { sprint: brief(three) }),
        issue(2, { closedSprints: [one, two].map(brief) }),
        issue(3, { closedSprints: [] }),
      ),
    );
    expect(await keys('sprint = 1059')).toEqual(['SEED-1']);
    expect(await keys('sprint = "Sprint 1058"')).toEqual(['SEED-2']);
    expect(await keys('sprint is EMPTY')).toEqual(['SEED-3']);
  });

  test('of an instant that is over are those that the changelog tells', async () => {
    const raw = issue(4, { sprint: three, closedSprints: [two] });
    const item = { field: 'Sprint', fieldId: 'customfield_10020', fromString: 'Sprint 1058' };
    raw.changelog = {
      total: 1,
      histories: [
        {
          id: '7',
          created: '2026-03-10T09:00:00.000+0000',
          items: [{ ...item, from: '1058', to: '1058, 1059', toString: 'Sprint 1058, Sprint 1059' }],
        },
      ],
    };
    raw.fields.updated = '2026-03-10T09:00:00.000+0000';
    const { keys } = await imported(searchResult(raw));
    expect(await keys('sprint = 1059')).toEqual(['SEED-4']);
    expect(await keys('sprint = 1059', '2026-03-05T09:00:00.000Z')).toEqual([]);
    expect(await keys('sprint = 1058', '2026-03-05T09:00:00.000Z')).toEqual(['SEED-4']);
  });

  test('are called as the list of fields calls them, whatever order the files come in', async () => {
    const issues = shapes.at(-1)?.[1] ?? [];
    const names = [{ id: 'customfield_10104', name: 'Etappe', custom: true }];
    const { types, list } = await imported(names, searchResult(...issues));
    await types('import', exportFile(searchResult(...issues)));
    const { json } = await list({
      ...{ filterType: 'customjql', customjql: 'key is not EMPTY', fields: 'customfield_10104' },
    });
    expect(json.table.header.fieldColumns).toEqual([{ id: 'customfield_10104', value: 'Etappe' }]);
  });

  test('of a real export of the agile API are those that its issues tell', async () => {
    const { keys } = await imported(fixture('titanium-daemon.issues.json.gz'));
    expect(await keys('sprint = 969')).toHaveLength(44);
    expect(await keys('sprint = 976')).toHaveLength(39);
    expect(await keys('sprint is EMPTY')).toHaveLength(42);
    expect(await keys('sprint is not EMPTY')).toHaveLength(275);
  });
});

describe('when an issue was updated', () => {
  /** Migrated into another status long after somebody last updated it. */
  const migrated = (key: string, updated: string | null): RawIssue => {
    const raw = jiraIssue(key, { created: '2024-01-10T09:00:00.000Z' })
      .at('2024-01-12T09:00:00.000Z', movesTo('In Progress'))
      .at('2026-02-02T09:00:00.000Z', movesTo('Done'))
      .onCloud();
    raw.fields.updated = updated ?? undefined;
    return raw;
  };
  const issues = [
    migrated('SEED-1', '2024-03-01T09:00:00.000+0000'),
    migrated('SEED-2', '2026-02-20T09:00:00.000+0000'),
    migrated('SEED-3', null),
  ];

  test('is told as Jira tells it, whatever was changed since without a word of that', async () => {
    const { keys, list } = await imported(searchResult(...issues));
    expect(await keys('updated < 2024-03-02')).toEqual(['SEED-1']);
    expect(await keys('updated >= 2026-01-01')).toEqual(['SEED-3', 'SEED-2']);
    expect(await keys('updated <= -365d')).toEqual(['SEED-1']);
    expect(await keys('ORDER BY updated ASC')).toEqual(['SEED-1', 'SEED-3', 'SEED-2']);
    const told = async (asOf?: string) => {
      const { json } = await list({
        ...{ filterType: 'customjql', customjql: 'ORDER BY key ASC', fields: 'updated' },
        ...{ outputType: 'jsonSimplified', dateTimeFormat: 'yyyy-MM-dd' },
        ...(asOf === undefined ? {} : { asOf }),
      });
      return json.results.map((row: Record<string, string>) => row.Updated);
    };
    expect(await told()).toEqual(['2024-03-01', '2026-02-20', '2026-02-02']);
    // As Jira had it then, the migration that had happened included nowhere.
    expect(await told('2026-02-10T09:00:00.000Z')).toEqual(['2024-03-01', '2026-02-02', '2026-02-02']);
    expect(await told('2024-02-01T09:00:00.000Z')).toEqual(['2024-01-12', '2024-01-12', '2024-01-12']);
    expect(await keys('updated >= 2026-01-01', '2026-02-10T09:00:00.000Z')).toEqual(['SEED-3', 'SEED-2']);
    const range = { dateRangeField: 'updated', startDate: '2026-01-01', endDate: '2026-12-31' };
    const { json } = await list({ filterType: 'project', projectKey: 'SEED', ...range });
    expect(json.total).toBe(2);
  });

  test('the last change is what decides which of two exports is fresher', async () => {
    const [early] = [issues[0]];
    const before = structuredClone(early);
    if (before?.changelog === undefined) throw new Error('no changelog');
    before.changelog.histories = before.changelog.histories.slice(1);
    before.changelog.total = 1;
    before.fields.status = { id: '8', name: 'In Progress', statusCategory: { key: 'indeterminate' } };
    const { types, keys } = await imported(searchResult(early));
    await types('import', exportFile(searchResult(before)));
    expect(await keys('status = Done')).toEqual(['SEED-1']);
  });
});

describe('the instants of changes', () => {
  const told = (key: string, created: string | number): RawIssue => {
    const raw = jiraIssue(key, { created: '2017-04-12T08:00:29.000Z' })
      .at('2017-04-13T08:00:29.000Z', movesTo('Done'))
      .onCloud();
    for (const entry of raw.changelog?.histories ?? []) entry.created = created;
    return raw;
  };
  /** When an issue came to be done, and what is said of its history. */
  async function doneOf(raw: RawIssue) {
    const { list } = await imported(searchResult(raw));
    const { json } = await list({
      ...{ filterType: 'customjql', customjql: 'key is not EMPTY', columnsBy: 'statusDuration' },
    });
    const [row] = json.table.body.rows;
    return { since: row.currentState[0]?.since ?? null, history: row.history };
  }

  test.each([
    ['seconds, as in the example of Atlassian', 1_492_070_429],
    ['milliseconds', 1_492_070_429_000],
    ['text', '2017-04-13T08:00:29.000+0000'],
  ])('are read as %s', async (_what, created) => {
    const { since, history } = await doneOf(told('SEED-1', created));
    expect([since, history.complete]).toEqual(['2017-04-13T08:00:29.000Z', true]);
  });

  test.each([
    ['1970-01-18T06:27:50.429+0000', false],
    ['2007-04-01T09:00:00.000+0000', false],
    // Imports bring changes along from before their issue was created.
    ['2009-04-13T08:00:29.000+0000', true],
  ])('%s, of an issue that was created in 2017, leaves its history whole: %s', async (created, complete) => {
    const { history } = await doneOf(told('SEED-1', created));
    expect(history.complete).toBe(complete);
    if (!complete) {
      expect(JSON.stringify(history)).toContain(
        '1 changelog entry is dated more than ten years before the issue was created',
      );
    }
  });
});
