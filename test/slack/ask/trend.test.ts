import { beforeAll, expect, test } from '#jest';
import { exportFile, jiraIssue, movesTo, type RawIssue } from '../../support/jira-export.ts';
import { until } from '../../support/local-exports.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedOnce } from '../../support/started.ts';

const at = (day: string) => `2026-${day}T09:00:00.000Z`;

/** Created in January; done unless no day is given. */
function workedOn(key: string, started: string, done: string | null): RawIssue {
  const issue = jiraIssue(key, { created: at('01-05') }).at(at(started), movesTo('In Progress'));
  return (done === null ? issue : issue.at(at(done), movesTo('Done'))).onCloud();
}

const issues: readonly RawIssue[] = [
  // Finished before the time asked about.
  workedOn('WEB-1', '06-01', '07-20'),
  // August: 2 and 4 days; one that was never in progress.
  workedOn('WEB-2', '08-24', '08-26'),
  workedOn('WEB-3', '08-24', '08-28'),
  jiraIssue('WEB-4', { created: at('08-25') })
    .at(at('08-27'), movesTo('Done'))
    .onCloud(),
  // September: none. October: 20 days. November: 1, 2 and 30 days.
  workedOn('WEB-5', '10-01', '10-21'),
  workedOn('WEB-6', '11-03', '11-04'),
  workedOn('WEB-7', '11-03', '11-05'),
  workedOn('WEB-8', '10-10', '11-09'),
  // Since June.
  workedOn('WEB-9', '06-01', null),
  workedOn('WEB-10', '11-01', null),
  jiraIssue('WEB-11', { created: at('11-01') }).onCloud(),
];

const place = startedOnce(() =>
  startDwellInSlack({
    at: '2026-11-18T12:00:00Z',
    environment: { TRACKER: 'file', TIME_ZONE: 'UTC' },
  }),
);
beforeAll(async () => {
  await place.dwell.types(
    'import',
    exportFile(issues),
    exportFile([{ accountId: 'ada', displayName: 'Ada' }]),
  );
  await place.dwell.types('people', '--link', 'U0ADA', '--to', 'ada');
  await place.dwell.types('access', 'WEB', '--to', 'ada');
  await place.slack.answerTo('/tis calendar zone UTC');
});

const asks = (line: string) => place.slack.answerTo(line);

test('a trend goes by the month of the finish, with how many issues it rests on', async () => {
  const { text, blocks } = await asks('/tis WEB last 90 days by month');
  expect(text).toMatch(/^WEB · 7 issues finished in the last 90 days · by when they were finished\. /);
  expect(text).toContain('Median cycle time 2d in 2026-11 so far (3 issues), 20d in 2026-10 (1 issue).');
  expect(text).toContain('2 issues still in progress are not in these times.');
  for (const line of [
    '2026-11 so far: Issues finished 3, With cycle time 3, Median cycle time 2d, p85 21d 14h',
    '2026-10: Issues finished 1, With cycle time 1, Median cycle time 20d, p85 20d',
    '2026-09: Issues finished 0, With cycle time 0, Median cycle time –, p85 –',
    '2026-08 in part: Issues finished 3, With cycle time 2, Median cycle time 3d, p85 3d 16h',
  ]) {
    expect(text).toContain(line);
  }
  expect(text).not.toContain('2026-07');
  expect(JSON.stringify(blocks)).toContain('2026-08 (2)');
});

test('of a time that is over, what was in progress at its end is not in it', async () => {
  const { text } = await asks('/tis WEB last month by week');
  expect(text).toMatch(/^WEB · 1 issue finished /);
  expect(text).toContain('2 issues in progress at the end are not in these times.');
  expect(text).toContain('2026-W40 in part: Issues finished 0');
  expect(text).toContain('2026-W43: Issues finished 1');
  expect(text).toContain('2026-W44 in part: Issues finished 0');
});

test('of a time without a first day there are the last periods, and the answer says which', async () => {
  const { text } = await asks('/tis WEB before 2026-11 by month');
  expect(text).toMatch(
    /^WEB · 5 issues finished from 2025-11-01 00:00 UTC to 2026-11-01 00:00 UTC · by when they were finished\. /,
  );
  expect(text).toContain(' · 2025-11 (0 issues) –.');
  expect((await asks('/tis WEB before 2025 by month')).text).toContain(
    'no issues finished from 2024-01-01 00:00 UTC to 2025-01-01 00:00 UTC',
  );
});

test.each(['until november', 'until q4', 'until 2026'])(
  'a time without a first day may still run: %s',
  async (end) => {
    const { text } = await asks(`/tis WEB ${end}`);
    expect(text).toMatch(/^WEB · 8 issues finished before 2026-11-19 00:00 UTC/);
  },
);

