import { z } from 'zod';
import { describe, expect, test } from '#jest';
import { failureOf } from './start-keychain.ts';
import { json, page, refusal, startTis, type TisAnswer, tisToken } from './start-tis.ts';

const shape = z.object({ ok: z.boolean() });
const ok = json({ ok: true });
/** Each answer once, the last one from then on. */
const inTurn = (...answers: readonly TisAnswer[]): TisAnswer => {
  let next = 0;
  return (response, call) => {
    answers[Math.min(next, answers.length - 1)]?.(response, call);
    next += 1;
  };
};

describe('the path', () => {
  test.each([
    ['a page', page(404)],
    ['a refusal', refusal(404, 'The resource could not be found.')],
  ])('of the contract is tried first, the live one after %s; it is remembered', async (_what, notFound) => {
    const { client, paths } = await startTis((response, call) =>
      (call.path === '/rest/list2' ? ok : notFound)(response, call),
    );
    await client.ask({ place: 'pages' }, shape);
    await client.ask({ place: 'pages' }, shape);
    expect(paths()).toEqual(['GET /rest/issues/v2', 'GET /rest/list2', 'GET /rest/list2']);
  });

  test.each([
    ['/rest/issues/v2', '/rest/list2', page(404)],
    ['/rest/list2', '/rest/issues/v2', page(404)],
    ['/rest/issues/v2', '/rest/list2', refusal(404, 'The resource could not be found.')],
    ['/rest/list2', '/rest/issues/v2', refusal(405, 'Method not allowed.')],
  ])('that has moved from %s to %s is found within the same question', async (before, after, gone) => {
    let there = before;
    const { client, paths } = await startTis((response, call) =>
      (call.path === there ? ok : gone)(response, call),
    );
    await client.ask({ place: 'pages' }, shape);
    there = after;
    const asked = paths().length;
    await client.ask({ place: 'pages' }, shape);
    await client.ask({ place: 'pages' }, shape);
    expect(paths().slice(asked)).toEqual([`GET ${before}`, `GET ${after}`, `GET ${after}`]);
  });

  test('of a Dwell that has no such path any more is no missing calendar', async () => {
    const { client } = await startTis((response, call) =>
      (call.path.startsWith('/rest/calendars/')
        ? json({ status: 404, message: 'No such endpoint', reason: 'unknown-endpoint' }, 404)
        : ok)(response, call),
    );
    await client.ask({ place: 'calendars' }, shape);
    expect(await client.ask({ place: 'calendars', below: '/8' }, shape)).toEqual(
      await client.ask({ place: 'calendars' }, shape),
    );
  });

  test('that has answered is believed when something is missing', async () => {
    const { client, paths } = await startTis((response, call) =>
      (call.path.endsWith('/8') ? refusal(404, 'No such calendar.') : ok)(response, call),
    );
    await client.ask({ place: 'calendars' }, shape);
    expect(await failureOf(client.ask({ place: 'calendars', below: '/8' }, shape))).toMatchObject({
      reason: 'unknown-calendar',
      message: 'No such calendar.',
    });
    expect(paths()).toEqual(['GET /rest/calendars', 'GET /rest/calendars/8']);
  });

  test('may follow one of the address, and is named where there is none', async () => {
    const { client, paths, origin } = await startTis(page(404), { basePath: '/tis' });
    expect(await failureOf(client.ask({ place: 'list' }, shape))).toMatchObject({
      reason: 'unsupported-by-service',
      message: `The time-in-status service at ${origin} has neither /tis/rest/issues nor /tis/rest/list (HTTP 404); is TIS_BASE_URL right?`,
    });
    expect(paths()).toEqual(['GET /tis/rest/issues', 'GET /tis/rest/list']);
  });
});

