import { afterEach, describe, expect, test } from '#jest';
import {
  exportFile,
  jiraIssue,
  type RawHistory,
  type RawIssue,
  searchResult,
} from '../support/jira-export.ts';
import { keysFor } from '../support/listed-keys.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';

let dwell: TestDwell | null = null;
afterEach(async () => {
  await dwell?.stop();
  dwell = null;
});

interface Cell {
  readonly id: string;
  readonly value: string;
}
interface Row {
  readonly headerColumns: readonly Cell[];
  readonly fieldColumns: readonly Cell[];
  readonly valueColumns: readonly Cell[];
}

const every = { filterType: 'customjql', customjql: 'key is not EMPTY', columnsBy: 'statusDuration' };

/** A Dwell that has imported these issues, and perhaps Jira's list of fields. */
async function imported(issues: readonly RawIssue[], ...lists: unknown[]) {
  dwell = await startDwell({ at: '2026-03-18T12:00:00Z', environment: { TRACKER: 'file' } });
  const { types, get } = dwell;
  await types('import', exportFile(searchResult(...issues)), ...lists.map((list) => exportFile(list)));
  const rowsOf = async (parameters: Record<string, string>) => {
    const { status, json, text } = await get('/rest/issues', { ...every, pageSize: '100', ...parameters });
    return status === 200 ? { header: json.table.header, rows: json.table.body.rows as Row[] } : text;
  };
  return {
    keys: (customjql: string) => keysFor({ get }, customjql),
    /** What a column shows, by issue. */
    async shown(fields: string): Promise<unknown> {
      const found = await rowsOf({ fields });
      if (typeof found === 'string') return found;
      return Object.fromEntries(
        found.rows.map(({ headerColumns, fieldColumns }) => [
          headerColumns[0]?.value,
          fieldColumns[0]?.value,
        ]),
      );
    },
    /** How many issues a group has, by its title. */
    async groups(groupByFields: string, more: Record<string, string> = {}): Promise<unknown> {
      const { status, json, text } = await get('/rest/issues/aggregation', {
        ...{ ...every, aggregationType: 'sum', groupByFields, ...more },
      });
      if (status !== 200) return text;
      const rows: readonly { issueCount: number; groupByColumns: readonly Cell[] }[] = json.table.body.rows;
      return Object.fromEntries(
        rows.map(({ groupByColumns, issueCount }) => [groupByColumns[0]?.value, issueCount]),
      );
    },
    /** Titles of the values an issue had, one after another as columns. */
    async history(historyFields: string): Promise<unknown> {
      const found = await rowsOf({ columnsBy: 'anyFieldDuration', historyFields });
      if (typeof found === 'string') return found;
      return found.header.valueColumns.map(({ value }: Cell) => value).toSorted();
    },
  };
}

function issueWith(key: string, edition: 'cloud' | 'data center', fields: Record<string, unknown>): RawIssue {
  const story = jiraIssue(key, { created: '2026-03-02T09:00:00.000Z' });
  const raw = edition === 'cloud' ? story.onCloud() : story.onDataCenter();
  return { ...raw, fields: { ...raw.fields, ...fields } };
}

const blocks = { name: 'Blocks', inward: 'is blocked by', outward: 'blocks' };
const page = { startAt: 0, maxResults: 20 };

