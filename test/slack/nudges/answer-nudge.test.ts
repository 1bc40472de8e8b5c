import { describe, expect, test } from '#jest';
import type { Message } from '../../../playground/workspace.ts';
import { assistantOf } from '../../mcp/assistant.ts';
import { until } from '../../support/local-exports.ts';
import { startNudgesInSlack } from '../../support/nudges-in-slack.ts';
import { startDwell } from '../../support/start-dwell.ts';
import { startedEach } from '../../support/started.ts';

const POST = 'chat.postMessage';
const DAY = 86_400_000;

const place = startedEach(() => startNudgesInSlack());

/** Ben's newest message of the app. */
const toBen = () => place.direct('ben').at(-1) as Message;

/** Ada nudges ben about WEB-6, from a private answer or below a message that everyone reads. */
async function nudgesBen(on?: Message): Promise<Message> {
  await place.opens(on ?? (await place.says('/tis WEB-6')));
  await place.submits({});
  return toBen();
}

/** Messages in the thread of one. */
const thread = ({ ts }: Message) =>
  place.slack.playground.messages('C0TEAM').filter(({ threadTs }) => threadTs === ts);

const answers = (as: string) => place.direct(as).filter(({ text }) => text.includes('<@U0BEN> answered'));

/** Ben's answer comes to ada's conversation with the app. */
const toAda = () => until(() => answers('ada').at(-1) ?? null);

