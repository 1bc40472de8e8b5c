import { afterAll, beforeAll, describe, expect, test } from '#jest';
import type { Message } from '../../../playground/workspace.ts';
import { checkBlocks } from '../../../src/slack/blocks/check-blocks.ts';
import {
  exportFile,
  isAssignedTo,
  jiraIssue,
  jiraUser,
  movesTo,
  type RawIssue,
} from '../../support/jira-export.ts';
import { slackPerson } from '../../support/slack-person.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedOnce } from '../../support/started.ts';

describe('a week', () => {
  /** A Wednesday in week 12; the last whole week is 11, from March 9. */
  const now = '2026-03-18T12:00:00Z';
  const at = (day: string, hour = '09:00') => `2026-${day}T${hour}:00.000Z`;
  const created = at('02-02');

  /** Started and reviewed; done unless no day is given. */
  const workedOn = (key: string, started: string, reviewed: string, done: string | null): RawIssue => {
    const issue = jiraIssue(key, { created })
      .at(at(started), movesTo('In Progress'), isAssignedTo('ada'))
      .at(at(reviewed), movesTo('In Review'));
    return (done === null ? issue : issue.at(at(done), movesTo('Done'))).onCloud();
  };

  const issues: readonly RawIssue[] = [
    // Six issues of week 9 that were in review for a day each: what is usual there is known.
    ...Array.from({ length: 6 }, (_, i) => workedOn(`WEB-${i + 1}`, '02-23', '02-24', '02-25')),
    // Week 10: took two days.
    workedOn('WEB-7', '03-03', '03-04', '03-05'),
    // Week 11: took three days, five days and seven days.
    workedOn('WEB-8', '03-08', '03-10', '03-11'),
    workedOn('WEB-9', '03-06', '03-09', '03-11'),
    workedOn('WEB-10', '03-05', '03-10', '03-12'),
    // In review since March 15 at nine, and since the running week.
    workedOn('WEB-11', '03-14', '03-15', null),
    workedOn('WEB-12', '03-14', '03-17', null),
    // Never started, however old: it needs no attention here.
    jiraIssue('WEB-13', { created }).onCloud(),
    // A project of one finished issue.
    workedOn('APP-1', '03-09', '03-10', '03-11'),
    // A project in which nothing is finished.
    jiraIssue('OPS-1', { created }).onCloud(),
    jiraIssue('OPS-2', { created }).at(at('03-16'), movesTo('In Progress')).onCloud(),
  ];

  const place = startedOnce(() =>
    startDwellInSlack({ at: now, environment: { TRACKER: 'file', TIME_ZONE: 'UTC' } }),
  );
  beforeAll(async () => {
    const people = [{ accountId: 'ada', displayName: 'Ada' }];
    const site = 'https://tracker.example';
    const linked = issues.map((issue) => ({ ...issue, self: `${site}/rest/api/3/issue/${issue.id}` }));
    await place.dwell.types('import', exportFile(linked), exportFile(people));
    await place.dwell.types('people', '--link', 'U0ADA', '--to', 'ada');
    for (const project of ['WEB', 'APP', 'OPS']) await place.dwell.types('access', project, '--to', 'ada');
    await place.slack.answerTo('/tis calendar zone UTC');
    const stages = [
      { name: 'To Do', kind: 'queue', statuses: ['To Do'] },
      { name: 'Doing', kind: 'active', statuses: ['In Progress'] },
      { name: 'Review', kind: 'waiting', statuses: ['In Review'] },
      { name: 'Done', kind: 'done', statuses: ['Done'] },
    ];
    await place.dwell.types('flow', 'WEB', '--file', exportFile({ revision: 0, stages }, 'flow.json'));
  });

  const asks = async (line: string): Promise<Message> => {
    const answer = await place.slack.answerTo(line);
    expect(checkBlocks(answer.blocks ?? [], 'message')).toEqual([]);
    return answer;
  };
  const shown = ({ blocks }: Message) => JSON.stringify(blocks);

  test('a week is three figures, work in progress, one chart, and what needs attention', async () => {
    const answer = await asks('/tis weekly WEB');
    expect(answer.text).toBe(
      [
        'WEB · week 11 (Mar 9–15) · vs week 10.',
        '3 finished ▲ 2 (200% more). 8-week average 0.9: ▲ 2.1 (243% more).',
        'Median cycle time 5d ▲ 3d (150% slower). 8-week median 2d: ▲ 3d (150% slower).',
        // The 85th percentile of three, five and seven days.
        'p85 6d 9h ▲ 4d 9h (220% slower). 8-week p85 2d: ▲ 4d 9h (220% slower).',
        // 138 hours in progress and 135 in review; in week 10 189 and 24.
        '2 in progress (3 in week 10). 0 of 3 within 2d (85% of the last 90 days). Flow efficiency 51% (▼ 38 points).',
        // Reviews took a day eight times, and two days twice: the 85th percentile is 1.65 days.
        'Needs attention. 🟡 WEB-11 In Review 3d 3h, 1.8× usual · @Ada.',
        'Hours 24/7 · as of 2026-03-18 12:00 UTC · history complete · flow of WEB changed Mar 18.',
      ].join(' '),
    );
    expect(answer.blocks?.map(({ type }) => type)).toEqual([
      ...['section', 'section', 'data_visualization', 'section', 'section', 'context', 'actions'],
    ]);
    expect(shown(answer)).toContain('<https://tracker.example/browse/WEB-11|WEB-11>');
    // A week without finished issues keeps its place in the chart.
    expect(answer.blocks?.find(({ type }) => type === 'data_visualization')).toMatchObject({
      title: 'Median cycle time by week (finished)',
      chart: {
        axis_config: {
          categories: [
            ...['W03 (0)', 'W04 (0)', 'W05 (0)', 'W06 (0)', 'W07 (0)', 'W08 (0)'],
            ...['W09 (6)', 'W10 (1)', 'W11 (3)'],
          ],
        },
        series: [{ data: [0, 0, 0, 0, 0, 0, 2, 2, 5].map((value) => expect.objectContaining({ value })) }],
      },
    });
  });

  test('Details has the statuses, what changed the average, and the definitions', async () => {
    const answer = await asks('/tis weekly WEB');
    await place.slack.clicks('Details', { on: answer });
    const [statuses, contributors, definitions] = [
      await place.slack.reply(),
      await place.slack.reply(),
      await place.slack.reply(),
    ];
    expect(statuses.text).toMatch(
      /^Time in status in week 11\. In .* Not started, in the week: To Do 17d 18h$/,
    );
    for (const status of [
      'In Progress: In the week (vs week 10) 5d 18h (▼ 2d 3h), Average (vs week 10) 3d 8h (▲ 2d 8h), Median 3d, p85 4d 9h',
      'In Review: In the week (vs week 10) 5d 15h (▲ 4d 15h), Average (vs week 10) 1d 16h (▲ 16h), Median 2d, p85 2d',
    ]) {
      expect(statuses.text).toContain(status);
    }
    expect(contributors.text).toBe(
      [
        '*Biggest contributors to the change in the average* cycle time: 5d vs 2d in week 10. They do not add up to the change in the median (5d vs 2d).',
        '<https://tracker.example/browse/WEB-10|WEB-10> What WEB-10 is about: took 7d (▲ 1d 16h)',
        '<https://tracker.example/browse/WEB-9|WEB-9> What WEB-9 is about: took 5d (▲ 1d)',
        '<https://tracker.example/browse/WEB-8|WEB-8> What WEB-8 is about: took 3d (▲ 8h)',
      ].join('\n'),
    );
    expect(definitions.text).toContain('Waiting: In Review.');
    for (const { blocks, onlyFor } of [statuses, contributors, definitions]) {
      expect([checkBlocks(blocks ?? [], 'message'), onlyFor]).toEqual([[], 'U0ADA']);
    }
  });

  test('a running week says so far, and is compared with no whole one', async () => {
    const { text } = await asks('/tis weekly WEB this week');
    expect(text).toMatch(
      /^WEB · week 12 so far \(Mar 16–22\)\. Nothing has been finished in week 12 so far\. 2 in progress now \(2 at the end of last week\) · flow efficiency \d+%\. Needs attention\. /,
    );
  });

  test('times are of the stages of the flow, those of started work in the picture', async () => {
    const answer = await asks('/tis WEB by stage');
    expect(answer.text).toContain('Longest: Doing, 1d 18h on average.');
    const chart = answer.blocks?.find(({ type }) => type === 'data_visualization');
    expect(chart).toMatchObject({
      title: 'Time per stage: average',
      chart: { axis_config: { categories: ['Doing', 'Review'] } },
    });
    expect(shown(answer)).toContain('Stage');
    expect(answer.text).toContain('flow of WEB changed Mar 18');
    expect((await asks('/tis WEB-8 by stage')).text).toContain('Doing');
  });

  test('an older week needs no attention now', async () => {
    const { text } = await asks('/tis weekly WEB W09');
    expect(text).toMatch(/^WEB · week 9 \(Feb 23 – Mar 1\) · vs week 8\. 6 finished ▲ 6 \(more\)\. /);
    expect(text).not.toContain('Needs attention');
  });

  test('one finished issue has no percentiles', async () => {
    const answer = await asks('/tis weekly APP');
    expect(answer.text).toMatch(
      /^APP · week 11 \(Mar 9–15\)\. 1 finished: APP-1, took 2d · ▲ 1 \(more\) vs week 10 · 8-week average 0: ▲ 1 \(more\)\. 0 in progress /,
    );
    expect(answer.text).not.toMatch(/[Mm]edian|p85/);
    expect(shown(answer)).toContain('<https://tracker.example/browse/APP-1|APP-1>, took 2d');
  });

  test('of none a sentence says so', async () => {
    const { text, blocks } = await asks('/tis weekly OPS');
    expect(text).toMatch(
      /^OPS · week 11 \(Mar 9–15\)\. Nothing was finished in week 11 \(8-week average 0\)\. 0 in progress \(0 in week 10\)\. Hours/,
    );
    expect(blocks?.some(({ type }) => type === 'data_visualization')).toBe(false);
  });

  test('issues of a query are named by it, and need attention alike', async () => {
    const { text } = await asks('/tis weekly jql project in (WEB, OPS) ORDER BY created');
    expect(text).toMatch(/^Week 11 \(Mar 9–15\) · issues matching the filter · vs week 10\. 3 finished /);
    expect(text).toContain('🟡 WEB-11 In Review 3d 3h, 1.8× usual · @Ada.');
  });

  test('Why? names the issues in progress, and divides active from waiting time', async () => {
    const answer = await asks('/tis weekly WEB');
    await place.slack.clicks('Why?', { on: answer });
    await place.slack.modal();
    let view = await place.slack.modal();
    for (const [figure, words] of [
      ['inProgress', ['In progress at the end of week 11', '*2* · from 2 of 13 issues', 'WEB-11', 'WEB-12']],
      ['flowEfficiency', ['Flow efficiency of week 11, in percent', '*50.5*', 'waiting', 'active']],
    ] as const) {
      const before = view.hash;
      await place.slack.clicks('explain-figure', { entry: figure });
      while (view.hash === before) view = await place.slack.modal();
      for (const word of words) expect(JSON.stringify(view.blocks)).toContain(word);
    }
    await place.slack.dismisses();
  });
});

