import { createServer, type Server, type ServerOptions } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '#jest';
import { answerClientError } from '../../src/compose/web-server.ts';

const parts = { version: '1.2.3', now: () => Date.parse('2026-03-18T12:00:00Z'), timeZone: 'UTC' };
let patient: Server;
let impatient: Server;

async function serve(options: ServerOptions): Promise<Server> {
  const server = createServer(options, (_, response) => response.end('fine'));
  server.on('clientError', (error, socket) => answerClientError(error, socket, parts));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

beforeAll(async () => {
  patient = await serve({});
  impatient = await serve({ connectionsCheckingInterval: 20, headersTimeout: 100, requestTimeout: 100 });
});
afterAll(() => {
  for (const server of [patient, impatient]) {
    server.closeAllConnections();
    server.close();
  }
});

function portOf(server: Server): number {
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

/** What comes back for bytes that are written as they stand. */
function write(text: string, server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(portOf(server), '127.0.0.1', () => socket.write(text));
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
    'The request line and the headers are too large. Try: 16 KiB.',
  ],
  ['GET / HTTP/1.1\r\nHost: a\r\n', 408, 'Request timeout', 'The request did not arrive in time.'],
])('%.30s is answered in the one shape', async (text, status, message, sentence) => {
  const [head = '', body = ''] = (await write(text, status === 408 ? impatient : patient)).split('\r\n\r\n');
  expect(head.split('\r\n')[0]).toBe(`HTTP/1.1 ${status} ${message}`);
  expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`);
  expect(JSON.parse(body)).toEqual({
    status,
    message,
    messages: [sentence],
    reason: expect.any(String),
    pluginVersion: '1.2.3',
    time: '2026-03-18 12:00:00',
  });
});

test('a connection that the client has given up is closed without a word', async () => {
  const socket = connect(portOf(patient), '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write('GET / HT');
  socket.resetAndDestroy();
  await new Promise((resolve) => socket.once('close', resolve));
  expect(await write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', patient)).toContain('fine');
});
