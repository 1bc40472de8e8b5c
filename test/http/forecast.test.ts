import { beforeAll, describe, expect, test } from '#jest';
import { exportFile, jiraIssue, movesTo, type RawIssue } from '../support/jira-export.ts';
import { suiteDwell } from '../support/suite-dwell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const DAY = 86_400_000;
/** A Monday. */
const MONDAY = Date.parse('2026-03-16T00:00:00Z');
const NOW = '2026-03-16T00:00:00Z';
const iso = (at: number) => new Date(at).toISOString();

/** Issues of a project finished at noon of these days before the Monday; each took as many days as said. */
function finished(project: string, daysBefore: readonly number[], took = 2): readonly RawIssue[] {
  return daysBefore.map((day, i) => {
    const done = MONDAY - day * DAY + DAY / 2;
    return jiraIssue(`${project}-${i + 1}`, { created: iso(done - (took + 7) * DAY) })
      .at(iso(done - took * DAY), movesTo('In Progress'))
      .at(iso(done), movesTo('Done'))
      .onCloud();
  });
}

const open = (project: string, count: number, created = iso(MONDAY - 200 * DAY)) =>
  Array.from({ length: count }, (_, i) => jiraIssue(`${project}-${500 + i}`, { created }).onCloud());
/** Monday to Friday of so many weeks before, the last first. */
const weekdays = (weeks: number, from = 0) =>
  Array.from({ length: weeks }, (_, week) => [7, 6, 5, 4, 3].map((day) => 7 * (week + from) + day)).flat();
const often = (times: number, days: readonly number[]) =>
  days.flatMap((day) => Array<number>(times).fill(day));

const statuses = [
  { id: '7', name: 'To Do', statusCategory: { key: 'new' } },
  { id: '8', name: 'In Progress', statusCategory: { key: 'indeterminate' } },
  { id: '10', name: 'Done', statusCategory: { key: 'done' } },
];

const dwell = suiteDwell({ at: NOW, dataDir: temporaryFolder(), environment: { TRACKER: 'file' } });
beforeAll(async () => {
  await dwell.types(
    'import',
    exportFile([
      // One each working day, and nothing that is open.
      ...finished('ELM', weekdays(12)),
      // The same for three weeks, and seven issues that are open.
      ...[...finished('OAK', weekdays(3)), ...open('OAK', 7)],
      // Twice as many in the first six weeks as in the last.
      ...finished('FIR', [...weekdays(6), ...often(2, weekdays(6, 6))]),
      // A hundred that arrived lately.
      ...[...finished('ASH', weekdays(12)), ...open('ASH', 100, iso(MONDAY - 10 * DAY))],
      // One a day for seven weeks, and before that nothing.
      ...finished('YEW', weekdays(7)),
      // Fifteen that took ten to twenty-four days, and three that are in progress, for eleven and thirty days, and not yet.
      ...Array.from({ length: 15 }, (_, i) => finished('BOX', [i + 1], 10 + i)[0]).map(
        (issue, i) => ({ ...issue, id: `BOX-${i + 1}`, key: `BOX-${i + 1}` }) as RawIssue,
      ),
      ...[11, 30].map((days) =>
        jiraIssue(`BOX-${100 + days}`, { created: iso(MONDAY - 60 * DAY) })
          .at(iso(MONDAY - days * DAY), movesTo('In Progress'))
          .onCloud(),
      ),
      ...open('BOX', 1),
    ]),
    exportFile(statuses, 'statuses.json'),
  );
});

const ask = (projectKey: string, parameters: Record<string, string> = {}) =>
  dwell.get('/rest/forecast', { filterType: 'project', projectKey, timeZone: 'UTC', ...parameters });
const dates = async (projectKey: string, parameters: Record<string, string> = {}) =>
  (await ask(projectKey, parameters)).json.percentiles.map(({ date }: { readonly date: string }) => date);
