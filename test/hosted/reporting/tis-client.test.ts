import { z } from 'zod';
import { describe, expect, test } from '#jest';
import { TookTooLong, UnknownPlace } from '../../../src/hosted/tis-failures.ts';
import { failureOf } from '../start-hosted.ts';
import { json, page, refusal, startTis, type TisAnswer, tisToken } from './start-tis.ts';

const shape = z.object({ ok: z.boolean() });
const ok = json({ ok: true });
const hangUp: TisAnswer = (response) => void response.destroy();
/** Each answer once, the last one from then on. */
const inTurn = (...answers: readonly TisAnswer[]): TisAnswer => {
  let next = 0;
  return (response, call) => {
    answers[Math.min(next, answers.length - 1)]?.(response, call);
    next += 1;
  };
};

describe('the path', () => {
  test('of the contract is tried first, and the live one where that is unknown; it is remembered', async () => {
    const { client, paths } = await startTis((response, call) =>
      (call.path === '/rest/list2' ? ok : page(404))(response, call),
    );
    await client.ask({ place: 'pages' }, shape);
    await client.ask({ place: 'pages' }, shape);
    expect(paths()).toEqual(['GET /rest/issues/v2', 'GET /rest/list2', 'GET /rest/list2']);
  });

  test('is known where the service itself refuses', async () => {
    const { client, paths } = await startTis(refusal(405, 'Not so.'));
    await failureOf(client.ask({ place: 'pages' }, shape));
    expect(paths()).toEqual(['GET /rest/issues/v2']);
  });

  test('is not known by a 404, whoever says it; the service is believed where no path answers', async () => {
    const { client, paths } = await startTis((response, call) =>
      (call.asked.jqlFilterID === '9' ? refusal(404, 'The filter could not be found.') : ok)(response, call),
    );
    const missing = { place: 'pages', parameters: { jqlFilterID: '9' } } as const;
    expect(await failureOf(client.ask(missing, shape))).toMatchObject({
      code: 'not-found',
      message: 'The filter could not be found.',
    });
    await client.ask({ place: 'pages' }, shape);
    expect(paths()).toEqual(['GET /rest/issues/v2', 'GET /rest/list2', 'GET /rest/issues/v2']);
  });

  test('that has answered is believed when it does not know an id', async () => {
    const { client, paths } = await startTis((response, call) =>
      (call.path.endsWith('/8') ? refusal(404, 'No such calendar.') : ok)(response, call),
    );
    const eight = { place: 'calendars', below: '/8' } as const;
    await client.ask({ place: 'calendars' }, shape);
    expect(await failureOf(client.ask(eight, shape))).toMatchObject({ code: 'not-found' });
    expect(paths()).toEqual(['GET /rest/calendars', 'GET /rest/calendars/8']);
  });

  test('may follow on one of the address', async () => {
    const { client, paths } = await startTis(ok, { basePath: '/tis' });
    await client.ask({ place: 'formats' }, shape);
    expect(paths()).toEqual(['GET /tis/rest/formatSettings']);
  });

  test('that is known nowhere is told with all that were tried', async () => {
    const { client, origin } = await startTis(page(404));
    const failure = await failureOf(client.ask({ place: 'list' }, shape));
    expect(failure).toBeInstanceOf(UnknownPlace);
    expect(failure.message).toBe(
      `The time-in-status service at ${origin} has neither /rest/issues nor /rest/list (HTTP 404); is TIS_BASE_URL right?`,
    );
  });

  test('behind which somebody shows a page is none', async () => {
    const { client, origin } = await startTis(page(200));
    const failure = await failureOf(client.ask({ place: 'formats' }, shape));
    expect(failure.message).toBe(
      `The time-in-status service at ${origin} answers /rest/formatSettings with a page where JSON was asked for; is TIS_BASE_URL right?`,
    );
  });
});

describe('parameters', () => {
  test('stand in the address while they are few, and in a form when they are many', async () => {
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
    expect(calls[0]?.authorization).toBe(`TISJWT ${tisToken}`);
    expect(calls[0]?.asked).toEqual({ customjql: 'a' });
  });
});

