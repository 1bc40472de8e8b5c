import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { afterAll, beforeAll, expect, test } from '#jest';
import { createMeters } from '../../src/telemetry/prometheus.ts';
import { isTracing, startTracing, traced } from '../../src/telemetry/tracing.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';

const attribute = z.object({
  key: z.string(),
  value: z.object({
    stringValue: z.string().optional(),
    intValue: z.union([z.number(), z.string()]).optional(),
    boolValue: z.boolean().optional(),
    doubleValue: z.number().optional(),
  }),
});
const sent = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              kind: z.number(),
              attributes: z.array(attribute),
              status: z.object({ code: z.number().optional() }),
            }),
          ),
        }),
      ),
    }),
  ),
});
type Sent = z.output<typeof sent>;

/** A collector that takes spans by OTLP over HTTP, as JSON. */
async function startCollector() {
  const bodies: { readonly url: string; readonly key: unknown; readonly text: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    bodies.push({ url: request.url ?? '', key: request.headers['api-key'], text });
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, bodies, close: () => server.close() };
}

let collector: Awaited<ReturnType<typeof startCollector>>;
let dwell: TestDwell;
let endTracing: (() => Promise<void>) | null;
beforeAll(async () => {
  collector = await startCollector();
  endTracing = await startTracing({
    ...{ endpoint: collector.url, headers: { 'api-key': 'key of a test' }, version: '1.2.3' },
  });
  dwell = await startDwell({ meters: createMeters() });
});
afterAll(async () => {
  await endTracing?.();
  collector.close();
});

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const caller = '00f067aa0ba902b7';

test('the spans of a question make a tree below that of its caller, without a key, a query or a name', async () => {
  const jql = 'project = WEB AND assignee = ada';
  const answer = await dwell.get(
    '/rest/issues/aggregation',
    { filterType: 'customjql', customjql: jql, columnsBy: 'statusDuration', aggregationType: 'average' },
    { ...(await dwell.headerOf('ada')), traceparent: `00-${traceId}-${caller}-01` },
  );
  expect(answer.status).toBe(200);
  await dwell.stop();
  await endTracing?.();
  const { bodies } = collector;
  expect(bodies.map(({ url, key }) => [url, key])).toContainEqual(['/v1/traces', 'key of a test']);
  const batches = bodies.flatMap(
    ({ text }): Sent['resourceSpans'] => sent.parse(JSON.parse(text)).resourceSpans,
  );
  const resource = batches[0]?.resource.attributes.map(({ key, value }) => [key, value.stringValue]);
  expect(resource).toContainEqual(['service.name', 'dwell']);
  expect(resource).toContainEqual(['service.version', '1.2.3']);
  const spans = batches
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
    .filter((span) => span.traceId === traceId);
  const root = spans.find(({ name }) => name === 'http');
  expect(root).toMatchObject({ parentSpanId: caller, kind: 2 });
  const facts = Object.fromEntries(
    root?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? [],
  );
  expect(facts).toEqual({
    ...{ tenant: 'default', door: 'http', kind: 'statusDuration', rows: expect.anything() },
    'http.request.method': 'GET',
    'http.route': '/rest/issues/aggregation',
    'http.response.status_code': 200,
  });
  const below = spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
  expect(new Set(below.map(({ name }) => name))).toEqual(new Set(['store', 'scan', 'kernel']));
  expect(below.length).toBe(spans.length - 1);
  expect(JSON.stringify(spans)).not.toMatch(/WEB|\bada\b|assignee|select \*/i);
});

test('a span has failed where its work has, and nothing is traced once tracing has ended', async () => {
  const second = await startCollector();
  const end = await startTracing({ endpoint: second.url, headers: {}, version: '1' });
  expect(isTracing()).toBe(true);
  const failing = async (): Promise<never> => {
    throw new Error('a secret of the program');
  };
  await expect(traced('failing', { count: 3 }, failing)).rejects.toThrow('a secret of the program');
  expect(() =>
    traced('failing at once', {}, () => {
      throw new Error('a secret of the program');
    }),
  ).toThrow('a secret of the program');
  expect(traced('good', {}, () => 7)).toBe(7);
  await end?.();
  expect([isTracing(), traced('off', {}, () => 8)]).toEqual([false, 8]);
  second.close();
  const [text = ''] = second.bodies.map((body) => body.text);
  const codes = sent
    .parse(JSON.parse(text))
    .resourceSpans.flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans.map(({ name, status }) => [name, status.code ?? 0]));
  expect(codes).toEqual([
    ['failing', 2],
    ['failing at once', 2],
    ['good', 0],
  ]);
  expect(text).not.toContain('a secret of the program');
});
