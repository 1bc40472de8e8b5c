import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebClient } from '@slack/web-api';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '#jest';
import type { Message } from '../../../playground/workspace.ts';
import type { ExportFile } from '../../../src/api/exports/exports-api.ts';
import { checkBlocks } from '../../../src/block-kit/check-blocks.ts';
import type { ChannelSettings } from '../../../src/model/chat.ts';
import type { ExportRecord } from '../../../src/model/export.ts';
import type { Outsiders } from '../../../src/slack/app/ports.ts';
import { exportProgress } from '../../../src/slack/exports/export-messages.ts';
import { createExportNotifier } from '../../../src/slack/exports/export-notifier.ts';
import { silent } from '../../playground/bolt-apps.ts';
import { aProvenance } from '../../support/a-provenance.ts';
import { anExport, aWish } from '../../support/an-export.ts';
import { threeIssues } from '../../support/local-exports.ts';
import { smallWorld } from '../../support/small-world.ts';
import { type StandInSlack, startStandInSlack } from '../../support/stand-in-slack.ts';
import { startDwell, type TestDwell } from '../../support/start-dwell.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('export notifier', () => {
  const AT = '2026-03-18T12:00:00Z';
  const wish = aWish({ selection: { by: 'project', project: 'DEMO' }, asOf: Date.parse(AT) });
  const reporting = smallWorld(AT, threeIssues);

  let slack: StandInSlack;
  beforeEach(async () => {
    slack = await startStandInSlack();
  });
  afterEach(() => slack.stop());

  /** A file with two lines on the disk. */
  function theFile(): ExportFile {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, 'Key,Done\r\nDEMO-1,3\r\n');
    return {
      path,
      bytes: statSync(path).size,
      fileName: 'dwell.csv',
      mediaType: 'text/csv',
      provenance: aProvenance(),
    };
  }

  /** An export whose progress stands in a channel, and the notifier that brings it there. */
  async function aDelivery({
    channel = 'C0GENERAL',
    thread = false,
    state = 'Successful',
    message = null,
    projects = null,
    outsiders = { kind: 'none' },
  }: {
    channel?: string;
    thread?: boolean;
    state?: ExportRecord['state'];
    message?: string | null;
    projects?: ChannelSettings['projects'];
    outsiders?: Outsiders;
  } = {}) {
    const web = new WebClient(slack.botToken, {
      slackApiUrl: slack.apiUrl,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      logger: silent,
    });
    const clock = { now: 0 };
    const logged: { level: number; msg: string; reference?: string }[] = [];
    const notifier = createExportNotifier({
      web,
      apiUrl: slack.apiUrl,
      reporting,
      channels: { channel: async (channel) => ({ ...noChoices, channel, projects }) },
      channelFacts: { outsidersIn: async () => outsiders },
      people: {
        tenant: 'default',
        users: async () => new Map([['boss', { id: 'boss', name: 'Boss', admin: true }]]),
      },
      exports: {
        preview: ({ request }, size) =>
          reporting.report({ ...request, page: { by: 'index', start: 0, size } }),
      },
      now: () => clock.now,
      wait: async () => {},
      log: pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) }),
    });
    const parent = thread ? (await web.chat.postMessage({ channel, text: 'parent' })).ts : undefined;
    const posted = await web.chat.postMessage({
      channel,
      text: 'progress',
      ...(parent ? { thread_ts: parent } : {}),
    });
    let note: Readonly<Record<string, string>> = {
      channel,
      messageTs: posted.ts ?? '',
      threadTs: parent ?? '',
      user: 'U0ADA',
      userName: 'ada',
    };
    const record = (): ExportRecord =>
      anExport('12345678-aaaa', {
        input: wish,
        state,
        message,
        completed: 3,
        provenance: state === 'Successful' ? aProvenance({ asOf: Date.parse(AT) }) : null,
        delivery: { door: 'slack', note, pending: true },
      });
    const seen = () => slack.playground.messages(channel);
    return {
      notifier,
      clock,
      logged,
      parent,
      record,
      note: () => note,
      deliver: (given: ExportFile | null = theFile()) =>
        notifier.deliver(record(), given, async (changed) => {
          note = changed;
        }),
      told: () => seen().find(({ ts }) => ts === posted.ts),
      fileMessages: () => seen().filter(({ files = [] }) => files.length > 0),
    };
  }

  /** A channel for which nobody chose anything. */
  const noChoices = {
    timeZone: null,
    calendar: null,
    unfurls: false,
    changedBy: null,
    changedAt: null,
  } as const;

  const unavailable = { code: 'unavailable' };

  test('the file arrives in the channel and the progress message becomes the result', async () => {
    const { deliver, told, fileMessages } = await aDelivery();
    await deliver();
    expect(fileMessages()).toHaveLength(1);
    const [file] = fileMessages()[0]?.files ?? [];
    expect(file?.content.toString()).toBe('Key,Done\r\nDEMO-1,3\r\n');
    expect(file).toMatchObject({ name: 'dwell.csv', title: 'Status Duration of project DEMO' });
    expect(fileMessages()[0]?.text).toBe('');
    const { text, blocks = [] } = told() ?? { text: '' };
    expect(text).toBe(
      'ada asked for Status Duration of project DEMO as CSV: 3 issues. Run 12345678 · durations in hours · calendar 24/7 · as of 2026-03-18 12:00 UTC · sample data · history complete · shown: all issues.',
    );
    expect(blocks.map(({ type }) => type)).toEqual(['section', 'table', 'context']);
    expect(blocks[1]).toMatchObject({
      rows: [
        ['Key', 'Summary', 'Done', 'To Do', 'In Progress'],
        ['DEMO-3', 'Summary of DEMO-3', '146.00', '120.00', '73.00'],
        ['DEMO-2', 'Summary of DEMO-2', '170.00', '144.00', '49.00'],
        ['DEMO-1', 'Summary of DEMO-1', '194.00', '168.00', '25.00'],
      ].map((texts) => texts.map((each) => ({ type: 'raw_text', text: each }))),
    });
    expect(checkBlocks(blocks, 'message')).toEqual([]);
  });

  test('what was asked in a thread is answered in it', async () => {
    const { deliver, parent, fileMessages } = await aDelivery({ thread: true });
    await deliver();
    expect(fileMessages().map(({ threadTs }) => threadTs)).toEqual([parent]);
  });

  test('what was asked in a direct message is answered there', async () => {
    const { deliver, fileMessages } = await aDelivery({ channel: 'D0ADA' });
    await deliver();
    expect(fileMessages()).toHaveLength(1);
    // As after a crash: Slack tells of direct messages apart from channels.
    await deliver();
    expect(fileMessages()).toHaveLength(1);
  });

  describe('a delivery that is repeated ends with exactly one file', () => {
    test.each([
      ['files.getUploadURLExternal', 'loseAnswerNext'],
      ['upload', 'loseAnswerNext'],
      ['files.completeUploadExternal', 'loseAnswerNext'],
      ['chat.update', 'loseAnswerNext'],
      ['files.getUploadURLExternal', 'breakNext'],
      ['upload', 'breakNext'],
      ['files.completeUploadExternal', 'breakNext'],
      ['chat.update', 'breakNext'],
      ['files.getUploadURLExternal', 'rateLimitNext'],
      ['upload', 'rateLimitNext'],
      ['files.completeUploadExternal', 'rateLimitNext'],
      ['chat.update', 'rateLimitNext'],
    ] as const)('after %s with %s', async (step, fault) => {
      const { deliver, told, fileMessages } = await aDelivery();
      if (fault === 'loseAnswerNext') slack.faults.loseAnswerNext(step);
      else slack.faults[fault](step, fault === 'breakNext' ? 503 : 30);
      await expect(deliver()).rejects.toMatchObject(unavailable);
      await deliver();
      expect(fileMessages()).toHaveLength(1);
      expect(told()?.text).toContain('3 issues');
    });

    test('after a crash between the file and the result', async () => {
      const { deliver, note, fileMessages } = await aDelivery();
      slack.faults.breakNext('chat.update', 500);
      await expect(deliver()).rejects.toMatchObject(unavailable);
      expect(note()).toMatchObject({ fileId: expect.stringMatching(/^F/) });
      await deliver();
      await deliver();
      expect(fileMessages()).toHaveLength(1);
    });

    test('also when Slack cannot be asked what became of the first attempt', async () => {
      const { deliver, fileMessages } = await aDelivery();
      slack.faults.loseAnswerNext('files.completeUploadExternal');
      slack.faults.rateLimitNext('files.info', 30);
      slack.faults.breakNext('files.info', 502);
      for (let i = 0; i < 3; i += 1) await expect(deliver()).rejects.toMatchObject(unavailable);
      await deliver();
      expect(fileMessages()).toHaveLength(1);
    });

    test('a file that Slack knows but does not show yet is looked for once more', async () => {
      const { deliver, notifier, record, fileMessages } = await aDelivery();
      const web = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl });
      const { file_id: id = '', upload_url: url = '' } = await web.files.getUploadURLExternal({
        filename: 'dwell.csv',
        length: 2,
      });
      await fetch(url, { method: 'POST', body: 'ab' });
      await web.files.completeUploadExternal({ files: [{ id }] });
      const kept: Readonly<Record<string, string>>[] = [];
      const before = record();
      const withFile = {
        ...before,
        delivery: { door: 'slack', note: { ...before.delivery?.note, fileId: id }, pending: true },
      } as const;
      await expect(
        notifier.deliver(
          withFile,
          { path: '/', bytes: 2, fileName: 'dwell.csv', mediaType: 'text/csv', provenance: aProvenance() },
          async (note) => {
            kept.push(note);
          },
        ),
      ).rejects.toMatchObject(unavailable);
      expect(kept).toMatchObject([{ fileId: id, missed: 'once' }]);
      expect(fileMessages()).toHaveLength(0);
      await deliver();
      expect(fileMessages()).toHaveLength(1);
    });
  });

  describe('a refused file is told with a cure and a button that gets it', () => {
    test.each([
      ['files.getUploadURLExternal', 'missing_scope', 'files:write and files:read'],
      ['files.getUploadURLExternal', 'file_upload_disabled', 'do not let me upload'],
      ['files.completeUploadExternal', 'not_in_channel', '/invite @Dwell'],
      ['files.completeUploadExternal', 'is_archived', 'archived'],
      ['files.completeUploadExternal', 'storage_limit_reached', 'no room'],
      ['files.completeUploadExternal', 'something_new', 'the word something_new'],
    ])('%s: %s', async (method, error, cure) => {
      const { deliver, told, fileMessages } = await aDelivery();
      slack.faults.failNext(method, error);
      await deliver();
      expect(fileMessages()).toHaveLength(0);
      expect(told()?.text).toContain(cure);
      expect(told()?.text).toContain('ada can get it with the button');
      expect(told()?.text).not.toContain('ticket');
      expect(told()?.blocks?.at(-1)).toMatchObject({
        type: 'actions',
        elements: [{ type: 'button', action_id: 'get-export-file', value: '12345678-aaaa' }],
      });
    });

    test('bytes that Slack does not take', async () => {
      const { deliver, told } = await aDelivery();
      slack.faults.breakNext('upload', 413);
      await deliver();
      expect(told()?.text).toContain('no room for this file');
    });
  });

  test('a bug of ours is told and logged under one reference, and not as a trouble of Slack', async () => {
    const { deliver, told, logged, fileMessages } = await aDelivery();
    await deliver({ ...theFile(), path: '/nowhere/at/all' });
    expect(fileMessages()).toHaveLength(0);
    const [, reference = ''] = /the log has it under ([0-9a-f-]{36})\./.exec(told()?.text ?? '') ?? [];
    expect(logged).toContainEqual(expect.objectContaining({ level: 50, reference }));
    expect(told()?.blocks?.at(-1)).toMatchObject({ elements: [{ action_id: 'get-export-file' }] });
  });

  describe('a file that is not for everybody in the channel any more is kept for its principal', () => {
    const privateWords = () =>
      slack.playground.messages('C0GENERAL', 'U0ADA').filter(({ onlyFor }) => onlyFor === 'U0ADA');

    test.each<[string, Parameters<typeof aDelivery>[0], string]>([
      ['the project was taken away', { projects: [] }, '`/tis audience allow DEMO`'],
      [
        'guests came',
        { outsiders: { kind: 'some', what: 'has guests' } },
        '`/tis audience allow DEMO with guests`',
      ],
      [
        'nobody can tell who reads there',
        { outsiders: { kind: 'unknown', because: 'Slack will not say.', passes: false } },
        'Slack will not say.',
      ],
    ])('%s', async (_what, given, reason) => {
      const { deliver, told, fileMessages } = await aDelivery(given);
      await deliver();
      expect(fileMessages()).toEqual([]);
      expect(slack.calls('files.getUploadURLExternal')).toEqual([]);
      expect(told()?.text).toContain('Not everybody here may read what is in it.');
      expect(told()?.text).not.toContain(reason);
      expect(told()?.blocks?.some(({ type }) => type === 'table')).toBe(false);
      expect(told()?.blocks?.at(-1)).toMatchObject({ elements: [{ action_id: 'get-export-file' }] });
      const [word, ...more] = privateWords();
      expect(more).toEqual([]);
      expect(word?.text).toContain(reason);
      expect(word?.blocks?.at(-1)).toMatchObject({ elements: [{ action_id: 'get-export-file' }] });
      // As after a crash: the private word is not said twice.
      await deliver();
      expect(privateWords()).toHaveLength(1);
      expect(fileMessages()).toEqual([]);
    });

    test('while Slack is unwell the file waits until it is known who reads there', async () => {
      const outsiders = { kind: 'unknown', because: 'Slack is silent.', passes: true } as const;
      const { deliver, told, fileMessages } = await aDelivery({ outsiders });
      await expect(deliver()).rejects.toMatchObject(unavailable);
      expect([told()?.text, fileMessages(), privateWords()]).toEqual(['progress', [], []]);
    });

    test('a project that is allowed comes, with guests where that was said', async () => {
      const { deliver, fileMessages } = await aDelivery({
        projects: [{ key: 'DEMO', withGuests: true }],
        outsiders: { kind: 'some', what: 'has guests' },
      });
      await deliver();
      expect(fileMessages()).toHaveLength(1);
    });

    test('in the conversation with the app nobody else reads', async () => {
      const { deliver, fileMessages } = await aDelivery({ channel: 'D0ADA', projects: [] });
      await deliver();
      expect(fileMessages()).toHaveLength(1);
    });
  });

  describe('an end without a file is told', () => {
    test('it failed', async () => {
      const { deliver, told } = await aDelivery({ state: 'Failed', message: 'The disk is full <!channel>.' });
      await deliver(null);
      expect(told()?.text).toBe(
        'ada asked for Status Duration of project DEMO as CSV. The disk is full &lt;!channel&gt;. Please ask again.',
      );
    });

    test('it was aborted', async () => {
      const { deliver, told } = await aDelivery({ state: 'Aborted', message: 'The export was aborted.' });
      await deliver(null);
      expect(told()?.text).toContain('It was aborted; there is no file.');
      expect(told()?.blocks?.map(({ type }) => type)).toEqual(['section']);
    });

    test('the file is gone', async () => {
      const { deliver, told } = await aDelivery({ state: 'Expired' });
      await deliver(null);
      expect(told()?.text).toContain('The file is not kept any more.');
    });
  });

  describe('the result where Slack takes no such message', () => {
    test('goes without a table, as preformatted text', async () => {
      const { deliver, told } = await aDelivery();
      slack.faults.failNext('chat.update', 'invalid_blocks');
      await deliver();
      expect(told()?.blocks?.map(({ type }) => type)).toEqual(['section', 'rich_text', 'context']);
    });

    test('goes as text alone', async () => {
      const { deliver, told } = await aDelivery();
      slack.faults.failNext('chat.update', 'invalid_blocks', 2);
      await deliver();
      expect(told()?.blocks).toBeUndefined();
      expect(told()?.text).toContain('3 issues');
    });

    test('is told in a new message when the one of the progress is gone, and once, whatever happens then', async () => {
      const { deliver, fileMessages, note } = await aDelivery();
      slack.faults.failNext('chat.update', 'message_not_found', 2);
      await deliver();
      const results = () =>
        slack.playground.messages('C0GENERAL').filter(({ text }) => text.includes('Run 12345678'));
      expect(results()).toHaveLength(1);
      expect(note().fileId).not.toBe('');
      // As after a crash.
      await deliver();
      expect(results()).toHaveLength(1);
      expect(fileMessages()).toHaveLength(1);
    });

    test('is written into the log when the message is gone', async () => {
      const { deliver, logged, fileMessages } = await aDelivery();
      slack.faults.failNext('chat.update', 'message_not_found');
      await deliver();
      expect(fileMessages()).toHaveLength(1);
      expect(logged).toContainEqual(
        expect.objectContaining({
          msg: 'Slack refused to change the message of an export',
          code: 'message_not_found',
        }),
      );
    });
  });

  describe('progress', () => {
    const at = (record: ExportRecord, completed: number): ExportRecord => ({ ...record, completed });

    test('is told with a bar, in words, and with a button to abort', async () => {
      const { notifier, record, told } = await aDelivery();
      await notifier.progress(at(record(), 1));
      expect(told()?.text).toBe('ada asked for Status Duration of project DEMO as CSV: 1 of 3 issues.');
      expect(told()?.blocks).toMatchObject([
        { text: { text: expect.stringContaining('██████░░░░░░░░░░░░░░` 33 %, 1 of 3 issues') } },
        { elements: [{ action_id: 'abort-export', value: 'U0ADA' }] },
      ]);
    });

    test('is not told twice, not too often, and not while Slack wants to be left alone', async () => {
      const { notifier, record, clock } = await aDelivery();
      const updates = () => slack.calls('chat.update').length;
      await notifier.progress(at(record(), 1));
      await notifier.progress(at(record(), 2));
      expect(updates()).toBe(1);
      clock.now = 2_000;
      await notifier.progress(at(record(), 1));
      expect(updates()).toBe(1);
      slack.faults.rateLimitNext('chat.update', 60);
      await notifier.progress(at(record(), 2));
      expect(updates()).toBe(2);
      clock.now = 61_000;
      await notifier.progress(at(record(), 3));
      expect(updates()).toBe(2);
      clock.now = 62_000;
      await notifier.progress(at(record(), 3));
      expect(updates()).toBe(3);
    });

    test('never overwrites the end', async () => {
      const { notifier, record, deliver, told } = await aDelivery();
      const release = slack.faults.holdNext('chat.update');
      const progress = notifier.progress(at(record(), 1));
      const delivered = deliver();
      release();
      await Promise.all([progress, delivered]);
      expect(told()?.text).toContain('Run 12345678');
    });
  });
});

