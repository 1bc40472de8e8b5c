import { SignJWT } from 'jose';
import { describe, expect, test } from '#jest';
import { suiteDwell } from '../support/suite-dwell.ts';

const dwell = suiteDwell();

const path = '/rest/statuses';
const issued = async (...args: string[]) =>
  (await dwell.types('token', '--user', 'ada', ...args)).lines[0] ?? '';
const missing = [
  'tisjwt is required for authentication.',
  'Missing token. Send `Authorization: TISJWT <token>`; create one with `npx dwell token --user NAME`.',
];
const withHeader = (value: string) => dwell.get(path, {}, { Authorization: value });

test('the token command prints a token and nothing else', async () => {
  const { lines, code } = await dwell.types('token', '--user', 'ada', '--admin', '--expires', '2w');
  expect(code).toBe(0);
  expect(lines).toEqual([expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/)]);
});

test('a token is taken from the header, whatever the case of its scheme', async () => {
  const token = await issued();
  expect((await withHeader(`TISJWT ${token}`)).status).toBe(200);
  expect((await withHeader(`tisjwt  ${token}`)).status).toBe(200);
});

test('a token is taken from the query, whatever the case of its name', async () => {
  const tisjwt = await issued();
  expect((await dwell.get(path, { tisjwt }, {})).status).toBe(200);
  expect((await dwell.get(path, { TISJWT: tisjwt }, {})).status).toBe(200);
});

test('a header of another scheme leaves the query its word', async () => {
  const tisjwt = await issued();
  expect((await dwell.get(path, { tisjwt }, { Authorization: 'Basic cHJveHk6cHJveHk=' })).status).toBe(200);
});

describe.each([
  ['Bearer', (token: string) => `bearer ${token}`],
  ['Basic', (token: string) => `Basic ${Buffer.from(`ada:${token}`).toString('base64')}`],
] as const)('a token is taken after %s as well', (_, header) => {
  const asked = { columnsBy: 'statusDuration', filterType: 'project', projectKey: 'WEB' };

  test('by reports, settings and exports', async () => {
    const headers = { Authorization: header(await issued('--admin')) };
    const { status } = await dwell.get('/rest/issue', { ...asked, issueKey: 'WEB-1' }, headers);
    expect(status).toBe(200);
    expect((await dwell.post('/rest/issues', asked, headers)).status).toBe(200);
    const formats = await dwell.get('/rest/formatSettings', {}, headers);
    expect(formats.status).toBe(200);
    const asJson = { ...headers, 'Content-Type': 'application/json' };
    expect((await dwell.send('PUT', '/rest/formatSettings', asJson, formats.text)).status).toBe(200);
    const queued = await dwell.post('/rest/export', { ...asked, outputType: 'CSV' }, headers);
    expect(queued.status).toBe(200);
    const { json } = await dwell.send('DELETE', `/rest/export/${queued.json.exportId}`, headers);
    expect(json.exportId ?? json.message).toBeDefined();
    expect((await dwell.get('/rest/export', {}, headers)).json.total).toBeGreaterThan(0);
  });

  test('unless the query or the form has one: a proxy may use the header for itself', async () => {
    const tisjwt = await issued();
    const headers = { Authorization: header('secret-of-a-proxy') };
    expect((await dwell.get(path, { tisjwt }, headers)).status).toBe(200);
    expect((await dwell.post('/rest/issues', { ...asked, tisjwt }, headers)).status).toBe(200);
    expect((await dwell.post('/rest/issues', asked, headers)).status).toBe(401);
    const { status, text } = await dwell.get(path, { tisjwt: 'false' }, { Authorization: header(tisjwt) });
    expect([status, text]).toEqual([401, expect.not.stringContaining(tisjwt)]);
  });
});

test('a token as the password of another user opens nothing', async () => {
  const credentials = Buffer.from(`bob:${await issued()}`).toString('base64');
  const { status, json } = await withHeader(`Basic ${credentials}`);
  expect([status, json.messages]).toEqual([401, ['The token is not one of the user that is named.']]);
});

