import { describe, expect, test } from '#jest';
import type { DelegationRecords } from '../../src/api/delegations/delegation-api.ts';
import { httpSurroundings } from '../../src/compose/http-surroundings.ts';
import { createKeychainRecords } from '../../src/hosted/create-keychain-records.ts';
import {
  type Fault,
  halfABody,
  hangUp,
  json,
  licencePage,
  page,
  redirect,
  switchedOff,
  tooMany,
  userPage,
} from '../support/stand-in-keychain-faults.ts';
import { failureOf, input, keychainNow as now, record, startKeychain as start } from './start-keychain.ts';

const unknownOutcome = 'It is unknown whether the delegation was saved; check the list before trying again.';
const asOf = '2026-03-16 09:00:00 +0100';
const good = { delegator: 'ada', asOf, category: 'general', delegates: ['bob'] };

const reading = (register: DelegationRecords) => register.delegatesOf('ada', 'general', now);
const adding = (register: DelegationRecords) => register.add(input, 'ada');

describe('credentials that are not taken', () => {
  test.each<[string, Fault, string]>([
    ['the page about a licence', licencePage, 'Invalid Licence'],
    ['the page about a user', userPage, 'Invalid User'],
    ['JSON about a licence', json({ status: 401, message: 'Invalid Licence' }, 401), 'Invalid Licence'],
    ['JSON about a user', json({ status: 401, message: 'Invalid User' }, 401), 'Invalid User'],
    ['an empty page', page(401, '', ''), 'Invalid User'],
  ])('%s names the settings and the reason, and is not repeated', async (_kind, fault, reason) => {
    const { service, register, name, methods } = await start();
    service.fail(fault);
    expect(await failureOf(reading(register))).toMatchObject({
      reason: 'service-unavailable',
      message: `${name} refuses DELEGATION_USER and DELEGATION_PASSWORD: ${reason}.`,
      data: { service: 'delegation service', setting: 'DELEGATION_BASE_URL', status: 401 },
    });
    expect(methods()).toEqual(['GET']);
  });

  test('a token is named as the setting it is', async () => {
    const { service } = await start();
    const credentials = { kind: 'bearer', token: 'a-token' } as const;
    const register = createKeychainRecords(
      { baseUrl: service.baseUrl, credentials, timeZone: 'Europe/Berlin' },
      httpSurroundings(() => now),
    );
    const { message } = await failureOf(reading(register));
    expect(message).toMatch(/ refuses DELEGATION_TOKEN: Invalid User\.$/);
  });

  test('secrets that come back are in no error, however they come', async () => {
    const { service, register } = await start();
    const password = 'correct horse';
    const pair = btoa(`reader:${password}`);
    service.fail(
      json({ status: 500, message: `Basic ${pair} with ${password}` }, 500),
      json({ delegator: { authorization: `Basic ${pair}`, password } }),
      json({ status: 400, message: password, errors: { category: password } }, 400),
      json({ ...good, delegator: password }),
    );
    for (const part of ['with …', '{"authorization":"Basic …","password":"…"}', '…', "answers about '…'"]) {
      const { message, details, fields, data } = await failureOf(reading(register));
      const text = JSON.stringify([message, details, fields, data]).replaceAll('\\"', '"');
      expect(text).toContain(part);
      expect(text).not.toMatch(/horse|cmVhZGVy/);
    }
  });
});

