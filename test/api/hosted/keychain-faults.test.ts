import { describe, expect, test } from '#jest';
import type { DelegationRecords } from '../../../src/api/delegations/delegation-api.ts';
import { createKeychainRegister } from '../../../src/api/hosted/create-keychain-register.ts';
import { httpSurroundings } from '../../../src/http-surroundings.ts';
import type { DelegationInput } from '../../../src/model/delegation.ts';
import {
  type Fault,
  halfABody,
  hangUp,
  held,
  json,
  licencePage,
  page,
  redirect,
  switchedOff,
  tooMany,
  userPage,
} from '../../support/stand-in-keychain-faults.ts';
import { failureOf, hostedNow as now, startHosted as start } from './start-hosted.ts';

const wish: DelegationInput = {
  active: true,
  delegator: 'ada',
  delegates: ['bob'],
  categoryIds: [],
  start: now,
  end: now + 3_600_000,
  notes: 'On a journey',
};
const unsure = 'Nobody knows whether the delegation was saved: look at the list before trying again.';

const reading = (register: DelegationRecords) => register.delegatesOf('ada', 'general', now);

describe('credentials that are not taken', () => {
  test.each<[string, Fault, string]>([
    ['the page about a licence', licencePage, 'Invalid Licence'],
    ['the page about a user', userPage, 'Invalid User'],
    ['JSON about a licence', json({ status: 401, message: 'Invalid Licence' }, 401), 'Invalid Licence'],
    ['JSON about a license', json({ status: 401, message: 'No valid license' }, 401), 'Invalid Licence'],
    ['JSON about a user', json({ status: 401, message: 'Invalid User' }, 401), 'Invalid User'],
    ['an empty page', page(401, '', ''), 'Invalid User'],
    [
      'a page about a user that mentions the licence of the tracker',
      page(401, 'Unauthorized', 'Reason : AUTHENTICATED_FAILED. Powered by an evaluation license'),
      'Invalid User',
    ],
  ])('%s names the settings and the reason, and is not repeated', async (_kind, fault, reason) => {
    const { service, register, name, methods } = await start();
    service.fail(fault);
    expect(await failureOf(reading(register))).toMatchObject({
      code: 'unavailable',
      message: `${name} refuses DELEGATION_USER and DELEGATION_PASSWORD: ${reason}.`,
    });
    expect(methods()).toEqual(['GET']);
  });

  test('a token is named as the setting it is', async () => {
    const { service } = await start();
    const register = createKeychainRegister(
      {
        baseUrl: service.baseUrl,
        credentials: { kind: 'bearer', token: 'a-token' },
        timeZone: 'Europe/Berlin',
      },
      httpSurroundings(() => now),
    );
    const { message } = await failureOf(reading(register));
    expect(message).toMatch(/ refuses DELEGATION_TOKEN: Invalid User\.$/);
  });

  test('secrets that come back are not told, however they come', async () => {
    const { service, register } = await start();
    const password = 'correct horse';
    const pair = btoa(`reader:${password}`);
    service.fail(
      json({ status: 500, message: `Basic ${pair} with ${password}` }, 500),
      json({ delegator: { authorization: `Basic ${pair}`, password } }),
      json({ status: 400, message: password, errors: { category: password } }, 400),
    );
    for (const part of ['with …', '{"authorization":"Basic …","password":"…"}', '…']) {
      const { message, details } = await failureOf(reading(register));
      const text = [message, ...details].join(' ');
      expect(text).toContain(part);
      expect(text).not.toMatch(/horse|cmVhZGVy/);
    }
  });
});

