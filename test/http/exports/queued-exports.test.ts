import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { heldExports } from '../../support/held-exports.ts';
import { principalOf } from '../../support/principal-of.ts';
import { startDwell, type TestDwell } from '../../support/start-dwell.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ended } from './ended.ts';

const NOW = Date.parse('2026-03-18T12:00:00Z');
const question = {
  filterType: 'project',
  projectKey: 'WEB',
  startDate: '2026-01-05',
  columnsBy: 'statusDuration',
  outputType: 'CSV',
};

let dwell: TestDwell;
let held: string[];
beforeAll(async () => {
  const dataDir = temporaryFolder();
  held = await heldExports(dataDir, principalOf('busy'), 12);
  dwell = await startDwell({ dataDir });
});
afterAll(() => dwell.stop());

/** Queues an export and waits for its end. */
async function exported(
  more: Record<string, string> = {},
  principal: Pick<TestDwell, 'get' | 'post'> = dwell,
) {
  const { status, json } = await principal.post('/rest/export', { ...question, ...more });
  expect([status, json.messages]).toEqual([200, undefined]);
  return ended(principal, json.exportId);
}

const notFound = (
  exportId: string,
  message = 'The export could not be found or you do not have permission to view it.',
) => ({
  status: 404,
  message,
  messages: null,
  reason: expect.any(String),
  pluginVersion: expect.any(String),
  time: '2026-03-18 12:00:00',
  exportId,
});

describe('an export that is queued', () => {
  test('comes to its end, and has the file that is answered at once', async () => {
    const { json } = await dwell.post('/rest/export', question);
    expect(json).toEqual({
      exportId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      statusLink: `${dwell.url}/rest/export/${json.exportId}`,
    });
    const end = await ended(dwell, json.exportId);
    const now = await dwell.get('/rest/smallexport', question);
    const count = now.text.trimEnd().split('\r\n').length - 1;
    expect(end).toEqual({
      exportId: json.exportId,
      status: 'Successful',
      created: NOW,
      completed: count,
      total: count,
      message: null,
      downloadLink: expect.stringMatching(/^http.*\/rest\/export\/download\?ticket=[\w.-]+$/),
      outputType: 'CSV',
      columnsBy: 'statusDuration',
      filter: expect.any(String),
      fileName: 'dwell-statusDuration-2026-03-18-1300.csv',
      bytes: Buffer.byteLength(now.text),
      complete: true,
      cutHistories: 0,
      undecided: 0,
      finished: NOW,
      expires: NOW + 86_400_000,
    });
    const file = await dwell.get(`/rest/export/${json.exportId}/download`);
    expect(file.text).toBe(now.text);
    for (const name of ['content-type', 'content-disposition', 'content-length']) {
      expect(file.headers.get(name)).toBe(now.headers.get(name));
    }
  });

  test('is asked for by the contract’s path as well, and reached by both', async () => {
    const { json } = await dwell.post('/rest/export/status', { ...question, async: 'true' });
    const end = await ended(dwell, json.exportId);
    const link = { downloadLink: expect.any(String) };
    const { text } = await dwell.get(`/rest/export/${json.exportId}/download`);
    const path = `/rest/export/status/${json.exportId}`;
    expect((await dwell.get(path)).json).toEqual({ ...end, ...link });
    expect((await dwell.get(`${path}/download`)).text).toBe(text);
  });

  test('is refused before it is queued when something in it is wrong', async () => {
    const { total } = (await dwell.get('/rest/export')).json;
    for (const wrong of [{ projectKey: 'NOPE' }, { columnsBy: 'nonsense' }, { statuses: 'nonsense' }]) {
      const { status, json } = await dwell.post('/rest/export', { ...question, ...wrong });
      expect([status, json.messages]).toEqual([
        400,
        [expect.stringContaining(Object.values(wrong)[0] ?? '')],
      ]);
    }
    expect((await dwell.get('/rest/export')).json.total).toBe(total);
  });

  test('speaks of the instant at which it was queued', async () => {
    const { fileName } = await exported({ asOf: '2026-01-05T09:30:00.000Z' });
    expect(fileName).toBe('dwell-statusDuration-2026-01-05-1030.csv');
  });
});

