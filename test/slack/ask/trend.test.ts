import { afterAll, beforeAll, expect, test } from '#jest';
import { exportFile, jiraIssue, movesTo, type RawIssue } from '../../support/jira-export.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';

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

let place: Awaited<ReturnType<typeof startDwellInSlack>>;
beforeAll(async () => {
  place = await startDwellInSlack({
    at: '2026-11-18T12:00:00Z',
    environment: { TRACKER: 'file', TIME_ZONE: 'UTC' },
  });
  await place.dwell.types(
    'import',
    exportFile(issues),
    exportFile([{ accountId: 'ada', displayName: 'Ada' }]),
  );
  await place.dwell.types('people', '--link', 'U0ADA', '--to', 'ada');
  await place.dwell.types('access', 'WEB', '--to', 'ada');
  await place.asks('/tis calendar zone UTC');
});
afterAll(() => place.stop());

const asks = async (line: string) => {
  const [answer] = await place.asks(line);
  if (answer === undefined) throw new Error('No answer');
  return answer;
};

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
  expect(JSON.stringify(blocks)).toContain('2026-08 (3)');
});

test('of a time that is over, what was in progress at its end is not in it', async () => {
  const { text } = await asks('/tis WEB last month by week');
  expect(text).toMatch(/^WEB · 1 issue finished /);
  expect(text).toContain('2 issues in progress at the end are not in these times.');
  expect(text).toContain('2026-W40 in part: Issues finished 0');
  expect(text).toContain('2026-W43: Issues finished 1');
  expect(text).toContain('2026-W44 in part: Issues finished 0');
});

test('a statistic of the time in status by month says that earlier months have fewer issues', async () => {
  const { text } = await asks('/tis WEB last 90 days by month median');
  expect(text).toContain(
    'Only issues finished in that time are counted, so earlier periods have fewer of them.',
  );
  expect((await asks('/tis WEB by month')).text).not.toContain('earlier periods');
});
