import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { WebClient } from '@slack/web-api';
import { afterEach, describe, expect, jest, test } from '#jest';
import { localFile } from '../../../src/api/exports/export-files.ts';
import { AppError } from '../../../src/model/error.ts';
import { perhapsDone, refusalOf, tryAgain, UploadRefused } from '../../../src/slack/app/slack-refusal.ts';
import { uploadFile } from '../../../src/slack/exports/export-notifier.ts';
import { silent } from '../../playground/bolt-apps.ts';
import { startStandInSlack } from '../../support/stand-in-slack.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('refusal', () => {
  let server: Server | null = null;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  /** What a call fails with where Slack answers like that. */
  async function failureOf(answer: (response: ServerResponse) => void): Promise<unknown> {
    const opened = createServer((request, response) => {
      request.resume();
      request.on('end', () => answer(response));
    });
    server = opened;
    await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve));
    const address = opened.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const web = new WebClient('xoxb-any', {
      slackApiUrl: `http://127.0.0.1:${port}/`,
      logger: silent,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
    });
    return web.auth.test().then(
      () => null,
      (error: unknown) => error,
    );
  }

  const word = (error: string) => (response: ServerResponse) =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ok: false, error }));

  describe('trouble of Slack, or of the way to it, is tried again', () => {
    test.each<[string, (response: ServerResponse) => void, boolean]>([
      ['no answer', (response) => void response.destroy(), true],
      ['HTTP 503', (response) => void response.writeHead(503).end('down'), true],
      ['a limit', (response) => void response.writeHead(429, { 'retry-after': '30' }).end(), false],
      ['a limit without an end', (response) => void response.writeHead(429).end(), false],
      ['a limit in words', word('ratelimited'), false],
      ['a trouble in words', word('internal_error'), true],
      [
        'a page of something in between',
        (response) => void response.writeHead(200).end('<p>Sign in</p>'),
        true,
      ],
      [
        'an answer that breaks off',
        (response) => {
          response.writeHead(200, { 'content-length': '100' });
          response.write('{"ok":');
          setImmediate(() => response.destroy());
        },
        true,
      ],
    ])('%s', async (_what, answer, done) => {
      const error = await failureOf(answer);
      expect(error).not.toBeNull();
      expect(refusalOf(error)).toBeNull();
      expect(tryAgain(error)).toMatchObject({ name: 'AppError', code: 'unavailable', cause: error });
      expect(perhapsDone(error)).toBe(done);
    });
  });

  test('a refusal is handed back with its word', async () => {
    const error = await failureOf(word('not_in_channel'));
    expect([refusalOf(error), perhapsDone(error)]).toEqual(['not_in_channel', false]);
    expect(tryAgain(error)).toBe(error);
    const refused = new UploadRefused('upload_413');
    expect([refusalOf(refused), tryAgain(refused)]).toEqual(['upload_413', refused]);
  });

  test.each([
    ['a bug', new TypeError('x is not a function')],
    ['a file that is gone', Object.assign(new Error('ENOENT'), { code: 'ENOENT' })],
    ['a failure of our own', new AppError('service-unavailable', 'The store is busy.')],
    ['a text', 'thrown by somebody careless'],
  ])('%s is handed back as it is', (_what, error) => {
    expect(tryAgain(error)).toBe(error);
    expect(perhapsDone(error)).toBe(false);
  });
});

describe('upload file', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, 'secret');
  const file = { ...localFile(path), fileName: 'a.csv' };
  const audit = { leaving: async () => {} };
  const upload = (web: WebClient, apiUrl: string | undefined) =>
    uploadFile(file, { id: 'e', channel: 'C1', issues: 1 }, { web, apiUrl, audit });

  /** A Slack that wants the bytes at an address. */
  function slackThatNames(address: string): WebClient {
    const web = new WebClient('xoxb-any', { logger: silent });
    jest
      .spyOn(web.files, 'getUploadURLExternal')
      .mockResolvedValue({ ok: true, upload_url: address, file_id: 'F1' });
    return web;
  }

  describe('only hosts of Slack are given the file', () => {
    test.each([
      ['https://files.slack.com/upload/v1/abc', true],
      ['https://files.slack-gov.com/upload/v1/abc', true],
      ['https://slack.com/upload', true],
      ['http://files.slack.com/upload', false],
      ['https://evil.com/upload', false],
      ['https://slack.com.evil.com/upload', false],
      ['https://notslack.com/upload', false],
      ['https://slackXcom/upload', false],
      ['https://files.slack.com@evil.com/upload', false],
      ['https://evil.com/files.slack.com', false],
      ['file:///files.slack.com', false],
      ['no address', false],
      ['', false],
    ])('%s', async (address, isSlack) => {
      const fetched = jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('OK'));
      const uploaded = upload(slackThatNames(address), undefined);
      if (isSlack) expect(await uploaded).toBe('F1');
      else await expect(uploaded).rejects.toMatchObject({ code: 'upload_address' });
      expect(fetched.mock.calls.map(([url]) => url)).toEqual(isSlack ? [address] : []);
    });
  });

  test('what stands in for Slack is given the file at its own address only', async () => {
    const slack = await startStandInSlack();
    const web = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl, logger: silent });
    await expect(upload(web, 'http://127.0.0.1:9/api/')).rejects.toMatchObject({
      code: 'upload_address',
    });
    expect(await upload(web, slack.apiUrl)).toMatch(/^F/);
    await slack.stop();
  });

  test.each([307, 308, 302])(
    'an answer %i that leads elsewhere is a refusal, and not followed',
    async (status) => {
      const asked: string[] = [];
      const server = createServer((request, response) => {
        asked.push(request.url ?? '');
        request.resume();
        request.on('end', () => response.writeHead(status, { location: '/elsewhere' }).end());
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
      await expect(upload(slackThatNames(`${origin}/upload`), `${origin}/api/`)).rejects.toMatchObject({
        code: `upload_${status}`,
      });
      expect(asked).toEqual(['/upload']);
      server.closeAllConnections();
      server.close();
    },
  );
});