/** What a field holds, how it reads, and a clause that holds for it and not for an issue where it is empty. */
const contents: readonly [id: string, raw: unknown, empty: unknown, shown: string, clause: string][] = [
  ['votes', { self: 'x', votes: 3, hasVoted: false }, { votes: 0, hasVoted: false }, '3', 'votes > 0'],
  ['watches', { self: 'x', watchCount: 2, isWatching: true }, { watchCount: 0 }, '2', 'watches >= 2'],
  [
    'comment',
    { ...page, total: 4, comments: [{ id: '1', body: 'x' }] },
    { ...page, total: 0, comments: [] },
    '4',
    'comment > 0',
  ],
  [
    'worklog',
    { ...page, total: 1, worklogs: [{ id: '1', timeSpent: '1h' }] },
    { total: 0, worklogs: [] },
    '1',
    'worklog = 1',
  ],
  ['attachment', [{ id: '7', filename: 'plan.pdf', size: 9 }], [], 'plan.pdf', 'attachment is not EMPTY'],
  [
    'issuelinks',
    [
      { id: '1', type: blocks, outwardIssue: { id: '9', key: 'FLD-9', fields: { summary: 'x' } } },
      { id: '2', type: blocks, inwardIssue: { id: '8', key: 'FLD-8' } },
    ],
    [],
    'blocks FLD-9, is blocked by FLD-8',
    'issuelinks = "blocks FLD-9"',
  ],
  [
    'progress',
    { progress: 1800, total: 7200, percent: 25 },
    { progress: 0, total: 0 },
    '25',
    'progress = 25',
  ],
  [
    'aggregateprogress',
    { progress: 7200, total: 7200 },
    { progress: 0, total: 0 },
    '100',
    'aggregateprogress > 25',
  ],
  [
    'timetracking',
    { originalEstimate: '1d', timeSpent: '4h', originalEstimateSeconds: 28_800, timeSpentSeconds: 14_400 },
    {},
    '1d estimated, 4h logged',
    'timetracking ~ logged',
  ],
  [
    'customfield_1',
    {
      _links: { web: 'x' },
      requestType: { id: '12', name: 'Get help', issueTypeId: '3' },
      currentStatus: {},
    },
    null,
    'Get help',
    'cf[1] = "Get help"',
  ],
  ['customfield_2', [{ workspaceId: 'w', id: 'w:88', objectId: '88' }], [], '88', 'cf[2] = "w:88"'],
  ['customfield_3', [{ id: '5', label: 'Laptop', objectKey: 'ITAM-5' }], null, 'Laptop', 'cf[3] = Laptop'],
  [
    'customfield_4',
    {
      id: '1',
      name: 'Time to resolution',
      completedCycles: [],
      ongoingCycle: { breached: true, paused: false },
    },
    { id: '1', name: 'Time to resolution', completedCycles: [] },
    'Breached',
    'cf[4] = Breached',
  ],
  ['customfield_5', { rating: 4 }, null, '4', 'cf[5] >= 4'],
  [
    'customfield_6',
    { hasEpicLinkFieldDependency: false, showField: true, data: { id: '10', key: 'FLD-10' } },
    { hasEpicLinkFieldDependency: false, showField: false, nonEditableReason: { reason: 'x' } },
    'FLD-10',
    'cf[6] = FLD-10',
  ],
  [
    'customfield_7',
    { id: '7', value: 'Hardware', child: { id: '9', value: 'Laptop' } },
    null,
    'Hardware → Laptop',
    'cf[7] = Laptop',
  ],
  ['customfield_8', [{ id: '1', name: 'Legal', finalDecision: 'pending' }], [], 'Legal', 'cf[8] = Legal'],
  ['customfield_9', { languageCode: 'de', displayName: 'German' }, null, 'German', 'cf[9] = German'],
  ['customfield_11', [{ name: 'staff', groupId: 'g1' }], null, 'staff', 'cf[11] = staff'],
  ['customfield_12', { id: 't1', name: 'Reef', title: 'Reef' }, null, 'Reef', 'cf[12] = Reef'],
];

test('every kind of content is read, on Cloud and on Data Center', async () => {
  const of = (place: 1 | 2) => Object.fromEntries(contents.map((one) => [one[0], one[place]]));
  const { keys, shown, groups } = await imported([
    issueWith('FLD-1', 'cloud', of(1)),
    issueWith('FLD-2', 'cloud', of(2)),
    issueWith('FLD-3', 'data center', of(1)),
    issueWith('FLD-4', 'data center', of(2)),
  ]);
  for (const [id, , empty, text, clause] of contents) {
    const isCounted = ['votes', 'watches', 'comment', 'worklog'].includes(id);
    const nothing = isCounted ? '0' : '-';
    const told = { 'FLD-1': text, 'FLD-2': nothing, 'FLD-3': text, 'FLD-4': nothing };
    expect([id, empty, await shown(id)]).toEqual([id, empty, told]);
    expect([clause, await keys(clause)]).toEqual([clause, ['FLD-1', 'FLD-3']]);
    const unfilled = isCounted ? [] : ['FLD-2', 'FLD-4'];
    expect([id, await keys(`${id} is EMPTY`)]).toEqual([id, unfilled]);
    const counts: Record<string, number> = (await groups(id)) as Record<string, number>;
    // Of several links, each is a row.
    for (const value of id === 'issuelinks' ? text.split(', ') : [text])
      expect([id, value, counts[value]]).toEqual([id, value, 2]);
  }
});