test('every 401 names the ways in', async () => {
  const ways = 'TISJWT realm="Dwell", Basic realm="Dwell", charset="UTF-8", Bearer realm="Dwell"';
  const headers = { Authorization: 'Bearer a.b.c' };
  const answers = [
    await dwell.get(path, {}, {}),
    await dwell.get('/rest/issue', {}, headers),
    await dwell.post('/rest/export', {}, headers),
    await dwell.send('PUT', '/rest/formatSettings', {}, '{}'),
  ];
  for (const { status, headers: sent } of answers) {
    expect([status, sent.get('www-authenticate')]).toEqual([401, ways]);
  }
});

describe('401 tells why', () => {
  const refusal = (...reasons: string[]) => ({
    status: 401,
    message: 'Unauthorized access',
    messages: reasons,
    reason: expect.any(String),
    pluginVersion: expect.any(String),
    time: '2026-03-18 12:00:00',
  });

  test('no token', async () => {
    const { status, json } = await dwell.get(path, {}, {});
    expect(status).toBe(401);
    expect(json).toEqual(refusal(...missing));
  });

  test('an empty one', async () => {
    expect((await dwell.get(path, { tisjwt: '' }, {})).json).toEqual(refusal(...missing));
    for (const scheme of ['TISJWT', 'Bearer', 'Digest username="ada"']) {
      expect((await withHeader(`${scheme} `)).json).toEqual(refusal(...missing));
    }
  });

  test.each(['garbage', 'a.b.c', 'null', '🙂'])('%s', async (tisjwt) => {
    const { status, json } = await dwell.get(path, { tisjwt }, {});
    expect(status).toBe(401);
    expect(json).toEqual(refusal('tisjwt is invalid.'));
  });

  test('more than a token behind the scheme', async () => {
    const { json } = await withHeader(`TISJWT ${await issued()} extra`);
    expect(json).toEqual(refusal('tisjwt is invalid: the header must read "TISJWT <token>".'));
  });

  test('a token with another signature', async () => {
    const forged = await new SignJWT({ admin: true })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setJti('1')
      .setSubject('ada')
      .setIssuer('dwell')
      .setAudience('dwell')
      .setExpirationTime(Math.floor(dwell.clock.now / 1000) + 3600)
      .sign(new TextEncoder().encode('another key of thirty-two letters'));
    expect((await withHeader(`TISJWT ${forged}`)).json).toEqual(refusal('tisjwt is invalid.'));
  });

  test('a token that claims to need no signature', async () => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const [, payload] = (await issued()).split('.');
    const unsigned = `${part({ alg: 'none', typ: 'JWT' })}.${payload}.`;
    expect((await withHeader(`TISJWT ${unsigned}`)).json).toEqual(refusal('tisjwt is invalid.'));
  });

  test('an expired one', async () => {
    const token = await issued('--expires', '1h');
    dwell.clock.now += 3_600_000 - 1;
    expect((await withHeader(`TISJWT ${token}`)).status).toBe(200);
    dwell.clock.now += 1001;
    const { json } = await withHeader(`TISJWT ${token}`);
    dwell.clock.now -= 3_601_000;
    expect(json.messages).toEqual(['tisjwt is expired.']);
  });

  test('one that was switched off, at once; and not any more when it is on again', async () => {
    const token = await issued();
    const id = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).jti;
    await dwell.types('tokens', '--off', id);
    expect((await withHeader(`TISJWT ${token}`)).json).toEqual(refusal('tisjwt is deactivated.'));
    const { lines } = await dwell.types('tokens', '--on', id);
    expect(lines.find((line) => line.startsWith(id))).toContain(
      '  on     ada  until 2026-06-16T12:00:00.000Z',
    );
    expect((await withHeader(`TISJWT ${token}`)).status).toBe(200);
  });
});

test('a refusal never repeats the token', async () => {
  const { text } = await dwell.get(path, { tisjwt: 'very-secret-text' }, {});
  expect(text).not.toContain('very-secret-text');
});
