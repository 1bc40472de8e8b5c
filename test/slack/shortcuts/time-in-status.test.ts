import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { keysInMessage } from '../../../src/slack/keys-in-message.ts';
import { until } from '../../support/local-exports.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';

describe('issue keys in a message', () => {
  test.each<[string, readonly string[]]>([
    ['WEB-350 waits for app-12, and so does (APP-7).', ['WEB-350', 'APP-7']],
    ['<https://jira.example/browse/web-9?focused=1|the basket> and WEB-9', ['WEB-9']],
    ['<https://jira.example/browse/WEB-9#top>', ['WEB-9']],
    ['https://chat.example/archives/C0-1/AB-3 is no issue', []],
    ['covid-19, utf-8, x-WEB-1, WEB-1x, WEB-0', []],
    ['&lt;WEB-1&gt; &amp; *APP-2*', ['WEB-1', 'APP-2']],
    ['‏שלום WEB-1‏ 🙂WEB-2🙂', ['WEB-1', 'WEB-2']],
    ['', []],
  ])('%s', (text, keys) => {
    expect(keysInMessage(text)).toEqual(keys);
  });

  test('are found at once in whatever somebody pasted', () => {
    expect(keysInMessage('A-'.repeat(20_000))).toEqual([]);
    expect(keysInMessage(`${'A_1'.repeat(10_000)}-`)).toEqual([]);
    expect(keysInMessage(Array.from({ length: 5_000 }, (_, i) => `WEB-${i + 1}`).join(' '))).toHaveLength(
      5_000,
    );
  });
});

describe.each(['http', 'socket'] as const)('the message shortcut over %s', (mode) => {
  let place: Awaited<ReturnType<typeof startTeamInSlack>>;
  beforeAll(async () => {
    place = await startTeamInSlack(mode);
  });
  afterAll(() => place.stop());

  /** Picks the shortcut on a message of bob's, as somebody. */
  async function picksOn(text: string, as: string): Promise<void> {
    const { message } = await place.slack.types(text, { as: 'bob', in: 'team' });
    expect(
      (await place.slack.picks('time-in-status', { as, ...(message ? { on: message } : {}) })).outcome,
    ).toBe('ok');
  }

  test('tells the issues of a message privately, and leads into the builder with them', async () => {
    await picksOn('WEB-1 blocks WEB-2, see https://jira.example/browse/NOPE-1', 'ada');
    const told = [await place.privateWord(), await place.privateWord(), await place.privateWord()];
    for (const message of told) expect(message).toMatchObject({ channel: 'C0TEAM', onlyFor: 'U0ADA' });
    expect(told[0]?.text).toContain('WEB-1');
    expect(told[1]?.text).toContain('WEB-2');
    expect(told[2]?.text).toContain('I know no issue `NOPE-1`.');
    await place.slack.clicks('Build a report', { ...(told[2] ? { on: told[2] } : {}) });
    const view = await until(
      () => place.slack.openModals().find((one) => one.callback_id === 'report-builder') ?? null,
    );
    expect(JSON.stringify(view)).toContain('"initial_value":"WEB-1, WEB-2"');
    await place.slack.dismisses();
  });

  test('speaks of one issue as of one', async () => {
    await picksOn('WEB-1 is late', 'ada');
    await place.privateWord();
    expect((await place.privateWord()).text).toBe('Put it into a report, or into a file:');
  });

  test('tells four of many, each to who may see it', async () => {
    await picksOn('OPS-1 WEB-1 WEB-2 WEB-3 WEB-4 WEB-5', 'bob');
    const told = [];
    for (let i = 0; i < 5; i += 1) told.push(await place.privateWord());
    expect(told.slice(0, 4).map(({ text }) => /WEB-\d/.exec(text)?.[0])).toEqual([
      'WEB-1',
      'WEB-2',
      'WEB-3',
      'WEB-4',
    ]);
    expect(told[4]?.text).toContain('I know no issue `OPS-1`.');
    expect(told[4]?.text).toContain('mentions 5 issues; these are the first 4');
  });

  test('says that there is none, and opens nothing', async () => {
    await picksOn('Good morning', 'zoe');
    expect((await place.privateWord()).text).toContain('mentions no issue');
    expect(place.slack.openModals('zoe')).toEqual([]);
  });
});