describe('the list of exports', () => {
  test('holds the principal’s own, newest first, in pages', async () => {
    const carl = dwell.as('carl');
    expect((await carl.get('/rest/export')).json).toEqual({
      startIndex: 0,
      maxResults: 50,
      total: 0,
      exports: [],
    });
    const ids: string[] = [];
    for (const outputType of ['CSV', 'CSVSUM', 'JSON']) {
      ids.unshift((await exported({ outputType }, carl)).exportId);
    }
    const idsOf = async (parameters: Record<string, string>, path = '/rest/export') => {
      const { json } = await carl.get(path, parameters);
      expect(json.total).toBe(3);
      return json.exports.map(({ exportId }: { exportId: string }) => exportId);
    };
    expect(await idsOf({})).toEqual(ids);
    expect(await idsOf({}, '/rest/export/status')).toEqual(ids);
    expect(await idsOf({ maxResults: '2' })).toEqual(ids.slice(0, 2));
    expect(await idsOf({ startIndex: '1', maxResults: '1' })).toEqual(ids.slice(1, 2));
    expect(await idsOf({ startIndex: '7' })).toEqual([]);
    const [first] = (await carl.get('/rest/export')).json.exports;
    const { downloadLink, ...rest } = (await carl.get(`/rest/export/${ids[0]}`)).json;
    expect(first).toEqual({
      ...rest,
      downloadLink: expect.stringContaining('/rest/export/download?ticket='),
    });
  });
});

describe('an export of somebody else', () => {
  const everyWay = async (principal: Pick<TestDwell, 'send'>, id: string) =>
    Promise.all(
      ['/rest/export/', '/rest/export/status/'].flatMap((path) => [
        principal.send('GET', `${path}${id}`, undefined),
        principal.send('DELETE', `${path}${id}`, undefined),
        principal.send('GET', `${path}${id}/download`, undefined),
      ]),
    );

  test('looks like none', async () => {
    const { exportId } = await exported();
    for (const id of [exportId, '00000000-0000-4000-8000-000000000000', 'nonsense']) {
      for (const { status, json } of await everyWay(dwell.as('bob', { admin: true }), id)) {
        expect([status, json]).toEqual([404, notFound(id)]);
      }
    }
    const { exports } = (await dwell.as('bob', { admin: true }).get('/rest/export')).json;
    expect(exports).toEqual([]);
  });

  test('and so does one’s own that was made with the rights of an admin, without them', async () => {
    const boss = dwell.as('dora', { admin: true });
    const { exportId } = await exported({}, boss);
    const plain = await exported({}, dwell.as('dora'));
    for (const { status, json } of await everyWay(dwell.as('dora'), exportId)) {
      expect([status, json]).toEqual([404, notFound(exportId)]);
    }
    const idsOf = async (admin: boolean) =>
      (await dwell.as('dora', { admin }).get('/rest/export')).json.exports.map(
        (one: { exportId: string }) => one.exportId,
      );
    expect(await idsOf(false)).toEqual([plain.exportId]);
    expect(await idsOf(true)).toEqual([plain.exportId, exportId]);
  });
});