describe.each(['cloud', 'data center'] as const)('on %s', (edition) => {
  test('a content of an unknown form is refused, and not empty', async () => {
    const { keys, shown, groups, history } = await imported([
      issueWith('FLD-1', edition, { customfield_1: { shape: { of: 'something new' } } }),
      issueWith('FLD-2', edition, { customfield_1: null }),
    ]);
    const problem = 'holds values of a kind that is not supported. Try: another field.';
    for (const clause of [
      'cf[1] is EMPTY',
      'cf[1] is not EMPTY',
      'customfield_1 = x',
      'key is not EMPTY ORDER BY cf[1]',
    ]) {
      expect(await keys(clause)).toContain(problem);
    }
    for (const answer of [
      await shown('customfield_1'),
      await groups('customfield_1'),
      await history('customfield_1'),
    ])
      expect(answer).toContain(`'customfield_1' ${problem}`);
  });

  test('fields that are not read from Jira are refused where nothing has them', async () => {
    const { keys, shown } = await imported(
      [issueWith('FLD-1', edition, {})],
      [
        { id: 'attachment', name: 'Attachment', custom: false },
        { id: 'comment', name: 'Comment', custom: false },
      ],
    );
    expect(await keys('attachment is EMPTY')).toContain("'attachment' at position 0 is not read from Jira");
    expect(await keys('comment ~ x')).toContain(
      'is not supported: Dwell does not read the texts of comments',
    );
    expect(await shown('attachment')).toContain("fields 'attachment' is not read from Jira");
  });
});

describe('links', () => {
  const entry = (
    id: number,
    from: readonly [string, string] | null,
    to: readonly [string, string] | null,
  ): RawHistory => ({
    id: String(id),
    created: `2026-03-0${id}T09:00:00.000+0000`,
    items: [
      {
        ...{ field: 'Link', fieldtype: 'jira', from: from?.[0] ?? null, fromString: from?.[1] ?? null },
        ...{ to: to?.[0] ?? null, toString: to?.[1] ?? null },
      },
    ],
  });

  test('have a history of sets, in whatever language a changelog words them', async () => {
    const issue = issueWith('FLD-1', 'data center', {
      issuelinks: [{ id: '1', type: blocks, outwardIssue: { key: 'FLD-9' } }],
    });
    const histories = [
      entry(3, null, ['FLD-9', 'Dieser Vorgang blockiert FLD-9']),
      entry(4, null, ['FLD-8', 'This issue clones FLD-8']),
      entry(5, ['FLD-8', 'This issue clones FLD-8'], null),
    ];
    const changelog = { startAt: 0, maxResults: 3, total: 3, histories };
    const { history } = await imported([{ ...issue, changelog }]);
    expect(await history('issuelinks')).toEqual(['Empty', 'blocks FLD-9', 'blocks FLD-9, clones FLD-8']);
  });
});

test('a text that reads like a list of ids is one value, now and in histories', async () => {
  const issues = [1, 2, 3].map((number) => issueWith(`FLD-${number}`, 'cloud', { customfield_1: '1, 2' }));
  const former = issueWith('FLD-4', 'cloud', { customfield_1: null });
  const item = { field: 'Notes', fieldtype: 'custom', fieldId: 'customfield_1', from: null, to: null };
  const histories: RawHistory[] = [
    {
      id: '1',
      created: '2026-03-10T09:00:00.000+0000',
      items: [{ ...item, fromString: '1, 2', toString: '' }],
    },
  ];
  const changelog = { startAt: 0, maxResults: 1, total: 1, histories };
  const { groups } = await imported([...issues, { ...former, changelog }]);
  for (const columnsBy of ['statusDuration', 'anyFieldDuration']) {
    const report = { columnsBy, historyFields: 'status' };
    expect(await groups('customfield_1', report)).toEqual({ '1, 2': 3, '-': 1 });
    expect(await groups('customfield_1', { ...report, asOf: '2026-03-09T09:00:00Z' })).toEqual({ '1, 2': 4 });
  }
});

