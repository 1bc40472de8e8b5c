import { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { type StandInSlack, startStandInSlack } from '../support/stand-in-slack.ts';
import { silent } from './bolt-apps.ts';

let slack: StandInSlack;
let client: WebClient;
let now = 0;

beforeEach(async () => {
  now = Date.UTC(2026, 10, 20, 9);
  slack = await startStandInSlack({ now: () => now, limits: { postBurst: 3 } });
  client = clientWith(slack.botToken);
});

afterEach(() => slack.stop());

function clientWith(token: string | undefined): WebClient {
  return new WebClient(token, {
    slackApiUrl: slack.apiUrl,
    logger: silent,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  });
}

const plain = (text: string) => ({ type: 'plain_text' as const, text });

describe('a call', () => {
  test('needs a token the stand-in gave out, and the right one', async () => {
    await expect(clientWith(undefined).auth.test()).rejects.toMatchObject({ data: { error: 'not_authed' } });
    await expect(clientWith('xoxb-other').auth.test()).rejects.toMatchObject({
      data: { error: 'invalid_auth' },
    });
    await expect(clientWith(slack.appToken).auth.test()).rejects.toMatchObject({
      data: { error: 'not_allowed_token_type' },
    });
    await expect(client.apps.connections.open()).rejects.toMatchObject({
      data: { error: 'not_allowed_token_type' },
    });
    expect(await clientWith(undefined).apiCall('api.test', { foo: 'bar' })).toMatchObject({
      ok: true,
      args: { foo: 'bar' },
    });
    expect(await client.auth.test()).toMatchObject({
      user_id: 'U0DWELL',
      bot_id: 'B0DWELL',
      team_id: 'T0STANDIN',
    });
  });

  test('may come as JSON', async () => {
    const response = await fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${slack.botToken}` },
      body: JSON.stringify({ channel: '#web-team', blocks: [{ type: 'divider' }], text: 'x' }),
    });

    expect(await response.json()).toMatchObject({ ok: true, channel: 'C0WEBTEAM' });
  });

  test('to a method nobody knows is refused', async () => {
    await expect(client.apiCall('chat.shout')).rejects.toMatchObject({ data: { error: 'unknown_method' } });
  });

  test('meets the faults that were planted, once', async () => {
    slack.faults.failNext('auth.test', 'fatal_error');
    slack.faults.rateLimitNext('auth.test', 7);
    slack.faults.breakNext('auth.test', 503);
    slack.faults.slowNext('auth.test', 20);

    await expect(client.auth.test()).rejects.toMatchObject({ data: { error: 'fatal_error' } });
    await expect(client.auth.test()).rejects.toMatchObject({ retryAfter: 7 });
    await expect(client.auth.test()).rejects.toMatchObject({ statusCode: 503 });
    await expect(client.auth.test()).resolves.toMatchObject({ ok: true });
    expect(slack.calls('auth.test')).toEqual(
      Array.from({ length: 4 }, () => ({ method: 'auth.test', args: {} })),
    );
  });
});

describe('people and places', () => {
  test('are told one by one and all together', async () => {
    expect((await client.users.info({ user: 'U0BEN' })).user).toMatchObject({
      real_name: 'Ben Okoro',
      tz: 'America/New_York',
      tz_offset: -18_000,
      team_id: 'T0STANDIN',
      deleted: false,
      is_email_confirmed: true,
      profile: { email: 'ben@dwell.example' },
    });
    expect((await client.users.info({ user: 'U0DWELL' })).user).toMatchObject({ is_bot: true });
    expect((await client.users.lookupByEmail({ email: 'CHI@dwell.example' })).user?.id).toBe('U0CHI');
    expect((await client.users.list({})).members).toHaveLength(4);
    await expect(client.users.info({ user: 'U0NOBODY' })).rejects.toMatchObject({
      data: { error: 'user_not_found' },
    });
    await expect(client.users.lookupByEmail({ email: 'x@y.z' })).rejects.toMatchObject({
      data: { error: 'users_not_found' },
    });
  });

  test('come in pages', async () => {
    const first = await client.conversations.list({ limit: 2 });
    const cursor = first.response_metadata?.next_cursor ?? '';
    const second = await client.conversations.list({ limit: 2, cursor });
    const names = [first, second].map(({ channels }) => channels?.map(({ name }) => name));

    expect(names).toEqual([['general', 'web-team'], ['quiet']]);
    expect(second.response_metadata?.next_cursor).toBe('');
  });

  test('can be joined, where they are public', async () => {
    await expect(client.chat.postMessage({ channel: 'C0QUIET', text: 'x' })).rejects.toMatchObject({
      data: { error: 'not_in_channel' },
    });
    await client.conversations.join({ channel: 'C0QUIET' });
    expect((await client.conversations.info({ channel: 'C0QUIET' })).channel).toMatchObject({
      is_member: true,
      topic: { value: 'No apps here' },
    });
    expect((await client.conversations.members({ channel: 'C0QUIET' })).members).toContain('U0DWELL');
    await client.chat.postMessage({ channel: 'C0QUIET', text: 'x' });
  });

  test('include a direct conversation with each person', async () => {
    const { channel } = await client.conversations.open({ users: 'U0BEN' });
    await client.chat.postMessage({ channel: 'U0BEN', text: 'psst' });

    expect(channel?.id).toBe('D0BEN');
    expect(slack.messages({ channel: 'dm', as: 'ben' })).toMatchObject([{ text: 'psst' }]);
  });
});

describe('a message of the app', () => {
  test('is posted, changed, linked to, answered in a thread and deleted', async () => {
    const { ts = '', message } = await client.chat.postMessage({
      channel: 'C0GENERAL',
      text: 'one',
      blocks: [{ type: 'section', text: plain('one') }],
    });
    expect(message).toMatchObject({
      bot_id: 'B0DWELL',
      blocks: [{ type: 'section', block_id: expect.any(String) }],
    });
    await client.chat.update({ channel: 'C0GENERAL', ts, text: 'two' });
    await client.chat.postMessage({ channel: 'C0GENERAL', text: 'reply', thread_ts: ts });
    expect((await client.conversations.history({ channel: 'C0GENERAL' })).messages).toMatchObject([
      { text: 'two', reply_count: 1, edited: { ts } },
    ]);
    expect((await client.conversations.replies({ channel: 'C0GENERAL', ts })).messages).toHaveLength(2);
    expect((await client.chat.getPermalink({ channel: 'C0GENERAL', message_ts: ts })).permalink).toBe(
      `https://stand-in.slack.com/archives/C0GENERAL/p${ts.replace('.', '')}`,
    );
    await client.chat.delete({ channel: 'C0GENERAL', ts });
    expect((await client.conversations.history({ channel: 'C0GENERAL' })).messages).toEqual([]);
  });

  test('can be for one person only, and then nobody can change it', async () => {
    const { message_ts: ts = '' } = await client.chat.postEphemeral({
      channel: 'C0GENERAL',
      user: 'U0BEN',
      text: 'psst',
    });

    expect(slack.messages({ as: 'ben' })).toMatchObject([{ text: 'psst', onlyFor: 'U0BEN' }]);
    expect(slack.messages({ as: 'ada' })).toEqual([]);
    expect((await client.conversations.history({ channel: 'C0GENERAL' })).messages).toEqual([]);
    await expect(client.chat.update({ channel: 'C0GENERAL', ts, text: 'x' })).rejects.toMatchObject({
      data: { error: 'message_not_found' },
    });
    await expect(
      client.chat.postEphemeral({ channel: 'C0GENERAL', user: 'U0NOBODY', text: 'x' }),
    ).rejects.toMatchObject({ data: { error: 'user_not_in_channel' } });
  });

  test('is cut at 40,000 characters', async () => {
    await client.chat.postMessage({ channel: 'C0GENERAL', text: 'x'.repeat(40_001) });

    expect(slack.messages()[0]?.text).toHaveLength(40_000);
  });

  test.each([
    ['channel_not_found', { channel: 'C0NOWHERE', text: 'x' }],
    ['no_text', { channel: 'C0GENERAL', text: '' }],
    ['thread_not_found', { channel: 'C0GENERAL', text: 'x', thread_ts: '1.000001' }],
    [
      'invalid_blocks',
      {
        channel: 'C0GENERAL',
        text: 'x',
        blocks: Array.from({ length: 51 }, () => ({ type: 'divider' as const })),
      },
    ],
    [
      'msg_blocks_too_long',
      {
        channel: 'C0GENERAL',
        text: 'x',
        blocks: Array.from({ length: 5 }, () => ({
          type: 'section' as const,
          text: plain('x'.repeat(2_900)),
        })),
      },
    ],
  ])('is refused with %s', async (error, args) => {
    await expect(client.chat.postMessage(args)).rejects.toMatchObject({ data: { error } });
    expect(slack.messages()).toEqual([]);
  });

  test('with wrong blocks says which', async () => {
    const call = client.chat.postMessage({
      channel: 'C0GENERAL',
      text: 'x',
      blocks: [{ type: 'header', text: plain('x'.repeat(151)) }],
    });

    await expect(call).rejects.toMatchObject({
      data: {
        error: 'invalid_blocks',
        response_metadata: {
          messages: ['[ERROR] must be less than 151 characters [has 151] [json-pointer:/blocks/0/text/text]'],
        },
      },
    });
  });

  test('lacking its channel names what is missing', async () => {
    await expect(client.apiCall('chat.postMessage', { text: 'x' })).rejects.toMatchObject({
      data: {
        error: 'invalid_arguments',
        response_metadata: { messages: ['[ERROR] missing required field: channel'] },
      },
    });
  });

  test('waits its turn after a burst', async () => {
    const post = () => client.chat.postMessage({ channel: 'C0GENERAL', text: 'x' });
    await Promise.all([post(), post(), post()]);

    await expect(post()).rejects.toMatchObject({ retryAfter: 1 });
    await client.chat.postMessage({ channel: 'C0WEBTEAM', text: 'elsewhere' });
    now += 1_000;
    await post();
    expect(slack.messages()).toHaveLength(4);
  });
});

