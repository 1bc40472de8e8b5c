import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '#jest';
import { fixture } from '../../support/fixture.ts';
import { exportFile, jiraIssue, movesTo, type RawIssue } from '../../support/jira-export.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';

const sprint = (id: number, startDate: string | null, more: Record<string, unknown> = {}) => ({
  ...{ id, name: `Sprint ${id}`, state: 'closed', startDate, boardId: 3 },
  ...more,
});
const one = sprint(1, '2026-02-16T09:00:00.500Z', { completeDate: '2026-03-02T09:00:00.250Z' });
const two = sprint(2, '2026-03-02T09:00:00.500Z', { completeDate: '2026-03-16T09:00:00.750Z' });
const three = sprint(3, '2026-03-16T22:30:00.000Z', { state: 'active' });
const four = sprint(4, '2026-04-01T09:00:00.000Z', { state: 'future' });
const five = sprint(5, null);
type Told = ReturnType<typeof sprint>;

/** An issue that was in the first list of sprints when created, and in each later one since an instant. */
function inSprints(raw: RawIssue, first: readonly Told[], ...later: [string, readonly Told[]][]): RawIssue {
  const ids = (all: readonly Told[]) => all.map(({ id }) => id).join(', ');
  const lists = [first, ...later.map(([, list]) => list)];
  const joined = later.map(([created, list], i) => ({
    ...{ id: String(20_001 + i), created },
    items: [
      {
        ...{ field: 'Sprint', fieldId: 'customfield_10020' },
        ...{ from: ids(lists[i] ?? []), fromString: '', to: ids(list), toString: ids(list) },
      },
    ],
  }));
  return {
    ...raw,
    fields: { ...raw.fields, customfield_10020: lists.at(-1) },
    changelog: { histories: [...(raw.changelog?.histories ?? []), ...joined] },
  };
}

const created = '2026-02-20T08:00:00.000Z';
const issue = (number: number) => jiraIssue(`WEB-${number}`, { created });
const issues = [
  // Carried over from the first, and finished in the millisecond in which the second was closed.
  inSprints(
    issue(1)
      .at('2026-02-23T09:00:00.000Z', movesTo('In Progress'))
      .at('2026-03-16T09:00:00.750Z', movesTo('Done'))
      .onCloud(),
    [one],
    ['2026-03-02T09:00:00.250Z', [one, two]],
  ),
  // There at the start to the millisecond, finished a millisecond too late, carried over to the next.
  inSprints(
    issue(2)
      .at('2026-03-09T09:00:00.000Z', movesTo('In Progress'))
      .at('2026-03-16T09:00:00.751Z', movesTo('Done'))
      .onCloud(),
    [],
    ['2026-03-02T09:00:00.500Z', [two]],
    ['2026-03-16T22:00:00.000Z', [two, three]],
  ),
  // Added a millisecond after the start, and finished.
  inSprints(
    issue(3)
      .at('2026-03-10T09:00:00.000Z', movesTo('In Progress'))
      .at('2026-03-12T09:00:00.125Z', movesTo('Done'))
      .onCloud(),
    [],
    ['2026-03-02T09:00:00.501Z', [two]],
  ),
  // Taken out again before the end.
  inSprints(
    issue(4).at('2026-03-05T09:00:00.000Z', movesTo('In Progress')).onCloud(),
    [two],
    ['2026-03-06T09:00:00.000Z', []],
  ),
  // Finished in an earlier sprint.
  inSprints(
    issue(5)
      .at('2026-02-21T09:00:00.000Z', movesTo('In Progress'))
      .at('2026-03-01T09:00:00.000Z', movesTo('Done'))
      .onCloud(),
    [one, two],
  ),
  inSprints(issue(6).onCloud(), [four]),
  inSprints(issue(7).onCloud(), [five]),
];

let place: Awaited<ReturnType<typeof startDwellInSlack>>;
beforeAll(async () => {
  place = await startDwellInSlack({
    at: '2026-03-18T12:00:00Z',
    environment: { TRACKER: 'file', TIME_ZONE: 'Asia/Tokyo' },
  });
  const { dwell } = place;
  const people = ['ada', 'bob'].map((id) => ({ accountId: id, displayName: id }));
  await dwell.types('import', exportFile(issues), exportFile(people));
  await dwell.types(
    'import',
    fixture('devlake-jira-cloud.issues.json'),
    fixture('devlake-jira-cloud.statuses.json'),
  );
  await dwell.types('access', 'WEB', '--to', 'ada');
  await dwell.types('people', '--link', 'U0ADA', '--to', 'ada');
});
afterAll(() => place.stop());

const report = (id: number | string, more: Record<string, string> = {}) =>
  place.dwell.get(`/rest/sprints/${id}/report`, { viewFormat: 'seconds', ...more });
const says = async (line: string) => (await place.asks(line))[0]?.text ?? '';
const days = (count: number, ms = 0) => String(count * 86_400_000 + ms);