test('more periods than a table can have are refused, not left out', async () => {
  const { text } = await asks('/tis WEB last 1200 days by day');
  expect(text).toContain(
    '"by day" makes more than 1,000 rows of that time. Try: by week, or a shorter time.',
  );
  expect((await asks('/tis WEB last 1200 days by week')).text).toMatch(/^WEB · 8 issues finished/);
});

test('wherever a median is, so is the number of issues that it is of, and its p85', async () => {
  const { text, blocks } = await asks('/tis WEB last 90 days by week');
  expect(text).toContain('Median cycle time 30d in 2026-W46 (1 issue), 1d 12h in 2026-W45 (2 issues).');
  expect(text).toContain('1 finished issue has no cycle time.');
  expect(text).toContain('Median and p85 of issues with cycle time: 2026-W47 so far (0 issues) – · ');
  expect(text).toContain(' · 2026-W45 (2 issues) 1d 12h, p85 1d 20h · ');
  expect(text).toContain(' · 2026-W35 (2 issues) 3d, p85 3d 16h · ');
  expect(text).not.toContain('2026-W35 (3');
  expect(JSON.stringify(blocks)).toContain('2026-W45 (2)');
});

test('a trend has the statistic that was asked for', async () => {
  const { text } = await asks('/tis WEB last 90 days by month average');
  expect(text).toContain('Average cycle time 11d in 2026-11 so far (3 issues), 20d in 2026-10 (1 issue).');
  expect(text).toContain('Average cycle time 11d, p85 21d 14h');
  expect((await asks('/tis WEB last 90 days by month median')).text).toBe(
    (await asks('/tis WEB last 90 days by month')).text,
  );
  const p85 = await asks('/tis WEB cycle time p85 last 90 days by month');
  expect(p85.text).toContain('p85 cycle time 21d 14h in 2026-11 so far (3 issues)');
  expect(p85.text).toContain('2026-10: Issues finished 1, With cycle time 1, p85 cycle time 20d;');
});

test('the time in a status by month is that of the issues finished in the month', async () => {
  for (const line of [
    '/tis WEB in progress last 90 days by month',
    '/tis WEB last 90 days by month time in "In Progress" median',
  ]) {
    const { text } = await asks(line);
    expect(text).toContain(
      'Median time In Progress 2d in 2026-11 so far (3 issues), 20d in 2026-10 (1 issue).',
    );
    expect(text).toContain('1 finished issue has no time In Progress.');
    // Of the 30 days 21 were in October.
    expect(text).toContain(
      '2026-11 so far: Issues finished 3, With time In Progress 3, Median time In Progress 2d',
    );
    expect(text).not.toContain('Longest');
    expect(text).not.toContain('2026-07');
  }
  const average = await asks('/tis WEB last 90 days by month time in "In Progress" average');
  expect(average.text).toContain('Average time In Progress 11d in 2026-11 so far (3 issues)');
  // Until the finish, whatever comes after it.
  const toDo = await asks('/tis WEB last 90 days by month time in "To Do"');
  expect(toDo.text).toContain('Median time in To Do 302d in 2026-11 so far (3 issues)');
  const done = await asks('/tis WEB last 90 days by month time in Done');
  expect(done.text).toContain('Median time in Done 13d 3h in 2026-11 so far (3 issues)');
});

test.each([
  'between Sep 1 and Nov 13 by week',
  'by week between Sep 1 and Nov 13',
  'between 2026-09-01 and 2026-11-13 by week',
  'median between 1.9. and 13.11. by week in 24/7',
])('a time between two days has a trend: %s', async (ends) => {
  const { text } = await asks(`/tis WEB ${ends}`);
  expect(text).toMatch(
    /^WEB · 4 issues finished from 2026-09-01 00:00 UTC to 2026-11-14 00:00 UTC · by when /,
  );
  expect(text).toContain('Median cycle time 30d in 2026-W46 in part (1 issue)');
});

test('by the period in which time was spent no period is called the longest, as earlier ones have fewer issues', async () => {
  const { text } = await asks('/tis WEB created since 2026-01-01 by month median');
  expect(text).toContain('Median by period in which the time was spent.');
  expect(text).toContain(
    'Only issues created in that time are counted, so earlier periods have fewer of them.',
  );
  expect(text).not.toContain('Longest');
  const all = await asks('/tis WEB by month');
  expect(all.text).not.toContain('earlier periods');
  expect(all.text).toContain('Longest');
});

test('*Why?* has the issues of a trend of a status', async () => {
  const answer = await asks('/tis WEB last 90 days by month time in "In Progress"');
  await place.slack.clicks('Why?', { on: answer });
  const explained = await until(() => {
    const text = JSON.stringify(place.slack.openModals().at(-1)?.blocks ?? []);
    return text.includes('from 6 of 7') ? text : null;
  });
  expect(explained).toContain('WEB-8');
  expect(explained).not.toContain('WEB-10');
});