const issueForecast = (issueKey: string, parameters: Record<string, string> = {}) =>
  dwell.get('/rest/issue/forecast', { issueKey, timeZone: 'UTC', ...parameters });

describe('of a team that finishes one issue each working day', () => {
  test('ten issues take two weeks, whatever the chance', async () => {
    const { status, json } = await ask('ELM', { count: '10' });
    expect([status, json.messages]).toEqual([200, undefined]);
    expect(json).toMatchObject({
      forecastOf: 'date',
      remaining: 10,
      isOpenCount: false,
      percentiles: [50, 85, 95].map((percent) => ({ percent, date: '2026-03-27', issues: null })),
      odds: [{ date: '2026-03-27', issues: null, percent: 100 }],
      arrived: 53,
      scopeGrows: false,
      change: null,
      refused: null,
      trials: 10_000,
      complete: true,
    });
    expect(json.weeks).toHaveLength(12);
    expect(json.weeks[11]).toEqual({
      start: '2026-03-09T00:00:00.000Z',
      end: '2026-03-16T00:00:00.000Z',
      finished: 5,
    });
  });

  test('as many are finished until a day as it has working days, itself among them', async () => {
    const { json } = await ask('ELM', { until: '2026-04-02' });
    expect(json).toMatchObject({
      forecastOf: 'count',
      remaining: null,
      until: '2026-04-02',
      percentiles: [50, 85, 95].map((percent) => ({ percent, date: null, issues: 14 })),
    });
  });

  test('the rest of a day that has begun counts for the part that is left', async () => {
    const late = { asOf: '2026-03-13T23:59:59.999Z' };
    expect(await dates('ELM', { count: '1', ...late })).toEqual(Array(3).fill('2026-03-16'));
    // At noon it is as likely as not that the issue of the day is still to come.
    expect(await dates('ELM', { count: '1', asOf: '2026-03-11T12:00:00Z' })).toEqual([
      expect.stringMatching(/^2026-03-1[12]$/),
      '2026-03-12',
      '2026-03-12',
    ]);
  });

  test('days are those of the zone', async () => {
    // In Kiritimati, 14 hours ahead, the issues were finished at 2:00 AM of the next day.
    expect(await dates('ELM', { count: '1', timeZone: 'Pacific/Kiritimati' })).toEqual(
      Array(3).fill('2026-03-17'),
    );
  });

  test('a holiday of the calendar has no work', async () => {
    const { json } = await dwell.as('ada', { admin: true }).postJson('/rest/calendars', {
      name: 'Closed on Tuesday',
      timeZone: 'UTC',
      workingTimes: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'].map((weekday) => ({
        weekday,
        start: 0,
        end: DAY,
      })),
      holidays: [{ name: 'Tuesday', date: '2026-03-17', recurring: false }],
    });
    expect(await dates('ELM', { count: '10', calendar: String(json.id) })).toEqual(
      Array(3).fill('2026-03-30'),
    );
  });

  test('with nothing open there is nothing to forecast', async () => {
    expect((await ask('ELM')).json).toMatchObject({
      remaining: 0,
      isOpenCount: true,
      percentiles: [],
      refused: { reason: 'nothing-open' },
    });
  });

  test('an earlier answer knows nothing of what came later', async () => {
    const { json } = await ask('ELM', { count: '10', asOf: '2026-02-02T00:00:00Z' });
    expect(json.weeks.map(({ finished }: { readonly finished: number }) => finished)).toEqual(
      Array(6).fill(5),
    );
    expect(json.percentiles[1].date).toBe('2026-02-13');
  });
});

test('too few weeks with finished issues are refused with the number that is needed', async () => {
  expect((await ask('OAK')).json).toMatchObject({
    remaining: 7,
    isOpenCount: true,
    percentiles: [],
    odds: [],
    refused: { reason: 'too-few-weeks', needed: 5, found: 3, tryOn: '2026-03-30' },
  });
});

