import { readFileSync } from 'node:fs';
import { read, utils } from '@e965/xlsx';
import { beforeAll, expect, test } from '#jest';
import { fixture } from '../../support/fixture.ts';
import {
  exportFile,
  isLabelled,
  jiraIssue,
  keepNewest,
  movesTo,
  type RawIssue,
} from '../../support/jira-export.ts';
import { until } from '../../support/local-exports.ts';
import { postsOrSays } from '../../support/share-in-slack.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedOnce } from '../../support/started.ts';

const sprint = (id: number, startDate: string | null, more: Record<string, unknown> = {}) => ({
  ...{ id, name: `Sprint ${id}`, state: 'closed', startDate, boardId: 3 },
  ...more,
});
const one = sprint(1, '2026-02-16T09:00:00.500Z', { completeDate: '2026-03-02T09:00:00.250Z' });
const two = sprint(2, '2026-03-02T09:00:00.500Z', { completeDate: '2026-03-16T09:00:00.750Z' });
const three = sprint(3, '2026-03-16T22:30:00.000Z', { state: 'active' });
const four = sprint(4, '2026-04-01T09:00:00.000Z', { state: 'future' });
const five = sprint(5, null);
const endless = sprint(30, '2026-02-02T09:00:00.000Z', { name: 'KW 9' });
const dateless = sprint(31, null, { state: 'active' });
const cut = sprint(40, '2026-03-02T09:00:00.000Z', {
  ...{ name: 'Cut & dried', boardId: 9, completeDate: '2026-03-16T09:00:00.000Z' },
});
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
  const histories = [...(raw.changelog?.histories ?? []), ...joined];
  return {
    ...raw,
    fields: { ...raw.fields, customfield_10020: lists.at(-1) },
    changelog: { total: histories.length, histories },
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
  inSprints(issue(8).onCloud(), [endless, dateless]),
  inSprints(issue(9).at('2026-03-04T09:00:00.000Z', movesTo('Secret Step')).onCloud(), [cut]),
];

/** Worked on, done, and labelled at an instant: of all that only the label is left in its history. */
const onlyLabelled = (key: string, done: string, labelled: string, sprints: readonly Told[]) =>
  keepNewest(
    inSprints(
      jiraIssue(key, { created })
        .at('2026-02-20T09:00:00.000Z', movesTo('In Progress'))
        .at(done, movesTo('Done'))
        .at(labelled, isLabelled('late'))
        .onCloud(),
      sprints,
    ),
    1,
  );
const cutIssues = [
  // Done before the sprint, however long before.
  onlyLabelled('CUT-1', '2026-02-25T09:00:00.000Z', '2026-03-01T09:00:00.000Z', [cut]),
  // Done before the label came, perhaps in the sprint; whether it was there at the start is unknown.
  onlyLabelled('CUT-2', '2026-03-05T09:00:00.000Z', '2026-03-10T09:00:00.000Z', [cut]),
  // Whether it was in the sprint when that ended is unknown.
  onlyLabelled('CUT-3', '2026-03-05T09:00:00.000Z', '2026-03-17T09:00:00.000Z', [cut]),
  // In no sprint, as far as is known.
  onlyLabelled('CUT-4', '2026-03-05T09:00:00.000Z', '2026-03-17T12:00:00.000Z', []),
  inSprints(
    jiraIssue('CUT-5', { created })
      .at('2026-02-21T09:00:00.000Z', movesTo('In Progress'))
      .at('2026-03-03T09:00:00.000Z', movesTo('Done'))
      .onCloud(),
    [cut],
  ),
];

const place = startedOnce(() =>
  startDwellInSlack({
    at: '2026-03-18T12:00:00Z',
    environment: { TRACKER: 'file', TIME_ZONE: 'Asia/Tokyo' },
  }),
);
beforeAll(async () => {
  const { dwell } = place;
  const people = ['ada', 'bob'].map((id) => ({ accountId: id, displayName: id }));
  await dwell.types('import', exportFile([...issues, ...cutIssues]), exportFile(people));
  await dwell.types(
    'import',
    fixture('devlake-jira-cloud.issues.json'),
    fixture('devlake-jira-cloud.statuses.json'),
  );
  await dwell.types('access', 'WEB', '--to', 'ada');
  await dwell.types('people', '--link', 'U0ADA', '--to', 'ada');
  await dwell.types('people', '--link', 'U0BEN', '--to', 'bob');
  await place.slack.answerTo('/tis calendar zone Asia/Tokyo');
});