describe('refusals of the service', () => {
  test('403 has its words and whose right is missing', async () => {
    const { service, register } = await start();
    const words = 'You do not have permission to query delegations of other users.';
    service.fail(json({ status: 403, message: words, timestamp: 1 }, 403));
    expect(await failureOf(reading(register))).toMatchObject({
      reason: 'missing-right',
      message: `${words} The user of DELEGATION_USER lacks this right in the delegation service.`,
    });
  });

  test('400 has its sentences by parameter, or its message', async () => {
    const { service, register, methods } = await start();
    const errors = { category: 'category is required.' };
    service.fail(
      json({ status: 400, message: 'category is required.', timestamp: 1630043290559, errors }, 400),
      json({ status: 400, message: 'No.', timestamp: '2024-12-20 10:35:20 +0000' }, 400),
    );
    expect(await failureOf(reading(register))).toMatchObject({
      reason: 'invalid-value',
      details: ['category is required.'],
      fields: errors,
    });
    expect(await failureOf(reading(register))).toMatchObject({ details: ['No.'], fields: {} });
    expect(methods()).toEqual(['GET', 'GET']);
  });

  test('404 is about what was asked for', async () => {
    const { register } = await start();
    expect(await failureOf(register.delegation(7))).toMatchObject({
      reason: 'unknown-delegation',
      message: 'Delegation with id "7" could not be found.',
    });
    expect((await failureOf(register.delegatesOf('zed', 'general', null))).reason).toBe('unknown-person');
    expect((await failureOf(register.delegatesOf('ada', 'test', null))).reason).toBe('unknown-category');
  });

  test('the reason that another Dwell gives counts, where it is one of the status', async () => {
    const { service, register } = await start();
    const refusal = { status: 404, message: 'There is none.', timestamp: 1 };
    for (const [reason, expected] of [
      ['unknown-category', 'unknown-category'],
      ['rate-limited', 'unknown-person'],
      ['nonsense', 'unknown-person'],
    ]) {
      const fault = json({ ...refusal, reason }, 404);
      service.fail(fault, fault);
      expect((await failureOf(reading(register))).reason).toBe(expected);
    }
  });

  test('a page in place of a refusal is no refusal of the service', async () => {
    const { service, register, name } = await start();
    service.fail(page(403, 'Forbidden', 'Blocked by the firewall'));
    expect(await failureOf(reading(register))).toMatchObject({
      reason: 'service-unavailable',
      message: `${name} answered with HTTP 403.`,
    });
  });
});

describe('a service that is unwell', () => {
  const busy: [string, Fault, string][] = [
    ['switched off', switchedOff, 'is not available (HTTP 503); its REST interface may be switched off.'],
    [
      'out of order, and says so in JSON',
      json({ status: 503, message: 'Coming up.' }, 503),
      'is not available (HTTP 503: Coming up); its REST interface may be switched off.',
    ],
    ['behind a broken gateway', page(502, '', ''), 'does not answer the proxy before it (HTTP 502).'],
    ['broken off in the middle', halfABody, 'broke off its answer (UND_ERR_SOCKET).'],
    ['hanging up', hangUp, 'broke off its answer (UND_ERR_SOCKET).'],
  ];

  test.each(busy)('%s: is asked once more', async (_kind, fault, sentence) => {
    const { service, register, waits, name, methods } = await start();
    service.fail(fault, fault, fault);
    const failure = await failureOf(reading(register));
    expect([failure.reason, failure.message]).toEqual(['service-unavailable', `${name} ${sentence}`]);
    expect(methods()).toEqual(['GET', 'GET']);
    expect(waits).toEqual([500]);
    expect(await reading(register)).toMatchObject({ person: 'ada', others: [] });
  });

  test.each(busy)('%s: a change is sent once, and its outcome is unknown', async (_kind, fault, sentence) => {
    const { service, register, name, methods } = await start();
    const { id } = await register.add(input, 'ada');
    service.fail(fault);
    const message = `${name} ${sentence} ${unknownOutcome}`;
    expect(await failureOf(adding(register))).toMatchObject({ reason: 'outcome-unknown', message });
    service.fail((_response, goOn) => goOn(), fault);
    expect(await failureOf(register.change(id, () => input, 'ada'))).toMatchObject({ message });
    expect(methods()).toEqual(['POST', 'POST', 'GET', 'PUT']);
  });

  test('other failures of it are final', async () => {
    const { service, register, name, methods } = await start();
    service.fail(json({ status: 500, message: 'NullPointerException.' }, 500));
    expect((await failureOf(reading(register))).message).toBe(
      `${name} answered with HTTP 500: NullPointerException.`,
    );
    expect(methods()).toEqual(['GET']);
  });

  test('a silence is not waited for again, and a change is sent once', async () => {
    const { service, register, name, methods, timeIsUp } = await start();
    service.fail(timeIsUp, timeIsUp);
    expect((await failureOf(reading(register))).message).toBe(`${name} did not answer within 10 s.`);
    expect(await failureOf(adding(register))).toMatchObject({
      reason: 'outcome-unknown',
      message: `${name} did not answer within 10 s. ${unknownOutcome}`,
    });
    expect(methods()).toEqual(['GET', 'POST']);
  });

  test.each([reading, adding])('where nothing was sent, anything is tried once more: %p', async (ask) => {
    const { service, register, waits, name } = await start();
    await service.close();
    expect(await failureOf(ask(register))).toMatchObject({
      reason: 'service-unavailable',
      message: `${name} cannot be reached (ECONNREFUSED).`,
    });
    expect(waits).toEqual([500]);
  });
});