describe('aging and mine', () => {
  type Place = Awaited<ReturnType<typeof startDwellInSlack>>;
  let place: Place;

  const created = '2026-03-02T09:00:00.000Z';

  /** Five issues that took a day each, one that bob has worked on for four days, and two that no one has started. */
  const issues = [
    ...Array.from({ length: 5 }, (_, i) =>
      jiraIssue(`WEB-${i + 1}`, { created })
        .at('2026-03-03T09:00:00.000Z', movesTo('In Progress'))
        .at('2026-03-04T09:00:00.000Z', movesTo('Done')),
    ),
    jiraIssue('WEB-6', { created })
      .at('2026-03-02T10:00:00.000Z', isAssignedTo('bob'))
      .at('2026-03-14T12:00:00.000Z', movesTo('In Progress')),
    jiraIssue('WEB-7', { created }).at('2026-03-02T10:00:00.000Z', isAssignedTo('bob')),
    jiraIssue('WEB-8', { created }),
  ].map((issue) => issue.onCloud());

  beforeAll(async () => {
    place = await startDwellInSlack({
      people: [slackPerson('ada'), slackPerson('bob')],
      channels: [{ id: 'C0TEAM', name: 'team', members: ['U0ADA', 'U0BOB'] }],
      at: '2026-03-18T12:00:00Z',
      environment: { TRACKER: 'file', TIME_ZONE: 'UTC', BASE_URL: 'https://dwell.example' },
    });
    await place.dwell.types('import', exportFile(issues), exportFile([jiraUser('ada'), jiraUser('bob')]));
  });
  afterAll(() => place.stop());

  async function says(line: string, as = 'ada'): Promise<Message> {
    return place.slack.answerTo(line, { as });
  }

  test('aging shows started issues, counts the others, and lists them on request', async () => {
    const started = await says('/tis aging WEB');
    expect(started.text).toMatch(
      /^The one started issue in WEB has been in its status longer than usual\. 1 issue has missed its target of 1d \(85% of the last 90 days\)\. WEB-6: × usual 🟠 4×, For 4d, In Progress, missed Mar 15, bob, What WEB-6 is about\. 2 issues are not started \(oldest 16d 3h\): `\/tis aging WEB with backlog`\./,
    );
    expect((await says('/tis aging WEB with backlog')).text).toMatch(
      /^All 3 open issues in WEB have been .* WEB-7: × usual 🟠 4\.2×, For 16d 3h, To Do, –, bob, .*; WEB-8: .*; WEB-6: .* In Progress/,
    );
  });

  test('mine has started issues first, and needs no column of people', async () => {
    const { text, blocks } = await says('/tis mine', 'bob');
    expect(text).toMatch(
      /^2 open issues assigned to you · 1 not started · 1 longer than usual\. 1 issue has missed its target of 1d \(85% of the last 90 days\)\. WEB-6: × usual 🟠 4×, .*, missed Mar 15, .*; WEB-7: × usual –, For 16d 3h, To Do, –, /,
    );
    expect(JSON.stringify(blocks)).not.toContain('Assign');
  });

  test('without an open issue what else can be asked is said', async () => {
    expect((await says('/tis aging jql project = WEB and key = WEB-1')).text).toMatch(
      /^No open issues matching the filter that you can see\. Try other issues, or see what was finished: `\/tis weekly`\./,
    );
  });
});

