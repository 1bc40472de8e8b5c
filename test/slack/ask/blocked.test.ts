import { describe, expect, test } from '#jest';
import {
  exportFile,
  isAssignedTo,
  jiraIssue,
  jiraUser,
  movesTo,
  type RawIssue,
} from '../../support/jira-export.ts';
import { shares } from '../../support/share-in-slack.ts';
import { startedEach, startedOnce } from '../../support/started.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';

const FLAG = 'customfield_10021';

/** An issue in progress since March 3, with more contents and entries of its changelog. */
function started(
  key: string,
  fields: Record<string, unknown> = {},
  items: readonly (readonly [at: string, item: Record<string, unknown>])[] = [],
): RawIssue {
  const raw = jiraIssue(key, { created: '2026-03-02T09:00:00.000Z' })
    .at('2026-03-02T10:00:00.000Z', isAssignedTo('ada'))
    .at('2026-03-03T09:00:00.000Z', movesTo('In Progress'))
    .onCloud();
  const histories = [
    ...(raw.changelog?.histories ?? []),
    ...items.map(([created, item], i) => ({
      ...{ id: String(90_001 + i), created, items: [item] },
      author: { accountId: 'bob', displayName: 'Bob' },
    })),
  ];
  const changelog = { startAt: 0, maxResults: histories.length, total: histories.length, histories };
  return { ...raw, fields: { ...raw.fields, ...fields }, changelog };
}

const flagItem = (isOn: boolean) => {
  const on = { id: '[10019]', name: 'Impediment' };
  const [from, to] = isOn ? [null, on] : [on, null];
  return {
    ...{ field: 'Flagged', fieldtype: 'custom', fieldId: FLAG },
    ...{
      from: from?.id ?? null,
      fromString: from?.name ?? null,
      to: to?.id ?? null,
      toString: to?.name ?? '',
    },
  };
};
const blockedBy = (key: string) => ({
  issuelinks: [
    {
      ...{ id: '31', type: { id: '1', name: 'Blocks', inward: 'is blocked by', outward: 'blocks' } },
      inwardIssue: { id: '900', key },
    },
  ],
});
const linkItem = (key: string) => ({
  ...{ field: 'Link', fieldtype: 'jira', from: null, fromString: null, to: key },
  toString: `This issue is blocked by ${key}`,
});

/** WEB-20 waits for an issue of OPS, which is closed to bob; WEB-21 was flagged twice; WEB-22 is flagged and waits for WEB-21. */
const issues = [
  started('WEB-20', blockedBy('OPS-9'), [['2026-03-12T12:00:00.000Z', linkItem('OPS-9')]]),
  started('WEB-21', { [FLAG]: null }, [
    ['2026-03-04T12:00:00.000Z', flagItem(true)],
    ['2026-03-05T12:00:00.000Z', flagItem(false)],
    ['2026-03-06T12:00:00.000Z', flagItem(true)],
    ['2026-03-08T12:00:00.000Z', flagItem(false)],
  ]),
  started('WEB-22', { [FLAG]: [{ id: '10019', value: 'Impediment' }], ...blockedBy('WEB-21') }, [
    ['2026-03-15T12:00:00.000Z', flagItem(true)],
    ['2026-03-16T12:00:00.000Z', linkItem('WEB-21')],
  ]),
  started('OPS-9'),
];

async function startBlocked() {
  const place = await startTeamInSlack();
  const people = exportFile([jiraUser('ada'), jiraUser('bob')]);
  await place.dwell.types('import', exportFile({ names: { [FLAG]: 'Flagged' }, issues }), people);
  return place;
}

