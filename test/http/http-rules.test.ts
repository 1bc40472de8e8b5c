import { type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '#jest';
import { suiteDwell } from '../support/suite-dwell.ts';

const dwell = suiteDwell();

const failure = (status: number, message: string, detail: unknown) => ({
  status,
  message,
  messages: [detail],
  reason: expect.any(String),
  pluginVersion: expect.any(String),
  time: '2026-03-18 12:00:00',
});

describe('a method a path does not know is refused, with those it knows', () => {
  test.each([
    ['DELETE', '/rest/issues', 'GET, POST, HEAD, OPTIONS'],
    ['PUT', '/rest/calendar', 'GET, POST, HEAD, OPTIONS'],
    ['PUT', '/rest/export/status', 'POST, GET, HEAD, OPTIONS'],
    ['POST', '/rest/export/download', 'GET, HEAD, OPTIONS'],
    ['POST', '/rest/calendars/7', 'GET, PUT, HEAD, OPTIONS'],
    ['PATCH', '/rest/formatSettings', 'GET, PUT, HEAD, OPTIONS'],
    ['POST', '/docs', 'GET, HEAD, OPTIONS'],
  ])('%s %s', async (method, path, allow) => {
    const { status, headers, json } = await dwell.send(method, path, {});
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe(allow);
    expect(json).toEqual(
      failure(405, 'Method not allowed', `${method} is not allowed at '${path}'. Try: ${allow}.`),
    );
  });

  test('OPTIONS tells them without a token', async () => {
    const { status, headers, text } = await dwell.send('OPTIONS', '/rest/list2', {});
    expect([status, headers.get('allow'), text]).toEqual([204, 'GET, POST, HEAD, OPTIONS', '']);
  });
});

test('HEAD tells what GET would, without a body', async () => {
  const headers = { ...(await dwell.headerOf('ada')), 'Accept-Encoding': 'identity' };
  for (const path of ['/rest/statuses', '/openapi.json', '/healthz']) {
    const get = await dwell.get(path, {}, headers);
    const head = await dwell.send('HEAD', path, headers);
    expect([head.status, head.type, head.text]).toEqual([200, get.type, '']);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
  }
  expect((await dwell.send('HEAD', '/rest/statuses', {})).status).toBe(401);
});

describe('an answer', () => {
  /** fetch unpacks by itself. */
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const token = await dwell.headerOf('ada');
    return new Promise<{ headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
      request(`${dwell.url}${path}`, { headers: { ...token, ...headers } }, async (answer) =>
        resolve({ headers: answer.headers, body: await buffer(answer) }),
      )
        .on('error', reject)
        .end();
    });
  };
  const list = '/rest/issues?filterType=project&projectKey=APP&columnsBy=statusDuration';
  const file = '/rest/smallexport?filterType=project&projectKey=APP&columnsBy=statusDuration&outputType=CSV';

  test.each([list, file, '/openapi.json'])('of more than 4 kB is packed for who asks: %s', async (path) => {
    const plain = await get(path);
    expect(plain.headers).not.toHaveProperty('content-encoding');
    const packings = { gzip: gunzipSync, br: brotliDecompressSync };
    for (const [encoding, unpack] of Object.entries(packings)) {
      const packed = await get(path, { 'Accept-Encoding': encoding });
      expect(packed.headers).toMatchObject({
        'content-encoding': encoding,
        vary: expect.stringMatching(/(^|, )Accept-Encoding$/),
      });
      expect(packed.body.length).toBeLessThan(plain.body.length / 2);
      expect(unpack(packed.body).equals(plain.body)).toBe(true);
    }
  });

  test('that is small is sent as it is', async () => {
    const { headers, body } = await get('/healthz', { 'Accept-Encoding': 'gzip' });
    expect(headers).not.toHaveProperty('content-encoding');
    expect(String(body)).toBe('{"status":"ok"}');
  });

  test('is never taken for something else than it says', async () => {
    const paths = ['/', '/playground/page/main.js', '/playground/nothing', '/healthz', '/docs', '/nothing'];
    for (const path of [...paths, list, file, '/rest/issues?columnsBy=nothing', '/%zz'])
      expect({ path, ...(await get(path)).headers }).toMatchObject({
        path,
        'x-content-type-options': 'nosniff',
      });
  });

  test('leaves its connection open for longer than those who keep connections do', async () => {
    const { headers } = await get('/healthz', { Connection: 'keep-alive' });
    expect(headers['keep-alive']).toBe('timeout=75');
  });
});