describe('too many requests', () => {
  test.each([
    ['4', [4000]],
    ['10', [10_000]],
    ['soon', [500]],
    ['Mon, 16 Mar 2026 08:00:07 GMT', [7000]],
  ])('Retry-After: %s is waited for, also by what changes something', async (header, expected) => {
    for (const ask of [reading, adding]) {
      const { service, register, waits, methods } = await start();
      service.fail(tooMany(header));
      await ask(register);
      expect(waits).toEqual(expected);
      expect(methods()).toHaveLength(2);
    }
  });

  test('a longer wait, or a second refusal, is final; a change was not made', async () => {
    const { service, register, name, methods } = await start();
    service.fail(tooMany('11'), tooMany('1'), tooMany('1'));
    const message = `${name} takes no more requests for now (HTTP 429).`;
    expect(await failureOf(reading(register))).toMatchObject({ message });
    expect(await failureOf(adding(register))).toMatchObject({ reason: 'service-unavailable', message });
    expect(methods()).toEqual(['GET', 'POST', 'POST']);
  });
});

describe('answers that are none', () => {
  test.each([
    [{ ...good, delegates: ['bob', 7] }, "delegates[1] is '7'"],
    [{ ...good, delegates: ['bob', ''] }, 'delegates[1] is \'""\''],
    [{ ...good, asOf: '2026-02-30 09:00:00 +0100' }, `asOf is '"2026-02-30 09:00:00 +0100"'`],
    [{ person: 'ada' }, "delegator is 'nothing'"],
    [null, "the answer is 'null'"],
  ])('another shape: the first difference is named: %j', async (body, difference) => {
    const { service, register, name, methods } = await start();
    service.fail(json(body));
    expect(await failureOf(reading(register))).toMatchObject({
      reason: 'service-unavailable',
      message: `${name} answered in an unknown format: ${difference}.`,
    });
    expect(methods()).toEqual(['GET']);
  });

  test('a page with a good status, or too large an answer', async () => {
    const { service, register, name } = await start();
    service.fail(page(200, 'Log in', 'Who are you?'), json({ ...good, notes: 'x'.repeat(10_000_001) }));
    for (const words of [
      'answered with something other than JSON; is DELEGATION_BASE_URL right?',
      'answered with more than 10 MB.',
    ]) {
      expect((await failureOf(reading(register))).message).toBe(`${name} ${words}`);
    }
  });

  test('after a change its outcome is unknown', async () => {
    const { service, register } = await start();
    for (const fault of [json({ created: true }, 201), page(200, 'Log in', 'Who are you?')]) {
      service.fail(fault);
      expect((await failureOf(adding(register))).reason).toBe('outcome-unknown');
    }
  });

  test.each([
    ['https://login.dwell.example/in?session=s3cret', 'https://login.dwell.example'],
    [null, 'nowhere'],
  ])('a redirect to %s is not followed; only its origin is named', async (location, origin) => {
    const { service, register, name, methods } = await start();
    service.fail(redirect(location));
    expect((await failureOf(reading(register))).message).toBe(
      `${name} answers with a redirect to ${origin} (HTTP 302); is DELEGATION_BASE_URL right?`,
    );
    expect(methods()).toEqual(['GET']);
  });

  test('an answer about other names, or another record', async () => {
    const { service, register, name } = await start();
    service.fail(
      json({ ...good, delegator: 'mallory' }),
      json({ delegate: 'ada', asOf, category: 'Approval', delegators: ['carl'] }),
      json(record(777)),
    );
    for (const [asked, words] of [
      [() => reading(register), "'ada' in 'general' and answers about 'mallory' in 'general'"],
      [
        () => register.delegatorsOf('ada', 'expense', now),
        "'ada' in 'expense' and answers about 'ada' in 'Approval'",
      ],
      [() => register.delegation(5), 'the delegation 5 and answers about the delegation 777'],
    ] as const) {
      const message = `${name} was asked about ${words}.`;
      expect(await failureOf(asked())).toMatchObject({ reason: 'service-unavailable', message });
    }
  });

  test('a change that is answered with another record has an unknown outcome', async () => {
    const { service, register, name } = await start();
    service.fail(json(record(5, { delegator: 'zz' })), json(record(5)), json(record(777)));
    expect(await failureOf(adding(register))).toMatchObject({
      reason: 'outcome-unknown',
      message: `${name} was asked about a delegation of 'ada' and answers about the delegation 5 of 'zz'. ${unknownOutcome}`,
    });
    const { message } = await failureOf(register.change(5, (stored) => stored, 'ada'));
    expect(message).toContain(
      "was asked about the delegation 5 of 'ada' and answers about the delegation 777",
    );
  });
});
