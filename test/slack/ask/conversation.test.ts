import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import type { Person } from '../../../playground/playground-options.ts';
import { keysInMessage } from '../../../src/slack/ask/ask-from-message.ts';
import { until } from '../../support/local-exports.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';

describe('writing to dwell', () => {
  const person = (name: string, more: Partial<Person> = {}): Person => ({
    id: `U0${name.toUpperCase()}`,
    name,
    realName: name,
    email: `${name}@example.com`,
    tz: 'UTC',
    ...more,
  });

  describe.each(['http', 'socket'] as const)('over %s', (mode) => {
    let place: Awaited<ReturnType<typeof startDwellInSlack>>;
    beforeAll(async () => {
      place = await startDwellInSlack({
        mode,
        at: '2026-11-20T14:00:00.000Z',
        environment: { TRACKER: 'sample', TIME_ZONE: 'UTC' },
        people: [person('ada'), person('zoe'), person('pia', { foreignTeam: 'T0OTHER' })],
        events: ['app_mention'],
      });
    });
    afterAll(() => place.stop());
    let before = 0;
    beforeEach(() => {
      before = posts();
    });
    const posts = () =>
      place.slack.calls('chat.postMessage').length + place.slack.calls('chat.postEphemeral').length;

    /** What Dwell answers to a line in somebody's conversation with it. */
    const directly = async (line: string, as = 'ada') => {
      await place.slack.types(line, { as, in: 'dm' });
      return place.slack.reply();
    };

    /** Hands an event over as Slack does, and lets all that was asked before be answered. */
    const hears = async (event: Record<string, unknown>) => {
      const { outcome } = await place.slack.playground.sendEvent(event);
      expect(outcome).toBe('ok');
      await directly('help');
    };

    test.each([
      ['WEB-350', /^WEB-350 /],
      ['how long was WEB-350 in review?', /^WEB-350 /],
      ['<https://tracker.example/browse/WEB-350|WEB-350>', /^WEB-350 /],
      ['WEB median', /535 issues in WEB\./],
      [' /tis weekly WEB', /issues finished in WEB in week 46/],
      ['tis aging WEB', /open issues in WEB/],
      ['jql project = WEB and key &lt; WEB-10', /issues of the filter/],
      ['sprint Foo', /^The sprint 'Foo' is not known/],
      ['delegates me', /^\*Bob covers for you\* for Expense/],
      ['digest new', /^A form opens from a command only\. Type `\/tis digest new`/],
      ['how are you?', /^Write an issue key, .*`WEB-\d+`.*`\/tis help`/],
    ])('a direct message is answered there: %s', async (line, told) => {
      // Messages are escaped by who sends them.
      const { text, onlyFor, channel, threadTs } = await directly(
        line.replaceAll('&lt;', '<').replace(/^<(h.*)\|.*$/, '$1'),
      );
      expect(text).toMatch(told);
      expect({ onlyFor, channel, threadTs }).toEqual({ channel: 'D0ADA' });
    });

    test('in a thread of the conversation it is answered in the thread', async () => {
      const { message } = await place.slack.types('hello', { as: 'ada', in: 'dm' });
      await place.slack.reply();
      await place.slack.types('WEB-350', { as: 'ada', in: 'dm', threadTs: message?.ts ?? '' });
      expect((await place.slack.reply()).threadTs).toBe(message?.ts);
    });

    test('who is nobody in the tracker reads what a command would say', async () => {
      await place.slack.types('/tis mine', { as: 'zoe' });
      const { text } = await place.slack.reply();
      expect((await directly('mine', 'zoe')).text).toBe(text);
    });

    test('a mention in a channel is answered for who mentions alone', async () => {
      await place.slack.types('@dwell WEB-350', { as: 'ada', in: 'general' });
      const told = await place.slack.reply();
      expect(told.text).toMatch(/^WEB-350 /);
      expect(told.onlyFor).toBe('U0ADA');
      expect(told.threadTs).toBeUndefined();
    });

    test('a mention in a thread is answered in the thread, wherever in the line it is', async () => {
      const { message } = await place.slack.types('what of it?', { as: 'ada', in: 'general' });
      const threadTs = message?.ts ?? '';
      await place.slack.types('WEB-350 @dwell please', { as: 'ada', in: 'general', threadTs });
      const told = await place.slack.reply();
      expect(told.text).toMatch(/^WEB-350 /);
      expect([told.onlyFor, told.threadTs]).toEqual(['U0ADA', threadTs]);
    });

    test('people of other workspaces are told that they are not answered', async () => {
      await place.slack.types('@dwell WEB median', { as: 'pia', in: 'general' });
      const told = await place.slack.reply();
      expect(told.text).toContain('Dwell answers people of this workspace.');
      expect(told.onlyFor).toBe('U0PIA');
    });

    const message = { type: 'message', channel: 'D0ADA', channel_type: 'im', user: 'U0ADA', text: 'WEB-350' };

    test('what comes twice is answered once', async () => {
      const event = { ...message, ts: '1.000001', event_ts: '1.000001' };
      await hears(event);
      await hears(event);
      expect(posts() - before).toBe(3);
    });

    test.each<[string, Record<string, unknown>]>([
      ['a bot', { ...message, bot_id: 'B0OTHER' }],
      ['Dwell itself', { ...message, user: 'U0DWELL', bot_id: 'B0DWELL' }],
      ['Slackbot', { ...message, user: 'USLACKBOT' }],
      ['an edit', { ...message, subtype: 'message_changed', message: { ...message, ts: '1.1' } }],
      ['a deletion', { ...message, subtype: 'message_deleted', deleted_ts: '1.1' }],
      [
        'an edited mention',
        { ...message, type: 'app_mention', channel: 'C0GENERAL', edited: { user: 'U0ADA', ts: '2.0' } },
      ],
      ['a message in a channel', { ...message, channel: 'C0GENERAL', channel_type: 'channel' }],
    ])('%s is not answered', async (what, event) => {
      await hears({ ...event, ts: `2.${what.length}`, event_ts: `2.${what.length}` });
      expect(posts() - before).toBe(1);
    });
  });
});

describe('time in status', () => {
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
});
