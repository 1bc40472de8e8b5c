import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebClient } from '@slack/web-api';
import fc from 'fast-check';
import { pino } from 'pino';
import { describe, expect, test } from '#jest';
import { localFile } from '../../../src/api/exports/export-files.ts';
import type { ExportFile } from '../../../src/api/exports/exports-api.ts';
import { reports } from '../../../src/engine/reports/index.ts';
import type { ChannelSettings } from '../../../src/model/chat.ts';
import type { ExportRecord } from '../../../src/model/export.ts';
import type { Outsiders } from '../../../src/slack/app/parts.ts';
import { createExportNotifier, fileComment, newNote } from '../../../src/slack/exports/export-notifier.ts';
import { silent } from '../../playground/bolt-apps.ts';
import { aProvenance } from '../../support/a-provenance.ts';
import { anExport, aWish } from '../../support/an-export.ts';
import { threeIssues } from '../../support/local-exports.ts';
import { smallWorld } from '../../support/small-world.ts';
import { startStandInSlack } from '../../support/stand-in-slack.ts';
import { startedEach } from '../../support/started.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('export notifier', () => {
  const AT = '2026-03-18T12:00:00Z';
  const wish = aWish({ selection: { by: 'project', project: 'DEMO' }, asOf: Date.parse(AT) });
  const reporting = smallWorld(AT, threeIssues);

  const slack = startedEach(() => startStandInSlack());

  /** A file with two lines on the disk. */
  function theFile(): ExportFile {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, 'Key,Done\r\nDEMO-1,3\r\n');
    return {
      ...localFile(path),
      bytes: statSync(path).size,
      fileName: 'dwell.csv',
      mediaType: 'text/csv',
      provenance: aProvenance(),
    };
  }

  /** A finished export, and the notifier that posts its file in a channel. */
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
    const logged: { level: number; msg: string; reference?: string }[] = [];
    const notifier = createExportNotifier({
      web,
      apiUrl: slack.apiUrl,
      audit: { leaving: async () => {} },
      reporting,
      channels: { channel: async (channel) => ({ ...noChoices, channel, projects }) },
      channelFacts: { outsidersIn: async () => outsiders },
      people: {
        tenant: 'default',
        users: async () => new Map([['boss', { id: 'boss', name: 'Boss', admin: true }]]),
      },
      wait: async () => {},
      log: pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) }),
    });
    const parent = thread ? (await web.chat.postMessage({ channel, text: 'parent' })).ts : undefined;
    let note = newNote({ channel, threadTs: parent ?? null }, { user: 'U0ADA', userName: 'ada' });
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
      logged,
      parent,
      record,
      note: () => note,
      deliver: (given: ExportFile | null = theFile()) =>
        notifier.deliver(record(), given, async (changed) => {
          note = { ...note, ...changed };
        }),
      /** What its person alone reads of it. */
      direct: () => slack.playground.messages('D0ADA').at(-1),
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

  test('the file is posted once, with what it is', async () => {
    const { deliver, direct, fileMessages, note } = await aDelivery();
    await deliver();
    const [message] = fileMessages();
    expect(message?.files?.[0]?.content.toString()).toBe('Key,Done\r\nDEMO-1,3\r\n');
    expect(message?.files?.[0]).toMatchObject({
      name: 'dwell.csv',
      title: 'Status Duration of project DEMO',
    });
    expect(message?.text).toBe(
      '*Status Duration of project DEMO as CSV* · 3 issues · exported by <@U0ADA>\nDurations in hours · hours 24/7 · as of <!date^1773835200^{date_short_pretty} at {time}|2026-03-18 12:00 UTC> · sample data · history complete',
    );
    expect(note()).toMatchObject({ outcome: 'shared' });
    // As after a crash before that was known elsewhere.
    await deliver();
    expect([fileMessages().length, direct()]).toEqual([1, undefined]);
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
      ['files.getUploadURLExternal', 'breakNext'],
      ['upload', 'breakNext'],
      ['files.completeUploadExternal', 'breakNext'],
      ['files.getUploadURLExternal', 'rateLimitNext'],
      ['upload', 'rateLimitNext'],
      ['files.completeUploadExternal', 'rateLimitNext'],
    ] as const)('after %s with %s', async (step, fault) => {
      const { deliver, fileMessages } = await aDelivery();
      if (fault === 'loseAnswerNext') slack.faults.loseAnswerNext(step);
      else slack.faults[fault](step, fault === 'breakNext' ? 503 : 30);
      await expect(deliver()).rejects.toMatchObject(unavailable);
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
        notifier.deliver(withFile, { ...theFile(), ...localFile('/') }, async (note) => {
          kept.push(note);
        }),
      ).rejects.toMatchObject(unavailable);
      expect(kept).toMatchObject([{ fileId: id, missed: 'once' }]);
      expect(fileMessages()).toHaveLength(0);
      await deliver();
      expect(fileMessages()).toHaveLength(1);
    });
  });

  describe('a file that Slack does not take in a channel comes to its person alone, with what to do', () => {
    test.each([
      ['not_in_channel', '/invite @Dwell'],
      ['is_archived', 'archived'],
      ['storage_limit_reached', 'no room'],
      ['something_new', 'Slack refused (something_new)'],
    ])('%s', async (error, cure) => {
      const { deliver, direct, fileMessages } = await aDelivery();
      slack.faults.failNext('files.completeUploadExternal', error);
      await deliver();
      expect(fileMessages()).toHaveLength(0);
      expect(direct()?.files).toHaveLength(1);
      expect(direct()?.text).toContain('I sent it to you instead of <#C0GENERAL>: ');
      expect(direct()?.text).toContain(cure);
    });

    test.each([
      ['missing_scope', 'reinstall the app from its manifest'],
      ['file_upload_disabled', "don't let me upload"],
    ])('%s, also there: a button gets it', async (error, cure) => {
      const { deliver, direct, fileMessages } = await aDelivery();
      slack.faults.failNext('files.getUploadURLExternal', error, 2);
      await deliver();
      expect(fileMessages()).toHaveLength(0);
      expect(direct()?.text).toMatch(/is ready, but I couldn't post it\. /);
      expect(direct()?.text).toContain(cure);
      expect(direct()?.blocks?.at(-1)).toMatchObject({
        type: 'actions',
        elements: [{ type: 'button', action_id: 'get-export-file', value: '12345678-aaaa' }],
      });
      // As after a crash: the private message is not posted twice.
      await deliver();
      expect(slack.playground.messages('D0ADA')).toHaveLength(1);
    });

    test('bytes that Slack does not take', async () => {
      const { deliver, direct } = await aDelivery();
      slack.faults.breakNext('upload', 413, 2);
      await deliver();
      expect(direct()?.text).toContain('no room for this file');
    });
  });

  test('a bug of ours is posted and logged under one reference, and not as a trouble of Slack', async () => {
    const { deliver, direct, logged, fileMessages } = await aDelivery();
    await deliver({ ...theFile(), ...localFile('/nowhere/at/all') });
    expect(fileMessages()).toHaveLength(0);
    const [, reference = ''] = /the log has it under ([0-9a-f-]{36})\./.exec(direct()?.text ?? '') ?? [];
    expect(logged).toContainEqual(expect.objectContaining({ level: 50, reference }));
    expect(direct()?.blocks?.at(-1)).toMatchObject({ elements: [{ action_id: 'get-export-file' }] });
  });

  describe('a file that not everyone in the channel can see any more comes to its person alone', () => {
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
      const { deliver, direct, fileMessages } = await aDelivery(given);
      await deliver();
      expect(slack.playground.messages('C0GENERAL')).toEqual([]);
      expect(fileMessages()).toEqual([]);
      expect(direct()?.text).toContain(reason);
      expect(direct()?.files).toHaveLength(1);
      // As after a crash: it is not posted twice.
      await deliver();
      expect(slack.playground.messages('D0ADA')).toHaveLength(1);
    });

    test('while Slack is unwell the file waits until it is known who reads there', async () => {
      const outsiders = { kind: 'unknown', because: 'Slack is silent.', passes: true } as const;
      const { deliver, direct, fileMessages } = await aDelivery({ outsiders });
      await expect(deliver()).rejects.toMatchObject(unavailable);
      expect([direct(), fileMessages()]).toEqual([undefined, []]);
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

  describe('why there is no file its person alone reads', () => {
    test('it failed', async () => {
      const { deliver, direct, fileMessages } = await aDelivery({
        state: 'Failed',
        message: 'The disk is full <!channel>.',
      });
      await deliver(null);
      expect(direct()?.text).toBe(
        "I couldn't create *Status Duration of project DEMO as CSV*. The disk is full &lt;!channel&gt;. Please try again.",
      );
      expect(fileMessages()).toEqual([]);
    });

    test('the file is gone', async () => {
      const { deliver, direct } = await aDelivery({ state: 'Expired' });
      await deliver(null);
      expect(direct()?.text).toContain('The file has expired.');
    });

    test('who stopped it knows', async () => {
      const { deliver, direct } = await aDelivery({ state: 'Aborted', message: 'The export was aborted.' });
      await deliver(null);
      expect(direct()).toBeUndefined();
    });
  });
});

test('whatever things are called, the comment of a file wakes no one and is short enough', () => {
  const odd = [
    '🧑‍🚀'.repeat(60),
    'مرحبا بالعالم '.repeat(40),
    '<!channel> & <@U1>',
    '',
    'x'.repeat(5_000),
    '`*_~',
  ];
  const anyName = fc.oneof(fc.constantFrom(...odd), fc.string({ unit: 'grapheme', maxLength: 200 }));
  fc.assert(
    fc.property(anyName, fc.boolean(), (jql, isDirect) => {
      const input = aWish({ selection: { by: 'jql', jql } });
      const place = { channel: isDirect ? 'D1' : 'C1', threadTs: null };
      const provenance = aProvenance({ complete: false, issues: 312, cutHistories: 5 });
      const note = newNote(place, { user: 'U1', userName: 'ada' });
      const comment = fileComment({ input, total: 312, provenance }, note, { reportTypes: reports });
      expect(comment.length).toBeLessThan(3_000);
      expect(comment).toContain('Not complete: 5 of 312 histories cut');
      expect(comment.replaceAll(/<@U1>$/gm, '')).not.toMatch(/<[!@#](?!date\^)/);
    }),
  );
});