test('a sprint is counted to the millisecond', async () => {
  const { status, json } = await report(2);
  expect([status, json.messages]).toEqual([200, undefined]);
  expect(json).toMatchObject({ issueCount: 4, complete: true });
  expect(json.sprint).toMatchObject({
    start: '2026-03-02T09:00:00.500Z',
    end: '2026-03-16T09:00:00.750Z',
    ...{ running: false, finished: 2, carriedOver: 1, added: 1 },
    cycleTime: { count: 2, average: { raw: days(11.5, 438) } },
  });
  const within = json.statuses.map((one: { name: string; within: { raw: string } }) => [
    one.name,
    one.within.raw,
  ]);
  // In progress: WEB-1 all of it, WEB-2 from the 9th, WEB-3 two days. To do: WEB-2 a week, WEB-3 eight days.
  expect(within).toEqual([
    ['In Progress', days(23, 1125)],
    ['To Do', days(15, -1000)],
  ]);
  expect(json.previousSprints).toMatchObject([
    { id: '1', finished: 1, carriedOver: 1, added: 2, end: '2026-03-02T09:00:00.250Z' },
  ]);
});

test('a sprint of a real site is what its changelogs say', async () => {
  const { json } = await report(7);
  const resolved = new Set(['5', '6', '10068']);
  const raw: RawIssue[] = JSON.parse(readFileSync(fixture('devlake-jira-cloud.issues.json'), 'utf8')).issues;
  const members = raw.filter(({ changelog }) =>
    changelog?.histories.some(({ items }) => items.some(({ field, to }) => field === 'Sprint' && to === '7')),
  );
  const end = Date.parse('2020-06-22T05:59:58.980Z');
  const resolvedAtEnd = members.filter(({ changelog }) => {
    const moves = (changelog?.histories ?? [])
      .filter(
        ({ created: at, items }) =>
          Date.parse(String(at)) <= end && items.some(({ field }) => field === 'status'),
      )
      .toSorted((a, b) => Date.parse(String(b.created)) - Date.parse(String(a.created)));
    return resolved.has(String(moves[0]?.items.find(({ field }) => field === 'status')?.to));
  });
  expect([json.issueCount, json.sprint.added]).toEqual([members.length, 0]);
  // The site's list of statuses lacks Resolved: nobody can tell whether its issues are done.
  expect([json.complete, json.sprint.finished]).toEqual([false, 0]);
  expect(json.sprint.carriedOver).toBe(members.length - resolvedAtEnd.length);
  expect(json.unclear.map((life: { issueKey: string }) => life.issueKey).sort()).toEqual(
    resolvedAtEnd.map(({ key }) => key).sort(),
  );
  expect(resolvedAtEnd.length).toBe(3);
});

test('one that has no report says why, and who may not see its issues learns of none', async () => {
  for (const [id, status, reason, message] of [
    ['99', 404, 'unknown-sprint', /'99' could not be found/],
    ['4', 400, 'invalid-value', /'Sprint 4' has not begun/],
    ['5', 400, 'invalid-value', /'Sprint 5' has no start date/],
    ['x', 400, 'invalid-value', /not a sprint id/],
  ] as const) {
    const { status: own, json } = await report(id);
    expect([id, own, json.reason]).toEqual([id, status, reason]);
    expect(JSON.stringify(json)).toMatch(message);
  }
  const early = await report(2, { asOf: '2026-03-01T00:00:00Z' });
  expect([early.status, early.text]).toEqual([400, expect.stringContaining("'Sprint 2' has not begun")]);
  const bobs = await place.dwell.as('bob').get('/rest/sprints/2/report');
  expect(bobs.text).not.toContain('WEB-');
  expect([bobs.status, bobs.json.issueCount ?? 0, bobs.json.sprint?.finished ?? 0]).toEqual([
    bobs.status,
    0,
    0,
  ]);
});

test('in Slack it is asked by name or as the last one, on the clocks of who asks', async () => {
  expect(await says('/tis sprint "sprint 2" in hours')).toMatch(
    /^Sprint 2 \(2 Mar – 16 Mar\): 2 issues finished, 1 carried over, 1 added after the start\. .*vs previous sprint \(1\)/,
  );
  // Half past ten at night in UTC is the next morning in Tokyo.
  expect(await says('/tis sprint "Sprint 3"')).toMatch(
    /^Sprint 3 \(17 Mar – now\): 0 issues finished, 0 not done yet\. /,
  );
  expect(await says('/tis sprint')).toMatch(/^(I took|Sprint 3|This is)/);
  expect(await says('/tis sprint "Sprint 4"')).toMatch(/has not begun/);
  expect(await says('/tis sprint "Sprint 5"')).toMatch(/has no start date/);
  expect(await says('/tis sprint Foo')).toMatch(/^The sprint 'Foo' is not known. Try: /);
  expect(await says('/tis digest sprint every monday at 9 to me')).toMatch(
    /\*sprint\* will be told every Monday/,
  );
  expect(await says('/tis digest sprint 2 every monday at 9 to me')).toMatch(
    /about the same sprint each time/,
  );
});