describe('parameters', () => {
  test('are in the address while they are few, and in a form when they are many', async () => {
    const { client, calls } = await startTis(ok);
    const long = 'x'.repeat(3000);
    await client.ask({ place: 'pages', parameters: { customjql: 'a' } }, shape);
    await client.ask({ place: 'pages', parameters: { customjql: long } }, shape);
    await client.ask({ place: 'issue', parameters: { issueKey: long } }, shape);
    expect(calls.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']);
    expect(calls[1]?.asked).toEqual({ customjql: long });
  });

  test('never hold the token, which is in the header', async () => {
    const { client, calls } = await startTis(ok);
    await client.ask({ place: 'pages', parameters: { customjql: 'a' } }, shape);
    expect(calls[0]).toMatchObject({ authorization: `TISJWT ${tisToken}`, asked: { customjql: 'a' } });
  });
});

describe('what comes in place of an answer', () => {
  const words = ['columnsBy is invalid.'];
  test.each<[TisAnswer, object]>([
    [
      refusal(401, 'Unauthorized access', ['tisjwt is required for authentication.']),
      { reason: 'service-unavailable', says: 'refuses TIS_TOKEN: tisjwt is required for authentication.' },
    ],
    [refusal(400, 'No.', words), { reason: 'invalid-value', message: 'Bad request', details: words }],
    [
      refusal(404, 'No.', words),
      {
        reason: 'unsupported-by-service',
        says: 'has neither /rest/issues/v2 nor /rest/list2 (HTTP 404: No); is TIS_BASE_URL right?',
      },
    ],
    [
      refusal(403, 'No.', words),
      {
        reason: 'missing-right',
        message:
          'No. columnsBy is invalid. The user of TIS_TOKEN lacks this right in the time-in-status service.',
      },
    ],
    [
      json({}, 302, { Location: 'https://login.example/?session=secret' }),
      {
        reason: 'service-unavailable',
        says: 'answers with a redirect to https://login.example (HTTP 302); is TIS_BASE_URL right?',
      },
    ],
    [
      json({ ok: { is: tisToken } }),
      { reason: 'service-unavailable', says: `answered in an unknown format: ok is '{"is":"…"}'.` },
    ],
    [
      page(200),
      {
        reason: 'service-unavailable',
        says: 'answered with something other than JSON; is TIS_BASE_URL right?',
      },
    ],
    [
      refusal(408, 'The request took too long.'),
      {
        reason: 'service-unavailable',
        says: 'gave up after its time (HTTP 408: The request took too long). Ask about fewer issues.',
      },
    ],
  ])('is one of a few failures: %#', async (answer, { says, ...failure }: { says?: string }) => {
    const { client, origin, calls } = await startTis(answer);
    const message = says === undefined ? {} : { message: `The time-in-status service at ${origin} ${says}` };
    expect(await failureOf(client.ask({ place: 'pages' }, shape))).toMatchObject({ ...failure, ...message });
    expect(calls.length).toBeLessThanOrEqual(2);
  });

  test.each<[string, TisAnswer, object]>([
    [
      'a parameter that was asked',
      refusal(400, 'No.', ["customjql: '=' is no field.", 'Try again.']),
      {
        fields: { customjql: "customjql: '=' is no field." },
        parts: [{ field: 'customjql', problem: ": '=' is no field." }, 'Try again.'],
      },
    ],
    [
      'one that the service names',
      json({ status: 400, message: 'id is odd.', errors: { id: 'id is odd.' } }, 400),
      { fields: { id: 'id is odd.' }, parts: [{ field: 'id', problem: ' is odd.' }] },
    ],
    [
      'what is missing',
      refusal(404, 'No.', ["customjql 'a' could not be found."]),
      {
        reason: 'unknown-issue',
        fields: { customjql: "customjql 'a' could not be found." },
        parts: [{ field: 'customjql', problem: " 'a' could not be found." }],
      },
    ],
  ])('is by field where it is about %s', async (_what, answer, failure) => {
    const { client } = await startTis(answer);
    const asked = client.ask({ place: 'issue', parameters: { customjql: 'a' } }, shape);
    expect(await failureOf(asked)).toMatchObject(failure);
  });

  test('may be a silence, which is not waited for again', async () => {
    const over = new AbortController();
    const { client, calls } = await startTis(() => over.abort(), { deadline: () => over.signal });
    const { message } = await failureOf(client.ask({ place: 'pages' }, shape));
    expect(message).toMatch(/did not answer within 75 s\. Ask about fewer issues\.$/);
    expect(calls).toHaveLength(1);
  });

  test('may be an abort, which ends with its reason', async () => {
    const given = new AbortController();
    const { client } = await startTis(() => given.abort(new Error('no more')));
    await expect(client.ask({ place: 'pages', signal: given.signal }, shape)).rejects.toThrow('no more');
  });
});

describe('another try', () => {
  test.each<[string, TisAnswer]>([
    ['429', refusal(429, 'Too many requests.')],
    ['502', page(502)],
    ['503', page(503)],
    ['a reset', (response) => void response.destroy()],
  ])('is made after %s, once', async (_what, fault) => {
    const { client, waits } = await startTis(inTurn(fault, ok));
    expect(await client.ask({ place: 'formats' }, shape)).toEqual({ ok: true });
    expect(waits).toEqual([500]);
    const other = await startTis(fault);
    expect((await failureOf(other.client.ask({ place: 'formats' }, shape))).code).toBe('unavailable');
    expect(other.calls).toHaveLength(2);
  });

  test('of an aggregation is waited for as long as the service asks, up to a minute', async () => {
    const busy = json({ status: 429, message: 'Busy.', messages: null }, 429, { 'Retry-After': '45' });
    const { client, waits } = await startTis(inTurn(busy, ok));
    await client.ask({ place: 'aggregation' }, shape);
    expect(waits).toEqual([45_000]);
  });

  test('is not made of a change that may have been made', async () => {
    const { client, calls } = await startTis((response) => void response.destroy());
    const put = { place: 'formats', method: 'PUT', json: { dateFormat: 'yyyy' } } as const;
    expect(await failureOf(client.ask(put, shape))).toMatchObject({
      reason: 'outcome-unknown',
      message: expect.stringMatching(/It is unknown whether it was done; check before trying again\.$/),
    });
    expect(calls).toHaveLength(1);
  });
});

test('aggregations follow one another', async () => {
  const waiting: (() => void)[] = [];
  const { client, calls } = await startTis((response, call) => {
    waiting.push(() => ok(response, call));
    if (waiting.length === 1) setImmediate(() => waiting[0]?.());
    else waiting.at(-1)?.();
  });
  const both = Promise.all([
    client.ask({ place: 'aggregation' }, shape).then(() => calls.length),
    client.ask({ place: 'aggregation' }, shape),
  ]);
  expect((await both)[0]).toBe(1);
});