const report = (id: number | string, more: Record<string, string> = {}) =>
  place.dwell.get(`/rest/sprints/${id}/report`, more);
const says = async (line: string) => (await place.slack.answerTo(line)).text;
const days = (count: number, ms = 0) => count * 86_400_000 + ms;

test('a sprint is counted to the millisecond', async () => {
  const { status, json } = await report(2);
  expect([status, json.messages]).toEqual([200, undefined]);
  expect(json).toMatchObject({ issueCount: 4, complete: true });
  expect(json.sprint).toMatchObject({
    start: '2026-03-02T09:00:00.500Z',
    end: '2026-03-16T09:00:00.750Z',
    ...{ running: false, finished: 2, carriedOver: 1, added: 1 },
    cycleTime: { count: 2, averageMs: days(11.5, 438) },
  });
  const within = json.statuses.map((one: { name: string; withinMs: number }) => [one.name, one.withinMs]);
  // In progress: WEB-1 all of it, WEB-2 from the 9th, WEB-3 two days. To do: WEB-2 a week, WEB-3 eight days.
  expect(within).toEqual([
    ['To Do', days(15, -1000)],
    ['In Progress', days(23, 1125)],
  ]);
  expect(json.previousSprints).toMatchObject([
    { id: '1', finished: 1, carriedOver: 1, added: 2, end: '2026-03-02T09:00:00.250Z' },
  ]);
});

test('a sprint that is called like a week is a sprint', async () => {
  expect(await says('/tis weekly sprint KW 9')).toMatch(/^Week 11 .*filter: sprint = "KW 9"/);
  expect(await says('/tis weekly sprint KW 9 last week')).toMatch(/^Week 11 .*filter: sprint = "KW 9"/);
  expect(await says('/tis weekly WEB KW 9')).toMatch(/^WEB · week 9 /);
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
  // The site's list of statuses lacks Resolved, in which issues were resolved: it is assumed to mean Done.
  expect([json.sprint.finished, json.unclear]).toEqual([resolvedAtEnd.length, []]);
  expect(json.sprint.carriedOver).toBe(members.length - resolvedAtEnd.length);
  expect(json.assumedCategories).toContainEqual({ id: '5', name: 'Resolved', category: 'Done' });
  expect(resolvedAtEnd.length).toBe(3);
});

