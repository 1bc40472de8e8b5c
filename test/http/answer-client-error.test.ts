import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '#jest';
import { answerClientError } from '../../src/http/answer-client-error.ts';

const parts = { version: '1.2.3', now: () => Date.parse('2026-03-18T12:00:00Z'), timeZone: 'UTC' };
let server: Server;
let port: number;

beforeAll(async () => {
  server = createServer(
    { connectionsCheckingInterval: 20, headersTimeout: 100, requestTimeout: 100 },
    (_, response) => response.end('fine'),
  );
  server.on('clientError', (error, socket) => answerClientError(error, socket, parts));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = address !== null && typeof address === 'object' ? address.port : 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** What comes back for bytes that are written as they stand. */
function write(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8').on('data', (part) => {
      answer += part;
    });
    socket.on('error', reject).on('close', () => resolve(answer));
  });
}

test.each([
  ['GARBAGE\r\n\r\n', 400, 'Bad request', 'This is not an HTTP/1.1 request.'],
  [
    'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
    400,
    'Bad request',
    'This is not an HTTP/1.1 request.',
  ],
  [
    `GET /?${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    431,
    'Request header fields too large',
    'The request line and the headers are too large; allowed: 16 KiB.',
  ],
  ['GET / HTTP/1.1\r\nHost: a\r\n', 408, 'Request timeout', 'The request did not arrive in time.'],
])('%.30s is answered in the one shape', async (text, status, message, sentence) => {
  const [head = '', body = ''] = (await write(text)).split('\r\n\r\n');
  expect(head.split('\r\n')[0]).toBe(`HTTP/1.1 ${status} ${message}`);
  expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
  expect(JSON.parse(body)).toEqual({
    status,
    message,
    messages: [sentence],
    pluginVersion: '1.2.3',
    time: '2026-03-18 12:00:00',
  });
});

test('a connection that the client has given up is closed without a word', async () => {
  const socket = connect(port, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write('GET / HT');
  socket.resetAndDestroy();
  await new Promise((resolve) => socket.once('close', resolve));
  expect(await write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toContain('fine');
});
