import { afterEach, describe, expect, test } from '#jest';
import { assistantOf } from '../mcp/assistant.ts';
import { exportFile, jiraIssue, movesTo, type RawIssue } from '../support/jira-export.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';

let dwell: TestDwell | null = null;
afterEach(async () => {
  await dwell?.stop();
  dwell = null;
});

const ASOF = '2026-11-12T09:00:00Z';
const day = (date: number) => `2026-11-${String(date).padStart(2, '0')}T09:00:00.000Z`;

/** Adds entries to the changelog of an issue, and contents to its fields. */
function withItems(
  raw: RawIssue,
  fields: Record<string, unknown>,
  items: readonly (readonly [date: number, item: Record<string, unknown>])[],
): RawIssue {
  const author = { accountId: 'mia', key: 'mia', name: 'mia', displayName: 'Mia Moss' };
  const histories = [
    ...(raw.changelog?.histories ?? []),
    ...items.map(([date, item], i) => ({
      ...{ id: String(90_001 + i), author, created: day(date) },
      items: [item],
    })),
  ];
  const changelog = { startAt: 0, maxResults: histories.length, total: histories.length, histories };
  return { ...raw, fields: { ...raw.fields, ...fields }, changelog };
}

const FLAG = 'customfield_10021';
const isOn = [{ id: '10019', value: 'Impediment' }];
/** The two ways in which changelogs write the flag: with its id in brackets, and with nothing but words. */
const shapes = {
  brackets: { id: '[10019]', name: 'Impediment' },
  words: { id: null, name: 'Impediment' },
};
/** How Cloud and Data Center name the field in a changelog. */
const names = {
  cloud: { field: 'Flagged', fieldtype: 'custom', fieldId: FLAG },
  dataCenter: { field: 'Flagged', fieldtype: 'custom' },
};
const raise = ({ id, name }: (typeof shapes)['brackets' | 'words']) => ({
  ...{ from: null, fromString: null, to: id, toString: name },
});
const clear = ({ id, name }: (typeof shapes)['brackets' | 'words']) => ({
  ...{ from: id, fromString: name, to: null, toString: '' },
});
const started = (key: string) =>
  jiraIssue(key, { created: day(2) })
    .at(day(3), movesTo('In Progress'))
    .onCloud();
const linked = (inward: string) => [
  {
    ...{ id: '31', type: { id: '1', name: 'Blocks', inward: 'is blocked by', outward: 'blocks' } },
    inwardIssue: { id: '900', key: inward },
  },
];
const linkItem = (key: string, words = 'This issue is blocked by') => ({
  ...{ field: 'Link', fieldtype: 'jira', from: null, fromString: null, to: key, toString: `${words} ${key}` },
});

/** Hours by issue and column, with the number of times. */
async function blocked(
  issues: readonly RawIssue[],
  fieldNames: Record<string, string> = { [FLAG]: 'Flagged' },
) {
  dwell = await startDwell({ at: ASOF, environment: { TRACKER: 'file' } });
  const { types, get } = dwell;
  await types('import', exportFile({ names: fieldNames, issues }));
  const { status, json } = await get('/rest/issues', {
    ...{ filterType: 'customjql', customjql: 'key is not EMPTY order by key', pageSize: '1000' },
    ...{ columnsBy: 'blockedDuration', asOf: ASOF, viewFormat: 'hours', calendar: 'normalHours' },
  });
  expect([status, json.messages]).toEqual([200, undefined]);
  const titles: string[] = json.table.header.valueColumns.map(({ value }: { value: string }) => value);
  return Object.fromEntries(
    json.table.body.rows.map(
      ({
        headerColumns,
        valueColumns,
      }: {
        headerColumns: { value: string }[];
        valueColumns: { value: string; count?: number }[];
      }) => [
        headerColumns[0]?.value,
        Object.fromEntries(
          valueColumns.flatMap(({ value }, i) => (value === '-' ? [] : [[titles[i], Number(value)]])),
        ),
      ],
    ),
  );
}