describe('a body', () => {
  const send = async (path: string, type: string | null, body: string | Uint8Array, more = {}) => {
    const answer = await fetch(`${dwell.url}${path}`, {
      method: 'POST',
      headers: {
        ...(await dwell.headerOf('ada', { admin: true })),
        ...(type === null ? {} : { 'Content-Type': type }),
        ...more,
      },
      body: typeof body === 'string' ? Buffer.from(body) : Buffer.from(body),
    });
    return { status: answer.status, json: JSON.parse(await answer.text()) };
  };

  test.each([
    [
      '/rest/issues',
      'application/json; charset=latin1',
      "Content-Type 'application/json; charset=latin1' is not understood. Try: application/x-www-form-urlencoded or application/json in UTF-8.",
    ],
    [
      '/link',
      'application/json',
      "Content-Type 'application/json' is not understood. Try: application/x-www-form-urlencoded in UTF-8.",
    ],
    [
      '/rest/issues',
      'multipart/form-data; boundary=x',
      "Content-Type 'multipart/form-data; boundary=x' is not understood. Try: application/x-www-form-urlencoded or application/json in UTF-8.",
    ],
    [
      '/rest/calendars',
      'application/x-www-form-urlencoded',
      "Content-Type 'application/x-www-form-urlencoded' is not understood. Try: application/json in UTF-8.",
    ],
    [
      '/rest/calendars',
      'application/json; charset=utf-16',
      "Content-Type 'application/json; charset=utf-16' is not understood. Try: application/json in UTF-8.",
    ],
    ['/rest/calendars', null, 'Content-Type is missing. Try: application/json in UTF-8.'],
  ])('for %s is not taken as %s', async (path, type, sentence) => {
    expect(await send(path, type, 'a=b')).toEqual({
      status: 415,
      json: failure(415, 'Unsupported media type', sentence),
    });
  });

  test('in an encoding nobody knows is refused', async () => {
    const { status, json } = await send('/rest/calendars', 'application/json', '{}', {
      'Content-Encoding': 'rot13',
    });
    expect(status).toBe(415);
    expect(json.messages).toEqual(['Content-Encoding is not understood. Try: identity, gzip, deflate, br.']);
  });

  test('that says it is packed and is not, is refused', async () => {
    const { status } = await send('/rest/calendars', 'application/json', '{}', {
      'Content-Encoding': 'gzip',
    });
    expect(status).toBe(400);
  });

  test('of a million bytes is read, a byte more is too large', async () => {
    const type = 'application/x-www-form-urlencoded';
    expect((await send('/rest/issues', type, 'a'.repeat(1_000_000))).status).toBe(400);
    expect(await send('/rest/issues', type, 'a'.repeat(1_000_001))).toEqual({
      status: 413,
      json: failure(413, 'Content too large', 'The body is too large. Try: 1000000 bytes.'),
    });
  });

  test('that is packed is as large as what it unpacks to', async () => {
    const packed = gzipSync('a'.repeat(1_000_001));
    expect(packed.length).toBeLessThan(2000);
    const type = 'application/x-www-form-urlencoded';
    const { status } = await send('/rest/issues', type, packed, { 'Content-Encoding': 'gzip' });
    expect(status).toBe(413);
  });

  test.each([
    ['', 'The body is required. Try: an object.'],
    ['{', 'The body is not JSON.'],
    ['[]', "The body '[]' is of the wrong kind. Try: an object."],
    ['"name"', "The body 'name' is of the wrong kind. Try: an object."],
    [`${'['.repeat(33)}${']'.repeat(33)}`, 'The body is nested too deep. Try: 32 levels.'],
    ['['.repeat(500_000), 'The body is nested too deep. Try: 32 levels.'],
  ])('that is no JSON object is refused: %.20s', async (body, sentence) => {
    const { status, json } = await send('/rest/reportSettings/validate', 'application/json', body);
    expect([status, json.messages]).toEqual([400, [sentence]]);
  });

  test('that holds brackets in its texts is not nested', async () => {
    const { status } = await send(
      '/rest/reportSettings/validate',
      'application/json',
      JSON.stringify({ customjql: `\\"${'['.repeat(100)}`, a: '\\' }),
    );
    expect(status).toBe(200);
  });

  test('that is not UTF-8 is refused', async () => {
    const { json } = await send('/rest/calendars', 'application/json', Uint8Array.of(0x22, 0xff, 0x22));
    expect(json.messages).toEqual(['The body is not UTF-8.']);
  });
});

