import { beforeAll, expect, test } from '#jest';
import type { Message } from '../../../playground/workspace.ts';
import { checkBlocks } from '../../../src/slack/blocks/check-blocks.ts';
import { exportFile, jiraIssue, jiraUser, movesTo, type RawIssue } from '../../support/jira-export.ts';
import { until } from '../../support/local-exports.ts';
import { shares } from '../../support/share-in-slack.ts';
import { slackPerson } from '../../support/slack-person.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedOnce } from '../../support/started.ts';

/** A Wednesday in week 12: the twelve weeks begin on December 22. */
const now = '2026-03-18T12:00:00Z';
const at = (day: string, hour = '09:00') => `2026-${day}T${hour}:00.000Z`;

/** Started and reviewed; done unless no day is given. */
function workedOn(
  key: string,
  [started, reviewed, done]: readonly [string, string, string | null],
): RawIssue {
  const issue = jiraIssue(key, { created: at('02-02') })
    .at(at(started), movesTo('In Progress'))
    .at(at(reviewed), movesTo('In Review'));
  return (done === null ? issue : issue.at(at(done), movesTo('Done'))).onCloud();
}

const issues: readonly RawIssue[] = [
  // Took two, three, five and seven days.
  workedOn('WEB-1', ['03-03', '03-04', '03-05']),
  workedOn('WEB-2', ['03-08', '03-10', '03-11']),
  workedOn('WEB-3', ['03-06', '03-09', '03-11']),
  workedOn('WEB-4', ['03-05', '03-10', '03-12']),
  // Eleven days since its start, in review for one.
  workedOn('WEB-5', ['03-07', '03-17', null]),
  // Started a day ago; the other one waits.
  jiraIssue('WEB-6', { created: at('03-16') })
    .at(at('03-17', '12:00'), movesTo('In Progress'))
    .onCloud(),
  jiraIssue('WEB-7', { created: at('03-16') }).onCloud(),
  jiraIssue('OPS-1', { created: '2024-02-02T09:00:00.000Z' }).onCloud(),
];

const place = startedOnce(() =>
  startDwellInSlack({
    at: now,
    people: [slackPerson('ada'), slackPerson('bob')],
    environment: { TRACKER: 'file', TIME_ZONE: 'UTC' },
  }),
);
beforeAll(async () => {
  await place.dwell.types('import', exportFile(issues), exportFile([jiraUser('ada')]));
  await place.dwell.types('people', '--link', 'U0ADA', '--to', 'ada');
  await place.dwell.types('access', 'OPS', '--to', 'ada');
  await place.slack.answerTo('/tis calendar zone UTC');
});

async function asks(line: string): Promise<Message> {
  const answer = await place.slack.answerTo(line);
  expect(checkBlocks(answer.blocks ?? [], 'message')).toEqual([]);
  return answer;
}

/** The answer to a button that shows a picture; its blocks are as Slack takes them, and only the person who clicked sees it. */
async function picture(button: string, on: Message): Promise<Message> {
  await place.slack.clicks(button, { on });
  const shown = await place.slack.reply();
  expect(checkBlocks(shown.blocks ?? [], 'message')).toEqual([]);
  expect(shown.onlyFor).toBe('U0ADA');
  return shown;
}

const typesOf = ({ blocks }: Message) => (blocks ?? []).map(({ type }) => type);
const altOf = ({ blocks }: Message) => (blocks ?? []).find(({ type }) => type === 'image')?.alt_text;

test('flow is four figures, a chart of the weeks, a button for each picture and the stages', async () => {
  const answer = await asks('/tis flow WEB');
  expect(answer.text).toBe(
    [
      'WEB · last 12 weeks · since Dec 22, 2025.',
      '7 arrived. 0.4 a week on average. 4 finished. 0.3 a week on average.',
      '2 in progress. 0 at the end of the first week. 85% within 6d 2h. median 4d, 4 issues.',
      'Flow: To Do ▸ In Progress ▸ In Review ▸ Done.',
      'Hours 24/7 · as of 2026-03-18 12:00 UTC · history complete.',
    ].join(' '),
  );
  expect(typesOf(answer)).toEqual([
    ...['section', 'section', 'data_visualization', 'actions', 'context', 'actions'],
  ]);
  const shown = JSON.stringify(answer.blocks);
  for (const name of ['Cumulative flow', 'Scatter', 'Aging', 'Throughput', 'Share', 'Why?', 'Export'])
    expect(shown).toContain(`"text":"${name}"`);
});

