import { connect } from 'node:net';
import { describe, expect, test } from '#jest';
import { suiteDwell } from '../../support/suite-dwell.ts';
import { bases, basic, tokenOf } from './credentials.ts';

const [base] = bases;
const AT = '2024-12-20T10:35:20.123Z';
const epoch = Date.parse(AT);
const text = '2024-12-20 11:35:20 +0100';

const dwell = suiteDwell({ at: AT, environment: { TIME_ZONE: 'Europe/Berlin' } });

const own = { delegator: 'bob', category: 'general' };

/** A failure around records; `errors` has its sentences by member. */
const failure = (status: number, message: string, errors?: Readonly<Record<string, string>>) => ({
  ...{ status, message, reason: expect.any(String), timestamp: text },
  ...(errors === undefined ? {} : { errors }),
});

/** The id of a token. */
const idOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).jti;

describe.each(bases)('look-ups at %s', (at) => {
  const asked = (parameters: Record<string, string>, user = 'bob', endpoint = 'getDelegates') =>
    dwell.as(user).get(`${at}/delegation/${endpoint}`, parameters);

  test.each([
    ['getDelegates', { delegator: 'bob' }, { category: 'category is required.' }],
    ['getDelegates', { category: 'general' }, { delegator: 'delegator is required.' }],
    ['getDelegators', { category: 'general' }, { delegate: 'delegate is required.' }],
    ['getDelegators', { delegate: 'bob', category: '' }, { category: 'category is required.' }],
    [
      'getDelegators',
      { datetime: 'soon' },
      {
        delegate: 'delegate is required.',
        category: 'category is required.',
        datetime: "datetime 'soon' is not a date with a time. Try: yyyy-MM-dd HH:mm:ss.",
      },
    ],
  ])('%s with %j is a 400 that tells all that is wrong', async (endpoint, parameters, errors) => {
    const { status, type, json, headers } = await asked(parameters, 'bob', endpoint);
    expect([status, type]).toEqual([400, 'application/json; charset=utf-8']);
    // Strict clients of the existing app refuse a body with a member more than the contract has.
    expect(headers.get('x-failure-reason')).toMatch(/^(missing|invalid)-value$/);
    expect(json).toEqual({
      status: 400,
      message: Object.values(errors).join(' '),
      timestamp: epoch,
      errors,
    });
  });

  test('a parameter given twice is a 400 as well', async () => {
    const answer = await dwell
      .as('bob')
      .get(`${at}/delegation/getDelegates?delegator=bob&delegator=carl&category=general`);
    const sentence = "delegator is given twice, as 'bob' and as 'carl'. Try: one value.";
    expect(answer.json).toEqual({
      status: 400,
      message: sentence,
      timestamp: epoch,
      errors: { delegator: sentence },
    });
  });

  test.each([
    ['category=general&delegator=%ff', 'delegator'],
    ['%64ELEGATOR%20=%zz', 'dELEGATOR'],
    ['%zz=bob', null],
  ])('%s cannot be decoded: a 400 about the parameter, if it has a name', async (query, name) => {
    const { status, json } = await dwell.as('bob').get(`${at}/delegation/getDelegates?${query}`);
    const subject = name === null ? 'The query string' : `${name} in the query string`;
    const message = `${subject} has a percent-encoding that is not UTF-8, such as '%zz'.`;
    const errors = name === null ? {} : { [name]: message };
    expect([status, json]).toEqual([400, { status: 400, message, timestamp: epoch, errors }]);
  });

  test('a path that cannot be decoded is a 400 about no parameter', async () => {
    const { json } = await dwell.as('bob').get(`${at}/delegation/%ff`);
    expect(json).toMatchObject({ status: 400, reason: expect.any(String), timestamp: text, errors: {} });
  });

  test.each([
    [{ delegator: 'zed', category: 'general' }, 'User with name "zed" could not be found.'],
    [{ delegator: 'bob', category: 'test' }, 'Category with name "test" could not be found.'],
  ])('%j is a 404 that names what is missing', async (parameters, message) => {
    const { status, json } = await dwell
      .as('ada', { admin: true })
      .get(`${at}/delegation/getDelegates`, parameters);
    expect([status, json]).toEqual([404, { status: 404, message, timestamp: epoch }]);
  });

  test.each([
    ['no credentials', {}],
    ['a scheme nobody knows', { Authorization: 'Digest username="bob"' }],
    ['a false token', { Authorization: 'Bearer a.b.c' }],
    ['a scheme alone', { Authorization: 'Bearer' }],
    ['more than a token', { Authorization: 'Bearer a b' }],
    ['a password that is no token', basic('bob', 'secret')],
    ['no base64', { Authorization: 'Basic ####' }],
    ['base64 without a colon', { Authorization: `Basic ${Buffer.from('bob').toString('base64')}` }],
  ] as [string, Record<string, string>][])(
    '%s is a 401 Invalid User, before anything else is looked at',
    async (_, headers) => {
      const answer = await dwell.get(`${at}/delegation/getDelegates?nonsense=%zz`, {}, headers);
      expect([answer.status, answer.json]).toEqual([
        401,
        { status: 401, message: 'Invalid User', timestamp: epoch },
      ]);
      expect(answer.headers.get('www-authenticate')).toBe(
        'Basic realm="Dwell", charset="UTF-8", Bearer realm="Dwell"',
      );
    },
  );
});