describe.each(Object.keys(shapes) as (keyof typeof shapes)[])('a flag that is written in %s', (shape) => {
  test.each(Object.keys(names) as (keyof typeof names)[])('blocks while it is set, on %s', async (site) => {
    const [name, value] = [names[site], shapes[shape]];
    const on = { ...name, ...raise(value) };
    const off = { ...name, ...clear(value) };
    const figures = await blocked([
      withItems(started('FLG-1'), { [FLAG]: null }, [
        [4, on],
        [6, off],
      ]),
      withItems(started('FLG-2'), { [FLAG]: isOn }, [[4, on]]),
      // Set at the creation, and never changed.
      withItems(started('FLG-3'), { [FLAG]: isOn }, []),
      withItems(started('FLG-4'), { [FLAG]: null }, [
        [4, on],
        [5, off],
        [7, on],
        [8, off],
      ]),
      withItems(started('FLG-5'), { [FLAG]: null }, [[4, off]]),
      started('FLG-6'),
    ]);
    const hours = (all: number) => ({ Blocked: all, 'Blocked: Flag': all });
    expect(figures).toEqual({
      ...{ 'FLG-1': hours(48), 'FLG-2': hours(192), 'FLG-3': hours(240) },
      ...{ 'FLG-4': hours(48), 'FLG-5': hours(48), 'FLG-6': {} },
    });
  });
});

test('the flag has its name in the language of the site', async () => {
  const on = { ...names.cloud, field: 'Markiert', ...raise(shapes.brackets) };
  const figures = await blocked([withItems(started('FLG-1'), { [FLAG]: isOn }, [[4, on]])], {
    [FLAG]: 'Markiert',
  });
  expect(figures).toEqual({ 'FLG-1': { Blocked: 192, 'Blocked: Flag': 192 } });
});

test('a flag counts no longer once the issue is done, and no time before a cut history begins', async () => {
  const on = { ...names.cloud, ...raise(shapes.brackets) };
  const done = jiraIssue('FLG-1', { created: day(2) })
    .at(day(3), movesTo('In Progress'))
    .at(day(6), movesTo('Done'))
    .onCloud();
  const whole = withItems(started('FLG-2'), { [FLAG]: isOn }, [[8, on]]);
  const cut = {
    ...whole,
    changelog: { ...whole.changelog, total: 9, histories: whole.changelog?.histories ?? [] },
  };
  const figures = await blocked([withItems(done, { [FLAG]: isOn }, [[4, on]]), cut]);
  expect(figures).toEqual({ 'FLG-1': { Blocked: 48, 'Blocked: Flag': 48 }, 'FLG-2': {} });
});

test('a link blocks until the other issue is done, and overlapping causes count once', async () => {
  const on = { ...names.cloud, ...raise(shapes.brackets) };
  const other = jiraIssue('FLG-9', { created: day(1) })
    .at(day(7), movesTo('Done'))
    .at(day(10), movesTo('In Progress'))
    .onCloud();
  const figures = await blocked([
    withItems(started('FLG-1'), { issuelinks: linked('FLG-9') }, [[4, linkItem('FLG-9')]]),
    withItems(started('FLG-2'), { issuelinks: linked('FLG-9'), [FLAG]: isOn }, [
      [4, linkItem('FLG-9', 'This work item is blocked by')],
      [6, on],
    ]),
    // An issue that is not here does not block.
    withItems(started('FLG-3'), { issuelinks: linked('GONE-1') }, [[4, linkItem('GONE-1')]]),
    jiraIssue('FLG-8', { created: day(1) })
      .at(day(2), movesTo('Done'))
      .onCloud(),
    other,
  ]);
  expect(figures).toEqual({
    'FLG-1': { Blocked: 120, 'Blocked: Link': 120 },
    'FLG-2': { Blocked: 192, 'Blocked: Flag': 144, 'Blocked: Link': 120 },
    ...{ 'FLG-3': {}, 'FLG-8': {}, 'FLG-9': {} },
  });
});