describe('buttons that nudge', () => {
  const created = '2026-03-02T09:00:00.000Z';
  /** Work that waits, of which ben has WEB-6, and dora, who is not in Slack, WEB-7, which waits longer. */
  const waiting = (key: string, assignee: string, since: string) =>
    jiraIssue(key, { created })
      .at('2026-03-02T10:00:00.000Z', isAssignedTo(assignee))
      .at(since, movesTo('In Progress'));

  const place = startedOnce(() =>
    startDwellInSlack({
      people: [slackPerson('ada'), slackPerson('ben'), slackPerson('cleo')],
      channels: [{ id: 'C0TEAM', name: 'team', members: ['U0ADA', 'U0BEN', 'U0CLEO'] }],
      at: '2026-03-18T12:00:00Z',
      environment: { TRACKER: 'file', TIME_ZONE: 'UTC' },
    }),
  );
  beforeAll(async () => {
    /** They took a day, so that it is known what is usual. */
    const done = Array.from({ length: 5 }, (_, i) =>
      jiraIssue(`WEB-${i + 1}`, { created })
        .at('2026-03-10T09:00:00.000Z', movesTo('In Progress'))
        .at('2026-03-11T09:00:00.000Z', movesTo('Done')),
    );
    const [ben, dora] = [
      waiting('WEB-6', 'ben', '2026-03-14T12:00:00.000Z'),
      waiting('WEB-7', 'dora', '2026-03-13T12:00:00.000Z'),
    ];
    const issues = [...done, ben, dora].map((issue) => issue.onCloud());
    const users = ['ada', 'ben', 'dora'].map(jiraUser);
    await place.dwell.types('import', exportFile(issues), exportFile(users));
  });

  const asks = (line: string, where = 'team') => place.slack.answerTo(line, { as: 'ada', in: where });

  test('no button nudges a person who is not in Slack', async () => {
    const buttons = async (key: string) => JSON.stringify((await asks(`/tis ${key}`)).blocks);
    expect(await buttons('WEB-6')).toContain('nudge-assignee');
    expect(await buttons('WEB-7')).not.toContain('nudge-assignee');
  });

  test('a person who is not in Slack is a plain name, and the answer says why there is no button', async () => {
    const issue = await asks('/tis WEB-7');
    expect(JSON.stringify(issue.blocks)).toContain('with dora since');
    expect(issue.text).toContain('dora is not in Slack, so there is no one to nudge.');
    const aging = await asks('/tis aging key = WEB-7');
    expect(aging.text).toContain('In Progress, missed Mar 14, dora, ');
    expect(aging.text).toContain('dora is not in Slack, so there is no one to nudge.');
    const both = await asks('/tis aging WEB');
    expect(both.text).toMatch(/WEB-7: .*WEB-6: /);
    expect(both.text).not.toContain('no one to nudge');
    expect(JSON.stringify(both.blocks)).toContain('Nudge ben about WEB-6');
    const weekly = await asks('/tis weekly WEB');
    expect(weekly.text).toMatch(
      /WEB-7 In .* usual · dora \(not in Slack\)\. .*WEB-6 In Progress 4d, 4× usual · @ben\./,
    );
    expect(JSON.stringify(weekly.blocks)).toMatch(
      /WEB-7 .* · dora \(not in Slack\)".*WEB-6 .*<@U0BEN>.*nudge-assignee/,
    );
    expect(JSON.stringify(weekly.blocks)).not.toContain('@dora');
    expect((await asks('/tis WEB-6')).text).not.toContain('not in Slack');
  });

  test('people are looked up once in ten minutes, those who are not in Slack as well', async () => {
    const lookups = () => place.slack.calls('users.lookupByEmail').length;
    place.dwell.clock.now += 600_000;
    const before = lookups();
    for (const key of ['WEB-6', 'WEB-7', 'WEB-6', 'WEB-7']) await asks(`/tis ${key}`);
    expect(lookups()).toBe(before + 2);
  });

  test.each(['missing_scope', 'internal_error'])(
    'an answer comes with names where Slack says %s',
    async (word) => {
      place.dwell.clock.now += 600_000;
      place.slack.faults.failNext('users.lookupByEmail', word, 4);
      const answer = await asks('/tis WEB-6');
      expect(answer.text).toMatch(/^WEB-6 .*@ben/s);
    },
  );
});
