import { millisecondsInHour } from 'date-fns/constants';
import { expect, test } from '#jest';
import { exportFile, jiraIssue, keepNewest, movesTo } from '../support/jira-export.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';
import { suiteDwell } from '../support/suite-dwell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const dwell = suiteDwell();

type Json = Awaited<ReturnType<TestDwell['get']>>['json'];

const web = { filterType: 'project', projectKey: 'WEB' };
const ask = (parameters: Record<string, string> = {}) =>
  dwell.get('/rest/issues/weekly', { ...web, ...parameters });

test('a week is told beside the eight before it, in the asked unit and in milliseconds', async () => {
  const { status, json } = await ask({ viewFormat: 'hours', timeZone: 'UTC' });
  expect([status, json.messages]).toEqual([200, undefined]);
  expect(json).toMatchObject({
    timeZone: 'UTC',
    viewFormat: 'hours',
    calendar: { id: null, name: 'normalHours', is7x24Calendar: true },
    asOf: '2026-03-18T12:00:00.000Z',
    askedAt: '2026-03-18T12:00:00.000Z',
    query: 'project = "WEB"',
    week: {
      id: '2026-W11',
      start: '2026-03-09T00:00:00.000Z',
      end: '2026-03-16T00:00:00.000Z',
      whole: true,
    },
  });
  expect(json.weeks).toHaveLength(9);
  expect(json.finished.week).toBe(json.weeks[8].finished);
  const { average } = json.cycleTime.eightWeeks;
  expect(Number(average.value)).toBeCloseTo(Number(average.raw) / 3_600_000, 6);
  expect(json.contributors.length).toBeGreaterThan(0);
});

test('contributors are called as everywhere, and for a while also as clients know them', async () => {
  const { json } = await ask({ viewFormat: 'hours' });
  expect(json.contributors.length).toBeGreaterThan(0);
  expect(json.movers).toEqual(
    json.contributors.map(({ key, summary, link, cycleMs, shiftMs }: Json) => ({
      ...{ issueKey: key, summary, link },
      ...{ cycleTime: inHours(cycleMs), shift: inHours(shiftMs) },
    })),
  );
  const { json: document } = await dwell.get('/openapi.json', {}, {});
  const { contributors, movers } = document.components.schemas.WeeklyAggregates.properties;
  expect([contributors.deprecated, movers.deprecated]).toEqual([undefined, true]);
});

test('every member of version 0.8 is there beside that of today, says the same, and is deprecated', async () => {
  const office = await startDwell({
    ...{ at: '2026-03-18T12:00:00Z', dataDir: temporaryFolder(), environment: { TRACKER: 'file' } },
  });
  try {
    const story = (key: string) => jiraIssue(key, { created: '2026-02-20T09:00:00Z' });
    const worked = (key: string, from: string, until: string) =>
      story(key)
        .at(`2026-03-${from}T09:00:00.000Z`, movesTo('In Progress'))
        .at(`2026-03-${until}T09:00:00.000Z`, movesTo('Done'))
        .onCloud();
    const skipped = story('FERN-3').at('2026-03-11T09:00:00.000Z', movesTo('Done')).onCloud();
    const parked = story('FERN-5').onCloud();
    await office.types(
      'import',
      exportFile([
        ...[worked('FERN-1', '03', '04'), worked('FERN-2', '09', '12'), skipped],
        keepNewest(worked('FERN-4', '10', '11'), 0),
        { ...parked, fields: { ...parked.fields, status: { id: '80', name: 'Parked' } } },
      ]),
      exportFile(
        [
          ...[{ id: '7', name: 'To Do', statusCategory: { key: 'new' } }],
          ...[{ id: '8', name: 'In Progress', statusCategory: { key: 'indeterminate' } }],
          ...[{ id: '10', name: 'Done', statusCategory: { key: 'done' } }],
        ],
        'statuses.json',
      ),
    );
    const { json } = await office.get('/rest/issues/weekly', {
      ...{ filterType: 'project', projectKey: 'FERN', timeZone: 'UTC', viewFormat: 'hours' },
    });
    expect(json.finished.reason).toMatch(/may have been finished then/);
    for (const list of ['doneSinceUnknown', 'unclear', 'withoutCycleTime', 'contributors'])
      expect([list, json[list].length]).toEqual([list, 1]);
    expect([json.cycleTime.week.count, json.cycleTime.weekBefore.count]).toEqual([1, 1]);
    expect(json).toMatchObject(asIn08(json));
  } finally {
    await office.stop();
  }
  const { json: document } = await dwell.get('/openapi.json', {}, {});
  const statistics = ['average', 'median', 'percentile85', 'standardDeviation'];
  const compared = ['week', 'weekBefore', 'eightWeeks'];
  expect(deprecatedIn(document.components.schemas.WeeklyAggregates, document).toSorted()).toEqual(
    [
      ...['viewFormat', 'finished.reason', 'statuses.statusCategory', 'statuses.within'],
      ...['weeks.reason', 'weeks.within', 'movers'],
      ...['withoutCycleTime.issueKey', 'doneSinceUnknown.issueKey', 'unclear.issueKey'],
      ...[
        ...['cycleTime', 'statuses.finished'].flatMap((at) => compared.map((one) => `${at}.${one}`)),
        'weeks.cycleTime',
      ].flatMap((at) => statistics.map((name) => `${at}.${name}`)),
    ].toSorted(),
  );
});