test('blocked time is not active in a flow that was set, in a week as in twelve', async () => {
  const item = (shape: object) => ({ ...names.cloud, ...shape });
  await blocked([
    withItems(started('FLG-1'), { [FLAG]: null }, [
      [4, item(raise(shapes.brackets))],
      [6, item(clear(shapes.brackets))],
    ]),
    jiraIssue('FLG-2', { created: day(2) })
      .at(day(3), movesTo('Done'))
      .onCloud(),
  ]);
  const { json: flow } = await place().as('ada', { admin: true }).get('/rest/flows/FLG');
  const efficiencies = async () => {
    const asked = { filterType: 'project', projectKey: 'FLG', asOf: ASOF, timeZone: 'UTC' };
    const [weekly, twelve] = [
      await place().get('/rest/issues/weekly', { ...asked, week: '2026-W45' }),
      await place().get('/rest/flow', asked),
    ];
    expect([weekly.status, twelve.status]).toEqual([200, 200]);
    const week = twelve.json.weeks.find(({ id }: { id: string }) => id === '2026-W45');
    return [weekly.json.flowEfficiency.week, week.flowEfficiency, twelve.json.total.flowEfficiency];
  };
  expect(await efficiencies()).toEqual([null, null, null]);
  const { status, json: said } = await place()
    .as('ada', { admin: true })
    .putJson('/rest/flows/FLG', { ...flow, pauses: true });
  expect([status, said.messages]).toEqual([200, undefined]);
  // In Progress from Tuesday, the 3rd, at 9:00, and blocked for two days: until the end of the week, and until now.
  expect(await efficiencies()).toEqual([87 / 135, 87 / 135, 168 / 216]);
});

test('a link to an issue of another project leaves a week its target', async () => {
  const finished = [1, 2, 3, 4, 5, 6].map((number) =>
    jiraIssue(`FLG-${number}`, { created: day(1) })
      .at(day(2), movesTo('In Progress'))
      .at(day(2 + number), movesTo('Done'))
      .onCloud(),
  );
  const other = jiraIssue('OTH-1', { created: day(1) }).onCloud();
  const link = withItems(started('FLG-7'), { issuelinks: linked('OTH-1') }, [[4, linkItem('OTH-1')]]);
  const figures = await blocked([...finished, link, other]);
  expect(figures['FLG-7']).toEqual({ Blocked: 192, 'Blocked: Link': 192 });
  const { status, json } = await place().get('/rest/issues/weekly', {
    ...{ filterType: 'project', projectKey: 'FLG', asOf: ASOF, timeZone: 'UTC', week: 'this' },
  });
  expect([status, json.blocked.week.issues]).toEqual([200, 1]);
  // All six were finished before Monday, the 9th.
  expect(json.target).toMatchObject({ percent: 85, source: 'learned', weekBefore: { finished: 6 } });
});

test('assistants read what blocks issues, in aging and of single issues', async () => {
  const on = { ...names.cloud, ...raise(shapes.brackets) };
  dwell = await startDwell({ at: ASOF, environment: { TRACKER: 'file' } });
  const issues = [withItems(started('FLG-1'), { [FLAG]: isOn }, [[4, on]]), started('FLG-2')];
  await dwell.types('import', exportFile({ names: { [FLAG]: 'Flagged' }, issues }));
  const assistant = await assistantOf(dwell, 'boss', { admin: true });
  const aging = await assistant.call('aging_issues', { project: 'FLG' });
  const facts = new Map(
    aging.content.issues.map((one: { key: string; blocked: unknown }) => [one.key, one.blocked]),
  );
  const since = day(4);
  expect(facts.get('FLG-1')).toMatchObject({ since, causes: [{ kind: 'flag' }], by: { name: 'Mia Moss' } });
  expect(facts.get('FLG-2')).toBeNull();
  expect(aging.text).toContain('by a flag, since 2026-11-04 09:00 Z, begun by Mia Moss');
  const lines = await assistant.call('issue_history', {
    issueKey: 'FLG-1',
    columnsBy: 'blockedDurationExpanded',
  });
  expect(lines.text).toContain('| 1 | Flag | 2026-11-04 09:00 Z | still there | 8d | 691200000 | Mia Moss |');
  await assistant.close();
});

function place(): TestDwell {
  if (dwell === null) throw new Error('No Dwell was started.');
  return dwell;
}
