import { existsSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from '#jest';
import { localFile } from '../../../src/api/exports/export-files.ts';
import type { ExportsApi } from '../../../src/api/exports/exports-api.ts';
import { aProvenance } from '../../support/a-provenance.ts';
import { aFile, type FileOnDisk } from './a-file.ts';
import { restDoor } from './rest-door.ts';

const question = 'filterType=project&projectKey=WEB&columnsBy=statusDuration&outputType=CSV';
const paths = {
  download: '/rest/export/x/download',
  ticket: '/rest/export/download?ticket=x',
  now: `/rest/smallexport?${question}`,
};
/** More than what fits into the buffers between a server and a client that does not read. */
const LARGE = 32 * 1024 * 1024;

let door: Awaited<ReturnType<typeof restDoor>>;
afterEach(() => door.close());

/** A door whose only export is this file; `closed` settles when the file made at once is taken away. */
async function doorTo(file: FileOnDisk) {
  const closing = Promise.withResolvers<void>();
  const played: Partial<ExportsApi> = {
    file: async () => file,
    fileByTicket: async () => file,
    now: async () => ({
      ...file,
      provenance: aProvenance({ complete: false, undecided: 2 }),
      async close() {
        rmSync(file.path, { force: true });
        closing.resolve();
      },
    }),
  };
  door = await restDoor(played);
  return { closed: closing.promise };
}

describe('a file comes with everything a browser needs to save it, and nobody keeps it', () => {
  test.each(Object.entries(paths))('%s', async (_, path) => {
    await doorTo(aFile('Key,Summary\r\n', 'dwell-statusDuration.csv'));
    const answer = await door.ask(path);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-length': '13',
      'content-disposition': 'attachment; filename="dwell-statusDuration.csv"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect([answer.status, await answer.text()]).toEqual([200, 'Key,Summary\r\n']);
  });
});

test('a file made at once tells how far it can be trusted, one behind a link keeps the link to itself', async () => {
  await doorTo(aFile('a'));
  const { headers } = await door.ask(paths.ticket);
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  const now = await door.ask(paths.now);
  expect([now.headers.get('x-complete'), now.headers.get('x-undecided')]).toEqual(['false', '2']);
});

test('bytes that are no text arrive as they are', async () => {
  const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 256);
  await doorTo(aFile(bytes, 'dwell.xlsx'));
  const answer = await door.ask(paths.download);
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
});

test('an empty file is a file', async () => {
  await doorTo(aFile(''));
  const answer = await door.ask(paths.download);
  expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '0', '']);
});

test.each(Object.entries(paths))('HEAD tells the headers without the file: %s', async (_, path) => {
  const file = aFile('Key\r\n');
  await doorTo(file);
  const answer = await door.ask(path, 'HEAD');
  expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '5', '']);
  expect(existsSync(file.path)).toBe(path !== paths.now);
});

test('a part asked for is answered with the whole', async () => {
  await doorTo(aFile('0123456789'));
  const answer = await fetch(`${door.url}${paths.download}`, {
    headers: { ...door.headers, Range: 'bytes=2-3' },
  });
  expect([answer.status, await answer.text()]).toEqual([200, '0123456789']);
});

describe('the name of a file', () => {
  test.each([
    ['plain.csv', 'attachment; filename="plain.csv"'],
    ['two words.csv', 'attachment; filename="two words.csv"'],
    ['Größe.csv', 'attachment; filename="Gr__e.csv"; filename*=UTF-8\'\'Gr%C3%B6%C3%9Fe.csv'],
    [
      '時間 📊.xls',
      'attachment; filename="__ _.xls"; filename*=UTF-8\'\'%E6%99%82%E9%96%93%20%F0%9F%93%8A.xls',
    ],
    ['a"b\\c/d%41.csv', 'attachment; filename="a_b_c_d_41.csv"; filename*=UTF-8\'\'a%22b%5Cc%2Fd%2541.csv'],
    ["it's (1)*.csv", 'attachment; filename="it\'s (1)*.csv"'],
    ["ö's (1)*.csv", "attachment; filename=\"_'s (1)*.csv\"; filename*=UTF-8''%C3%B6%27s%20%281%29%2A.csv"],
    [
      'a\r\nSet-Cookie: b.csv',
      'attachment; filename="a__Set-Cookie: b.csv"; filename*=UTF-8\'\'a%0D%0ASet-Cookie%3A%20b.csv',
    ],
    ['\ud800.csv', 'attachment; filename="_.csv"; filename*=UTF-8\'\'%EF%BF%BD.csv'],
  ])('%j', async (fileName, header) => {
    await doorTo(aFile('a', fileName));
    expect((await door.ask(paths.download)).headers.get('content-disposition')).toBe(header);
  });
});

