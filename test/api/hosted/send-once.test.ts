import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { buildConnector, Pool } from 'undici';
import { sendOnce } from '../../../src/api/hosted/send-once.ts';
import { keychainUser, startStandInKeychain } from '../../support/stand-in-keychain.ts';
import { hostedNow } from './start-hosted.ts';

const post = { method: 'POST', path: '/jira/rest/delegation/api/1.0/delegation', body: '{}' } as const;

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function failure(code: string, syscall: string): Error {
  return Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
}

/** Sends over connections that `connect` makes. */
function send(origin: string, connect: buildConnector.connector) {
  const pool = new Pool(origin, { connect });
  open.push({ close: () => pool.destroy() });
  const pair = btoa(`${keychainUser.user}:${keychainUser.password}`);
  const { signal } = new AbortController();
  return sendOnce(pool, post, { authorization: `Basic ${pair}`, deadline: signal });
}

describe('a request whose connection breaks after the service has it', () => {
  test.each([
    ['EHOSTUNREACH', 'read'],
    ['ENETUNREACH', 'read'],
    ['ECONNREFUSED', 'read'],
    ['EHOSTUNREACH', 'write'],
    ['ECONNRESET', 'read'],
  ])('with %s on %s was sent', async (code, syscall) => {
    const service = await startStandInKeychain({
      users: [],
      categories: [],
      records: [],
      now: hostedNow,
      timeZone: 'UTC',
    });
    open.push(service);
    const usual = buildConnector({});
    const sockets: Socket[] = [];
    service.fail(() => {
      for (const socket of sockets) socket.destroy(failure(code, syscall));
    });
    const outcome = await send(service.origin, (options, callback) =>
      usual(options, (...result) => {
        if (result[1] !== null) sockets.push(result[1]);
        callback(...result);
      }),
    );
    expect(outcome).toMatchObject({ kind: 'none', code, sent: true });
    expect(service.calls).toHaveLength(1);
  });
});

describe('a request for which there is no connection', () => {
  const refused = failure('ECONNREFUSED', 'connect');

  test.each([
    ['refused', refused, 'ECONNREFUSED'],
    ['without a route', failure('EHOSTUNREACH', 'connect'), 'EHOSTUNREACH'],
    ['that takes too long', failure('ETIMEDOUT', 'connect'), 'ETIMEDOUT'],
    ['to a name nobody knows', failure('ENOTFOUND', 'getaddrinfo'), 'ENOTFOUND'],
    [
      'to any address of a name',
      Object.assign(new AggregateError([refused, failure('ENETUNREACH', 'connect')]), {
        code: 'ECONNREFUSED',
      }),
      'ECONNREFUSED',
    ],
    [
      'within the time for it',
      Object.assign(new Error('Connect Timeout Error'), { code: 'UND_ERR_CONNECT_TIMEOUT' }),
      'UND_ERR_CONNECT_TIMEOUT',
    ],
  ])('%s was never sent', async (_why, error, code) => {
    const outcome = await send('http://127.0.0.1:9', (_options, callback) => callback(error, null));
    expect(outcome).toMatchObject({ kind: 'none', code, sent: false });
  });

  test.each([
    ['without a word on what failed', Object.assign(new Error('?'), { code: 'ECONNREFUSED' })],
    ['for reasons of which one is another', new AggregateError([refused, failure('EHOSTUNREACH', 'read')])],
    ['for no reason at all', new AggregateError([])],
  ])('%s may have been sent', async (_why, error) => {
    const outcome = await send('http://127.0.0.1:9', (_options, callback) => callback(error, null));
    expect(outcome).toMatchObject({ kind: 'none', sent: true });
  });
});