describe('blocked time', () => {
  const place = startedOnce(startBlocked);
  const textOf = async (line: string, as = 'ada') => (await place.says(line, { as })).text;

  test('an issue says what blocks it, since when, and who began it', async () => {
    expect(await textOf('/tis WEB-22')).toContain(
      '⛔ Blocked for 3d by a flag and WEB-21 since Mar 15 (@bob)',
    );
    expect(await textOf('/tis WEB-21')).toContain('Blocked 2× for 3d (flag)');
    expect(await textOf('/tis WEB-1')).not.toMatch(/blocked/i);
  });

  test('a link to an issue that a person cannot see does not exist for them', async () => {
    expect(await textOf('/tis WEB-20')).toContain('⛔ Blocked for 6d by OPS-9 since Mar 12');
    const seen = await textOf('/tis WEB-20', 'bob');
    expect(seen).toContain('In Progress for 15d');
    expect(seen).not.toMatch(/blocked|OPS/i);
  });

  test('aging marks what is blocked, with the reason', async () => {
    const ada = await textOf('/tis aging WEB');
    expect(ada).toMatch(/WEB-20: .*⛔ blocked by OPS-9/);
    expect(ada).toMatch(/WEB-22: .*⛔ In Progress.*⛔ blocked by a flag and WEB-21/);
    expect(await textOf('/tis mine')).toMatch(/WEB-20: .*⛔ In Progress.*⛔ blocked by OPS-9/);
    const bob = await textOf('/tis aging WEB', 'bob');
    expect(bob).toMatch(/WEB-22: .*⛔ blocked by a flag and WEB-21/);
    expect(bob).not.toMatch(/OPS/);
  });

  test('a week says how long started work was blocked', async () => {
    // March 9 to 15: WEB-20 for three and a half days, WEB-22 for half a day.
    expect(await textOf('/tis weekly WEB')).toMatch(/[Bb]locked 4d over 2 issues, ▲ 1d \(33% longer\)/);
    expect(await textOf('/tis weekly WEB', 'bob')).toMatch(/[Bb]locked 12h over 1 issue, ▼ 2d 12h/);
  });

  test('reports by blocked time are asked for by their name', async () => {
    const whole = await textOf('/tis WEB by blockedDuration');
    expect(whole).toContain(
      'Issues that were blocked: 4d on average, 4 times in all. All causes: Average 4d, Times 4; Flag: Average 3d, Times 3; Link: Average 4d, Times 2.',
    );
    expect(await textOf('/tis WEB by blocked')).toBe(whole);
    expect(await textOf('/tis WEB by blockedCount')).toContain(
      'Issues that were blocked: 1.3 times on average. All causes: Average 1.3;',
    );
    expect(await textOf('/tis WEB-1 WEB-2 by blocked')).toContain('No blocked time is known.');
  });
});

describe('what is posted', () => {
  const place = startedEach(startBlocked);

  test.each(['/tis WEB-20', '/tis weekly WEB', '/tis aging WEB', '/tis WEB by blockedDuration'])(
    'counts only links that everyone in the channel can see: %s',
    async (line) => {
      const own = await place.says(line);
      await shares(place.slack, { on: own });
      const shared = await place.slack.reply();
      expect(shared.onlyFor).toBeUndefined();
      expect(JSON.stringify(place.openIn())).not.toMatch(/OPS/);
      const bob = await place.says(line, { as: 'bob' });
      if (line.includes('weekly')) expect(shared.text).toMatch(/[Bb]locked 12h over 1 issue/);
      if (line.includes('aging')) expect(shared.text).toMatch(/WEB-22: .*⛔ blocked by a flag/);
      if (line.includes('by')) expect(shared.text).toContain(bob.text.split('\n')[0] ?? 'no text');

      await place.dwell.types('audience', 'C0TEAM', 'allow', 'WEB', 'OPS');
      const again = await place.says(line);
      await shares(place.slack, { on: again });
      const whole = await place.slack.reply();
      if (line.includes('WEB-20') || line.includes('aging')) expect(whole.text).toMatch(/OPS-9/);
      if (line.includes('weekly')) expect(whole.text).toMatch(/[Bb]locked 4d over 2 issues/);
    },
  );

  test('a digest counts only links that everyone in the channel can see', async () => {
    const { dwell, slack } = place;
    expect((await place.says('/tis digest aging WEB every day at 12:01')).text).not.toContain("can't post");
    // A clock is believed from the second look on.
    await dwell.tellsDigests();
    dwell.clock.now += 60_000;
    await dwell.tellsDigests();
    const [digest] = place.openIn();
    expect(digest?.text).toMatch(/WEB-22: .*⛔ blocked by a flag/);
    expect(JSON.stringify(slack.playground.messages('C0TEAM'))).not.toMatch(/OPS/);
  });
});