/** A duration as version 0.8 has it with `viewFormat=hours`. */
function inHours(ms: number | null) {
  if (ms === null) return { value: '-' };
  return { value: String(Number((ms / millisecondsInHour).toFixed(10))), raw: String(ms) };
}

/** The members of version 0.8, made of those of today. */
function asIn08(json: Json): Json {
  const each = ({ week, weekBefore, eightWeeks }: Json, make: (figure: Json) => Json) => ({
    ...{ week: make(week), weekBefore: make(weekBefore), eightWeeks: make(eightWeeks) },
  });
  const spread = ({ count, averageMs, medianMs, p85Ms, deviationMs }: Json) => ({
    ...{ count, average: inHours(averageMs), median: inHours(medianMs) },
    ...{ percentile85: inHours(p85Ms), standardDeviation: inHours(deviationMs) },
  });
  const leftOut = ({ key, reason }: Json) => ({ issueKey: key, reason });
  const because = (reason: string | null) => (reason === null ? {} : { reason });
  return {
    finished: because(json.finishedUnknown),
    cycleTime: each(json.cycleTime, spread),
    statuses: json.statuses.map(({ category, finished, withinMs }: Json) => ({
      statusCategory: { name: category },
      ...{ finished: each(finished, spread), within: each(withinMs, inHours) },
    })),
    weeks: json.weeks.map(({ finishedUnknown, cycleTime, withinMs }: Json) => ({
      ...because(finishedUnknown),
      cycleTime: spread(cycleTime),
      within: Object.entries<number>(withinMs).map(([id, ms]) => ({ id, ...inHours(ms) })),
    })),
    movers: json.contributors.map(({ key, summary, link, cycleMs, shiftMs }: Json) => ({
      ...{ issueKey: key, summary, link, cycleTime: inHours(cycleMs), shift: inHours(shiftMs) },
    })),
    withoutCycleTime: json.withoutCycleTime.map(leftOut),
    doneSinceUnknown: json.doneSinceUnknown.map(leftOut),
    unclear: json.unclear.map(leftOut),
  };
}

/** The members that a schema calls deprecated, each with those it is in. */
function deprecatedIn(schema: Json, document: Json): string[] {
  const { items, properties = {}, $ref } = schema;
  if ($ref !== undefined) return deprecatedIn(document.components.schemas[$ref.split('/').at(-1)], document);
  if (items !== undefined) return deprecatedIn(items, document);
  return Object.entries<Json>(properties).flatMap(([name, one]) =>
    one.deprecated ? [name] : deprecatedIn(one, document).map((inner) => `${name}.${inner}`),
  );
}