describe('what comes in place of an answer', () => {
  test('401 tells the setting and the sentences of the service', async () => {
    const { client, origin } = await startTis(
      refusal(401, 'Unauthorized access', ['tisjwt is required for authentication.']),
    );
    expect(await failureOf(client.ask({ place: 'formats' }, shape))).toMatchObject({
      code: 'unavailable',
      message: `The time-in-status service at ${origin} refuses TIS_TOKEN: tisjwt is required for authentication.`,
    });
  });

  test.each([
    [400, 'bad-request', 'Bad request', ['columnsBy is invalid.']],
    [404, 'not-found', 'No.', ['columnsBy is invalid.']],
    [
      403,
      'not-allowed',
      'No. columnsBy is invalid. The user of TIS_TOKEN lacks this right in the time-in-status service.',
      [],
    ],
  ])('%p of the service is %s', async (status, code, message, details) => {
    const { client } = await startTis(refusal(status, 'No.', ['columnsBy is invalid.']));
    expect(await failureOf(client.ask({ place: 'formats' }, shape))).toMatchObject({
      code,
      message,
      details,
    });
  });

  test('a redirect tells where to, and nothing of what stands behind', async () => {
    const { client, origin } = await startTis(
      json({}, 302, { Location: 'https://login.example/?session=secret' }),
    );
    const { message } = await failureOf(client.ask({ place: 'formats' }, shape));
    expect(message).toBe(
      `The time-in-status service at ${origin} answers with a redirect to https://login.example (HTTP 302); is TIS_BASE_URL right?`,
    );
  });

  test('another shape tells the place and what stands there, but no secret', async () => {
    const { client, origin } = await startTis(json({ ok: { is: tisToken } }));
    const { message } = await failureOf(client.ask({ place: 'formats' }, shape));
    expect(message).toBe(
      `The time-in-status service at ${origin} answered in an unknown shape: ok is '{"is":"…"}'.`,
    );
  });

  test.each([408, 504])('%p means that a smaller question may be answered', async (status) => {
    const { client } = await startTis(refusal(status, 'The request took too long.'));
    expect(await failureOf(client.ask({ place: 'pages' }, shape))).toBeInstanceOf(TookTooLong);
  });

  test('a silence means the same, and is not waited for again', async () => {
    const over = new AbortController();
    const { client, calls } = await startTis(() => over.abort(), { deadline: () => over.signal });
    expect(await failureOf(client.ask({ place: 'pages' }, shape))).toBeInstanceOf(TookTooLong);
    expect(calls).toHaveLength(1);
  });

  test('an abort ends with its reason', async () => {
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
    ['a reset', hangUp],
    [
      'half an answer',
      (response) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
        response.write('{"ok":', () => response.destroy());
      },
    ],
  ])('is made after %s', async (_what, fault) => {
    const { client, waits } = await startTis(inTurn(fault, ok));
    expect(await client.ask({ place: 'formats' }, shape)).toEqual({ ok: true });
    expect(waits).toEqual([500]);
  });

  test('of an aggregation is waited for as long as the service asks', async () => {
    const busy = json({ status: 429, message: 'Busy.', messages: null }, 429, { 'Retry-After': '45' });
    const { client, waits } = await startTis(inTurn(busy, busy, ok));
    await client.ask({ place: 'aggregation' }, shape);
    expect(waits).toEqual([45_000, 45_000]);
  });

  test('of starting an export is never made once it may have begun', async () => {
    const { client, calls } = await startTis(hangUp);
    const failure = await failureOf(client.fetch({ place: 'exportStart', method: 'POST' }));
    expect(failure.message).toMatch(/Nobody knows whether it was done: look before trying again\.$/);
    expect(calls).toHaveLength(1);
  });
});

test('what is to be asked alone follows on what was asked before', async () => {
  const waiting: (() => void)[] = [];
  const { client, calls } = await startTis((response, call) => {
    waiting.push(() => ok(response, call));
    if (waiting.length === 1) setImmediate(() => waiting[0]?.());
    else waiting.at(-1)?.();
  });
  const both = Promise.all([
    client.ask({ place: 'aggregation', alone: true }, shape).then(() => calls.length),
    client.ask({ place: 'aggregation', alone: true }, shape),
  ]);
  expect((await both)[0]).toBe(1);
});