describe('aborting', () => {
  const busy = () => dwell.as('busy');
  const abort = (id: string, path = '/rest/export') => busy().send('DELETE', `${path}/${id}`, undefined);

  test.each(['/rest/export', '/rest/export/status'])('ends an export before its time: %s', async (path) => {
    const id = held.pop() ?? '';
    expect((await busy().get(`/rest/export/${id}`)).json).toMatchObject({ status: 'Running', total: 312 });
    const { status, json } = await abort(id, path);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      exportId: id,
      status: 'Aborted',
      message: 'The export was aborted.',
      downloadLink: null,
      finished: NOW,
    });
    expect((await busy().get(`/rest/export/${id}`)).json).toEqual(json);
    const file = await busy().get(`/rest/export/${id}/download`);
    expect([file.status, file.json.message]).toEqual([
      404,
      'The export failed or was aborted: The export was aborted.',
    ]);
    expect((await abort(id)).json).toEqual(notFound(id, 'The export is completed.'));
  });

  test('is too late once there is a file', async () => {
    const { exportId } = await exported();
    const { status, json } = await dwell.send('DELETE', `/rest/export/${exportId}`, undefined);
    expect([status, json]).toEqual([404, notFound(exportId, 'The export is completed.')]);
  });

  test('the file of one that runs is not there yet', async () => {
    const [id = ''] = held;
    const { status, json } = await busy().get(`/rest/export/${id}/download`);
    expect([status, json]).toEqual([
      404,
      notFound(id, 'The export is not completed: it is still being processed.'),
    ]);
  });
});

test('a user with ten unfinished exports gets no further one before one has ended', async () => {
  const busy = dwell.as('busy');
  for (const [path, more] of [
    ['/rest/export', {}],
    ['/rest/export/status', { async: 'true' }],
  ] as const) {
    const { status, headers, json } = await busy.post(path, { ...question, ...more });
    expect([status, json.messages]).toEqual([429, [expect.stringContaining('10 of your exports')]]);
    expect(headers.get('retry-after')).toBe('10');
  }
  // Files at once need no place in the queue.
  expect((await busy.get('/rest/smallexport', question)).status).toBe(200);
  expect((await busy.post('/rest/export/status', question)).status).toBe(200);
});