describe('refusals of the service', () => {
  test('403 tells its words and whose right is missing', async () => {
    const { service, register } = await start();
    const words = 'You do not have permission to query delegations of other users.';
    service.fail(json({ status: 403, message: words, timestamp: 1 }, 403));
    expect(await failureOf(reading(register))).toMatchObject({
      code: 'not-allowed',
      message: `${words} The user of DELEGATION_USER lacks this right in the delegation service.`,
    });
  });

  test.each([1630043290559, '2024-12-20 10:35:20 +0000'])(
    '400 tells its sentences by parameter, with the timestamp %p',
    async (timestamp) => {
      const { service, register, methods } = await start();
      const errors = { category: 'category is required.' };
      service.fail(json({ status: 400, message: 'category is required.', timestamp, errors }, 400));
      expect(await failureOf(reading(register))).toMatchObject({
        code: 'bad-request',
        message: 'Bad request',
        details: ['category is required.'],
        fields: errors,
      });
      expect(methods()).toEqual(['GET']);
    },
  );

  test('400 without sentences by parameter tells its message', async () => {
    const { service, register } = await start();
    service.fail(
      json({ status: 400, message: 'No.', errors: { endDate: 'endDate is wrong.' } }, 400),
      json({ status: 400, message: 'No.' }, 400),
    );
    expect(await failureOf(reading(register))).toMatchObject({ details: ['No.', 'endDate is wrong.'] });
    expect(await failureOf(reading(register))).toMatchObject({ details: ['No.'], fields: {} });
  });

  test('404 of what is not there is told in its words', async () => {
    const { register } = await start();
    expect(await failureOf(register.delegation(7))).toMatchObject({
      code: 'not-found',
      message: 'Delegation with id "7" could not be found.',
    });
  });

  test('a page in place of a refusal is no refusal of the service', async () => {
    const { service, register, name } = await start();
    service.fail(page(403, 'Forbidden', 'Blocked by the firewall'));
    expect(await failureOf(reading(register))).toMatchObject({
      code: 'unavailable',
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
    ['behind a slow gateway', page(504, '', ''), 'does not answer the proxy before it (HTTP 504).'],
    ['broken off in the middle', halfABody, 'broke off its answer (UND_ERR_SOCKET).'],
    ['hanging up', hangUp, 'broke off its answer (UND_ERR_SOCKET).'],
  ];

  test.each(busy)('%s: is asked three times, with longer pauses', async (_kind, fault, sentence) => {
    const { service, register, waits, name, methods } = await start();
    service.fail(fault, fault, fault);
    expect(await failureOf(reading(register))).toMatchObject({
      code: 'unavailable',
      message: `${name} ${sentence}`,
    });
    expect(methods()).toEqual(['GET', 'GET', 'GET']);
    expect(waits).toEqual([500, 1000]);
  });

  test.each(busy)('%s: nobody notices when the third try is answered', async (_kind, fault) => {
    const { service, register, methods } = await start();
    service.fail(fault, fault);
    expect(await reading(register)).toMatchObject({ person: 'ada', others: [] });
    expect(methods()).toHaveLength(3);
  });

  test.each(busy)(
    '%s: a new delegation is sent once, and its fate is told',
    async (_kind, fault, sentence) => {
      const { service, register, name, methods } = await start();
      service.fail(fault);
      expect(await failureOf(register.add(wish, 'ada'))).toMatchObject({
        code: 'unavailable',
        message: `${name} ${sentence} ${unsure}`,
      });
      expect(methods()).toEqual(['POST']);
    },
  );

  test.each(busy)('%s: a change is sent once', async (_kind, fault) => {
    const { service, register, methods } = await start();
    const { id } = await register.add(wish, 'ada');
    service.fail((_response, goOn) => goOn(), fault);
    const { message } = await failureOf(register.change(id, () => wish, 'ada'));
    expect(message).toContain(unsure);
    expect(methods()).toEqual(['POST', 'GET', 'PUT']);
  });

  test('up to half of a pause is left out at random', async () => {
    const { service, register, waits } = await start({ random: 1 });
    service.fail(switchedOff, switchedOff);
    await reading(register);
    expect(waits).toEqual([250, 500]);
  });

  test('other failures of it are told at once', async () => {
    const { service, register, name, methods } = await start();
    service.fail(json({ status: 500, message: 'NullPointerException.' }, 500));
    expect((await failureOf(reading(register))).message).toBe(
      `${name} answered with HTTP 500: NullPointerException.`,
    );
    expect(methods()).toEqual(['GET']);
  });
});

describe('too many requests', () => {
  test.each([
    ['4', [4000]],
    ['10', [10_000]],
    ['0', [500]],
    ['soon', [500]],
    ['Mon, 16 Mar 2026 08:00:07 GMT', [7000]],
    ['Mon, 16 Mar 2026 07:00:00 GMT', [500]],
  ])('Retry-After: %s is waited for, also by what changes something', async (header, expected) => {
    for (const ask of [reading, (register: DelegationRecords) => register.add(wish, 'ada')]) {
      const { service, register, waits, methods } = await start();
      service.fail(tooMany(header));
      await ask(register);
      expect(waits).toEqual(expected);
      expect(methods()).toHaveLength(2);
    }
  });

  test.each(['11', 'Mon, 16 Mar 2026 09:00:00 GMT'])(
    'Retry-After: %s is too long, and asking earlier would be rude',
    async (header) => {
      const { service, register, waits, name, methods } = await start();
      service.fail(tooMany(header));
      expect((await failureOf(reading(register))).message).toBe(
        `${name} takes no more requests for now (HTTP 429).`,
      );
      expect(waits).toEqual([]);
      expect(methods()).toHaveLength(1);
    },
  );

  test('a new delegation that was never taken is not said to be saved perhaps', async () => {
    const { service, register, name } = await start();
    service.fail(tooMany('1'), tooMany('1'), tooMany('1'));
    expect((await failureOf(register.add(wish, 'ada'))).message).toBe(
      `${name} takes no more requests for now (HTTP 429).`,
    );
  });
});

describe('a service that takes long', () => {
  test('is asked three times, each as long as a try may take', async () => {
    const { service, register, name, methods, timeIsUp } = await start();
    service.fail(timeIsUp, timeIsUp, timeIsUp);
    expect(await failureOf(reading(register))).toMatchObject({
      code: 'unavailable',
      message: `${name} did not answer within 10 s.`,
    });
    expect(methods()).toEqual(['GET', 'GET', 'GET']);
  });

  test('may begin its answer in time and not end it', async () => {
    const { service, register, name, timeIsUp } = await start();
    const begun: Fault = (response, goOn) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.write('{"delegator":', () => timeIsUp(response, goOn));
    };
    service.fail(begun, begun, begun);
    expect((await failureOf(reading(register))).message).toBe(`${name} did not answer within 10 s.`);
  });

  test('gets a new delegation once', async () => {
    const { service, register, name, methods, timeIsUp } = await start();
    service.fail(timeIsUp);
    expect((await failureOf(register.add(wish, 'ada'))).message).toBe(
      `${name} did not answer within 10 s. ${unsure}`,
    );
    expect(methods()).toEqual(['POST']);
  });

  test('holds nobody up who asks something else', async () => {
    const { service, register } = await start();
    const slow = held();
    service.fail(slow.fault);
    const first = reading(register);
    expect(await register.categories()).toHaveLength(1);
    slow.release();
    expect(await first).toMatchObject({ person: 'ada' });
  });
});

describe('a service that is not there', () => {
  test('is tried three times, also with a new delegation: nothing was sent', async () => {
    for (const ask of [reading, (register: DelegationRecords) => register.add(wish, 'ada')]) {
      const { service, register, waits, name } = await start();
      await service.close();
      expect(await failureOf(ask(register))).toMatchObject({
        code: 'unavailable',
        message: `${name} cannot be reached (ECONNREFUSED).`,
      });
      expect(waits).toEqual([500, 1000]);
    }
  });

  test('is told apart from an address that leads to something else', async () => {
    const { service, register, name } = await start();
    const dead = page(404, 'Dead link', 'Nothing here');
    service.fail(dead, dead);
    expect((await failureOf(reading(register))).message).toBe(
      `${name} has no delegation interface (HTTP 404); is DELEGATION_BASE_URL right?`,
    );
  });

  test.each([
    ['https://login.dwell.example/in?session=s3cret', 'https://login.dwell.example'],
    ['//sso.dwell.example/in', 'http://sso.dwell.example'],
    [null, 'nowhere'],
    ['http://', 'nowhere'],
  ])('a redirect to %s is not followed; only its origin is told', async (location, told) => {
    const { service, register, name, methods } = await start();
    service.fail(redirect(location));
    expect((await failureOf(reading(register))).message).toBe(
      `${name} answers with a redirect to ${told} (HTTP 302); is DELEGATION_BASE_URL right?`,
    );
    expect(methods()).toEqual(['GET']);
  });
});

describe('answers in another shape', () => {
  const good = {
    delegator: 'ada',
    asOf: '2026-03-16 09:00:00 +0100',
    category: 'general',
    delegates: ['bob'],
  };
  const record = {
    delegationId: 122,
    version: 1,
    active: true,
    delegator: 'ada',
    delegates: ['bob'],
    categoryIds: [],
    startDate: '2026-03-16T08:00Z',
    endDate: '2026-03-17T08:00Z',
    notes: 'asd',
  };

  test.each([
    [{ ...good, delegates: ['bob', 7] }, "delegates[1] is '7'"],
    [{ ...good, asOf: 'today' }, `asOf is '"today"'`],
    [{ ...good, asOf: '2026-02-30 09:00:00 +0100' }, `asOf is '"2026-02-30 09:00:00 +0100"'`],
    [{ person: 'ada' }, "delegator is 'nothing'"],
    [['x'.repeat(200)], `the answer is '["${'x'.repeat(58)}…'`],
    [null, "the answer is 'null'"],
  ])('a look-up: the first difference is told with its place: %j', async (body, told) => {
    const { service, register, name, methods } = await start();
    service.fail(json(body));
    expect(await failureOf(reading(register))).toMatchObject({
      code: 'unavailable',
      message: `${name} answered in an unknown shape: ${told}.`,
    });
    expect(methods()).toEqual(['GET']);
  });

  test('a list: likewise', async () => {
    const { service, register, name } = await start();
    service.fail(json({ total: 1, values: [{ ...record, startDate: 1 }] }), json([{ name: 'Expense' }]));
    expect((await failureOf(register.delegations())).message).toBe(
      `${name} answered in an unknown shape: values[0].startDate is '1'.`,
    );
    expect((await failureOf(register.categories())).message).toBe(
      `${name} answered in an unknown shape: values[0].id is 'nothing'.`,
    );
  });

  test('a page with a good status is no answer', async () => {
    const { service, register, name } = await start();
    service.fail(page(200, 'Log in', 'Who are you?'));
    expect((await failureOf(reading(register))).message).toBe(
      `${name} answered with something else than JSON; is DELEGATION_BASE_URL right?`,
    );
  });

  test('after a new delegation its fate is told as well', async () => {
    const { service, register, methods } = await start();
    for (const fault of [json({ created: true }, 201), page(200, 'Log in', 'Who are you?')]) {
      service.fail(fault);
      expect((await failureOf(register.add(wish, 'ada'))).message).toContain(unsure);
    }
    expect(methods()).toEqual(['POST', 'POST']);
  });

  test('more than ten million bytes are not read', async () => {
    const { service, register, name, methods } = await start();
    service.fail(json({ ...good, notes: 'x'.repeat(10_000_001) }));
    expect((await failureOf(reading(register))).message).toBe(`${name} answered with more than 10 MB.`);
    expect(methods()).toEqual(['GET']);
  });

  test.each([
    { delegationId: '122', version: '1', categoryIds: ['2'] },
    { categoryIds: [2], startDate: '2026-03-16T08:00:00Z', endDate: '2026-03-17T08:00:00.000Z' },
    { categoryIds: [2], startDate: '2026-03-16T11:00+03:00', endDate: '2026-03-16T23:00-0900', added: 1 },
  ])('ways of writing a record that mean the same are taken: %j', async (more) => {
    const { service, register } = await start();
    service.fail(json({ ...record, ...more }));
    expect(await register.delegation(122)).toEqual({
      id: 122,
      version: 1,
      active: true,
      delegator: 'ada',
      delegates: ['bob'],
      categoryIds: [2],
      start: now,
      end: now + 86_400_000,
      notes: 'asd',
    });
  });

  test.each([null, undefined])('a record without notes and categories (%p) is general', async (none) => {
    const { service, register } = await start();
    service.fail(json({ ...record, categoryIds: none, notes: none }));
    expect(await register.delegation(122)).toMatchObject({ categoryIds: [], notes: '' });
  });

  test('general is no category of the list, and ids may be called otherwise', async () => {
    const { service, register } = await start();
    service.fail(
      json({
        values: [
          { categoryId: '2', name: 'Expense' },
          { id: 0, name: 'General' },
        ],
      }),
    );
    expect(await register.categories()).toEqual([{ id: 2, name: 'Expense', description: '' }]);
  });
});