describe('an answer', () => {
  test('On it takes one click, changes the message, and comes to the person who asked', async () => {
    await place.slack.clicks('On it', { as: 'ben', on: await nudgesBen() });
    expect((await toAda()).text).toBe(
      '<@U0BEN> answered about <https://tracker.example/browse/WEB-6|WEB-6>: *On it*',
    );
    const changed = await until(() => (toBen().text.includes('You answered') ? toBen() : null));
    expect(changed.text).toMatch(/^<@U0ADA> asked about <.*\|WEB-6>\. You answered: \*On it\*$/);
    expect(JSON.stringify(changed.blocks)).not.toContain('nudge-');
  });

  test('Blocked because … asks for a reason of at most 200 characters, in which nothing notifies anyone', async () => {
    const { view, text } = await place.opens(await nudgesBen(), { as: 'ben', button: 'nudge-blocked' });
    expect(text).toContain('What is *WEB-6* waiting for?');
    expect(text).toContain('It goes to <@U0ADA>');
    expect(JSON.stringify(view.blocks)).toContain('"max_length":200');
    const { ack } = await place.slack.submits({ reason: '  ' }, { as: 'ben' });
    expect(ack).toMatchObject({ body: { errors: { reason: 'Enter a reason.' } } });
    expect(await place.submits({ reason: 'waiting for <!channel> the bank' }, 'ben')).toBe(
      'Thanks, your answer is on its way: *Blocked: waiting for &lt;!channel&gt; the bank*',
    );
    expect((await toAda()).text).toContain(': *Blocked: waiting for &lt;!channel&gt; the bank*');
    expect(toBen().text).toContain('You answered: *Blocked: ');
  });

  test('Snooze until … asks for a time within 30 days, and until then no one nudges about the stay', async () => {
    await place.opens(await nudgesBen(), { as: 'ben', button: 'nudge-snooze' });
    const seconds = (days: number) => String((place.dwell.clock.now + days * DAY) / 1000);
    const { ack } = await place.slack.submits({ until: seconds(31) }, { as: 'ben' });
    expect(JSON.stringify(ack)).toContain('Choose a time within the next 30 days.');
    expect(await place.submits({ until: seconds(2) }, 'ben')).toMatch(/\*Snoozed until <!date\^1774008000\^/);
    expect((await toAda()).text).toContain('*Snoozed until <!date^1774008000^');
    place.dwell.clock.now += DAY;
    expect((await place.opens(await place.says('/tis WEB-6'))).text).toMatch(
      /^Nothing was sent: <@U0BEN> has snoozed WEB-6 until <!date\^1774008000\^.*>\.$/,
    );
    place.dwell.clock.now += DAY;
    expect((await place.opens(await place.says('/tis WEB-6'))).isForm).toBe(true);
  });

  test('is shown to people who would nudge on the same day', async () => {
    await place.slack.clicks('On it', { as: 'ben', on: await nudgesBen() });
    await toAda();
    expect((await place.opens(await place.says('/tis WEB-6', 'cleo'), { as: 'cleo' })).text).toContain(
      'People are asked once a day. The answer: *On it*',
    );
  });

  test('is given once: a second click changes nothing and says so', async () => {
    const message = await nudgesBen();
    await place.slack.clicks('On it', { as: 'ben', on: message });
    await toAda();
    // The message as it was before.
    const stale = await place.posts('ben', message.blocks);
    await place.slack.clicks('Blocked because …', { as: 'ben', on: stale });
    expect((await place.slack.reply()).text).toBe('You answered this already: *On it*');
    await until(() => (toBen().text.includes('You answered: *On it*') ? true : null));
    const staler = await place.posts('ben', message.blocks);
    await Promise.all([1, 2].map(() => place.slack.clicks('On it', { as: 'ben', on: staler })));
    await place.dwell.returnsAnswers();
    expect(answers('ada')).toHaveLength(1);
  });

  test('is said where Slack does not change the message', async () => {
    const message = await nudgesBen();
    place.slack.faults.failNext('chat.update', 'message_not_found');
    await place.slack.clicks('On it', { as: 'ben', on: message });
    expect((await place.slack.privateReply()).text).toBe('Thanks, your answer is on its way: *On it*');
    await toAda();
  });

  test('of two clicks at the same time, at two processes, is delivered once', async () => {
    const other = await startDwell({
      dataDir: place.dwell.dataDir,
      at: '2026-03-18T12:00:00Z',
      slackApiUrl: place.slack.apiUrl,
      environment: {
        ...{ TRACKER: 'file', TIME_ZONE: 'UTC', BASE_URL: 'https://dwell.example' },
        ...{ SLACK_BOT_TOKEN: place.slack.botToken, SLACK_SIGNING_SECRET: place.slack.signingSecret },
      },
    });
    try {
      const message = await nudgesBen();
      const urls = [place.dwell.url, other.url];
      place.slack.botAt(() => urls.shift() ?? place.dwell.url);
      await Promise.all([1, 2].map(() => place.slack.clicks('On it', { as: 'ben', on: message })));
      await toAda();
      await Promise.all([place.dwell, other].map((one) => one.returnsAnswers()));
      expect(answers('ada')).toHaveLength(1);
    } finally {
      place.slack.botAt(place.dwell.url);
      await other.stop();
    }
  });

  test('of a person who was not asked is refused, whatever it is, and nothing is stored', async () => {
    const { blocks } = await nudgesBen();
    // The same buttons under another account, as no message of ours has them.
    const forged = await place.posts('cleo', blocks);
    for (const button of ['On it', 'Blocked because …', 'Snooze until …']) {
      await place.slack.clicks(button, { as: 'cleo', on: forged });
      expect((await place.slack.reply()).text).toContain(
        "You weren't asked this, or it was more than 90 days ago.",
      );
    }
    await place.dwell.returnsAnswers();
    expect(answers('ada')).toEqual([]);
    await place.slack.clicks('On it', { as: 'ben', on: toBen() });
    await toAda();
  });

  test('is forgotten after 90 days', async () => {
    const message = await nudgesBen();
    place.dwell.clock.now += 91 * DAY;
    await place.dwell.returnsAnswers();
    await place.slack.clicks('On it', { as: 'ben', on: message });
    expect((await place.slack.reply()).text).toContain('it was more than 90 days ago');
  });
});

