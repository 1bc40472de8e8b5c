import { createServer, type Server, type ServerResponse } from 'node:http';
import { WebClient } from '@slack/web-api';
import { afterEach, describe, expect, test } from '#jest';
import { AppError } from '../../src/model/error.ts';
import { mayBeDone, refusalOf, tryAgain, UploadRefused } from '../../src/slack/exports/refusal.ts';
import { silent } from '../playground/bolt-apps.ts';

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
    expect(mayBeDone(error)).toBe(done);
  });
});

test('a refusal is handed back with its word', async () => {
  const error = await failureOf(word('not_in_channel'));
  expect([refusalOf(error), mayBeDone(error)]).toEqual(['not_in_channel', false]);
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
  expect(mayBeDone(error)).toBe(false);
});