test('the issues finished are those that JQL finds', async () => {
  const { json } = await ask({ timeZone: 'UTC' });
  expect(json.finished.week).toBeGreaterThan(0);
  for (const { id, start, end, finished } of json.weeks) {
    const day = (text: string) => text.slice(0, 10);
    const customjql = `project = WEB and statusCategory = Done and status changed during ("${day(start)}", "${day(end)}") and not status changed after "${day(end)}"`;
    const list = await dwell.get('/rest/issues', {
      filterType: 'customjql',
      customjql,
      columnsBy: 'statusDuration',
      pageSize: '1000',
    });
    expect([list.json.messages, id, list.json.total]).toEqual([undefined, id, finished]);
  }
});

test('time within a week is the sum of the report that is trimmed to it', async () => {
  const { json } = await ask({ week: '2026-w10', timeZone: 'UTC', calendar: '1' });
  const sums = await dwell.get('/rest/issues/aggregation', {
    ...web,
    columnsBy: 'statusDuration',
    aggregationType: 'sum',
    calendar: '1',
    trimHistoryStartDate: '2026-03-02',
    trimHistoryEndDate: '2026-03-09',
  });
  const [{ valueColumns }] = sums.json.table.body.rows;
  expect(json.week.id).toBe('2026-W10');
  expect(json.statuses.length).toBeGreaterThan(3);
  for (const { id, within, statusCategory } of json.statuses) {
    expect(statusCategory.name).not.toBe('Done');
    const sum = valueColumns.find((column: { id: string }) => column.id === id);
    expect([id, within.week.raw]).toEqual([id, sum?.raw ?? '0']);
  }
});

test('a week in the past is told as it was known then', async () => {
  const then = await ask({ week: 'this', asOf: '2026-02-05T10:00:00Z', timeZone: 'UTC' });
  expect(then.json).toMatchObject({
    asOf: '2026-02-05T10:00:00.000Z',
    askedAt: '2026-03-18T12:00:00.000Z',
    week: { id: '2026-W06', whole: false },
  });
});

test('csv has every figure of JSON on a line of its own', async () => {
  const parameters = { viewFormat: 'hours', timeZone: 'UTC', calendar: 'New York' };
  const { json } = await ask(parameters);
  const { status, type, headers, text } = await ask({ ...parameters, outputType: 'CSV' });
  expect([status, type]).toEqual([200, 'text/csv; charset=utf-8']);
  expect([headers.get('x-complete'), headers.get('x-undecided')]).toEqual(['true', '0']);
  const [titles, ...lines] = text.split('\r\n');
  expect(titles).toBe(
    'week,scope,status,figure,value,unit,weekBefore,eightWeeks,whole,calendar,timeZone,asOf',
  );
  expect(lines.pop()).toBe('');
  const scopes = [{ ...json, id: 'all' }, ...json.statuses];
  const isOfTarget = (line: string) => line.startsWith('2026-W11,all,,target.');
  const { percent, withinMs, finishedWithin, finished, weekBefore } = json.target;
  const hours = Number((withinMs / 3_600_000).toFixed(10));
  expect(lines.filter(isOfTarget).map((line) => line.split(',').slice(3, 8))).toEqual([
    ['target.percent', `${percent}`, 'percent', `${percent}`, ''],
    ['target.within', `${hours}`, 'hours', `${hours}`, ''],
    ['target.isLearned', '1', 'boolean', '1', ''],
    ['target.finishedWithin', `${finishedWithin}`, 'issues', `${weekBefore.finishedWithin}`, ''],
    ['target.finished', `${finished}`, 'issues', `${weekBefore.finished}`, ''],
  ]);
  const isOfBlocked = (line: string) => line.startsWith('2026-W11,all,,blocked');
  const [inWeek, before] = [json.blocked.week, json.blocked.weekBefore];
  const inHours = (ms: number) => `${Number((ms / 3_600_000).toFixed(10))}`;
  expect(lines.filter(isOfBlocked).map((line) => line.split(',').slice(3, 8))).toEqual([
    ['blocked', inHours(inWeek.blockedMs), 'hours', inHours(before.blockedMs), ''],
    ['blocked.count', `${inWeek.issues}`, 'issues', `${before.issues}`, ''],
  ]);
  const compared = lines.filter((line) => !isOfTarget(line) && !isOfBlocked(line));
  expect(compared).toHaveLength(9 + 6 * json.statuses.length);
  for (const line of compared) {
    const [week, scope, name, path = '', value, unit, weekBefore, eightWeeks, ...standpoint] =
      line.split(',');
    expect([week, ...standpoint]).toEqual([
      '2026-W11',
      'true',
      'New York',
      'UTC',
      '2026-03-18T12:00:00.000Z',
    ]);
    const of = scopes.find(({ id }) => id === scope);
    expect(name).toBe(scope === 'all' ? '' : of.name);
    const [first = '', member] = path.split('.');
    const figures = of[first];
    if (Array.isArray(figures)) {
      expect([value, unit]).toEqual([String(figures.length), 'issues']);
      continue;
    }
    const cell = (at: 'week' | 'weekBefore' | 'eightWeeks') => {
      const figure = member === undefined ? figures[at] : figures[at][member];
      return typeof figure === 'object' ? figure.value.replace(/^-$/, '') : String(figure);
    };
    expect([path, value, weekBefore, eightWeeks]).toEqual([
      path,
      ...[cell('week'), cell('weekBefore'), cell('eightWeeks')],
    ]);
    expect(unit).toBe(/^(finished|\w+\.count)$/.test(path) ? 'issues' : 'hours');
  }
});