test('the cumulative flow is a picture whose words have the figures', async () => {
  const shown = await picture('Cumulative flow', await asks('/tis flow WEB'));
  expect(typesOf(shown)).toEqual(['section', 'image', 'context']);
  expect(altOf(shown)).toBe(
    'Cumulative flow from Dec 22, 2025 to Mar 18: To Do 0 to 1, In Progress 0 to 1, In Review 0 to 1, Done +4.',
  );
  expect(shown.text).toContain('In Progress grew most: from 0 to 1 issue.');
});

test('the scatter says how long issues took', async () => {
  const shown = await picture('Scatter', await asks('/tis flow WEB'));
  expect(altOf(shown)).toMatch(/^Cycle time by finish: 4 issues; p50 4d, p85 6d 2h, p95 6d 16h\. /);
  expect(altOf(shown)).toContain('W10 2d (1), W11 5d (3), now none (0).');
  expect(shown.text).toContain(
    '85% of 4 issues took 6d 2h or less from start to done; half took 4d or less, 95% 6d 16h.',
  );
});

test('aging holds the age of each issue against those that left its stage', async () => {
  const shown = await picture('Aging', await asks('/tis flow WEB'));
  // The four left In Progress after one, two, three and five days, and In Review when they were done.
  expect(altOf(shown)).toBe(
    'Age of work in progress: In Progress 1 issue, the oldest 1d (WEB-6), p85 4d 2h; In Review 1 issue, the oldest 11d 3h (WEB-5), p85 6d 2h.',
  );
  expect(shown.text).toContain(
    '1 of 2 started issues is older than 85% of the finished issues were when they left that stage. Oldest: WEB-5, 11d 3h, In Review.',
  );
});

test('throughput is a chart of Slack, and a table of the weeks', async () => {
  const shown = await picture('Throughput', await asks('/tis flow WEB'));
  expect(typesOf(shown)).toEqual(['section', 'data_visualization', 'data_table', 'context']);
  expect(shown.text).toContain(
    '0.3 issues a week were finished on average, from 0 to 3; 0 so far this week.',
  );
  expect(shown.text).toContain('W11: Arrived 0, Finished 3, In progress 1, Median 5d, p85 6d 9h');
});

test('a picture that cannot be uploaded comes in words', async () => {
  const answer = await asks('/tis flow WEB in hours');
  place.slack.faults.failNext('files.getUploadURLExternal', 'missing_scope');
  const shown = await picture('Scatter', answer);
  expect(typesOf(shown)).toEqual(['section', 'section', 'context']);
  expect(JSON.stringify(shown.blocks)).toContain('4 issues; p50 96h, p85 146h');
});

test('nothing that flowed is said, and has nothing to draw', async () => {
  const answer = await asks('/tis flow OPS');
  expect(answer.text).toMatch(/^Nothing was created, worked on or finished in OPS since Dec 22, 2025\. /);
  expect(JSON.stringify(answer.blocks)).not.toContain('answer-chart');
});

test('what is no project is named', async () => {
  expect((await asks('/tis flow QUUX')).text).toContain('QUUX');
});

test('why explains what was finished, issue by issue', async () => {
  await place.slack.clicks('Why?', { on: await asks('/tis flow WEB') });
  const shown = await until(() => {
    const blocks = JSON.stringify(place.slack.openModals('ada').at(-1)?.blocks ?? '');
    return blocks.includes('explain-figure') ? blocks : null;
  });
  for (const text of ['Finished in 12 weeks and this one', 'WEB-1', 'WEB-4']) expect(shown).toContain(text);
  expect(shown).not.toContain('WEB-5');
});

test('who cannot see the issues of a shared answer sees no picture of them', async () => {
  await shares(place.slack, { on: await asks('/tis flow WEB') });
  const shared = await place.slack.reply();
  expect(shared.onlyFor).toBeUndefined();
  await place.dwell.types('access', 'WEB', '--to', 'ada');
  await place.slack.clicks('Scatter', { as: 'bob', on: shared });
  const seen = await place.slack.privateReply();
  expect([seen.onlyFor, seen.text]).toEqual(['U0BOB', "You can't see this, or it no longer exists."]);
});

test('a digest posts it, and a file lists what was finished', async () => {
  const { text } = await asks('/tis digest flow WEB every monday at 9 to me');
  expect(text).toContain('flow WEB');
  const before = place.slack.files().length;
  await place.slack.types('/tis export csv flow WEB to me');
  const file = await until(() => {
    const files = place.slack.files().slice(before);
    return files[0] ?? null;
  });
  const csv = file.content.toString();
  for (const key of ['WEB-1', 'WEB-4']) expect(csv).toContain(key);
  expect(csv).not.toContain('WEB-5');
});