describe('blocks.validate', () => {
  test('says what is wrong and posts nothing', async () => {
    expect(await client.blocks.validate({ blocks: [{ type: 'divider' }] })).toMatchObject({ ok: true });
    await expect(client.apiCall('blocks.validate', { blocks: [{ type: 'nonsense' }] })).rejects.toMatchObject(
      { data: { error: 'invalid_blocks' } },
    );
    expect(slack.messages()).toEqual([]);
  });
});

describe('a file', () => {
  test('is uploaded with a comment and shared', async () => {
    await client.filesUploadV2({
      channel_id: 'C0GENERAL',
      initial_comment: 'Here',
      filename: 'times.csv',
      title: 'Times',
      file: Buffer.from('a,b\n1,2\n'),
    });
    const [message] = slack.messages();
    const [file] = message?.files ?? [];

    expect(message).toMatchObject({ text: 'Here', byApp: true });
    expect(file).toMatchObject({ title: 'Times', name: 'times.csv', mimetype: 'text/csv', size: 8 });
    expect(file?.content.toString()).toBe('a,b\n1,2\n');
    expect((await client.files.info({ file: file?.id ?? '' })).file?.url_private).toContain(slack.url);
  });

  test('may come raw, is only ever downloaded, and must have the length it announced', async () => {
    const start = () => client.files.getUploadURLExternal({ filename: 'page.html', length: 4 });
    const [good, bad] = [await start(), await start()];
    const put = (url = '', body = '') =>
      fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/octet-stream' } });

    expect((await put(bad.upload_url, 'too long')).status).toBe(400);
    await expect(
      client.files.completeUploadExternal({ files: [{ id: bad.file_id ?? '', title: 'x' }] }),
    ).rejects.toMatchObject({ data: { error: 'file_not_found' } });
    expect((await put(good.upload_url, '<b/>')).status).toBe(200);
    const { files } = await client.files.completeUploadExternal({
      files: [{ id: good.file_id ?? '', title: 'x' }],
    });
    const download = await fetch(files?.[0]?.url_private ?? '');

    expect(await download.text()).toBe('<b/>');
    expect(download.headers.get('content-disposition')).toMatch(/^attachment/);
  });

  test('is shared only where the app is a member, and never empty', async () => {
    await expect(
      client.filesUploadV2({ channel_id: 'C0QUIET', filename: 'a.csv', file: Buffer.from('x') }),
    ).rejects.toMatchObject({ data: { error: 'not_in_channel' } });
    await expect(client.files.getUploadURLExternal({ filename: 'a.csv', length: 0 })).rejects.toMatchObject({
      data: { error: 'invalid_arguments' },
    });
  });

  test('tells where it is shared, in channels, threads and direct messages', async () => {
    const { ts: thread = '' } = await client.chat.postMessage({ channel: 'C0GENERAL', text: 'a thread' });
    const share = async (place: { channel_id: string; thread_ts?: string }) => {
      const { file_id: id = '', upload_url: url = '' } = await client.files.getUploadURLExternal({
        filename: 'a.csv',
        length: 1,
      });
      await fetch(url, { method: 'POST', body: 'a' });
      await client.apiCall('files.completeUploadExternal', { files: [{ id }], ...place });
      return (await client.files.info({ file: id })).file;
    };

    const inThread = await share({ channel_id: 'C0GENERAL', thread_ts: thread });
    expect(inThread).toMatchObject({
      channels: ['C0GENERAL'],
      ims: [],
      shares: { public: { C0GENERAL: [{ thread_ts: thread }] } },
    });
    expect(await share({ channel_id: 'D0ADA' })).toMatchObject({
      channels: [],
      ims: ['D0ADA'],
      shares: { private: { D0ADA: [{ ts: expect.any(String) }] } },
    });
    await expect(share({ channel_id: 'C0GENERAL', thread_ts: '1.000001' })).rejects.toMatchObject({
      data: { error: 'thread_not_found' },
    });
  });

  test('may be large, but no larger than it announced', async () => {
    const length = 20_000_000;
    const { upload_url: url = '' } = await client.files.getUploadURLExternal({ filename: 'a.csv', length });
    const put = (bytes: number, to = url) => fetch(to, { method: 'POST', body: Buffer.alloc(bytes) });

    expect((await put(length + 100_000)).status).toBe(413);
    expect((await put(length)).status).toBe(200);
    expect((await put(1, `${slack.url}/playground/upload/nobody-gave-it`)).status).toBe(404);
  });
});

