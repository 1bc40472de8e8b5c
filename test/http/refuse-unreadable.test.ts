import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '#jest';
import { answerUnreadable } from '../../src/compose/web-server.ts';

const parts = { version: '1.2.3', now: () => Date.parse('2026-03-18T12:00:00Z'), timeZone: 'UTC' };
let server: Server;
let port: number;

beforeAll(async () => {
  const handler = answerUnreadable((request, response) => void response.end(`read ${request.url}`), parts);
  server = createServer({ requireHostHeader: false }, handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = address !== null && typeof address === 'object' ? address.port : 0;
});
afterAll(() => void server.close());

/** What comes back for a request as it stands. */
function write(text: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(port, '127.0.0.1', () => socket.end(text));
  let answer = '';
  socket.setEncoding('utf8').on('data', (part) => {
    answer += part;
  });
  socket.on('error', reject).on('close', () => resolve(answer));
  return promise;
}

test.each([
  ['GET /a HTTP/1.1\r\n\r\n', 'The header Host is required.'],
  [
    'GET http://[::1 HTTP/1.1\r\nHost: a\r\n\r\n',
    'The target of the request is neither a path nor an address.',
  ],
])('%j is refused in the one shape', async (text, sentence) => {
  const answer = await write(text);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer.split('\r\n\r\n')[1]).toContain(
    JSON.stringify({
      status: 400,
      message: 'Bad request',
      reason: 'malformed-request',
      messages: [sentence],
      pluginVersion: '1.2.3',
      time: '2026-03-18 12:00:00',
    }),
  );
});

test.each([
  'GET /a?b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'GET /a?b HTTP/1.0\r\n\r\n',
  'GET http://host/a?b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
])('%j is handed on', async (text) => {
  expect(await write(text)).toContain(`read ${text.split(' ')[1]}`);
});
