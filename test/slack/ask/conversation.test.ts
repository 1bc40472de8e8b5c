import { beforeEach, describe, expect, test } from '#jest';
import { keysInMessage } from '../../../src/slack/ask/grammar/typed-words.ts';
import { until } from '../../support/local-exports.ts';
import { slackPerson } from '../../support/slack-person.ts';
import { startDwell } from '../../support/start-dwell.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedOnce } from '../../support/started.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { transports } from '../../support/transports.ts';

describe('writing to dwell', () => {
  describe.each(transports)('over %s', (mode) => {
    const place = startedOnce(() =>
      startDwellInSlack({
        mode,
        at: '2026-11-20T14:00:00.000Z',
        environment: { TRACKER: 'sample', TIME_ZONE: 'UTC' },
        people: [slackPerson('ada'), slackPerson('zoe'), slackPerson('pia', { foreignTeam: 'T0OTHER' })],
        events: ['app_mention'],
      }),
    );
    let before = 0;
    beforeEach(() => {
      before = posts();
    });
    const posts = () =>
      place.slack.calls('chat.postMessage').length + place.slack.calls('chat.postEphemeral').length;

    /** What Dwell answers to a line in somebody's conversation with it. */
    const directly = (line: string, as = 'ada') => place.slack.answerTo(line, { as, in: 'dm' });

    /** Hands an event over as Slack does, and lets all that was asked before be answered. */
    const hears = async (event: Record<string, unknown>) => {
      const { outcome } = await place.slack.playground.sendEvent(event);
      expect(outcome).toBe('ok');
      await directly('help');
    };

    test.each([
      ['WEB-350', /^WEB-350 /],
      ['how long was WEB-350 in review?', /^Showing WEB-350, the issue in your text\. WEB-350 /],
      ['Is web-350 as slow as utf-8?', /^Showing WEB-350, the issue in your text\./],
      ['<https://tracker.example/browse/WEB-350|WEB-350>', /^WEB-350 /],
      ['WEB median', /^WEB · 535 issues\./],
      [' /tis weekly WEB', /^WEB · week 46 \(Nov 9–15\)/],
      ['tis aging WEB', /started issues in WEB/],
      ['jql project = WEB and key &lt; WEB-10', /issues matching the filter/],
      ['sprint Foo', /^I couldn't find the sprint "Foo"/],
      ['delegates me', /^\*Bob covers for you\* for Expense/],
      ['Hi, how was last week in WEB?', /^WEB · week 46/],
      ['What happened this week in web', /^web · week 47/i],
      ['what’s stuck in WEB please', /issues in WEB/],
      ['What waits for me?', /open issue/],
      ['assigned to me', /open issue/],
      ['who covers for ada?', /Bob covers for you/],
      ['What can you do?', /Time in status of an issue/],
      ['status of WEB-350?', /^Showing WEB-350, the issue in your text\. WEB-350 /],
      ['help me with WEB-350', /^Showing WEB-350, the issue in your text\./],
      ['link to WEB-350 please', /^Showing WEB-350, the issue in your text\./],
      ['project WEB-350 is slow', /^Showing WEB-350, the issue in your text\./],
      ['jql key = WEB-350 and', /^JQL: /],
      ['https://jira.example/jira/software/projects/WEB/boards/1?selectedIssue=WEB-350', /^WEB-350 /],
      ['WEB-350 in Berln', /Did you mean `\/tis WEB-350 in Berlin`\?/],
      ['Thanks!', /^You're welcome!$/],
      ['great, thank you', /^You're welcome!$/],
    ])('a direct message is answered there: %s', async (line, shown) => {
      // Messages are escaped by who sends them.
      const { text, onlyFor, channel, threadTs } = await directly(
        line.replaceAll('&lt;', '<').replace(/^<(h.*)\|.*$/, '$1'),
      );
      expect(text).toMatch(shown);
      expect({ onlyFor, channel, threadTs }).toEqual({ channel: 'D0ADA' });
    });

    test.each([
      ['how are you?', /^I didn't understand that\. Send an issue key/],
      ['hello', /^Ask me about an issue, a project or a week\./],
      ['zzz, more', /^I didn't understand that\./],
    ])('what is not understood is answered with three questions as buttons: %s', async (line, shown) => {
      expect((await directly(line)).text).toMatch(shown);
      await place.slack.clicks('How was last week in WEB?', { as: 'ada', in: 'dm' });
      expect((await place.slack.reply()).text).toMatch(/^WEB · week 46/);
      expect((await directly('why')).text).toContain('Other figures');
    });

    test.each([
      ['which issues are blocked the longest?', '/tis aging jql status = Blocked'],
      ['how long did reviews take last month?', '/tis last month time in "In Review"'],
      ['how long did APP reviews take?', '/tis APP time in "In Review"'],
      ['is this month better?', '/tis compare last month with this month'],
    ])('what is asked in other words is answered, and how it was read is said: %s', async (line, read) => {
      expect((await directly(line)).text).toContain(`I read this as \`${read}\`.`);
    });

    test('words that are not known are named, with the line without them', async () => {
      const { text } = await directly('WEB zealously last month');
      expect(text).toMatch(/^I don't understand "zealously" here\. Did you mean `\/tis WEB last month`\?/);
      await place.slack.clicks('/tis WEB last month', { as: 'ada', in: 'dm' });
      expect((await place.slack.reply()).text).toMatch(/^WEB · \d+ issues finished last month/);
    });

    test('what needs a form comes with the button that opens it', async () => {
      expect((await directly('digest new')).text).toBe('This opens a form:');
      await place.slack.clicks('Open', { as: 'ada', in: 'dm' });
      await until(() => place.slack.openModals('ada').length > 0);
      await place.slack.dismisses({ as: 'ada' });
    });

    describe('going on from the last answer', () => {
      test('more shows the next issues, and says where they end', async () => {
        expect((await directly('aging WEB')).text).toContain('Issues 1–10 of');
        expect((await directly('More, please')).text).toContain('Issues 11–15 of 15');
        expect((await directly('next')).text).toContain('against usual');
        expect((await directly('more')).text).toBe("That's everything.");
        await directly('WEB-350');
        const others = await directly('details');
        expect((await directly('more')).text).toBe("That's everything.");
        expect(others.text).not.toBe('');
      });

      test('in another unit, in other hours and by something else the same is asked', async () => {
        const days = await directly('WEB last 30 days average');
        const hours = await directly('in hours');
        expect(days.text).toMatch(/\d+d/);
        expect(hours.text).not.toMatch(/\b\d+d\b/);
        const grouped = await directly('by assignee');
        expect(grouped.text).not.toMatch(/\b\d+d\b/);
        expect(grouped.text).toContain('Bob');
        const back = await directly('in days');
        expect(back.text).toMatch(/\b\d+d\b/);
        expect(back.text).toContain('Bob');
        expect((await directly('in 24/7')).text).toContain('24/7');
        expect((await directly('in Berlin hours')).text).toMatch(/Working hours Berlin/);
      });

      test('another project is asked about in the same way', async () => {
        await directly('WEB last 30 days by assignee');
        expect((await directly('and APP?')).text).toMatch(/^APP · /);
        expect((await directly('in hours')).text).toMatch(/^APP · /);
        await directly('weekly this week');
        expect((await directly('What about APP?')).text).toMatch(/^APP · week 47/);
        await directly('mine');
        expect((await directly('and APP?')).text).toMatch(/assigned to Ada in APP/);
      });

      test('why explains the first figure, and export leads to the form', async () => {
        await directly('WEB-350');
        expect((await directly('why?')).text).toContain('Other figures');
        expect((await directly('export it')).text).toBe('Choose a format for the file:');
        await place.slack.clicks('Export', { as: 'ada', in: 'dm' });
        await until(() => place.slack.openModals('ada').length > 0);
        await place.slack.dismisses({ as: 'ada' });
      });

      test('share is for channels: a direct message says where to ask', async () => {
        const { blocks } = await directly('WEB-350');
        expect(JSON.stringify(blocks)).toContain('why-answer');
        expect(JSON.stringify(blocks)).not.toContain('share-answer');
        expect((await directly('share it')).text).toBe('To share this, ask in the channel.');
      });

      test('share posts the answer in the thread where it was asked, for everyone', async () => {
        const { message } = await place.slack.types('how is it?', { as: 'ada', in: 'general' });
        const threadTs = message?.ts ?? '';
        await place.slack.answerTo('@dwell WEB-350', { as: 'ada', in: 'general', threadTs });
        const shared = await place.slack.answerTo('@dwell share', { as: 'ada', in: 'general', threadTs });
        expect(shared.text).toMatch(/^WEB-350 /);
        expect([shared.onlyFor, shared.threadTs]).toEqual([undefined, threadTs]);
      });

      test('below an older answer its own thread goes on from that one', async () => {
        const older = await directly('WEB-350');
        await directly('WEB-351');
        const changed = await place.slack.answerTo('in hours', { as: 'ada', in: 'dm', threadTs: older.ts });
        expect(changed.text).toMatch(/WEB-350/);
        expect(changed.threadTs).toBe(older.ts);
      });

      test('no one goes on from the answer of another, nor from one of yesterday', async () => {
        await directly('WEB-350');
        expect((await place.slack.answerTo('@dwell why', { as: 'zoe', in: 'general' })).text).toMatch(
          /^There is no earlier answer in this conversation/,
        );
        const { now } = place.dwell.clock;
        place.dwell.clock.now = now + 86_400_001;
        expect((await directly('why')).text).toMatch(/^There is no earlier answer in this conversation/);
        place.dwell.clock.now = now;
      });
    });

    describe('the channel in view', () => {
      const view = (channel: string) => ({
        entities: [{ type: 'slack#/types/channel_id', value: channel, team_id: 'T0STANDIN' }],
      });
      const changes = (context: object) =>
        place.slack.playground.sendEvent({
          ...{ type: 'app_context_changed', user: 'U0ADA', channel: 'D0ADA', event_ts: '3.1', context },
        });

      test('gives its project to questions without one', async () => {
        await place.slack.answerTo('/tis audience allow APP', { as: 'ada', in: 'general' });
        expect((await directly('How was last week?')).text).toContain('WEB · week 46');
        await changes(view('C0GENERAL'));
        const seen = await directly('How was last week?');
        expect(seen.text).toContain('APP · week 46');
        expect(JSON.stringify(seen.blocks)).toContain('as chosen for <#C0GENERAL>, which you have open');
        await changes({});
        expect((await directly('How was last week?')).text).toContain('WEB · week 46');
      });

      test('and to the examples there', async () => {
        const answerTo = async (line: string) => {
          return (await place.slack.answerTo(line, { as: 'ada', in: 'general' })).text;
        };
        await answerTo('/tis audience allow APP');
        for (const line of [
          'help',
          'nonsense',
          'weekly nonsense',
          'export nonsense',
          'digest nonsense',
          'watch x',
        ])
          expect(await answerTo(`/tis ${line}`)).toMatch(
            /`\/tis (?:\S+ )?(?:weekly )?APP\b|in APP`|`\/tis (?:export )?weekly`/,
          );
        expect((await directly('help')).text).toContain('`/tis weekly WEB`');
      });

      test('is taken from the message where Slack says it there', async () => {
        const ts = '4.000001';
        const base = { type: 'message', channel: 'D0ADA', channel_type: 'im', user: 'U0ADA' };
        await place.slack.playground.sendEvent({
          ...{ ...base, text: 'weekly', ts, event_ts: ts, app_context: view('C0GENERAL') },
        });
        await until(() => JSON.stringify(place.slack.messages({ channel: 'dm' }).at(-1)).includes('APP'));
      });
    });

    test('in a thread of the conversation it is answered in the thread', async () => {
      const { message } = await place.slack.types('hello', { as: 'ada', in: 'dm' });
      await place.slack.reply();
      expect(
        (await place.slack.answerTo('WEB-350', { as: 'ada', in: 'dm', threadTs: message?.ts ?? '' }))
          .threadTs,
      ).toBe(message?.ts);
    });

    test('who is nobody in the tracker reads what a command would say', async () => {
      const { text } = await place.slack.answerTo('/tis mine', { as: 'zoe' });
      expect((await directly('mine', 'zoe')).text).toBe(text);
    });

    test('a mention in a channel is answered for who mentions alone', async () => {
      const shown = await place.slack.answerTo('@dwell WEB-350', { as: 'ada', in: 'general' });
      expect(shown.text).toMatch(/^WEB-350 /);
      expect(shown.onlyFor).toBe('U0ADA');
      expect(shown.threadTs).toBeUndefined();
    });

    test('a mention in a thread is answered in the thread, wherever in the line it is', async () => {
      const { message } = await place.slack.types('what of it?', { as: 'ada', in: 'general' });
      const threadTs = message?.ts ?? '';
      const shown = await place.slack.answerTo('WEB-350 @dwell please', {
        as: 'ada',
        in: 'general',
        threadTs,
      });
      expect(shown.text).toMatch(/^Showing WEB-350, the issue in your text\. WEB-350 /);
      expect([shown.onlyFor, shown.threadTs]).toEqual(['U0ADA', threadTs]);
    });

    test('people of other workspaces are shown that they are not answered', async () => {
      const shown = await place.slack.answerTo('@dwell WEB median', { as: 'pia', in: 'general' });
      expect(shown.text).toContain('Dwell answers people of this workspace.');
      expect(shown.onlyFor).toBe('U0PIA');
    });

    const message = { type: 'message', channel: 'D0ADA', channel_type: 'im', user: 'U0ADA', text: 'WEB-350' };

    test('what comes twice is answered once', async () => {
      const event = { ...message, ts: '1.000001', event_ts: '1.000001' };
      await hears(event);
      await hears(event);
      await until(() => posts() - before >= 3);
      await directly('help');
      expect(posts() - before).toBe(4);
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

test('what comes once more after a restart is answered once', async () => {
  const dataDir = temporaryFolder();
  const at = '2026-11-20T14:00:00.000Z';
  const place = await startDwellInSlack({ dataDir, at });
  const event = { type: 'message', channel: 'D0ADA', channel_type: 'im', user: 'U0ADA', text: 'WEB-350' };
  const sends = () => place.slack.playground.sendEvent({ ...event, ts: '1.1', event_ts: '1.1' });
  await sends();
  await place.slack.reply();
  await place.dwell.stop();
  const { apiUrl: slackApiUrl, botToken, signingSecret } = place.slack;
  const environment = { SLACK_BOT_TOKEN: botToken, SLACK_SIGNING_SECRET: signingSecret };
  const again = await startDwell({ dataDir, at, slackApiUrl, environment });
  place.slack.botAt(again.url);
  const before = place.slack.calls('chat.postMessage').length;
  await sends();
  await place.slack.answerTo('thanks', { as: 'ada', in: 'dm' });
  expect(place.slack.calls('chat.postMessage')).toHaveLength(before + 1);
  await again.stop();
  await place.slack.stop();
});

describe('time in status', () => {
  describe('issue keys in a message', () => {
    test.each<[string, readonly string[]]>([
      ['WEB-350 waits for app-12, and so does (APP-7).', ['WEB-350', 'APP-7']],
      ['<https://jira.example/browse/web-9?focused=1|the basket> and WEB-9', ['WEB-9']],
      ['<https://jira.example/browse/WEB-9#top>', ['WEB-9']],
      ['<https://jira.example/jira/software/projects/WEB/boards/1?selectedIssue=WEB-5|board>', ['WEB-5']],
      ['see https://jira.example/browse/web-9.', ['WEB-9']],
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

  describe.each(transports)('the message shortcut over %s', (mode) => {
    const place = startedOnce(() => startTeamInSlack(mode));

    /** Picks the shortcut on a message of bob's, as somebody. */
    async function picksOn(text: string, as: string): Promise<void> {
      const { message } = await place.slack.types(text, { as: 'bob', in: 'team' });
      expect(
        (await place.slack.picks('time-in-status', { as, ...(message ? { on: message } : {}) })).outcome,
      ).toBe('ok');
    }

    test('shows the issues of a message side by side, and leads into the builder with them', async () => {
      await picksOn('WEB-1 blocks WEB-2, see https://jira.example/browse/NOPE-1', 'ada');
      const [shown, way] = [await place.slack.privateReply(), await place.slack.privateReply()];
      for (const message of [shown, way])
        expect(message).toMatchObject({ channel: 'C0TEAM', onlyFor: 'U0ADA' });
      expect(shown.text).toMatch(/^2 issues, all finished\..*WEB-1.*WEB-2/s);
      expect(shown.text).toContain("I can't find NOPE-1, or you don't have access.");
      expect(way.text).toMatch(/^All of them in one report:/);
      await place.slack.clicks('Build a report', { on: way });
      const view = await until(
        () => place.slack.openModals().find((one) => one.callback_id === 'report-builder') ?? null,
      );
      expect(JSON.stringify(view)).toContain('WEB-1, WEB-2');
      await place.slack.dismisses();
    });

    test('shows one issue as `/tis KEY` does', async () => {
      await picksOn('WEB-1 is late', 'ada');
      expect((await place.slack.privateReply()).text).toMatch(/^WEB-1 · /);
    });

    test('shows ten of many, to each what they can see', async () => {
      const keys = Array.from({ length: 11 }, (_, i) => `WEB-${i + 1}`);
      await picksOn(`OPS-1 ${keys.join(' ')}`, 'bob');
      const [shown, way] = [await place.slack.privateReply(), await place.slack.privateReply()];
      expect(shown.text).toMatch(/^9 issues, all finished\./);
      expect(shown.text).toContain("I can't find OPS-1, or you don't have access.");
      expect(way.text).toBe('The message mentions 12 issues; these are the first 10.');
    });
  });
});