describe('whoever has no right learns that, whatever the body holds', () => {
  const bodies = ['{', '[]', '{"name":1,"dateFormat":1}', ''];
  const ids = new Map<string, string>();
  beforeAll(async () => {
    const boss = dwell.as('ada', { admin: true });
    const set = { name: 'Open', public: true, parameters: { reportType: 'statusDuration' } };
    const closed = { ...set, name: 'Closed', public: false };
    const workingTimes = [{ weekday: 'MONDAY', start: 0, end: 3_600_000 }];
    const calendar = { name: 'Mondays', timeZone: 'UTC', workingTimes };
    ids.set(':set', (await boss.postJson('/rest/reportSettings', set)).json.id);
    ids.set(':closed', (await boss.postJson('/rest/reportSettings', closed)).json.id);
    ids.set(':calendar', String((await boss.postJson('/rest/calendars', calendar)).json.id));
  });

  test.each([
    ['PUT', '/rest/formatSettings', 403],
    ['POST', '/rest/calendars', 403],
    ['PUT', '/rest/calendar/:calendar', 403],
    ['PUT', '/rest/reportSettings/:set', 403],
    ['PUT', '/rest/parameterSets/:closed', 404],
    ['POST', '/rest/delegation/api/1.0/category', 403],
    ['PUT', '/rest/delegation/api/1.0/category/1', 403],
  ])('%s %s', async (method, path, refused) => {
    const ask = async (headers: Record<string, string>, body: string) => {
      const own = path.replace(/:\w+/, (id) => ids.get(id) ?? '');
      return (await dwell.send(method, own, headers, body)).status;
    };
    const bob = await dwell.headerOf('bob');
    const boss = await dwell.headerOf('ada', { admin: true });
    for (const type of ['application/json', 'text/plain']) {
      for (const body of bodies) {
        const asType = { 'Content-Type': type };
        expect([type, body, await ask(asType, body)]).toEqual([type, body, 401]);
        expect([type, body, await ask({ ...bob, ...asType }, body)]).toEqual([type, body, refused]);
        expect([400, 415]).toContain(await ask({ ...boss, ...asType }, body));
      }
    }
  });
});

test('an unknown path is not found, with and without a token', async () => {
  expect((await dwell.get('/rest/nothing', {}, {})).json).toEqual(
    failure(404, 'Not found', "No such endpoint: GET '/rest/nothing'."),
  );
});

test('no answer is kept by anybody on the way', async () => {
  for (const path of ['/rest/statuses', '/rest/nothing', '/docs']) {
    expect((await dwell.get(path)).headers.get('cache-control')).toBe('no-store');
  }
});