test.each([
  ['options', '{"id":"7","value":"Level","child":', 'Level → Innermost'],
  ['request types', '{"requestType":', 'Innermost'],
  ['parent links', '{"showField":true,"data":', 'Innermost'],
])('%s in each other without end are not supported, and the import goes on', async (_, outer, once) => {
  const nested = (levels: number) =>
    `${outer.repeat(levels)}{"id":"9","name":"Innermost"}${'}'.repeat(levels)}`;
  const fields = { customfield_1: 'ENDLESS', customfield_2: ['ENDLESS'], customfield_3: 'ONCE' };
  const file = JSON.stringify(searchResult(issueWith('FLD-1', 'cloud', fields)))
    .replaceAll('"ENDLESS"', nested(8_000))
    .replaceAll('"ONCE"', nested(1));
  const { keys, shown } = await imported([issueWith('FLD-2', 'cloud', {})], file);
  expect(await shown('customfield_3')).toEqual({ 'FLD-1': once, 'FLD-2': '-' });
  for (const field of ['cf[1]', 'cf[2]'])
    expect(await keys(`${field} is not EMPTY`)).toContain('holds values of a kind that is not supported');
});

describe('a cascading select', () => {
  const option = (id: number, value: string, child: object | null = null) => ({
    ...{ id: String(id), value },
    ...(child === null ? {} : { child }),
  });
  const [laptop, phone] = [option(8, 'Laptop'), option(9, 'Phone')];
  const item = (from: string | null, to: string | null) => ({
    ...{ field: 'Asset', fieldtype: 'custom', fieldId: 'customfield_1' },
    ...{ from: null, fromString: from, to: null, toString: to },
  });
  const words = 'Parent values: Hardware(7)Level 1 values: Laptop(8)';
  const issues = [
    issueWith('CAS-1', 'cloud', { customfield_1: option(7, 'Hardware', laptop) }),
    issueWith('CAS-2', 'cloud', { customfield_1: option(7, 'Hardware', phone) }),
    issueWith('CAS-3', 'cloud', { customfield_1: option(7, 'Hardware') }),
    issueWith('CAS-4', 'cloud', { customfield_1: option(10, 'Rental', option(11, 'Laptop')) }),
    issueWith('CAS-5', 'cloud', { customfield_1: null }),
    {
      ...issueWith('CAS-6', 'cloud', { customfield_1: null }),
      changelog: {
        ...{ startAt: 0, maxResults: 2, total: 2 },
        histories: [
          { id: '2', created: '2026-03-04T09:00:00.000+0000', items: [item(words, null)] },
          { id: '1', created: '2026-03-03T09:00:00.000+0000', items: [item(null, words)] },
        ],
      },
    },
  ];

  test.each<[string, readonly number[]]>([
    ['cf[1] in cascadeOption(Hardware)', [1, 2, 3]],
    ['cf[1] in cascadeOption("hardware", "Laptop")', [1]],
    ['cf[1] in cascadeOption(7, 9)', [2]],
    ['cf[1] in cascadeOption(Hardware, none)', [3]],
    ['cf[1] not in cascadeOption(Hardware)', [4]],
    ['cf[1] = Hardware', [1, 2, 3]],
    ['cf[1] = Laptop', [1, 4]],
    ['cf[1] = "Rental → Laptop"', [4]],
    ['cf[1] is EMPTY', [5, 6]],
    ['cf[1] was Laptop', [1, 4, 6]],
    ['cf[1] was in cascadeOption(Hardware)', [1, 2, 3, 6]],
    ['cf[1] changed from cascadeOption(Hardware, Laptop)', [6]],
    ['cf[1] changed to Hardware', [6]],
  ])('%s', async (clause, numbers) => {
    const { keys } = await imported(issues);
    expect(await keys(clause)).toEqual(numbers.map((number) => `CAS-${number}`));
  });

  test('is refused where an option is unknown, and one function for many values needs IN', async () => {
    const { keys } = await imported(issues);
    expect(await keys('cf[1] in cascadeOption(Software)')).toContain("'Software' at position");
    expect(await keys('cf[1] in cascadeOption(Rental, Phone)')).toContain("'Phone' at position");
    expect(await keys('cf[1] = cascadeOption(Rental)')).toContain('gives several values');
    expect(await keys('status in cascadeOption(Rental)')).toContain('is not a function that status takes');
  });

  test('keeps both levels in columns, groups and histories', async () => {
    const { shown, groups, history } = await imported(issues);
    expect(await shown('customfield_1')).toMatchObject({ 'CAS-1': 'Hardware → Laptop', 'CAS-3': 'Hardware' });
    expect(await groups('customfield_1')).toMatchObject({
      'Hardware → Laptop': 1,
      'Hardware → Phone': 1,
      Hardware: 1,
      'Rental → Laptop': 1,
    });
    expect(await history('customfield_1')).toEqual([
      ...['Empty', 'Hardware', 'Hardware → Laptop', 'Hardware → Phone', 'Rental → Laptop'],
    ]);
  });
});