test('a change of throughput is said, with the forecast from the last six weeks alone', async () => {
  const { json } = await ask('FIR', { count: '30' });
  expect(json.change).toMatchObject({ before: 10, recent: 5 });
  expect(json.change.percentiles[1].date).toBe('2026-04-24');
  expect(json.percentiles[0].date < '2026-04-24').toBe(true);
});

test('scope that grows is said', async () => {
  expect((await ask('ASH')).json).toMatchObject({ remaining: 100, arrived: 153, scopeGrows: true });
});

test('weeks before the first issue was finished are no weeks of the team', async () => {
  const { json } = await ask('YEW', { count: '5' });
  expect(json.weeks).toHaveLength(7);
  expect(json.percentiles[1].date).toBe('2026-03-20');
});

test('the same question has the same answer twice, and a seed that is named draws the same every day', async () => {
  const [one, other] = [await ask('FIR', { count: '30' }), await ask('FIR', { count: '30' })];
  expect(other.json.seed).toBe(one.json.seed);
  expect(other.json.odds).toEqual(one.json.odds);
  const seeded = await ask('FIR', { count: '30', seed: String(one.json.seed) });
  expect(seeded.json.odds).toEqual(one.json.odds);
  expect((await ask('FIR', { count: '30', seed: '8' })).json.seed).toBe(8);
});

test('the issues of a query have their own past', async () => {
  const customjql = 'project = FIR AND created >= 2026-02-01';
  const { json } = await dwell.get('/rest/forecast', { filterType: 'customjql', customjql, timeZone: 'UTC' });
  expect(json.weeks.at(-1).finished).toBe(5);
  expect(json.weeks).toHaveLength(5);
});

describe('one issue', () => {
  test('is compared with those that were as old, from that age on', async () => {
    const { json } = await issueForecast('BOX-111');
    expect(json).toMatchObject({
      forecastOf: 'issue',
      issue: { key: 'BOX-111', ageMs: 11 * DAY, status: { name: 'In Progress' } },
      compared: 14,
      comparedInStatus: true,
      refused: null,
    });
    // Of 14 issues that took 11 to 24 days the seventh took 17, the twelfth 22 and the last 24.
    expect(json.percentiles.map(({ date }: { readonly date: string }) => date)).toEqual([
      '2026-03-21',
      '2026-03-26',
      '2026-03-28',
    ]);
  });

  test.each([
    ['BOX-130', { reason: 'too-few-issues', needed: 10, found: 0, tryOn: null }],
    ['BOX-500', { reason: 'not-started', needed: null, found: null, tryOn: null }],
    ['BOX-1', { reason: 'done', needed: null, found: null, tryOn: null }],
  ])('such as %s has none where nothing can be said', async (key, refused) => {
    expect((await issueForecast(key)).json).toMatchObject({ percentiles: [], refused });
  });

  test('that is not there is not found', async () => {
    expect((await issueForecast('BOX-999')).status).toBe(404);
  });
});

test.each([
  [{ count: '5', until: '2026-04-01' }, 'until', 'cannot be used with count'],
  [{ until: '2026-03-15' }, 'until', "'2026-03-15' is before 2026-03-16"],
  [{ until: '2032-01-01' }, 'until', "'2032-01-01' is more than five years away"],
  [{ until: 'Easter' }, 'until', "'Easter' is not a date"],
  [{ count: '0' }, 'count', "'0' is not allowed"],
  [{ seed: 'x' }, 'seed', "'x' is not allowed"],
  [{ calendar: 'Moon' }, 'calendar', "'Moon' is not known"],
])(
  '%j is refused with the field and what works',
  async (parameters: Record<string, string>, field, problem) => {
    const { status, json } = await ask('ELM', parameters);
    expect(status).toBe(400);
    expect(json.errors[field]).toContain(problem);
    expect(json.errors[field]).toContain('Try:');
  },
);