describe('credentials', () => {
  const ask = (headers: Record<string, string>, path = `${base}/delegation/getDelegates`) =>
    dwell.get(path, own, headers);

  test('are the token as Bearer, as TISJWT, or as the password of its user', async () => {
    const token = await tokenOf(dwell, 'bob');
    for (const headers of [
      { Authorization: `Bearer ${token}` },
      { Authorization: `bearer  ${token}` },
      { Authorization: `TISJWT ${token}` },
      basic('bob', token),
    ]) {
      const { status, json } = await ask(headers);
      expect([status, json.delegator]).toEqual([200, 'bob']);
    }
  });

  test('of another user than the token’s are of nobody', async () => {
    const token = await tokenOf(dwell, 'bob');
    for (const user of ['carl', 'Bo', '', 'bob:']) {
      const { status, json } = await ask(basic(user, token));
      expect([status, json.message]).toEqual([401, 'Invalid User']);
    }
  });

  test('do not stand in the address: a log would keep them', async () => {
    const token = await tokenOf(dwell, 'bob');
    const { status, text: body } = await dwell.get(
      `${base}/delegation/getDelegates`,
      { ...own, tisjwt: token },
      {},
    );
    expect(status).toBe(401);
    expect(body).not.toContain(token);
  });

  test('of another user are of nobody, whether or not they still hold', async () => {
    const { lines } = await dwell.types('token', '--user', 'bob', '--expires', '1h');
    const token = lines[0] ?? '';
    const answerAt = async (later: number) => {
      dwell.clock.now += later;
      const { status, json } = await ask(basic('ada', token));
      dwell.clock.now -= later;
      return [status, json.message];
    };
    expect(await answerAt(3_601_000)).toEqual([401, 'Invalid User']);
    await dwell.types('tokens', '--off', idOf(token));
    expect(await answerAt(0)).toEqual([401, 'Invalid User']);
  });

  test('that are switched off are an Invalid Licence, at both kinds of endpoints', async () => {
    const { lines } = await dwell.types('token', '--user', 'bob');
    const token = lines[0] ?? '';
    await dwell.types('tokens', '--off', idOf(token));
    const message = 'Invalid Licence';
    for (const headers of [{ Authorization: `Bearer ${token}` }, basic('bob', token)]) {
      expect((await ask(headers)).json).toEqual({ status: 401, message, timestamp: epoch });
      expect((await ask(headers, `${base}/delegation/1`)).json).toEqual(failure(401, message));
    }
  });

  test('that have expired are an Invalid Licence', async () => {
    const { lines } = await dwell.types('token', '--user', 'bob', '--expires', '1h');
    dwell.clock.now += 3_601_000;
    const { status, json } = await ask({ Authorization: `Bearer ${lines[0]}` });
    dwell.clock.now -= 3_601_000;
    expect([status, json]).toEqual([
      401,
      { status: 401, message: 'Invalid Licence', timestamp: epoch + 3_601_000 },
    ]);
  });
});

