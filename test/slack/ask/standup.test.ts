import { millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { exportFile, isAssignedTo, jiraIssue, jiraUser, movesTo } from '../../support/jira-export.ts';
import { until } from '../../support/local-exports.ts';
import { shares } from '../../support/share-in-slack.ts';
import { startedEach, startedOnce } from '../../support/started.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';

const FLAG = 'customfield_10021';

/** An issue that someone has worked on since March 16 (Monday), if nothing else is said. */
const inWork = (key: string, since = '2026-03-16T09:00:00.000Z', by = 'bob') =>
  jiraIssue(key, { created: '2026-03-02T09:00:00.000Z' })
    .at('2026-03-02T10:00:00.000Z', isAssignedTo(by))
    .at(since, movesTo('In Progress'));

function flagged(key: string, since: string) {
  const raw = inWork(key).onCloud();
  const item = { field: 'Flagged', fieldtype: 'custom', fieldId: FLAG, from: null, to: '[10019]' };
  const entry = {
    ...{ id: '90001', created: since, author: { accountId: 'bob', displayName: 'Bob' } },
    items: [{ ...item, fromString: null, toString: 'Impediment' }],
  };
  const histories = [...(raw.changelog?.histories ?? []), entry];
  return {
    ...raw,
    fields: { ...raw.fields, [FLAG]: [{ id: '10019', value: 'Impediment' }] },
    changelog: { startAt: 0, maxResults: histories.length, total: histories.length, histories },
  };
}

/** It is noon of Wednesday, March 18. The twelve issues that were finished before took seven days each. */
const issues = [
  inWork('WEB-31', '2026-03-09T10:00:00.000Z').at('2026-03-17T10:00:00.000Z', movesTo('Done')).onCloud(),
  inWork('WEB-32', '2026-03-17T11:00:00.000Z').onCloud(),
  inWork('WEB-33').at('2026-03-18T09:00:00.000Z', movesTo('In Review')).onCloud(),
  jiraIssue('WEB-34', { created: '2026-03-18T09:00:00.000Z' }).onCloud(),
  inWork('WEB-35')
    .at('2026-03-17T09:00:00.000Z', movesTo('In Review'))
    .at('2026-03-17T10:00:00.000Z', movesTo('In Progress'))
    .onCloud(),
  inWork('WEB-36', '2026-03-04T09:00:00.000Z')
    .at('2026-03-05T09:00:00.000Z', movesTo('Done'))
    .at('2026-03-17T09:00:00.000Z', movesTo('In Progress'))
    .onCloud(),
  flagged('WEB-37', '2026-03-15T12:00:00.000Z'),
  inWork('WEB-38', '2026-03-11T18:00:00.000Z').onCloud(),
  inWork('WEB-39', '2026-03-16T08:00:00.000Z', 'ada').onCloud(),
  // Not since the last working day.
  inWork('WEB-40', '2026-03-16T23:59:59.999Z').onCloud(),
];

async function startTeam() {
  const place = await startTeamInSlack();
  const people = exportFile([jiraUser('ada'), jiraUser('bob')]);
  await place.dwell.types('import', exportFile({ names: { [FLAG]: 'Flagged' }, issues }), people);
  return {
    ...place,
    /** Someone delegates their work from yesterday on until the end of Thursday. */
    async goesAway(delegator: string, delegate: string, categoryIds: readonly number[] = []) {
      const { status } = await place.dwell.as(delegator).postJson('/rest/delegation/api/1.0/delegation', {
        ...{ delegator, delegates: [delegate], categoryIds },
        ...{ startDate: '2026-03-17T00:00Z', endDate: '2026-03-20T00:00Z' },
      });
      expect(status).toBe(200);
    },
  };
}

describe('a standup', () => {
  const place = startedOnce(startTeam);

  test('has the news since the last working day, and a row for each issue in the way', async () => {
    const { text, blocks = [] } = await place.says('/tis standup WEB');
    expect(text).toContain(
      'WEB · since Tuesday · 1 finished · 1 started · 2 moved · 1 blocked · 1 due today · 1 beyond target.',
    );
    expect(text).toContain('✅ Finished: WEB-31 (8d).');
    expect(text).toContain('▶️ Started: WEB-32 (@bob).');
    expect(text).toContain(
      '🔀 Moved: WEB-33 In Progress → In Review (@bob), WEB-36 Done → In Progress (@bob).',
    );
    expect(text).toContain('⛔ WEB-37 blocked for 3d by a flag · In Progress · @bob.');
    expect(text).toContain('⏳ WEB-38 reaches its target of 7d today · In Progress · @bob.');
    expect(text).not.toMatch(/WEB-3[459]|WEB-40/);
    const buttons = blocks.flatMap((block) => ('accessory' in block ? [block.accessory] : []));
    expect(JSON.stringify(buttons).match(/nudge-assignee/g)).toHaveLength(2);
  });

  test('begins on a Friday after a weekend, by the calendar or from Monday to Friday', async () => {
    const times = ['TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'].map((weekday) => ({
      ...{ weekday, start: 9 * millisecondsInHour, end: 17 * millisecondsInHour },
    }));
    const boss = place.dwell.as('ada', { admin: true });
    await boss.postJson('/rest/calendars', { name: 'Four', timeZone: 'UTC', workingTimes: times });
    const text = async (line: string) => (await place.says(line)).text;
    expect(await text('/tis standup APP')).toContain('Nothing in APP moved since Tuesday');
    place.dwell.clock.now = Date.parse('2026-03-23T12:00:00.000Z');
    expect(await text('/tis standup APP')).toContain('since Friday');
    place.dwell.clock.now = Date.parse('2026-03-24T12:00:00.000Z');
    expect(await text('/tis standup APP')).toContain('since Monday');
    expect(await text('/tis standup APP in Four')).toContain('since Friday');
    place.dwell.clock.now = Date.parse('2026-03-18T12:00:00.000Z');
  });

  test('without news says how much is on track', async () => {
    const { text, blocks } = await place.says('/tis standup jql key = WEB-39');
    expect(text).toContain(
      'Nothing matching the filter moved since Tuesday. 1 issue is in progress, none blocked or beyond target.',
    );
    expect(JSON.stringify(blocks)).not.toMatch(/share-answer|why-answer/);
    expect((await place.says('/tis standup jql key = WEB-1')).text).toContain('Nothing is in progress.');
  });

  test('explains what was finished, blocked and due', async () => {
    await place.slack.clicks('Why?', { on: await place.says('/tis standup WEB') });
    const view = await until(() => {
      const found = JSON.stringify(place.slack.openModals().at(-1)?.blocks ?? []);
      return found.includes('Made of') ? found : null;
    });
    expect(view).toContain('Finished since the last working day');
    for (const title of ['Time WEB-37 was blocked', 'Target of WEB']) expect(view).toContain(title);
    await place.slack.dismisses();
  });

  test.each([
    ['what happened in WEB since yesterday?', '/tis standup WEB'],
    ['what is new since the last working day in WEB', '/tis standup WEB'],
    ['our daily', '/tis standup'],
    ['standup for WEB', '/tis standup WEB'],
    ['What did we do yesterday in WEB?', '/tis standup WEB'],
  ])('is what %j asks for', async (words, line) => {
    const { text } = await place.says(`/tis ${words}`);
    expect(text).toContain(`I read this as \`${line}\`.`);
    expect(text).toContain('WEB · since Tuesday');
  });

  test.each([
    ['standup WEB, APP', '/tis standup jql project in (WEB, APP)'],
    ['standup all projects', '/tis standup jql project is not EMPTY'],
    ['flow WEB, APP', '/tis flow jql project in (WEB, APP)'],
  ])('issues are read in plain words: %s', async (words, line) => {
    expect((await place.says(`/tis ${words}`)).text).toContain(`I read this as \`${line}\`.`);
  });

  test('a filter that is not known is refused', async () => {
    expect((await place.says('/tis standup NOPE')).text).toMatch(/NOPE/);
  });
});

describe('people who are away', () => {
  const place = startedEach(startTeam);

  test('are named with who covers and the work that waits, to those who can view all cover', async () => {
    await place.goesAway('bob', 'ada');
    expect((await place.says('/tis standup WEB', { as: 'zoe' })).text).not.toMatch(/away until/);
    await place.dwell.types('delegates', '--view-all', 'ada');
    const mine = await place.says('/tis standup WEB');
    expect(mine.text).toMatch(
      /🌴 @bob is away until Thu · @ada covers WEB-\d+, WEB-\d+, WEB-\d+ and 4 more/i,
    );
  });

  test('wait where no one is there to cover, which can be set with a click', async () => {
    await place.dwell.types('delegates', '--edit-all', 'ada');
    await place.goesAway('bob', 'ada');
    await place.goesAway('ada', 'bob');
    const answer = await place.says('/tis standup WEB');
    expect(answer.text).toMatch(
      /bob is away until Thu · no one covers, so WEB-\d+, WEB-\d+, WEB-\d+ and 4 more wait/i,
    );
    await place.slack.clicks('Set cover', { as: 'ada', on: answer });
    await place.slack.modal();
    const { blocks } = await place.slack.modal();
    expect(JSON.stringify(blocks)).toContain('"initial_user":"U0BOB"');
    expect(JSON.stringify(blocks)).toContain('"initial_date":"2026-03-19"');
  });

  test('are here where they delegated a category alone', async () => {
    await place.dwell.types('delegates', '--edit-all', 'ada');
    const boss = place.dwell.as('ada', { admin: true });
    const { json } = await boss.postJson('/rest/delegation/api/1.0/category', { name: 'Expense' });
    await place.goesAway('bob', 'ada', [json.id]);
    expect((await place.says('/tis standup WEB')).text).not.toMatch(/away/);
  });

  test('are not named in a channel where not everyone can view all cover', async () => {
    await place.goesAway('bob', 'ada');
    await place.dwell.types('delegates', '--view-all', 'ada');
    const own = await place.says('/tis standup WEB');
    await shares(place.slack, { on: own });
    const shared = await place.slack.reply();
    expect(shared.text).not.toMatch(/away until/);
    expect(shared.text).toContain('who is away is not shown: not everyone here can view all cover');

    await place.dwell.types('delegates', '--view-all', 'everyone');
    await shares(place.slack, { on: await place.says('/tis standup WEB') });
    expect((await place.slack.reply()).text).toMatch(/bob is away until Thu/i);

    // Guests are not among everyone.
    await place.dwell.types('audience', 'C0GUESTS', 'allow', 'WEB', '--with-guests');
    await shares(place.slack, { on: await place.says('/tis standup WEB', { in: 'with-guests' }) });
    const toGuests = await place.slack.reply();
    expect([toGuests.channel, toGuests.onlyFor]).toEqual(['C0GUESTS', undefined]);
    expect(toGuests.text).not.toMatch(/away until/);
  });
});

describe('a digest of standups', () => {
  const place = startedEach(startTeam);

  /** A digest of the standup of one issue; what was posted of it by the next minute. */
  async function postsOf(key: string) {
    const { dwell } = place;
    await place.says(`/tis digest standup jql key = ${key} every weekday at 12:01`);
    await dwell.tellsDigests();
    dwell.clock.now += 60_000;
    await dwell.tellsDigests();
    return place.openIn();
  }

  test('is silent where the only news is a link that not everyone there can see', async () => {
    const links = {
      issuelinks: [
        {
          ...{ id: '31', type: { id: '1', name: 'Blocks', inward: 'is blocked by', outward: 'blocks' } },
          inwardIssue: { id: '900', key: 'OPS-9' },
        },
      ],
    };
    const raw = inWork('WEB-45', '2026-03-13T09:00:00.000Z').onCloud();
    const linked = { ...raw, fields: { ...raw.fields, ...links } };
    await place.dwell.types('import', exportFile([linked, inWork('OPS-9').onCloud()]));
    expect((await place.says('/tis standup jql key = WEB-45')).text).toMatch(/blocked for .* by OPS-9/);
    expect(await postsOf('WEB-45')).toEqual([]);
  });

  test('is silent where the only news is who is away, which its preview says', async () => {
    await place.goesAway('ada', 'bob');
    expect((await place.says('/tis standup jql key = WEB-39')).text).toMatch(/ada is away until Thu/i);
    expect(await postsOf('WEB-39')).toEqual([]);
    const list = await place.says('/tis digest');
    await place.slack.clicks('Preview', { on: list });
    const replies = [await place.slack.privateReply(), await place.slack.privateReply()];
    expect(replies[0]?.text).toContain('There is nothing to report now, so I would post nothing.');
    expect(replies[1]?.text).not.toMatch(/away until/);
  });

  test('posts the news, and nothing on a day without', async () => {
    const { dwell } = place;
    await place.says('/tis digest standup WEB every weekday at 12:01 on working days');
    await place.says('/tis digest standup jql key = WEB-39 every weekday at 12:01');
    await dwell.tellsDigests();
    dwell.clock.now += 60_000;
    await dwell.tellsDigests();
    // The second one has no news.
    const posts = place.openIn().filter(({ threadTs }) => threadTs === undefined);
    expect(posts).toHaveLength(1);
    expect(posts[0]?.text).toContain('WEB · since Tuesday · 1 finished');
  });
});