describe('the file that was made for one answer is taken away', () => {
  test('once it is sent', async () => {
    const file = aFile('a');
    const { closed } = await doorTo(file);
    await (await door.ask(paths.now)).text();
    await closed;
    expect(existsSync(file.path)).toBe(false);
  });

  test('when its client hangs up in the middle, which is no failure', async () => {
    const file = aFile(new Uint8Array(LARGE));
    const { closed } = await doorTo(file);
    const { hostname, port } = new URL(door.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET ${paths.now} HTTP/1.1\r\nHost: a\r\nAuthorization: ${door.headers.Authorization}\r\n\r\n`,
    );
    socket.once('data', () => socket.destroy());
    await closed;
    expect(existsSync(file.path)).toBe(false);
    await door.left;
    expect(door.logged).toEqual([]);
  });

  test('when its client has hung up before it was made', async () => {
    const file = aFile(new Uint8Array(LARGE));
    const [begun, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const made = Promise.withResolvers<void>();
    door = await restDoor({
      async now() {
        begun.resolve();
        await made.promise;
        return { ...file, close: async () => closed.resolve() };
      },
    });
    const leaving = new AbortController();
    const answer = fetch(`${door.url}${paths.now}`, { headers: door.headers, signal: leaving.signal });
    await begun.promise;
    leaving.abort();
    await answer.catch(() => {});
    await door.left;
    made.resolve();
    await closed.promise;
    expect(door.logged).toEqual([]);
  });

  test('and it is not made to the end once its client has hung up', async () => {
    const [begun, stopped] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()];
    door = await restDoor({
      now: (_wish, signal) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => {
            stopped.resolve(signal.reason);
            reject(signal.reason);
          });
          begun.resolve();
        }),
    });
    const leaving = new AbortController();
    const answer = fetch(`${door.url}${paths.now}`, { headers: door.headers, signal: leaving.signal });
    await begun.promise;
    leaving.abort();
    await answer.catch(() => {});
    expect(await stopped.promise).toMatchObject({ name: 'ClientGone' });
    await door.left;
    expect(door.logged).toEqual([]);
  });

  test('when it cannot be read', async () => {
    const file = aFile('a');
    const { closed } = await doorTo({ ...file, ...localFile(`${file.path}-gone`) });
    const answer = await door.ask(paths.now);
    await closed;
    expect(await answer.json()).toMatchObject({ status: 500, message: 'Internal server error' });
  });
});

test('a file that is no longer what it was is a bug of ours, and not half an answer', async () => {
  const file = aFile('0123456789');
  await doorTo(file);
  truncateSync(file.path, 3);
  const answer = await door.ask(paths.download);
  expect([answer.status, answer.headers.get('content-disposition')]).toEqual([500, null]);
  expect(door.logged).toHaveLength(1);
  writeFileSync(file.path, '0123456789');
  expect((await door.ask(paths.download)).status).toBe(200);
});

test('no log has a ticket', async () => {
  await doorTo({ ...aFile('a'), ...localFile('/nowhere/at/all') });
  expect((await door.ask('/rest/export/download?ticket=very-secret')).status).toBe(500);
  expect(door.logged).toHaveLength(1);
  expect(door.logged.join()).not.toContain('very-secret');
});