describe('the link of an export', () => {
  const ticketOf = ({ downloadLink }: { downloadLink: string }) =>
    new URL(downloadLink).searchParams.get('ticket') ?? '';
  const download = (ticket: string) => dwell.get('/rest/export/download', { ticket }, {});

  test('opens its file without a token', async () => {
    const end = await exported();
    const answer = await fetch(end.downloadLink);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe((await dwell.get(`/rest/export/${end.exportId}/download`)).text);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('is new with every answer, and leads to the same file', async () => {
    const { exportId, bytes } = await exported();
    const links = await Promise.all(
      [1, 2].map(async () => (await dwell.get(`/rest/export/${exportId}`)).json),
    );
    expect(new Set(links.map(ticketOf)).size).toBe(2);
    for (const link of links) {
      const plain = { 'Accept-Encoding': 'identity' };
      const ticket = ticketOf(link);
      const { headers } = await dwell.get('/rest/export/download', { ticket }, plain);
      expect(headers.get('content-length')).toBe(String(bytes));
    }
  });

  test('opens nothing when it is cut, changed or made up', async () => {
    const ticket = ticketOf(await exported());
    const tokenOfAda = (await dwell.headerOf('ada')).Authorization.split(' ')[1] ?? '';
    const changed = `${ticket.slice(0, -30)}${ticket.at(-30) === 'A' ? 'B' : 'A'}${ticket.slice(-29)}`;
    for (const wrong of [
      ticket.slice(0, -1),
      changed,
      'nonsense',
      'a.b.c.d.e',
      tokenOfAda,
      ticket.repeat(20),
    ]) {
      const { status, json } = await download(wrong);
      expect([status, json.messages, json.message]).toEqual([
        404,
        null,
        expect.stringContaining('The link is not valid or has expired'),
      ]);
      expect(JSON.stringify(json)).not.toContain(wrong);
    }
    expect((await download('')).json.messages).toEqual(['ticket is required.']);
  });

  test('opens nothing once the token it was asked for with is switched off', async () => {
    const { exportId } = await exported();
    const linkFor = async (token: string) => {
      const headers = { Authorization: `TISJWT ${token}` };
      return ticketOf((await dwell.get(`/rest/export/${exportId}`, {}, headers)).json);
    };
    const issue = async () => (await dwell.types('token', '--user', 'ada')).lines[0] ?? '';
    const [lost, other] = [await issue(), await issue()];
    const [ticket, another] = [await linkFor(lost), await linkFor(other)];
    const { jti } = JSON.parse(Buffer.from(lost.split('.')[1] ?? '', 'base64url').toString());
    expect((await download(ticket)).status).toBe(200);
    await dwell.types('tokens', '--off', jti);
    expect(await download(ticket)).toMatchObject({
      status: 404,
      json: { message: expect.stringContaining('The link is not valid or has expired') },
    });
    expect((await download(another)).status).toBe(200);
  });

  test('is none of another installation', async () => {
    const other = await startDwell();
    const { json } = await other.post('/rest/export', question);
    const foreign = ticketOf(await ended(other, json.exportId));
    expect((await other.get('/rest/export/download', { ticket: foreign }, {})).status).toBe(200);
    expect((await download(foreign)).status).toBe(404);
    await other.stop();
  });
});

describe('with time', () => {
  test('a link goes stale within minutes, a file within a day', async () => {
    const own = await startDwell();
    const { json } = await own.post('/rest/export', question);
    const { exportId, downloadLink } = await ended(own, json.exportId);
    const ticket = new URL(downloadLink).searchParams.get('ticket') ?? '';
    own.clock.now += 14 * 60_000;
    expect((await own.get('/rest/export/download', { ticket }, {})).status).toBe(200);
    own.clock.now += 2 * 60_000;
    expect((await own.get('/rest/export/download', { ticket }, {})).status).toBe(404);
    expect((await own.get(`/rest/export/${exportId}/download`)).status).toBe(200);
    own.clock.now += 86_400_000;
    expect((await own.get(`/rest/export/${exportId}`)).json).toMatchObject({
      status: 'Expired',
      downloadLink: null,
    });
    expect((await own.get(`/rest/export/${exportId}/download`)).json).toMatchObject({
      status: 404,
      message: 'The file of the export has expired.',
    });
    await own.stop();
  });
});

describe('across a restart', () => {
  test('an export that was queued comes to its end, and its file is as if nothing had been', async () => {
    const dataDir = temporaryFolder();
    const before = await startDwell({ dataDir });
    const { text } = await before.get('/rest/smallexport', question);
    const { json } = await before.post('/rest/export', question);
    await before.stop();

    const after = await startDwell({ dataDir });
    expect(await ended(after, json.exportId)).toMatchObject({ status: 'Successful', created: NOW });
    expect((await after.get(`/rest/export/${json.exportId}/download`)).text).toBe(text);
    expect((await after.get('/rest/export')).json.total).toBe(1);
    await after.stop();
  });

  test('a file, its link and its end stay', async () => {
    const dataDir = temporaryFolder();
    const before = await startDwell({ dataDir });
    const { json } = await before.post('/rest/export', question);
    const { downloadLink, ...end } = await ended(before, json.exportId);
    await before.stop();

    const after = await startDwell({ dataDir });
    expect((await after.get(`/rest/export/${json.exportId}`)).json).toMatchObject(end);
    const ticket = new URL(downloadLink).searchParams.get('ticket') ?? '';
    expect((await after.get('/rest/export/download', { ticket }, {})).status).toBe(200);
    await after.stop();
  });
});

test('a base address of the installation is that of its links', async () => {
  const own = await startDwell({ environment: { BASE_URL: 'https://dwell.example.com/time/' } });
  const { json } = await own.post('/rest/export', question);
  expect(json.statusLink).toBe(`https://dwell.example.com/time/rest/export/${json.exportId}`);
  const { downloadLink } = await ended(own, json.exportId);
  expect(downloadLink).toMatch(/^https:\/\/dwell\.example\.com\/time\/rest\/export\/download\?ticket=/);
  await own.stop();
});

test('files that were made for one answer leave nothing behind', async () => {
  await Promise.all(
    ['XLSX', 'XLS', 'JSON', 'CSV'].map(async (outputType) => {
      const answer = await dwell.get('/rest/smallexport', { ...question, outputType });
      expect(answer.status).toBe(200);
    }),
  );
  const folder = join(dwell.dataDir, 'tenants', 'default', 'exports');
  expect(readdirSync(folder).filter((name) => name.startsWith('now-'))).toEqual([]);
});