describe('an answer to a nudge below a message that everyone reads', () => {
  test('comes to its thread', async () => {
    const shared = await place.shared('WEB-6');
    const message = await nudgesBen(shared);
    const { text } = await place.opens(message, { as: 'ben', button: 'nudge-blocked' });
    expect(text).toContain('It goes to the thread in <#C0TEAM>');
    await place.submits({ reason: 'the bank' }, 'ben');
    const [reply] = await until(() => (thread(shared).length > 0 ? thread(shared) : null));
    expect(reply?.text).toContain('<@U0BEN> answered <@U0ADA> about ');
    expect(reply?.text).toContain('*Blocked: the bank*');
    expect(answers('ada')).toEqual([]);
  });

  test('comes to the person who asked where not everyone there can see the issue any more', async () => {
    const shared = await place.shared('WEB-6');
    const message = await nudgesBen(shared);
    await place.dwell.types('audience', 'C0TEAM', 'allow', 'APP');
    await place.slack.clicks('On it', { as: 'ben', on: message });
    expect((await toAda()).text).toMatch(/\*On it\*\nNot posted in <#C0TEAM>\. .*`WEB`/s);
    expect(thread(shared)).toEqual([]);
  });

  test('comes to the person who asked where it was clicked in a channel that may not see it', async () => {
    await place.dwell.types('audience', 'C0TEAM', 'allow', 'OPS');
    const shared = await place.shared('OPS-2');
    await place.dwell.types('audience', 'C0TEAM', 'allow', 'APP');
    await place.dwell.types('audience', 'C0TEAM', 'forbid', 'OPS');
    const { text } = await place.opens(shared);
    expect(text).toContain('*To:* <@U0CLEO>');
    expect(text).toContain('The answer comes to you as a direct message.');
  });

  test('comes to the person who asked where Slack says that the thread or the channel is closed', async () => {
    const words = ['thread_not_found', 'not_in_channel', 'is_archived'];
    for (const [before, word] of words.entries()) {
      const message = await nudgesBen(await place.shared('WEB-6'));
      place.slack.faults.failNext(POST, word);
      await place.slack.clicks('On it', { as: 'ben', on: message });
      const { text } = await until(() => answers('ada')[before] ?? null);
      expect([word, text]).toEqual([word, expect.stringContaining('*On it*\nNot posted in <#C0TEAM>.')]);
      place.dwell.clock.now += DAY;
    }
  });

  test('comes later where Slack cannot be reached, and once where its answer was lost', async () => {
    const shared = await place.shared('WEB-6');
    const message = await nudgesBen(shared);
    place.slack.faults.rateLimitNext(POST, 60);
    await place.slack.clicks('On it', { as: 'ben', on: message });
    await until(() => place.slack.calls('chat.update').length > 0);
    place.slack.faults.loseAnswerNext(POST);
    for (let minute = 0; minute < 3; minute += 1) {
      place.dwell.clock.now += 60_000;
      await place.dwell.returnsAnswers();
    }
    expect(thread(shared)).toHaveLength(1);
    expect(answers('ada')).toEqual([]);
  });

  test('comes to no one where the person who asked cannot see the issue any more', async () => {
    const shared = await place.shared('WEB-6');
    const message = await nudgesBen(shared);
    await place.dwell.types('access', 'WEB', '--to', 'ben');
    await place.slack.clicks('On it', { as: 'ben', on: message });
    await until(() => place.slack.calls('chat.update').length > 0);
    await place.dwell.returnsAnswers();
    expect([...thread(shared), ...answers('ada')]).toEqual([]);
  });
});

describe('the reason', () => {
  /** Ben says what WEB-6 is waiting for. */
  async function blocked() {
    await place.opens(await nudgesBen(), { as: 'ben', button: 'nudge-blocked' });
    await place.submits({ reason: 'waiting for the bank' }, 'ben');
  }

  const REASON = 'Blocked: waiting for the bank · ben, Mar 18';

  test('is in the issue and in its row of aging, for those who see the issue', async () => {
    expect((await place.says('/tis aging WEB')).text).not.toContain('Blocked');
    await blocked();
    place.dwell.clock.now += DAY;
    const issue = await place.says('/tis WEB-6', 'cleo');
    expect(issue.text).toContain(REASON);
    expect(JSON.stringify(issue.blocks)).toContain(REASON);
    const aging = await place.says('/tis aging WEB');
    expect(aging.text).toMatch(new RegExp(`WEB-6: [^;]*${REASON}`));
    expect(aging.text).toMatch(/WEB-8: [^;]*cleo, –, /);
  });

  /** The reasons of the issues of an answer over REST, by key. */
  async function overRest(path: string, as: string, query: Readonly<Record<string, string>> = {}) {
    const { status, json } = await place.dwell.as(as).get(path, query);
    expect([path, status]).toEqual([path, 200]);
    const issues: { key: string; reason: unknown }[] =
      json.issues ?? json.attention ?? (json.own ?? json.blocked).issues;
    return Object.fromEntries(issues.map(({ key, reason }) => [key, reason]));
  }
  const web = { filterType: 'project', projectKey: 'WEB' };

  test('is over REST and for assistants as in Slack, for those who see the issue', async () => {
    expect(await overRest('/rest/issues/aging', 'cleo', web)).toMatchObject({ 'WEB-6': null, 'WEB-8': null });
    await blocked();
    const at = new Date(place.dwell.clock.now).toISOString();
    const reason = {
      ...{ kind: 'blocked', text: 'waiting for the bank', by: { id: 'ben', name: 'ben' }, at, until: null },
    };
    expect(await overRest('/rest/issues/aging', 'cleo', web)).toMatchObject({
      'WEB-6': reason,
      'WEB-8': null,
    });
    expect(await overRest('/rest/issues/weekly', 'cleo', web)).toMatchObject({ 'WEB-6': reason });
    expect(await overRest('/rest/issues/mine', 'ben')).toEqual({ 'WEB-6': reason });
    expect(await overRest('/rest/issues/standup', 'cleo', web)).toEqual({ 'WEB-6': reason });
    expect(await overRest('/rest/issues/mine', 'cleo')).toMatchObject({ 'WEB-8': null });
    expect((await place.says('/tis mine', 'ben')).text).toContain(REASON);
    const assistant = await assistantOf(place.dwell, 'cleo');
    const { content, text } = await assistant.call('aging_issues', { project: 'WEB' });
    const facts = new Map(
      content.issues.map((one: { key: string; reason: unknown }) => [one.key, one.reason]),
    );
    expect([facts.get('WEB-6'), facts.get('WEB-8')]).toEqual([reason, null]);
    expect(text).toContain('| blocked: waiting for the bank (ben, 2026-03-18 12:00 Z) |');
    await assistant.close();
    await place.moves('WEB-6', 'In Review');
    place.dwell.clock.now += 60_000;
    expect(await overRest('/rest/issues/aging', 'cleo', web)).toMatchObject({ 'WEB-6': null });
  });

  test('says over REST who is on it, and until when a snooze is', async () => {
    await place.slack.clicks('On it', { as: 'ben', on: await nudgesBen() });
    await toAda();
    expect(await overRest('/rest/issues/aging', 'ben', web)).toMatchObject({
      'WEB-6': { kind: 'onIt', text: null, until: null },
    });
    place.dwell.clock.now += DAY;
    await place.opens(await nudgesBen(), { as: 'ben', button: 'nudge-snooze' });
    const end = place.dwell.clock.now + 2 * DAY;
    await place.submits({ until: String(end / 1000) }, 'ben');
    expect(await overRest('/rest/issues/mine', 'ben')).toMatchObject({
      'WEB-6': { kind: 'snoozed', text: null, until: new Date(end).toISOString() },
    });
    place.dwell.clock.now = end;
    expect(await overRest('/rest/issues/mine', 'ben')).toMatchObject({ 'WEB-6': null });
  });

  test('is shortened in its row, and whole below the issue', async () => {
    const long = 'the bank has to confirm the test account of the second shop';
    await place.opens(await nudgesBen(), { as: 'ben', button: 'nudge-blocked' });
    await place.submits({ reason: long }, 'ben');
    expect((await place.says('/tis WEB-6')).text).toContain(`Blocked: ${long} · ben, Mar 18`);
    const { text } = await place.says('/tis aging WEB');
    expect(text).toContain('Blocked: the bank has to confirm the test accoun… · ben, Mar 18');
  });

  test('counts while the issue stays in its status', async () => {
    await blocked();
    await place.moves('WEB-6', 'In Review');
    place.dwell.clock.now += 60_000;
    expect((await place.says('/tis WEB-6')).text).not.toContain('Blocked');
    expect((await place.says('/tis aging WEB')).text).not.toContain('Blocked');
  });

  test('gives way to the next answer', async () => {
    await blocked();
    place.dwell.clock.now += DAY;
    await place.slack.clicks('On it', { as: 'ben', on: await nudgesBen() });
    await until(() => (answers('ada').length === 2 ? true : null));
    const { text } = await place.says('/tis WEB-6');
    expect(text).toContain('On it · ben, Mar 19');
    expect(text).not.toContain('Blocked');
  });
});