describe('orphaned messages', () => {
  const clock = { ahead: 0 };
  let slack: Awaited<ReturnType<typeof startStandInSlack>>;
  let dwell: TestDwell;
  beforeAll(async () => {
    slack = await startStandInSlack({ now: () => Date.now() + clock.ahead });
    dwell = await startDwell({
      environment: { SLACK_BOT_TOKEN: slack.botToken, SLACK_SIGNING_SECRET: slack.signingSecret },
      slackApiUrl: slack.apiUrl,
    });
    slack.botAt(dwell.url);
  });
  afterAll(async () => {
    await dwell.stop();
    await slack.stop();
  });
  beforeEach(() => {
    clock.ahead += 3_600_000;
  });

  const open = () => slack.playground.messages('C0GENERAL').filter(({ onlyFor }) => onlyFor === undefined);
  const queued = async () => (await dwell.as('U0ADA').get('/rest/export')).json.total;
  const privateWord = async (): Promise<Message> => {
    const message = await slack.reply();
    expect(message.onlyFor).toBe('U0ADA');
    return message;
  };

  /** As it stands there when Dwell was killed before it had queued. */
  async function anOrphan(): Promise<Message> {
    const web = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl });
    const told = exportProgress({ wish: 'a wish', user: 'U0ADA', userName: 'ada', completed: 0, total: 509 });
    const { ts } = await web.chat.postMessage({
      channel: 'C0GENERAL',
      text: told.text,
      blocks: [...told.blocks],
    });
    const [orphan] = open().filter((message) => message.ts === ts);
    if (orphan === undefined) throw new Error('nothing was posted');
    return orphan;
  }

  test('where Slack gives no answer nothing is queued, and the principal is told of the message and how to end it', async () => {
    const before = await queued();
    slack.faults.loseAnswerNext('chat.postMessage');
    await slack.types('/tis export WEB');
    const orphan = await slack.reply();
    expect(orphan.onlyFor).toBeUndefined();
    const { text } = await privateWord();
    expect(text).toContain('Slack cannot be reached at the moment. Nothing is queued.');
    expect(text).toContain('press Abort on it after half a minute');
    expect(await queued()).toBe(before);

    clock.ahead += 31_000;
    await slack.clicks('Abort', { on: orphan });
    expect((await slack.deleted()).ts).toBe(orphan.ts);
    expect((await privateWord()).text).toBe(
      'This export was never queued, or ended days ago, so its message is taken away.',
    );
    expect(open()).toEqual([]);
  });

  test('where Slack wants to be left alone no message is spoken of, for there is none', async () => {
    slack.faults.rateLimitNext('chat.postMessage', 30);
    await slack.types('/tis export WEB');
    expect((await privateWord()).text).toBe('Slack wants a pause of 30 seconds. Please try again then.');
    expect(open()).toEqual([]);
  });

  test('a message whose export may be queued any moment stays', async () => {
    const orphan = await anOrphan();
    clock.ahead += 20_000;
    await slack.clicks('Abort', { on: orphan });
    expect((await privateWord()).text).toContain('only just being queued');
    expect(open()).toHaveLength(1);

    clock.ahead += 20_000;
    slack.faults.breakNext('chat.delete', 503);
    await slack.clicks('Abort', { on: orphan });
    expect((await privateWord()).text).toContain('Slack cannot be reached');
    slack.faults.failNext('chat.delete', 'cant_delete_message');
    await slack.clicks('Abort', { on: orphan });
    expect((await privateWord()).text).toContain('its message can be ignored');

    await slack.clicks('Abort', { as: 'ben', on: orphan });
    expect((await slack.reply()).text).toBe('Only who asked for this export can abort it.');
    expect(open()).toHaveLength(1);
    await slack.clicks('Abort', { on: orphan });
    await slack.deleted();
    expect((await privateWord()).text).toContain('so its message is taken away.');
    expect(open()).toEqual([]);
  });
});