test('what issues there are is not told beside the figures', async () => {
  const { text } = await ask();
  expect(text).not.toContain('"contents"');
  expect(text).not.toContain('withLevel');
});

test('issues that the principal may not see are not counted', async () => {
  const counted = async (user: string, admin: boolean) => {
    const asked = { filterType: 'project', projectKey: 'OPS' };
    const { json } = await dwell.as(user, { admin }).get('/rest/issues/weekly', asked);
    return Number(json.issueCount);
  };
  const seen = await counted('zoe', false);
  expect(seen).toBeGreaterThan(0);
  expect(seen).toBeLessThan(await counted('ada', true));
});

test('a week counts what was imported since it was last asked for, and is closed with its project', async () => {
  const office = await startDwell({
    ...{ at: '2026-03-18T12:00:00Z', dataDir: temporaryFolder(), environment: { TRACKER: 'file' } },
  });
  try {
    const week = () =>
      office
        .as('bob', { admin: false })
        .get('/rest/issues/weekly', { filterType: 'project', projectKey: 'FERN', timeZone: 'UTC' });
    const open = (key: string) => jiraIssue(key).at('2026-03-10T09:00:00.000Z', movesTo('In Progress'));
    const done = (key: string) => open(key).at('2026-03-11T09:00:00.000Z', movesTo('Done'));
    await office.types('import', exportFile([done('FERN-1').onCloud(), open('FERN-2').onCloud()]));
    expect((await week()).json.finished.week).toBe(1);
    await office.types('import', exportFile([done('FERN-2').onCloud()]));
    expect((await week()).json.finished.week).toBe(2);
    await office.types('access', 'FERN', '--to', 'grace');
    const { status, json } = await week();
    expect([status, json.messages]).toEqual([400, [expect.stringContaining("projectKey 'FERN'")]]);
  } finally {
    await office.stop();
  }
});

test.each([
  [{ outputType: 'jsonSimplified' }, "outputType 'jsonSimplified' is not known. Try: json, csv."],
  [{ week: '2025-W53' }, "week '2025-W53' is none of 2025. Try: 2025-W52 and those before it."],
  [{ week: '2026-W00' }, "week '2026-W00' is none of 2026. Try: 2026-W53 and those before it."],
  [{ week: '2026-W13' }, "week '2026-W13' has not begun. Try: weeks up to 2026-W12."],
  [{ timeZone: '+02:00' }, "timeZone '+02:00' is not known. Try: an IANA time zone, such as Europe/Berlin."],
])('%j is refused with what is allowed', async (parameters, sentence) => {
  const { status, json } = await ask({ timeZone: 'UTC', ...parameters });
  expect([status, json.messages]).toEqual([400, [sentence]]);
});