describe('a change of a message', () => {
  test('keeps blocks that are not spoken of, and takes them away for an empty list', async () => {
    const channel = 'C0GENERAL';
    const blocks = [{ type: 'section', text: plain('kept') }];
    const { ts = '' } = await client.chat.postMessage({ channel, text: 'before', blocks });

    await client.chat.update({ channel, ts, text: 'after' });
    expect(slack.messages()[0]).toMatchObject({ text: 'after', blocks: [{ text: { text: 'kept' } }] });
    await client.chat.update({ channel, ts, text: 'bare', blocks: [] });
    expect(slack.messages()[0]).toMatchObject({ text: 'bare' });
    expect(slack.messages()[0]?.blocks).toBeUndefined();
  });
});

describe('a fault', () => {
  test('may lose the answer to what was done', async () => {
    slack.faults.loseAnswerNext('chat.postMessage');
    await expect(client.chat.postMessage({ channel: 'C0GENERAL', text: 'done' })).rejects.toThrow();
    expect(slack.messages().map(({ text }) => text)).toEqual(['done']);
  });

  test('may hold a call back until it is let go', async () => {
    const release = slack.faults.holdNext('chat.postMessage');
    const posted = client.chat.postMessage({ channel: 'C0GENERAL', text: 'late' });
    await client.auth.test();
    expect(slack.messages()).toEqual([]);
    release();
    await posted;
    expect(slack.messages()).toHaveLength(1);
  });
});