test.each([
  ['99', 404, 'unknown-sprint', /'99' could not be found/],
  ['4', 400, 'invalid-value', /'Sprint 4' has not begun/],
  ['5', 400, 'invalid-value', /'Sprint 5' has no start date/],
  ['30', 400, 'invalid-value', /'KW 9' has no end date/],
  ['31', 400, 'invalid-value', /'Sprint 31' has no start date/],
  ['x', 400, 'invalid-value', /not the id of a sprint|couldn't find the sprint "x"/],
])('sprint %s has no report, and the answer says why', async (id, status, reason, message) => {
  const { status: own, json } = await report(id);
  expect([own, json.reason]).toEqual([status, reason]);
  if (id !== 'x') expect(Object.keys(json.errors)).toEqual(['id']);
  expect(JSON.stringify(json)).toMatch(message);
  expect(await says(`/tis sprint ${id}`)).toMatch(message);
});

test('before it began it had not begun, and other issues with cut histories make no past incomplete', async () => {
  const early = await report(2, { asOf: '2026-03-01T00:00:00Z' });
  expect([early.status, early.text]).toEqual([
    400,
    expect.stringContaining("'Sprint 2' had not begun at the time asked about"),
  ]);
  const [now, then] = [await report(2), await report(2, { asOf: '2026-03-17T08:00:00Z' })];
  expect(then.json).toMatchObject({ complete: true, undecided: 0, sprint: now.json.sprint });
});

test('what cut histories leave open is listed where it may belong to the sprint, in REST and in Slack', async () => {
  const { json } = await report(40);
  expect(json).toMatchObject({ complete: false, issueCount: 4, cutHistories: 2, undecided: 1 });
  expect(json.sprint).toMatchObject({ finished: 1, carriedOver: 1, added: null });
  expect(json.doneSinceUnknown.map((one: { key: string }) => one.key)).toEqual(['CUT-2']);
  const answer = await says('/tis sprint dried');
  for (const words of [
    /^Cut &amp; dried \(Mar 2–16\) · 1 finished, 1 carried over\. 2 of 4 histories are cut: earlier time is missing\. 1 /,
    /\(CUT-2\)\. Added work is unknown: some histories start too late\./,
    /I took `dried` for the sprint `Cut &amp; dried`/,
  ])
    expect(answer).toMatch(words);
});

test('Why? names the issues of each figure, and those of which it is unknown', async () => {
  const answer = await place.slack.answerTo('/tis sprint "Cut & dried"');
  await place.slack.clicks('Why?', { on: answer });
  await place.slack.modal();
  let view = await place.slack.modal();
  for (const [figure, value, parts, leftOut] of [
    ['carriedOver', '*1* · from 1 of 4 issues', ['WEB-9'], []],
    ['finished', '*1* · from 1 of 3 issues', ['CUT-5'], ['CUT-2']],
    ['cycleTime:medianMs', '*10d* · from 1 of 1 issue', ['CUT-5'], ['CUT-2']],
  ] as const) {
    const before = view.hash;
    await place.slack.clicks('explain-figure', { entry: figure });
    while (view.hash === before) view = await place.slack.modal();
    const shown = JSON.stringify(view.blocks);
    expect(shown).toContain(value);
    expect(shown.match(/\b[A-Z]+-\d+(?= What)/g)).toEqual(parts);
    expect(shown.match(/(?<=\\n)[A-Z]+-\d+(?=: )/g) ?? []).toEqual(leftOut);
    expect(shown).toContain('Left out: 1 more issue that may have been in the sprint.');
  }
  await place.slack.dismisses();
});

test('who sees none of its issues cannot tell it from one that is not there; else it is of those they see', async () => {
  const { dwell } = place;
  const [hidden, missing] = await Promise.all(
    ['2', '99'].map((id) => dwell.as('bob').get(`/rest/sprints/${id}/report`)),
  );
  expect(hidden?.status).toBe(404);
  expect(hidden?.text).toBe(missing?.text.replaceAll('99', '2'));
  const { json, text } = await dwell.as('bob').get('/rest/sprints/40/report');
  expect(json).toMatchObject({ issueCount: 3, sprint: { finished: 1, carriedOver: null } });
  expect(text).not.toMatch(/WEB-|Secret Step/);
  for (const line of ['/tis sprint', '/tis sprint 2', '/tis sprint "Sprint 2"', '/tis sprint 40']) {
    const reply = JSON.stringify(await place.slack.answerTo(line, { as: 'ben' }));
    expect(reply).not.toMatch(/WEB-|Secret Step|Sprint 3/);
    expect(reply).toMatch(/could not be found|couldn't find|an unknown number carried over/);
  }
});

test.each([
  [
    '/tis sprint "sprint 2" in hours',
    /^Sprint 2 \(Mar 2–16\) · 2 finished, 1 carried over, 1 added\. 2 finished\. Previous sprint 1: ▲ 1 \(100% more\)\. .*Median cycle time 276h\. Previous sprint 192h: ▲ 84h \(44% slower\)\. p85 435h 36m\. .*1 added after the start · Previous sprint 2: ▼ 1 \(50% fewer\)\./,
  ],
  // Half past ten at night in UTC is the next morning in Tokyo.
  [
    '/tis sprint',
    /^Sprint 3 \(Mar 17 – now\) · 0 finished so far, 0 not done yet\. 0 finished\. 2-sprint average \(day 2\) 0: no change\. 0 not done yet\. 2-sprint average \(day 2\) 2: ▼ 2 \(100% fewer\)\. /,
  ],
  [
    '/tis sprint "Sprint 2" median',
    /^4 issues matching the filter\. Longest: In Progress, 7d 12h \(median\)\. /,
  ],
  ['/tis sprint median', /"sprint" is missing. Try: a name/],
  [
    '/tis sprint Sprint',
    /^I couldn't find the sprint "Sprint"\. Try: Sprint 3, Sprint 2, .*Did you mean `\/tis sprint Sprint 3`\? .* or `\/tis sprint Sprint 2` or /,
  ],
  ['/tis sprint 2 in Nowhere', /^I couldn't find the calendar "Nowhere"\. Try: /],
  ['/tis sprint web', /^Sprint 3 \(Mar 17 – now\) · /],
  ['/tis sprint Foo', /^I couldn't find the sprint "Foo"\. Try: /],
  ['/tis digest sprint 2 every monday at 9 to me', /about a named sprint never changes/],
])('%s', async (line, words) => {
  expect(await says(line)).toMatch(words);
});

test('the report builder asks it, and its answer is changed there', async () => {
  const answer = await place.slack.answerTo('/tis sprint "Sprint 2"', { in: 'dm' });
  const [entry = ''] = /open-builder run \w+/.exec(JSON.stringify(answer.blocks)) ?? [];
  await place.slack.clicks('more', { on: answer, entry });
  await until(() => place.slack.openModals().at(-1)?.callback_id === 'report-builder');
  expect(JSON.stringify(place.slack.openModals().at(-1))).toContain(
    '"initial_option":{"text":{"type":"plain_text","text":"Sprint 2"}',
  );
  expect(JSON.stringify(await place.slack.asksForOptions('builder-sprint', '3'))).toContain('Sprint 3');
  await place.slack.asksForOptions('builder-projects', 'WEB');
  await place.slack.submits({ 'builder-sprint': null, 'builder-projects': ['WEB'] });
  expect(JSON.stringify(await place.slack.reply())).toContain('Sprint 3');
});

test.each(['csv', 'xlsx'])('its %s file holds its issues with the times within it', async (format) => {
  await place.slack.clicks('Export', {
    on: await place.slack.answerTo('/tis sprint "Sprint 2"', { in: 'dm' }),
  });
  await until(() => place.slack.openModals().at(-1)?.callback_id === 'export-form');
  await place.slack.submits({ format });
  const file = await until(
    () =>
      place.slack.playground
        .messages('D0ADA')
        .flatMap(({ files = [] }) => files)
        .find(({ name }) => name.endsWith(format)) ?? null,
  );
  const book = read(file.content);
  const rows = utils.sheet_to_json<Record<string, string | number>>(
    book.Sheets[book.SheetNames[0] ?? ''] ?? {},
  );
  expect(rows.map((row) => row.Key)).toEqual(['WEB-5', 'WEB-3', 'WEB-2', 'WEB-1']);
  for (const [status, hours] of [
    ['In Progress', 23 * 24 + 1.125 / 3600],
    ['To Do', 15 * 24 - 1 / 3600],
  ] as const) {
    const sum = rows.reduce((all, row) => all + Number(row[`${status} (hours)`] ?? 0), 0);
    expect(sum).toBeCloseTo(hours, 6);
  }
  await until(() => JSON.stringify(place.slack.openModals()).includes('The file is in our direct messages.'));
  await place.slack.dismisses();
});

test('it is shared once its project is open to the channel, and a digest brings it there', async () => {
  const answer = await place.slack.answerTo('/tis sprint "Sprint 2"');
  const share = () => postsOrSays(place.slack, { as: 'U0ADA', on: answer });
  expect(await share()).toMatchObject({
    onlyFor: 'U0ADA',
    text: expect.stringContaining('`WEB` is not open'),
  });
  await place.dwell.types('audience', 'C0GENERAL', 'allow', 'WEB');
  const shared = await share();
  expect([shared.onlyFor, shared.text]).toEqual([
    undefined,
    expect.stringMatching(/^Sprint 2 .* · 2 finished, .*Shared by <@U0ADA>\.$/),
  ]);
  // Its statuses are in the thread.
  expect(await place.slack.reply()).toMatchObject({
    threadTs: shared.ts,
    text: expect.stringMatching(
      /^Time in status in Sprint 2\. In Progress: In the sprint 23d, Previous sprint 15d\. /,
    ),
  });
  await says('/tis digest sprint every thursday at 9');
  place.dwell.clock.now = Date.parse('2026-03-19T00:01:00Z');
  await place.dwell.tellsDigests();
  await place.dwell.tellsDigests();
  const posted = place.slack.playground.messages('C0GENERAL').map(({ text }) => text);
  // Nor does it matter to a sprint that still runs that the data is some hours old.
  expect(posted.findLast((text) => text.startsWith('Digest'))).toMatch(
    /^Digest \*sprint\* · as of 2026-03-19 00:00 UTC\. Sprint 3 \(Mar 17 – now\) · 0 finished so far, 0 not done yet\. /,
  );
});