describe('records speak of the time in words', () => {
  const boss = () => dwell.as('ada', { admin: true });
  const wish = { delegates: ['carl'], startDate: '2025-01-01T00:00Z', endDate: '2025-02-01T00:00Z' };

  test.each([
    ['GET', '/delegation/99999999', 'ada', 404, 'Delegation with id "99999999" could not be found.'],
    ['GET', '/delegation', 'stranger', 403, 'You do not have permission to view delegations.'],
    ['DELETE', '/category/99999999', 'ada', 404, 'Category with id "99999999" could not be found.'],
    ['GET', '/nonsense', 'ada', 404, `No such endpoint: GET '${base}/nonsense'.`],
  ])('%s %s by %s is a %i', async (method, path, user, status, message) => {
    const headers = await dwell.headerOf(user, { admin: user === 'ada' });
    const answer = await dwell.send(method, `${base}${path}`, headers);
    expect([answer.status, answer.json]).toEqual([status, failure(status, message)]);
  });

  test('a body tells by member all that is wrong', async () => {
    const { status, json } = await boss().postJson(`${base}/delegation`, {
      active: 'yes',
      delegates: ['carl', 5],
      startDate: '2025-01-01',
      endDate: '2025-01-01T00:00:30Z',
    });
    const allowed =
      'is not a whole minute in ISO 8601 with an offset. Try: for example 2024-12-18T18:00Z or 2024-12-18T18:00+03:00.';
    const errors = {
      active: "active 'yes' is of the wrong kind. Try: true or false.",
      delegator: 'delegator is required. Try: a text.',
      'delegates[1]': "delegates[1] '5' is of the wrong kind. Try: a text.",
      startDate: `startDate '2025-01-01' ${allowed}`,
      endDate: `endDate '2025-01-01T00:00:30Z' ${allowed}`,
    };
    expect([status, json]).toEqual([400, failure(400, Object.values(errors).join(' '), errors)]);
  });

  test.each([
    ['{', 'The body is not JSON.'],
    ['', 'The body is required. Try: an object.'],
    ['[]', "The body '[]' is of the wrong kind. Try: an object."],
    [`${'['.repeat(33)}${']'.repeat(33)}`, 'The body is nested too deep. Try: 32 levels.'],
  ])('a body that is none is a 400 about the body: %s', async (body, message) => {
    const headers = { ...(await dwell.headerOf('bob')), 'Content-Type': 'application/json' };
    const { status, json } = await dwell.send('POST', `${base}/delegation`, headers, body);
    expect([status, json]).toEqual([400, failure(400, message, { body: message })]);
  });

  test.each([
    ['1e300', "categoryIds[1] '1e+300' is not the id of a category. Try: a whole number."],
    ['-1e300', "categoryIds[1] '-1e+300' is not the id of a category. Try: a whole number."],
    ['1e999', "categoryIds[1] 'Infinity' is of the wrong kind. Try: a number."],
    ['1.5', "categoryIds[1] '1.5' is of the wrong kind. Try: a whole number."],
  ])('the id %s of a category is refused in our words', async (id, sentence) => {
    const headers = { ...(await dwell.headerOf('ada', { admin: true })), 'Content-Type': 'application/json' };
    const body = JSON.stringify({ ...wish, delegator: 'bob' }).replace('{', `{"categoryIds": [1, ${id}],`);
    const { status, json } = await dwell.send('POST', `${base}/delegation`, headers, body);
    expect([status, json.errors]).toEqual([400, { 'categoryIds[1]': sentence }]);
  });

  test.each([
    [
      'delegator=bob',
      'application/x-www-form-urlencoded',
      415,
      "Content-Type 'application/x-www-form-urlencoded' is not understood. Try: application/json in UTF-8.",
    ],
    ['x'.repeat(1_000_001), 'application/json', 413, 'The body is too large. Try: 1000000 bytes.'],
  ])(
    'a body that cannot be taken is refused without a word about members',
    async (body, type, status, message) => {
      const headers = { ...(await dwell.headerOf('bob')), 'Content-Type': type };
      const answer = await dwell.send('POST', `${base}/delegation`, headers, body);
      expect([answer.status, answer.json]).toEqual([status, failure(status, message)]);
    },
  );

  test('a body of somebody unknown is not even read', async () => {
    const headers = { 'Content-Type': 'text/xml' };
    const { status, json } = await dwell.send('POST', `${base}/delegation`, headers, '{');
    expect([status, json]).toEqual([401, failure(401, 'Invalid User')]);
  });

  test('an id that is none is a 400', async () => {
    const { status, json } = await boss().get(`${base}/delegation/x1`);
    const sentence = "id 'x1' is not the id of a delegation. Try: a whole number.";
    expect([status, json]).toEqual([400, failure(400, sentence, { id: sentence })]);
  });
});

describe('what HTTP itself refuses is told in the same shape', () => {
  test.each([
    ['getDelegates', epoch, 'GET, HEAD, OPTIONS'],
    ['GETDELEGATORS/', epoch, 'GET, HEAD, OPTIONS'],
    ['7', text, 'PUT, GET, HEAD, OPTIONS'],
  ])('405 at delegation/%s', async (path, timestamp, methods) => {
    const target = `${base}/delegation/${path}`;
    const { status, headers, json } = await dwell.send('PATCH', target, {});
    const allow = headers.get('allow') ?? '';
    expect(allow.split(', ').toSorted()).toEqual(methods.split(', ').toSorted());
    const message = `PATCH is not allowed at '${target}'. Try: ${allow}.`;
    const reason = timestamp === epoch ? {} : { reason: 'method-not-allowed' };
    expect([status, json]).toEqual([405, { status: 405, message, ...reason, timestamp }]);
    expect(headers.get('x-failure-reason')).toBe(timestamp === epoch ? 'method-not-allowed' : null);
  });

  const raw = async (bytes: string): Promise<string> => {
    const { hostname, port } = new URL(dwell.url);
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    let answer = '';
    for await (const part of socket.setEncoding('utf8')) answer += part;
    return answer;
  };

  test('431, as far as the path can be told', async () => {
    const answer = await raw(
      `GET ${base}/delegation/getDelegates HTTP/1.1\r\nHost: a\r\nA: ${'b'.repeat(20_000)}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({
      status: 431,
      message: 'The request line and the headers are too large. Try: 16 KiB.',
      timestamp: epoch,
    });
  });

  test('400 of a request without a host', async () => {
    const answer = await raw(`GET ${base}/delegation/1 HTTP/1.1\r\nConnection: close\r\n\r\n`);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual(
      failure(400, 'The header Host is required.', {}),
    );
  });
});
